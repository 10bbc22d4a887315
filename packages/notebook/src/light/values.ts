// Expressions in which no rung could find anything, whatever the kernel holds: literals, names that are bound, and what is
// done with values whose kind is known. Anything else has no kind here, and the cell is judged in earnest.
import type { Expression, NodeOf } from '@grus/python';

export type Kind = 'int' | 'float' | 'bool' | 'str' | 'list' | 'tuple' | 'dict' | 'set' | 'range' | 'any';
/** Names that are bound, with the kinds of their values. */
export type Bound = ReadonlyMap<string, Kind>;

const numbers: ReadonlySet<Kind | null> = new Set(['int', 'float', 'bool']);
const sized: ReadonlySet<Kind | null> = new Set(['str', 'list', 'tuple', 'dict', 'set', 'range']);
const hashable: ReadonlySet<Kind | null> = new Set(['int', 'float', 'bool', 'str']);
const arithmetic: ReadonlySet<string> = new Set(['Add', 'Sub', 'Mult']);
const division: ReadonlySet<string> = new Set(['Div', 'FloorDiv', 'Mod']);
const textMethods: ReadonlySet<string> = new Set(['upper', 'lower', 'strip', 'title', 'capitalize', 'split']);

/** Functions whose calls are understood here. */
export const builtinsRead: ReadonlySet<string> = new Set(['print', 'len', 'range', 'sum']);

/** The kind of the value; null when something could be found in the expression. */
export function kindOf(node: Expression, bound: Bound): Kind | null {
  const all = (nodes: readonly Expression[]) => nodes.every((part) => kindOf(part, bound) !== null);
  switch (node.nodeType) {
    case 'Constant':
      return constantKind(node);
    case 'Name':
      return bound.get(node.id) ?? null;
    case 'List':
    case 'Tuple':
      return all(node.elts) ? (node.nodeType === 'List' ? 'list' : 'tuple') : null;
    case 'Set':
      return node.elts.every((part) => hashable.has(kindOf(part, bound))) ? 'set' : null;
    case 'Dict':
      return node.keys.every((key) => key !== null && hashable.has(kindOf(key, bound))) && all(node.values)
        ? 'dict'
        : null;
    case 'JoinedStr':
      return node.values.every((part) => isPlainPiece(part, bound)) ? 'str' : null;
    case 'BinOp':
      return operationKind(node, bound);
    case 'UnaryOp': {
      const kind = kindOf(node.operand, bound);
      if (node.op.nodeType === 'Not') return kind === null || kind === 'any' ? null : 'bool';
      return numbers.has(kind) ? kind : null;
    }
    case 'Compare': {
      const kinds = [node.left, ...node.comparators].map((part) => kindOf(part, bound));
      return kinds.every((kind) => numbers.has(kind)) || kinds.every((kind) => kind === 'str')
        ? 'bool'
        : null;
    }
    case 'IfExp': {
      const [test, yes, no] = [node.test, node.body, node.orelse].map((part) => kindOf(part, bound));
      if (!test || test === 'any' || !yes || !no) return null;
      return yes === no ? yes : 'any';
    }
    case 'ListComp':
    case 'SetComp':
    case 'DictComp':
      return comprehensionKind(node, bound);
    case 'Call':
      return callKind(node, bound);
    default:
      return null;
  }
}

function constantKind({ kind }: NodeOf<'Constant'>): Kind {
  return kind === 'int' || kind === 'float' || kind === 'bool' || kind === 'str' ? kind : 'any';
}

/** Text, or a value shown as it is; a number may have a width. */
function isPlainPiece(part: Expression, bound: Bound): boolean {
  if (part.nodeType === 'Constant') return true;
  if (part.nodeType !== 'FormattedValue') return false;
  const { value, format_spec: spec } = part;
  if (value.nodeType !== 'Name' && (value.nodeType !== 'Constant' || value.kind !== 'int')) return false;
  const kind = kindOf(value, bound);
  if (!spec) return kind !== null;
  if (spec.nodeType !== 'JoinedStr' || kind !== 'int') return false;
  const [text, ...more] = spec.values;
  return (
    more.length === 0 &&
    text?.nodeType === 'Constant' &&
    /^0?[1-9]?d?$/.test(typeof text.value === 'string' ? text.value : 'no')
  );
}

function operationKind({ left, op, right }: NodeOf<'BinOp'>, bound: Bound): Kind | null {
  const [one, other] = [kindOf(left, bound), kindOf(right, bound)];
  if (one === 'str' && other === 'str' && op.nodeType === 'Add') return 'str';
  if (!numbers.has(one) || !numbers.has(other)) return null;
  const divides = division.has(op.nodeType);
  if (divides && !(right.nodeType === 'Constant' && Number(right.value) > 0)) return null;
  if (!divides && !arithmetic.has(op.nodeType)) return null;
  return one === 'float' || other === 'float' || op.nodeType === 'Div' ? 'float' : 'int';
}

/** Over one range, with a single name. */
function comprehensionKind(node: NodeOf<'ListComp' | 'SetComp' | 'DictComp'>, bound: Bound): Kind | null {
  const [loop, ...more] = node.generators;
  if (!loop || more.length > 0 || loop.is_async || loop.target.nodeType !== 'Name') return null;
  if (kindOf(loop.iter, bound) !== 'range') return null;
  const inside = new Map(bound).set(loop.target.id, 'int');
  if (loop.ifs.some((test) => kindOf(test, inside) !== 'bool')) return null;
  if (node.nodeType === 'DictComp')
    return hashable.has(kindOf(node.key, inside)) && kindOf(node.value, inside) !== null ? 'dict' : null;
  const kind = kindOf(node.elt, inside);
  if (node.nodeType === 'ListComp') return kind === null ? null : 'list';
  return hashable.has(kind) ? 'set' : null;
}

function callKind({ func, args, keywords }: NodeOf<'Call'>, bound: Bound): Kind | null {
  const kinds = args.map((part) => kindOf(part, bound));
  if (keywords.length > 0 || kinds.includes(null)) return null;
  if (func.nodeType === 'Attribute')
    return args.length === 0 && textMethods.has(func.attr) && kindOf(func.value, bound) === 'str'
      ? func.attr === 'split'
        ? 'list'
        : 'str'
      : null;
  // A name that the notebook has bound itself is no builtin any more.
  if (func.nodeType !== 'Name' || bound.has(func.id)) return null;
  const [first] = kinds;
  switch (func.id) {
    case 'print':
      return 'any';
    case 'len':
      return kinds.length === 1 && sized.has(first ?? null) ? 'int' : null;
    case 'range':
      return kinds.length > 0 && kinds.length < 3 && kinds.every((kind) => kind === 'int') ? 'range' : null;
    case 'sum':
      return kinds.length === 1 && isNumberList(args[0], bound) ? 'int' : null;
    default:
      return null;
  }
}

function isNumberList(node: Expression | undefined, bound: Bound): boolean {
  return node?.nodeType === 'List' && node.elts.every((part) => numbers.has(kindOf(part, bound)));
}
