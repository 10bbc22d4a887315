// scikit-learn: the parts of a split.

import { argument, literalArgument } from '../../reasoning/arguments.js';
import type { Fact, Frame, Ref, Series } from '../../reasoning/facts.js';
import type { Interpreter } from '../../reasoning/interpreter/interpreter.js';
import type { CallSite, CallTransfer } from '../../reasoning/library.js';
import { someRows } from '../pandas/frames.js';
import { someOf } from '../pandas/selection.js';
import { lengthOf } from '../python/builtins.js';

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
  interpreter: Pick<Interpreter, 'literal'>,
  site: Pick<CallSite, 'args'>,
  total: number | undefined,
): { readonly train: number; readonly test: number } | undefined {
  const test = argument(site, null, 'test_size');
  if (total === undefined || argument(site, null, 'train_size') || !site.args.complete) return undefined;
  const size = test ? literalArgument(interpreter, site, null, 'test_size') : 0.25;
  if (size === null) return { train: total - Math.ceil(0.25 * total), test: Math.ceil(0.25 * total) };
  if (typeof size !== 'number') return undefined;
  const isShare = test ? test.fact.kind === 'scalar' && test.fact.type === 'float' : true;
  const rows = isShare ? Math.ceil(size * total) : size;
  return { train: total - rows, test: rows };
}

export const trainTestSplit: CallTransfer = (site, interpreter) => {
  if (!site.args.complete) return interpreter.unknown();
  const items: Ref[] = [];
  for (const { fact } of site.args.positional) {
    const sizes = splitSizes(interpreter, site, lengthOf(fact));
    items.push(interpreter.put(part(fact, sizes?.train)), interpreter.put(part(fact, sizes?.test)));
  }
  return interpreter.put({ kind: 'list', class: 'builtins.list', items, length: items.length });
};

/** A splitter keeps what it was made with; parameters that it does not list have their defaults. */
const splitter =
  (name: string): CallTransfer =>
  (site, interpreter) => {
    if (!site.args.complete || site.args.positional.length > 1) return interpreter.unknown();
    const given = argument(site, 0, 'n_splits');
    const splits = given ? given.ref : interpreter.putLiteral(name === 'ShuffleSplit' ? 10 : 5);
    return interpreter.put({
      kind: 'instance',
      class: `sklearn.model_selection.${name}`,
      attributes: new Map([['n_splits', splits]]),
    });
  };

/** `splitter.split(X)`: as many pairs of row numbers as there are splits. */
export const splitMethods: Record<string, CallTransfer> = {
  split: (site, interpreter) => {
    const { class: name = '', attributes } = site.receiver!.fact;
    if (
      !/^sklearn\.model_selection\.(_split\.)?(KFold|StratifiedKFold|TimeSeriesSplit|GroupKFold|ShuffleSplit|StratifiedShuffleSplit)$/.test(
        name,
      )
    )
      return undefined;
    const given = attributes?.get('n_splits');
    const count = given === undefined ? undefined : interpreter.literal(given);
    const part = () =>
      interpreter.put({ kind: 'ndarray', class: 'numpy.ndarray', shape: [null], dtype: 'int64' });
    return interpreter.put({
      kind: 'iterator',
      class: 'builtins.generator',
      subscriptable: false,
      element: interpreter.put({
        kind: 'tuple',
        class: 'builtins.tuple',
        items: [part(), part()],
        length: 2,
      }),
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
