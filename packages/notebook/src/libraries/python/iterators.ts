// Iterators made by hand: `iter(x)`, `next(it)`, progress bars around an iterable.
import type { CallTransfer, Transfers } from '../../reasoning/library.js';

const traits = { subscriptable: false, callable: false, iterable: true } as const;

/** An iterator that gives the same elements. */
const sameElements: CallTransfer = (site, context) => {
  const [iterable] = site.args.positional;
  if (!iterable || iterable.fact.kind === 'unknown') return undefined;
  const { items, element, count, nonEmpty, first, last, refusal } = context.elementsOf(iterable);
  return context.put({
    kind: 'iterator',
    ...traits,
    items,
    element,
    length: count,
    ...(nonEmpty && { nonEmpty: true }),
    first,
    last,
    refusal,
  });
};

/** The first element of a fresh iterator; what comes after it is not followed. */
const next: CallTransfer = (site, context) => {
  const [iterator] = site.args.positional;
  if (iterator?.fact.kind !== 'iterator' || site.args.positional.length !== 1) return undefined;
  const { items, first, element, length, refusal } = iterator.fact;
  const left = items?.length ?? length;
  if (left === 0) context.emit({ type: 'refusal', node: site.node, exception: 'StopIteration', message: '' });
  if (refusal && !refusal.later) context.emit({ type: 'refusal', node: site.node, ...refusal });
  context.state.update(iterator.ref, {
    kind: 'iterator',
    ...traits,
    ...(items && { items: items.slice(1) }),
    element,
    ...(left !== undefined && left > 0 && { length: left - 1 }),
  });
  return items?.[0] ?? first ?? element;
};

const progressBars = ['tqdm.tqdm', 'tqdm.tqdm_asyncio', 'tqdm.tqdm_notebook'];

export const iterators: Transfers = {
  functions: {
    'builtins.iter': sameElements,
    'builtins.next': next,
    ...Object.fromEntries(progressBars.map((name) => [name, sameElements])),
  },
};
