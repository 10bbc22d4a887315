/**
 * # A position beyond the end
 *
 * ## What
 * A list, tuple, string, array, tensor, index, or `.iloc` is indexed at a position that it does not have, also inside a loop
 * whose elements are known. A mask of another length, or an array of positions with one that is too high.
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

import type { ArrayLike } from '../../libraries/numpy/kinds.js';
import { argument } from '../../reasoning/arguments.js';
import type { EventOf, Operand } from '../../reasoning/events.js';
import type { Fact } from '../../reasoning/facts.js';
import { lengthOf, shapeOf } from '../../reasoning/kinds.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { shapeText } from '../wording.js';

export default defineCheck({
  id: 'labels/position-out-of-bounds',
  title: 'A position beyond the end',
  rung: 'contracts',
  libraries: [],
  on: { loadItem: check, storeItem: check, call: checkClasses },
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

/** Functions that make a row of zeros and ones for each number: how many classes they are told. */
const encoders: Readonly<
  Record<string, { readonly data: readonly string[]; readonly exception: string; readonly message: string }>
> = {
  'keras.utils.to_categorical': {
    data: ['x', 'y'],
    exception: 'IndexError',
    message: 'index … is out of bounds for axis 1 with size …',
  },
  'torch.nn.functional.one_hot': {
    data: ['tensor', 'input'],
    exception: 'RuntimeError',
    message: 'Class values must be smaller than num_classes.',
  },
};

function checkClasses(event: EventOf<'call'>, context: CheckContext): void {
  const { target, args } = event;
  const encoder = target !== null && Object.hasOwn(encoders, target) ? encoders[target] : undefined;
  const [first, other] = encoder?.data ?? [];
  const data = first && other ? (argument(event, 0, first) ?? argument(event, null, other)) : undefined;
  const told = argument(event, 1, 'num_classes');
  const classes = told && context.literal(told.ref);
  if (!encoder || !data || typeof classes !== 'number' || classes < 0 || !args.complete) return;
  const { fact } = data;
  const isArray = fact.kind === 'ndarray' || fact.kind === 'series' || fact.kind === 'tensor';
  const max = isArray ? fact.values?.max : undefined;
  if (max === undefined || max < classes) return;
  const name = context.text(data.node);
  context.report({
    exception: encoder.exception,
    message: encoder.message,
    evidence: [{ fact: `${name} holds ${max}`, source: context.source(data) }],
    explanation: `\`${context.text(event.node)}\` raises ${encoder.exception}: ${name} holds the class ${max}, and ${classes} classes end at ${classes - 1}.`,
    remedy: `Number the classes from 0, or tell it ${max + 1} classes.`,
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
  if (parts?.length === 1 && checkArrayKey(event, context, fact, key)) return;
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

/** One array as the key: a mask needs the sizes of what it masks, and numbers must be positions. */
function checkArrayKey(
  event: EventOf<'loadItem'> | EventOf<'storeItem'>,
  context: CheckContext,
  array: ArrayLike,
  key: Operand,
): boolean {
  const { fact } = key;
  if (fact.kind !== 'ndarray' && fact.kind !== 'tensor' && fact.kind !== 'series') return false;
  const sizes = array.shape ?? [];
  const owner = context.text(event.container.node);
  const isTensor = array.kind === 'tensor';
  if (fact.dtype === 'bool') {
    const mask = shapeOf(fact) ?? [];
    const axis = mask.findIndex((dim, at) => dim !== null && sizes[at] !== null && dim !== sizes[at]);
    if (axis < 0 || axis >= sizes.length) return false;
    report(event, context, event.container, {
      message: isTensor
        ? `The shape of the mask [${mask.join(', ')}] at index ${axis} does not match the shape of the indexed tensor [${sizes.join(', ')}] at index ${axis}`
        : `boolean index did not match indexed array along axis ${axis}; size of axis is ${sizes[axis]} but size of corresponding boolean axis is ${mask[axis]}`,
      fact: `${owner} has the shape ${shapeText(sizes)}`,
      why: `a mask of the shape ${shapeText(mask)} on ${owner}, which has the shape ${shapeText(sizes)}`,
    });
    return true;
  }
  const [size] = sizes;
  const { min, max } = fact.values ?? {};
  // Bytes are a mask to torch.
  const isPositions = /^u?int/.test(fact.dtype ?? '') && !(isTensor && fact.dtype === 'uint8');
  if (!isPositions || typeof size !== 'number' || min === undefined || max === undefined) return false;
  if (max < size && min >= -size) return false;
  const wrong = max >= size ? max : min;
  report(event, context, event.container, {
    message: isTensor
      ? `index ${wrong} is out of bounds for dimension 0 with size ${size}`
      : `index … is out of bounds for axis 0 with size ${size}`,
    fact: `${context.text(key.node)} holds ${wrong}`,
    why: `position ${wrong} of ${owner}, which has size ${size} there`,
  });
  return true;
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
