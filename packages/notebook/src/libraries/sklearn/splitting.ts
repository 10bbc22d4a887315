// scikit-learn: the parts of a split.

import { argument, literalArgument } from '../../reasoning/arguments.js';
import type { Context } from '../../reasoning/context.js';
import type { Fact, Ref } from '../../reasoning/facts.js';
import { lengthOf } from '../../reasoning/kinds.js';
import type { CallSite, CallTransfer } from '../../reasoning/library.js';
import { putList, putTuple } from '../../reasoning/plain-objects.js';
import { someRows } from '../pandas/frames.js';
import type { Frame, Series } from '../pandas/kinds.js';
import { someOf } from '../pandas/selection.js';

/** One part of a split: the same sort of object with other rows. */
function part(fact: Fact, rows: number | undefined): Fact {
  switch (fact.kind) {
    case 'dataframe':
      return someRows(fact as Frame, rows);
    case 'series':
      return someOf(fact as Series, rows);
    case 'ndarray':
      return {
        kind: fact.kind,
        ...(fact.class !== undefined && { class: fact.class }),
        ...(fact.dtype !== undefined && { dtype: fact.dtype }),
        ...(fact.shape && { shape: [rows ?? null, ...fact.shape.slice(1)] }),
      };
    case 'list':
      return { kind: 'list', class: 'builtins.list', ...(rows !== undefined && { length: rows }) };
    default:
      return { kind: 'unknown' };
  }
}

/** Rows of the training and the test part as scikit-learn computes them. */
export function splitSizes(
  context: Pick<Context, 'literal'>,
  site: Pick<CallSite, 'args'>,
  total: number | undefined,
): { readonly train: number; readonly test: number } | undefined {
  const test = argument(site, null, 'test_size');
  if (total === undefined || argument(site, null, 'train_size') || !site.args.complete) return undefined;
  const size = test ? literalArgument(context, site, null, 'test_size') : 0.25;
  if (size === null) return { train: total - Math.ceil(0.25 * total), test: Math.ceil(0.25 * total) };
  if (typeof size !== 'number') return undefined;
  const isShare = test ? test.fact.kind === 'scalar' && test.fact.type === 'float' : true;
  const rows = isShare ? Math.ceil(size * total) : size;
  return { train: total - rows, test: rows };
}

export const trainTestSplit: CallTransfer = (site, context) => {
  if (!site.args.complete) return context.unknown();
  const items: Ref[] = [];
  for (const { fact } of site.args.positional) {
    const sizes = splitSizes(context, site, lengthOf(fact));
    items.push(context.put(part(fact, sizes?.train)), context.put(part(fact, sizes?.test)));
  }
  return putList(context, items);
};

/** A splitter keeps what it was made with; parameters that it does not list have their defaults. */
const splitter =
  (name: string): CallTransfer =>
  (site, context) => {
    if (!site.args.complete || site.args.positional.length > 1) return context.unknown();
    const given = argument(site, 0, 'n_splits');
    const splits = given ? given.ref : context.putLiteral(name === 'ShuffleSplit' ? 10 : 5);
    return context.put({
      kind: 'instance',
      class: `sklearn.model_selection.${name}`,
      attributes: new Map([['n_splits', splits]]),
    });
  };

/** `splitter.split(X)`: as many pairs of row numbers as there are splits. */
export const splitMethods: Record<string, CallTransfer> = {
  split: (site, context) => {
    const { class: name = '', attributes } = site.receiver!.fact;
    if (
      !/^sklearn\.model_selection\.(_split\.)?(KFold|StratifiedKFold|TimeSeriesSplit|GroupKFold|ShuffleSplit|StratifiedShuffleSplit)$/.test(
        name,
      )
    )
      return undefined;
    const given = attributes?.get('n_splits');
    const count = given === undefined ? undefined : context.literal(given);
    const part = () =>
      context.put({ kind: 'ndarray', class: 'numpy.ndarray', shape: [null], dtype: 'int64' });
    return context.put({
      kind: 'iterator',
      class: 'builtins.generator',
      subscriptable: false,
      element: putTuple(context, [part(), part()]),
      ...(typeof count === 'number' && { length: count }),
    });
  },
};

export const splitters: Record<string, CallTransfer> = Object.fromEntries(
  ['KFold', 'StratifiedKFold', 'TimeSeriesSplit'].map((name) => [
    `sklearn.model_selection.${name}`,
    splitter(name),
  ]),
);
