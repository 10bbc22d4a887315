// `format(value, spec)` for the specs whose result is beyond doubt.
import { asText, type Folded } from './values.js';

export function formatted(value: Folded, spec: string): string | undefined {
  if (spec === '') return asText(value);
  if (value.kind === 'int') {
    const zeroPadded = /^0(\d+)d?$/.exec(spec);
    if (zeroPadded && value.value >= 0) return String(value.value).padStart(Number(zeroPadded[1]), '0');
    if (spec === 'd') return String(value.value);
  }
  const fixed = /^\.(\d)f$/.exec(spec);
  if (fixed && value.kind === 'int')
    return `${value.value}${fixed[1] === '0' ? '' : `.${'0'.repeat(Number(fixed[1]))}`}`;
  if (spec === 's' && value.kind === 'str') return value.value;
  return undefined;
}

/** `template.format(*positional, **keywords)` for plain `{}`, `{0}` and `{name}` fields. */
export function formatTemplate(
  template: string,
  positional: readonly Folded[],
  keywords: ReadonlyMap<string, Folded>,
): string | undefined {
  let next = 0;
  let certain = true;
  const result = template.replace(/\{\{|\}\}|\{([^{}]*)\}/g, (match, field: string | undefined) => {
    if (match === '{{') return '{';
    if (match === '}}') return '}';
    const [name = '', spec = ''] = (field ?? '').split(':', 2);
    const value =
      name === '' ? positional[next++] : /^\d+$/.test(name) ? positional[Number(name)] : keywords.get(name);
    const rendered = value && formatted(value, spec);
    if (rendered === undefined) certain = false;
    return rendered ?? '';
  });
  return certain ? result : undefined;
}
