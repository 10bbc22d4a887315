// The exact edit for a label that is spelt almost right: the one string of an expression that is wrong, replaced.
import type { Edit } from '@grus/core';
import type { Literal } from '@grus/kernel/snapshot';
import { type Node, placeOf, walk } from '@grus/python';
import { pythonRepr } from '../reasoning/literals.js';
import type { CheckContext } from './define-check.js';

/** Undefined when there is no single candidate, or the wrong label is not written exactly once in the expression. */
export function labelEdit(
  context: CheckContext,
  within: Node,
  wrong: Literal | undefined,
  near: readonly string[],
): { readonly edit: Edit } | undefined {
  const [right, ...others] = near;
  if (right === undefined || others.length > 0 || typeof wrong !== 'string') return undefined;
  const written = [...walk(within)].filter((node) => node.nodeType === 'Constant' && node.value === wrong);
  const [node] = written;
  if (node === undefined || written.length > 1) return undefined;
  const plain = !/["'\\\n]/.test(right) && context.cell.text(node).startsWith('"');
  const replacement = plain ? `"${right}"` : pythonRepr(right);
  return {
    edit: {
      place: placeOf(node),
      replacement,
      title: `Replace ${pythonRepr(wrong)} by ${pythonRepr(right)}`,
    },
  };
}
