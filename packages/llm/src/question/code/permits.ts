// Which literals of a cell are harmless, by where they stand in its syntax tree: labels of live tables, options that
// libraries accept, keys that exist, numbers in arithmetic. What the tree does not permit is told by its kind alone.
import { type Disclosure, isHarmlessText, isPlainNumber, isSensitiveName, libraryOptions } from '@grus/core';
import { childrenOf, type Expression, type Node, type ParsedCell, placeOf } from '@grus/python';

export interface Permits {
  /** What to write for the string that starts there; undefined: its kind. */
  text(line: number, column: number): string | undefined;
  number(line: number, column: number, value: number | bigint): boolean;
}

interface Place {
  /** Under a name that speaks of a secret. */
  readonly secret: boolean;
  /** One of many numbers side by side. */
  readonly data: boolean;
  /** In arithmetic, an argument or a subscript. */
  readonly reckoned: boolean;
}

const start: Place = { secret: false, data: false, reckoned: false };
/** More numbers than this beside each other are data. */
const fewNumbers = 6;
const longestText = 200;
/** A docstring or another text that does nothing. */
const idle = '...';

export function permitsOf(
  cell: ParsedCell,
  disclosure: Disclosure,
  keys: ReadonlySet<string> = new Set(),
): Permits {
  const texts = new Map<string, string>();
  const numbers = new Map<string, Place>();
  const visit = (node: Node, place: Place): void => {
    if (node.nodeType === 'Constant') {
      const { line, column } = placeOf(node);
      const at = `${line}:${column}`;
      if (typeof node.value !== 'string' || node.kind !== 'str') numbers.set(at, place);
      else if (isHarmless(node.value, place, disclosure, keys))
        texts.set(at, JSON.stringify(shownText(node.value, disclosure)));
      return;
    }
    for (const [child, below] of placed(node, place)) visit(child, below);
  };
  for (const statement of cell.body) {
    visit(statement, start);
  }
  for (const { line, column } of idleTexts(cell)) texts.set(`${line}:${column}`, idle);
  return {
    text: (line, column) => texts.get(`${line}:${column}`),
    number: (line, column, value) => {
      const { secret, data, reckoned } = numbers.get(`${line}:${column}`) ?? start;
      if (secret) return false;
      if (disclosure.values) return isPlainNumber(value, 8);
      return !data && isPlainNumber(value, reckoned ? 4 : 3);
    },
  };
}

function shownText(text: string, disclosure: Disclosure): string {
  return disclosure.isLabel(text) ? disclosure.label(text) : text;
}

function isHarmless(
  text: string,
  { secret }: Place,
  disclosure: Disclosure,
  keys: ReadonlySet<string>,
): boolean {
  if (secret) return false;
  if (text.length <= 1 || text === '__main__' || disclosure.isLabel(text)) return true;
  if (libraryOptions().has(text) || /^(?:%[a-zA-Z]|[-/:., T]){1,16}$/.test(text)) return true;
  if (keys.has(text) && disclosure.isPublic(text)) return true;
  return disclosure.values && text.length <= longestText && isHarmlessText(text);
}

/** The children of a node with what their place says about them. */
function* placed(node: Node, place: Place): Generator<[Node, Place]> {
  const under = (...names: (string | null)[]): Place => ({
    ...place,
    secret: place.secret || names.some((name) => name !== null && isSensitiveName(name)),
  });
  switch (node.nodeType) {
    case 'Assign': {
      const below = under(...node.targets.flatMap(namesOf));
      for (const target of node.targets) yield [target, place];
      yield [node.value, below];
      return;
    }
    case 'AnnAssign':
    case 'AugAssign':
    case 'NamedExpr': {
      const below = under(...namesOf(node.target));
      for (const child of childrenOf(node)) yield [child, child === node.value ? below : place];
      return;
    }
    case 'Keyword':
      yield [node.value, under(node.arg ?? null)];
      return;
    case 'Call': {
      const below = { ...under(...namesOf(node.func).slice(0, 1)), reckoned: true };
      yield [node.func, place];
      for (const child of [...node.args, ...node.keywords]) yield [child, below];
      return;
    }
    case 'Dict':
      for (const [index, value] of node.values.entries()) {
        const key = node.keys[index];
        if (key) yield [key, place];
        const data = place.data || value.nodeType === 'List' || value.nodeType === 'Tuple';
        yield [value, { ...under(...(key ? namesOf(key) : [])), data }];
      }
      return;
    case 'List':
    case 'Tuple':
    case 'Set': {
      const many = node.elts.filter(({ nodeType }) => nodeType === 'Constant').length > fewNumbers;
      for (const element of node.elts) yield [element, { ...place, data: place.data || many }];
      return;
    }
    case 'Compare': {
      const sides = [node.left, ...node.comparators];
      for (const side of sides) yield [side, { ...under(...sides.flatMap(namesOf)), reckoned: true }];
      return;
    }
    case 'Arguments': {
      const positional = [...node.posonlyargs, ...node.args];
      const first = positional.length - node.defaults.length;
      for (const [index, value] of node.defaults.entries())
        yield [value, under(positional[first + index]?.arg ?? null)];
      for (const [index, value] of node.kw_defaults.entries())
        if (value) yield [value, under(node.kwonlyargs[index]?.arg ?? null)];
      return;
    }
    case 'BinOp':
    case 'Subscript':
    case 'Slice':
    case 'UnaryOp':
      for (const child of childrenOf(node)) yield [child, { ...place, reckoned: true }];
      return;
    default:
      for (const child of childrenOf(node)) yield [child, place];
  }
}

/** Names that speak about an expression: its own, its attribute, its key. */
function namesOf(node: Node): string[] {
  switch (node.nodeType) {
    case 'Name':
      return [node.id];
    case 'Attribute':
      return [node.attr];
    case 'Constant':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'Subscript':
      return [...namesOf(node.slice as Expression), ...namesOf(node.value)];
    case 'Starred':
      return namesOf(node.value);
    case 'Tuple':
    case 'List':
      return node.elts.flatMap(namesOf);
    case 'Call':
      return namesOf(node.func);
    default:
      return [];
  }
}

function* idleTexts(cell: ParsedCell): Generator<{ line: number; column: number }> {
  const pending: Node[] = [...cell.body];
  while (pending.length > 0) {
    const node = pending.pop()!;
    if (node.nodeType === 'Expr') {
      if (
        node.value.nodeType === 'Constant' &&
        typeof node.value.value === 'string' &&
        node.value.kind === 'str'
      )
        yield placeOf(node.value);
    } else for (const child of childrenOf(node)) pending.push(child);
  }
}
