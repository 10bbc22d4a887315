// Keras models: what training, predicting and compiling leave of a model, and what they give.

import { argument, literalArgument } from '../../reasoning/arguments.js';
import { lengthOf } from '../../reasoning/kinds.js';
import type { CallTransfer, Transfers } from '../../reasoning/library.js';
import { putNone } from '../../reasoning/plain-objects.js';
import { putHistory } from './history.js';
import type { KerasModel } from './kinds.js';

const own = /^keras\.(models\.)?(Sequential|Functional|Model)$/;

/** A model of Keras' own classes stays as it was built; what comes back is not followed. */
const leavesModel: CallTransfer = (site, context) =>
  own.test(site.receiver!.fact.class ?? '') ? context.unknown() : undefined;

const compile: CallTransfer = (site, context) => {
  const { ref, fact } = site.receiver!;
  if (!own.test(fact.class ?? '')) return undefined;
  const { loss: _, compiled: __, ...rest } = fact as KerasModel;
  const loss = literalArgument(context, site, 1, 'loss');
  const metrics = argument(site, 3, 'metrics');
  const parameters = new Map(rest.parameters);
  parameters.delete('metrics');
  if (metrics) parameters.set('metrics', metrics.ref);
  if (!site.args.complete || site.args.keywords.has('weighted_metrics'))
    parameters.set('metrics', context.unknown());
  context.state.update(ref, {
    ...rest,
    parameters,
    compiled: true,
    ...(typeof loss === 'string' && { loss }),
  });
  return putNone(context);
};

const fit: CallTransfer = (site, context) => {
  const { fact } = site.receiver!;
  return own.test(fact.class ?? '') ? putHistory(context, fact as KerasModel, site) : undefined;
};

/** One row of output for each sample. */
const predict: CallTransfer = (site, context) => {
  const fact = site.receiver!.fact as KerasModel;
  if (!own.test(fact.class ?? '')) return undefined;
  const output = fact.outputs?.length === 1 ? fact.outputs[0] : undefined;
  const data = site.args.positional[0]?.fact;
  const rows = data?.kind === 'ndarray' || data?.kind === 'dataframe' ? lengthOf(data) : undefined;
  if (!output) return context.unknown();
  return context.put({
    kind: 'ndarray',
    class: 'numpy.ndarray',
    shape: [rows ?? null, ...output.slice(1)],
  });
};

export const kerasModels: Transfers = {
  methods: {
    'keras-model': { fit, evaluate: leavesModel, summary: leavesModel, compile, predict },
  },
};
