// Writes a value that was read from a record as a Python literal again: a program on the other side reads it with
// `ast.literal_eval`. What has no literal becomes the text of its repr.
import type { PyValue } from './value.js';

export function pythonLiteral(value: PyValue): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return text(value);
  switch (value.type) {
    case 'int':
      return value.digits;
    case 'float':
      return Number.isFinite(value.value) ? float(value.value) : text(String(value.value));
    case 'dict':
      return `{${value.entries.map(([key, item]) => `${pythonLiteral(key)}: ${pythonLiteral(item)}`).join(', ')}}`;
    case 'call':
      // `np.float64(0.5)` and `torch.Size([3])` are their argument; other calls stay text.
      return value.args.length === 1 ? pythonLiteral(value.args[0]!) : text(value.name);
    case 'opaque':
      return text(value.text);
    default: {
      const items = value.items.map(pythonLiteral).join(', ');
      if (value.type === 'tuple') return value.items.length === 1 ? `(${items},)` : `(${items})`;
      return `[${items}]`;
    }
  }
}

function float(value: number): string {
  const written = String(value);
  return /[.e]/.test(written) ? written : `${written}.0`;
}

function text(value: string): string {
  return JSON.stringify(value);
}
