// What may stand on the left of an assignment or behind `del`, in the words Python uses when it may not.
import type { Expression, Node } from '../ast.js';

export function targetError(
  target: Expression,
  verb: 'assign to' | 'delete',
): { message: string; node: Node } | null {
  switch (target.nodeType) {
    case 'Name':
      return target.id === '__debug__' && verb === 'assign to'
        ? { message: 'cannot assign to __debug__', node: target }
        : null;
    case 'Attribute':
    case 'Subscript':
      return null;
    case 'Starred':
      return verb === 'delete'
        ? { message: 'cannot delete starred', node: target }
        : targetError(target.value, verb);
    case 'Tuple':
    case 'List':
      for (const element of target.elts) {
        const inner = targetError(element, verb);
        if (inner) return inner;
      }
      return null;
    default:
      return { message: `cannot ${verb} ${describe(target)}`, node: target };
  }
}

function describe(node: Expression): string {
  switch (node.nodeType) {
    case 'Constant':
      return node.kind === 'none' || node.kind === 'bool' || node.kind === 'ellipsis'
        ? { none: 'None', bool: node.value ? 'True' : 'False', ellipsis: 'ellipsis' }[node.kind]
        : 'literal';
    case 'Call':
      return 'function call';
    case 'JoinedStr':
      return 'f-string expression';
    case 'IfExp':
      return 'conditional expression';
    case 'Lambda':
      return 'lambda';
    case 'Compare':
      return 'comparison';
    case 'Dict':
      return 'dict literal';
    case 'Set':
      return 'set display';
    case 'ListComp':
      return 'list comprehension';
    case 'Await':
      return 'await expression';
    case 'Yield':
    case 'YieldFrom':
      return 'yield expression';
    default:
      return 'expression';
  }
}
