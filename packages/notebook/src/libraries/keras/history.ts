// What `fit` records: a History whose keys follow from the loss, the metrics and the validation data.

import { argument } from '../../reasoning/arguments.js';
import type { Context } from '../../reasoning/context.js';
import type { DictEntry, Fact, Ref } from '../../reasoning/facts.js';
import type { CallSite } from '../../reasoning/library.js';
import { keyOf, literalOf } from '../../reasoning/literals.js';
import { putScalar } from '../../reasoning/plain-objects.js';
import type { KerasModel } from './kinds.js';

/** Callbacks that add nothing to the history. */
const silentCallbacks =
  /^keras\.callbacks\.(EarlyStopping|ModelCheckpoint|TensorBoard|CSVLogger|TerminateOnNaN|History|BackupAndRestore)$/;

export function putHistory(context: Context, model: KerasModel, site: CallSite): Ref {
  const keys = historyKeys(context, model, site);
  const entries = keys && new Map<string, DictEntry>(keys.map((key) => [keyOf(key), entryOf(context, key)]));
  const history = context.put({
    kind: 'dict',
    class: 'builtins.dict',
    ...(entries && { entries, complete: true }),
  });
  return context.put({
    kind: 'instance',
    class: 'keras.callbacks.History',
    attributes: new Map([['history', history]]),
  });
}

function entryOf(context: Context, key: string): DictEntry {
  const element = putScalar(context, 'float');
  return { key, value: context.put({ kind: 'list', class: 'builtins.list', element }) };
}

/** All keys, or undefined when something may add others. */
function historyKeys(context: Context, model: KerasModel, site: CallSite): string[] | undefined {
  const metrics = metricNames(context, model);
  if (!metrics || model.compiled !== true || model.outputs?.length !== 1 || !site.args.complete)
    return undefined;
  if (site.args.positional.length > 2 || !addsNothing(context, argument(site, null, 'callbacks')?.fact))
    return undefined;
  const names = ['loss', ...metrics];
  const validation = validates(context, site);
  if (validation === undefined) return undefined;
  return validation ? [...names, ...names.map((name) => `val_${name}`)] : names;
}

function validates(context: Context, site: CallSite): boolean | undefined {
  const data = argument(site, null, 'validation_data');
  if (data) return data.fact.kind === 'none' ? false : data.fact.kind === 'unknown' ? undefined : true;
  const split = argument(site, null, 'validation_split');
  const share = split && context.literal(split.ref);
  return split ? (typeof share === 'number' ? share > 0 : undefined) : false;
}

function addsNothing(context: Context, callbacks: Fact | undefined): boolean {
  if (!callbacks || callbacks.kind === 'none') return true;
  if (callbacks.kind !== 'list') return false;
  return callbacks.items?.every((ref) => silentCallbacks.test(context.look(ref).class ?? '')) ?? false;
}

/** Metrics that were given by names under which Keras records them. */
const recordedAsGiven = /^(acc|accuracy|mae|mse|mean_absolute_error|mean_squared_error)$/;

function metricNames(context: Context, model: KerasModel): string[] | undefined {
  const ref = model.parameters?.get('metrics');
  if (ref === undefined) return [];
  const literal = literalOf(context.look(ref), context.look);
  if (literal === null) return [];
  if (!Array.isArray(literal)) return undefined;
  const names = literal.filter(
    (name): name is string => typeof name === 'string' && recordedAsGiven.test(name),
  );
  return names.length === literal.length ? names : undefined;
}
