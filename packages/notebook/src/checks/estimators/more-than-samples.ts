/**
 * # A size parameter that exceeds the data
 *
 * ## What
 * `n_components`, `n_neighbors`, `n_clusters` or `perplexity` is larger than the data allows.
 *
 * ## Why it crashes
 * There are not as many samples or features to choose from; scikit-learn raises `ValueError` when it sees the data.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * from sklearn.decomposition import PCA
 *
 * X = np.random.rand(20, 4)
 * ```
 * ```python cell
 * PCA(n_components=6).fit(X)
 * ```
 *
 * ## Fix
 * Choose a value that fits, for example `min(6, *X.shape)`.
 * ```python fixed
 * PCA(n_components=4).fit(X)
 * ```
 *
 * ## When it stays silent
 * When the parameter or the size of the data is not known.
 */
import { type CheckContext, defineCheck } from '../define-check.js';
import {
  type Data,
  dataOf,
  describeData,
  isAtLeast,
  isOwn,
  type MethodCall,
  methodCall,
  parameterValue,
} from './shared.js';

interface Excess {
  readonly message: string;
  readonly parameter: string;
  readonly value: number;
  readonly limit: string;
}

export default defineCheck({
  id: 'estimators/more-than-samples',
  title: 'A size parameter that exceeds the data',
  rung: 'contracts',
  libraries: ['sklearn'],
  on: {
    call(event, context) {
      const call = methodCall(event);
      if (!call?.X || !isOwn(call.estimator)) return;
      const excess = excessOf(call, dataOf(context, call.X.fact), context);
      if (!excess) return;
      const owner = context.text(call.receiver.node);
      context.report({
        exception: 'ValueError',
        message: excess.message,
        evidence: [
          {
            fact: `${excess.parameter} of ${owner} is ${excess.value}`,
            source: context.source(call.receiver),
          },
          { fact: describeData(context, call.X), source: context.source(call.X) },
        ],
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${excess.parameter}=${excess.value}, and ${excess.limit}.`,
        remedy: `Choose a smaller ${excess.parameter}.`,
      });
    },
  },
});

function excessOf(call: MethodCall, data: Data, context: CheckContext): Excess | undefined {
  const { rows, columns } = data;
  const isFit = call.method === 'fit' || call.method === 'fit_transform' || call.method === 'fit_predict';
  const parameter = (name: string, fallback?: number) => {
    const value = parameterValue(context, call.estimator, name, fallback);
    return typeof value === 'number' ? value : undefined;
  };
  if (call.name === 'PCA' && isFit && data.ndim === 2) {
    const value = parameter('n_components');
    const solver = parameterValue(context, call.estimator, 'svd_solver', 'auto');
    if (value === undefined || !Number.isInteger(value) || typeof solver !== 'string' || solver === 'arpack')
      return undefined;
    const least = Math.min(rows ?? Number.POSITIVE_INFINITY, columns ?? Number.POSITIVE_INFINITY);
    if (value <= least) return undefined;
    return {
      parameter: 'n_components',
      value,
      message: `n_components=${value} must be between 0 and min(n_samples, n_features)=${least}…`,
      limit: `min(n_samples, n_features) is ${least}`,
    };
  }
  if (call.name === 'TSNE' && isFit && rows !== undefined && isAtLeast(context.version('sklearn'), 1, 2)) {
    const value = parameter('perplexity', 30);
    if (value === undefined || value < rows) return undefined;
    return {
      parameter: 'perplexity',
      value,
      message: `perplexity (${Number.isInteger(value) ? `${value}.0` : value}) must be less than n_samples (${rows})`,
      limit: `there are ${rows} samples`,
    };
  }
  if (/^(KMeans|MiniBatchKMeans|BisectingKMeans)$/.test(call.name) && isFit && rows !== undefined) {
    const value = parameter('n_clusters', 8);
    if (value === undefined || value <= rows) return undefined;
    return {
      parameter: 'n_clusters',
      value,
      message: `n_samples=${rows} should be >= n_clusters=${value}.`,
      limit: `there are ${rows} samples`,
    };
  }
  if (
    /^KNeighbors(Classifier|Regressor)$/.test(call.name) &&
    /^(predict|predict_proba|score)$/.test(call.method)
  ) {
    const value = parameter('n_neighbors', 5);
    const { samples } = call.estimator;
    if (value === undefined || samples === undefined || value <= samples || call.estimator.fitted !== true)
      return undefined;
    return {
      parameter: 'n_neighbors',
      value,
      message: `Expected n_neighbors <= n_samples_fit, but n_neighbors = ${value}, n_samples_fit = ${samples}, n_samples = ${rows ?? '?'}`,
      limit: `it was fitted on ${samples} samples`,
    };
  }
  return undefined;
}
