/**
 * # A position beyond the end
 *
 * ## What
 * A list, tuple, string, array, tensor, index, or `.iloc` is asked for a position that it does not have, also inside a loop
 * whose elements are known.
 *
 * ## Why it crashes
 * Python, NumPy, torch and pandas raise `IndexError` for a position outside of the length.
 *
 * ## Example
 * ```python state
 * import matplotlib.pyplot as plt
 *
 * fig, axes = plt.subplots(1, 3)
 * ```
 * ```python cell
 * for i in range(4):
 *     axes[i].plot([1, 2])
 * ```
 *
 * ## Fix
 * Stay within the length, or make the container as long as the loop.
 * ```python fixed
 * for axis in axes:
 *     axis.plot([1, 2])
 * ```
 *
 * ## When it stays silent
 * For slices, for lengths and positions that are not known, and when an earlier iteration may leave the loop.
 */

import type { EventOf, Operand } from '../../reasoning/events.js';
import type { Fact } from '../../reasoning/facts.js';
import { lengthOf } from '../../reasoning/kinds.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { shapeText } from '../wording.js';

export default defineCheck({
  id: 'labels/position-out-of-bounds',
  title: 'A position beyond the end',
  rung: 'contracts',
  libraries: [],
  on: { loadItem: check, storeItem: check },
});

function check(event: EventOf<'loadItem'> | EventOf<'storeItem'>, context: CheckContext): void {
  const { container, key } = event;
  const { fact } = container;
  if (fact.kind === 'ndarray' || fact.kind === 'tensor') checkArray(event, context);
  if (fact.kind === 'indexer') checkPositions(event, context);
  if (!['list', 'tuple', 'range', 'index', 'scalar'].includes(fact.kind)) return;
  if (fact.kind === 'scalar' && fact.type !== 'str') return;
  const position = integer(key.fact);
  const length = lengthOf(fact);
  if (position === undefined || length === undefined || (position < length && position >= -length)) return;
  const owner = context.text(container.node);
  const noun = fact.kind === 'scalar' ? 'string' : fact.kind;
  const isStore = event.type === 'storeItem';
  report(event, context, container, {
    message:
      fact.kind === 'index'
        ? `index … is out of bounds for axis 0 with size ${length}`
        : fact.kind === 'range'
          ? 'range object index out of range'
          : isStore
            ? 'list assignment index out of range'
            : `${noun} index out of range`,
    fact: `${owner} has ${length} element${length === 1 ? '' : 's'}`,
    why: `position ${position} of ${owner}, which has ${length} element${length === 1 ? '' : 's'}`,
  });
}

function integer(fact: Fact): number | undefined {
  return fact.kind === 'scalar' && fact.type === 'int' && typeof fact.value === 'number'
    ? fact.value
    : undefined;
}

function checkArray(event: EventOf<'loadItem'> | EventOf<'storeItem'>, context: CheckContext): void {
  const { container, key } = event;
  const { fact } = container;
  if ((fact.kind !== 'ndarray' && fact.kind !== 'tensor') || !fact.shape) return;
  const parts = key.fact.kind === 'tuple' ? key.fact.items?.map((ref) => context.look(ref)) : [key.fact];
  if (
    !parts ||
    parts.some(
      (part) =>
        part.kind === 'none' ||
        part.class === 'builtins.ellipsis' ||
        !['scalar', 'slice'].includes(part.kind),
    )
  )
    return;
  const owner = context.text(container.node);
  if (parts.length > fact.shape.length) {
    const message =
      fact.kind === 'ndarray'
        ? `too many indices for array: array is ${fact.shape.length}-dimensional, but ${parts.length} were indexed`
        : `too many indices for tensor of dimension ${fact.shape.length}`;
    report(event, context, container, {
      message,
      fact: `${owner} has the shape ${shapeText(fact.shape)}`,
      why: `${parts.length} indices on ${owner}, which has ${fact.shape.length} dimension${fact.shape.length === 1 ? '' : 's'}`,
    });
    return;
  }
  parts.forEach((part, axis) => {
    const position = integer(part);
    const size = fact.shape![axis];
    if (position === undefined || typeof size !== 'number' || (position < size && position >= -size)) return;
    // In a loop the first position beyond the end is met first.
    const met = key.node.nodeType === 'Constant' ? position : '…';
    report(event, context, container, {
      message:
        fact.kind === 'ndarray'
          ? `index ${met} is out of bounds for axis ${axis} with size ${size}`
          : `index ${met} is out of bounds for dimension ${axis} with size ${size}`,
      fact: `${owner} has the shape ${shapeText(fact.shape!)}`,
      why: `position ${position} on axis ${axis} of ${owner}, which has size ${size} there`,
    });
  });
}

function checkPositions(event: EventOf<'loadItem'> | EventOf<'storeItem'>, context: CheckContext): void {
  const { container, key } = event;
  if (container.fact.kind !== 'indexer' || container.fact.accessor !== 'iloc') return;
  const owner = context.look(container.fact.owner);
  if (owner.kind !== 'dataframe' && owner.kind !== 'series') return;
  const parts =
    key.fact.kind === 'tuple' ? (key.fact.items ?? []).map((ref) => context.look(ref)) : [key.fact];
  const sizes = owner.kind === 'series' ? [owner.rows] : [owner.rows, owner.columns?.length];
  parts.forEach((part, axis) => {
    const position = integer(part);
    const size = sizes[axis];
    if (position === undefined || size === undefined || (position < size && position >= -size)) return;
    const name = context.text(container.node).replace(/\.iloc$/, '');
    const what = axis === 0 ? 'row' : 'column';
    report(
      event,
      context,
      { ...container, fact: owner },
      {
        message:
          event.type === 'storeItem'
            ? 'iloc cannot enlarge its target object'
            : 'single positional indexer is out-of-bounds',
        fact: `${name} has ${size} ${what}${size === 1 ? '' : 's'}`,
        why: `${what} ${position} of ${name}, which has ${size} ${what}${size === 1 ? '' : 's'}`,
      },
    );
  });
}

function report(
  event: EventOf<'loadItem'> | EventOf<'storeItem'>,
  context: CheckContext,
  container: Operand,
  claim: { message: string; fact: string; why: string },
): void {
  context.report({
    exception: 'IndexError',
    message: claim.message,
    evidence: [{ fact: claim.fact, source: context.source(container) }],
    explanation: `\`${context.text(event.node)}\` raises IndexError: it asks for ${claim.why}.`,
    remedy: 'Stay within the length, or check it before.',
  });
}
