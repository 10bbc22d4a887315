// Makes the parser's tree the one that `ast.ts` describes: columns in UTF-16 units of the cell's own lines, the Python type
// of every literal in `Constant.kind`, private names of classes as Python stores them, and the calls that IPython makes of
// magics in place of their placeholders; `None` where a magic changes nothing.
import { PyComplex } from 'py-ast';
import { childrenOf, type Expression, type LiteralKind, type Node, type NodeOf } from '../ast.js';
import type { Magic, TransformedCell } from '../magics/transform.js';

interface Positioned {
  lineno?: number;
  col_offset?: number;
  end_lineno?: number;
  end_col_offset?: number;
}

export function normalise(module: NodeOf<'Module'>, transformed: TransformedCell): void {
  const lines = transformed.python.split('\n');
  const columns = lines.map(columnConverter);
  const place = (node: Positioned) => {
    if (node.lineno !== undefined && node.col_offset !== undefined)
      node.col_offset = columns[node.lineno - 1]?.(node.col_offset) ?? node.col_offset;
    if (node.end_lineno !== undefined && node.end_col_offset !== undefined)
      node.end_col_offset = columns[node.end_lineno - 1]?.(node.end_col_offset) ?? node.end_col_offset;
  };
  const shift = (node: Positioned) => {
    const { shifts } = transformed;
    if (node.lineno !== undefined && node.col_offset !== undefined)
      node.col_offset += shifts[node.lineno - 1] ?? 0;
    if (node.end_lineno !== undefined && node.end_col_offset !== undefined)
      node.end_col_offset += shifts[node.end_lineno - 1] ?? 0;
  };
  const visit = (node: Node, parent: Node | null, owner: string): void => {
    place(node);
    if (owner !== '') makePrivate(node, owner);
    if (node.nodeType === 'Constant') {
      const line = lines[(node.lineno ?? 1) - 1] ?? '';
      node.kind = literalKind(node, parent, line.slice(node.col_offset, sameLineEnd(node)));
      const magic = transformed.placeholders.get(`${node.lineno}:${node.col_offset}`);
      shift(node);
      if (magic && node.value === 0) {
        if (magic.inert && parent?.nodeType === 'Expr') Object.assign(node, { value: null, kind: 'none' });
        else becomeCall(node, magic);
      }
      return;
    }
    const inside = node.nodeType === 'ClassDef' ? node.body : [];
    for (const child of childrenOf(node)) {
      const isInside = (inside as readonly Node[]).includes(child);
      visit(child, node, isInside ? ownerName(node) : owner);
    }
    shift(node);
  };
  visit(module, null, '');
}

/** The name of a class as it stands in front of its private names; empty for a class that has none. */
function ownerName(node: Node): string {
  return node.nodeType === 'ClassDef' ? node.name.replace(/^_+/, '') : '';
}

/** `__name` inside a class is `_Class__name`, wherever a name can stand. */
function makePrivate(node: Node, owner: string): void {
  const stored = (name: string) => (/^__(?!\w*__$)\w/.test(name) ? `_${owner}${name}` : name);
  const fields = node as unknown as Record<string, unknown>;
  for (const field of [
    'id',
    'attr',
    'arg',
    'asname',
    'rest',
    ...(node.nodeType === 'Alias' ? [] : ['name']),
  ]) {
    const name = fields[field];
    if (typeof name === 'string') fields[field] = stored(name);
  }
  if (node.nodeType === 'Global' || node.nodeType === 'Nonlocal') node.names = node.names.map(stored);
}

function sameLineEnd(node: Positioned): number | undefined {
  return node.end_lineno === node.lineno ? node.end_col_offset : undefined;
}

/** Converts UTF-8 byte columns of one line into UTF-16 columns. */
function columnConverter(line: string): (column: number) => number {
  if (/^[\x00-\x7f]*$/.test(line)) return (column) => column;
  const byByte = new Map<number, number>();
  let bytes = 0;
  let units = 0;
  for (const char of line) {
    byByte.set(bytes, units);
    bytes += utf8Length(char.codePointAt(0)!);
    units += char.length;
  }
  byByte.set(bytes, units);
  return (column) => byByte.get(column) ?? Math.min(column, units);
}

function utf8Length(codePoint: number): number {
  return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
}

function literalKind(node: NodeOf<'Constant'>, parent: Node | null, text: string): LiteralKind {
  const value: unknown = node.value;
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (value instanceof PyComplex) return 'complex';
  if (typeof value === 'number') return /^\d[\d_]*(\.|[eE])|^\./.test(text) ? 'float' : 'int';
  if (parent?.nodeType === 'JoinedStr' || parent?.nodeType === 'TemplateStr') return 'str';
  if (node.quote_style === undefined && value === '...') return 'ellipsis';
  return /^[rR]?[bB]/.test(node.quote_style ?? '') ? 'bytes' : 'str';
}

/** Rewrites a placeholder in place into `get_ipython().run_line_magic('name', 'argument')` or its shell sibling. */
function becomeCall(node: NodeOf<'Constant'>, magic: Magic): void {
  const { lineno, col_offset, end_lineno, end_col_offset } = node;
  const at = { lineno, col_offset, end_lineno, end_col_offset };
  const ctx = { nodeType: 'Load' as const };
  const text = (value: string): Expression => ({
    nodeType: 'Constant',
    value,
    kind: 'str',
    quote_style: "'",
    ...at,
  });
  const shell: Expression = {
    nodeType: 'Call',
    func: { nodeType: 'Name', id: 'get_ipython', ctx, ...at },
    args: [],
    keywords: [],
    ...at,
  };
  const attr = magic.form !== 'shell' ? 'run_line_magic' : magic.name === 'sx' ? 'getoutput' : 'system';
  const args = magic.form === 'shell' ? [text(magic.argument)] : [text(magic.name), text(magic.argument)];
  for (const key of Object.keys(node)) delete (node as unknown as Record<string, unknown>)[key];
  const call: Expression = {
    nodeType: 'Call',
    func: { nodeType: 'Attribute', value: shell, attr, ctx, ...at },
    args,
    keywords: [],
    ...at,
  };
  Object.assign(node, call);
}
