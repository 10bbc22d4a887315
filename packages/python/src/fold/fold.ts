// Constant folding: the value of an expression when it follows from literals and from values the caller vouches for.
// Undefined means "not certain"; nothing is ever guessed.
import { dottedName, type NodeOf } from '../ast.js';
import { foldCall } from './calls.js';
import { type Fold, type FoldContext, foldAll } from './context.js';
import { formatted } from './format.js';
import { asText, type Folded, joinPath, purePath, text } from './values.js';

export const fold: Fold = (node, context = {}): Folded | undefined => {
  switch (node.nodeType) {
    case 'Constant':
      return constant(node);
    case 'Name':
      return context.value?.(node.id);
    case 'Attribute':
      return attribute(node, context);
    case 'JoinedStr':
      return joined(node, context);
    case 'List':
    case 'Tuple': {
      const items = foldAll(node.elts, context, fold);
      return items && { kind: node.nodeType === 'List' ? 'list' : 'tuple', items };
    }
    case 'BinOp':
      return binary(node, context);
    case 'UnaryOp': {
      const operand = fold(node.operand, context);
      if (node.op.nodeType === 'USub' && (operand?.kind === 'int' || operand?.kind === 'float'))
        return { kind: operand.kind, value: -operand.value };
      return undefined;
    }
    case 'Call':
      return foldCall(node, context, fold);
    case 'Subscript':
      return subscript(node, context);
    default:
      return undefined;
  }
};

function constant(node: NodeOf<'Constant'>): Folded | undefined {
  const value: unknown = node.value;
  switch (node.kind) {
    case 'str':
      // The parser leaves \N{…} undecoded.
      return typeof value === 'string' && !value.includes('\\N{') ? text(value) : undefined;
    case 'int':
    case 'float':
      return typeof value === 'number' && (node.kind === 'float' || Number.isSafeInteger(value))
        ? { kind: node.kind, value }
        : undefined;
    case 'bool':
      return { kind: 'bool', value: value === true };
    case 'none':
      return { kind: 'none' };
    default:
      return undefined;
  }
}

function attribute(node: NodeOf<'Attribute'>, context: FoldContext): Folded | undefined {
  const path = dottedName(node);
  const known = path === null ? undefined : context.value?.(path);
  if (known) return known;
  if (path !== null && (context.callee?.(path) ?? path) === 'os.sep') return text('/');
  const receiver = fold(node.value, context);
  if (receiver?.kind !== 'path') return undefined;
  const name = receiver.value.slice(receiver.value.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const hasSuffix = dot > 0 && dot < name.length - 1;
  switch (node.attr) {
    case 'name':
      return text(name);
    case 'stem':
      return text(hasSuffix ? name.slice(0, dot) : name);
    case 'suffix':
      return text(hasSuffix ? name.slice(dot) : '');
    case 'parent': {
      const slash = receiver.value.lastIndexOf('/');
      return { kind: 'path', value: slash < 0 ? '.' : receiver.value.slice(0, slash) || '/' };
    }
    default:
      return undefined;
  }
}

function joined(node: NodeOf<'JoinedStr'>, context: FoldContext): Folded | undefined {
  let result = '';
  for (const part of node.values) {
    if (part.nodeType === 'Constant') {
      result += String(part.value);
      continue;
    }
    if (part.nodeType !== 'FormattedValue' || part.conversion !== -1) return undefined;
    const value = fold(part.value, context);
    const spec = part.format_spec ? fold(part.format_spec, context) : text('');
    const rendered = value && spec?.kind === 'str' ? formatted(value, spec.value) : undefined;
    if (rendered === undefined) return undefined;
    result += rendered;
  }
  return text(result);
}

function binary(node: NodeOf<'BinOp'>, context: FoldContext): Folded | undefined {
  const left = fold(node.left, context);
  const right = fold(node.right, context);
  if (!left || !right) return undefined;
  const operator = node.op.nodeType;
  if (operator === 'Div' && (left.kind === 'path' || right.kind === 'path')) {
    const parts = [left, right].map((part) =>
      part.kind === 'str' || part.kind === 'path' ? part.value : null,
    );
    if (parts.includes(null)) return undefined;
    return { kind: 'path', value: purePath(joinPath(parts as string[])) };
  }
  if (operator === 'Add') {
    if (left.kind === 'str' && right.kind === 'str') return text(left.value + right.value);
    if ((left.kind === 'list' || left.kind === 'tuple') && left.kind === right.kind)
      return { kind: left.kind, items: [...left.items, ...right.items] };
  }
  if (
    operator === 'Mult' &&
    left.kind === 'str' &&
    right.kind === 'int' &&
    left.value.length * right.value <= 4096
  )
    return text(left.value.repeat(Math.max(0, right.value)));
  if (operator === 'Mod' && left.kind === 'str') return percent(left.value, right);
  if ((left.kind === 'int' || left.kind === 'float') && (right.kind === 'int' || right.kind === 'float'))
    return arithmetic(operator, left, right);
  return undefined;
}

type NumberValue = Extract<Folded, { kind: 'int' | 'float' }>;

function arithmetic(operator: string, left: NumberValue, right: NumberValue): Folded | undefined {
  const exact = left.kind === 'int' && right.kind === 'int';
  const result = (value: number, kind: 'int' | 'float' = exact ? 'int' : 'float'): Folded | undefined =>
    Number.isFinite(value) && (kind === 'float' || Number.isSafeInteger(value)) ? { kind, value } : undefined;
  switch (operator) {
    case 'Add':
      return result(left.value + right.value);
    case 'Sub':
      return result(left.value - right.value);
    case 'Mult':
      return result(left.value * right.value);
    case 'Div':
      return right.value === 0 ? undefined : result(left.value / right.value, 'float');
    case 'FloorDiv':
      return right.value === 0 ? undefined : result(Math.floor(left.value / right.value));
    case 'Mod':
      return right.value === 0
        ? undefined
        : result(left.value - right.value * Math.floor(left.value / right.value));
    case 'Pow':
      return exact && right.value >= 0 ? result(left.value ** right.value) : undefined;
    default:
      return undefined;
  }
}

/** `'%s-%d' % values` for plain `%s` and `%d`. */
function percent(template: string, values: Folded): Folded | undefined {
  const queue = values.kind === 'tuple' ? [...values.items] : [values];
  let certain = true;
  const result = template.replace(/%(.)/g, (_, letter: string) => {
    if (letter === '%') return '%';
    const value = queue.shift();
    const rendered =
      value && (letter === 's' || (letter === 'd' && value.kind === 'int')) ? asText(value) : undefined;
    if (rendered === undefined) certain = false;
    return rendered ?? '';
  });
  return certain && queue.length === 0 ? text(result) : undefined;
}

function subscript(node: NodeOf<'Subscript'>, context: FoldContext): Folded | undefined {
  const container = fold(node.value, context);
  const key = fold(node.slice, context);
  if (key?.kind !== 'int') return undefined;
  if (container?.kind === 'list' || container?.kind === 'tuple') return container.items.at(key.value);
  return undefined;
}
