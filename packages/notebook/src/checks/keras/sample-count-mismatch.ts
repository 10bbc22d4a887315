/**
 * # Inputs and targets with different numbers of samples
 *
 * ## What
 * `fit` or `evaluate` of a Keras model gets x and y of different lengths.
 *
 * ## Why it crashes
 * Batches take the same rows of both; Keras raises `ValueError: Data cardinality is ambiguous`.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * from tensorflow import keras
 *
 * model = keras.Sequential([keras.layers.Input((13,)), keras.layers.Dense(1)])
 * model.compile(optimizer="adam", loss="mse")
 * X, y = np.zeros((50, 13), "float32"), np.zeros(49, "float32")
 * ```
 * ```python cell
 * model.fit(X, y)
 * ```
 *
 * ## Fix
 * Make both from the same rows.
 * ```python fixed
 * model.fit(X[:49], y, verbose=0)
 * ```
 *
 * ## When it stays silent
 * When a length is not known, and when the model has not been compiled, which fails first.
 */
import { defineCheck } from '../define-check.js';
import { dataShape, modelCall } from './shared.js';

export default defineCheck({
  id: 'keras/sample-count-mismatch',
  title: 'Inputs and targets with different numbers of samples',
  rung: 'contracts',
  libraries: ['keras', 'tensorflow'],
  on: {
    call(event, context) {
      const call = modelCall(event);
      if (!call?.x || !call.y || call.model.compiled === false) return;
      const a = dataShape(call.x)?.[0];
      const b = dataShape(call.y)?.[0];
      if (typeof a !== 'number' || typeof b !== 'number' || a === b) return;
      const names = [context.text(call.x.node), context.text(call.y.node)];
      context.report({
        exception: 'ValueError',
        message: `Data cardinality is ambiguous. Make sure all arrays contain the same number of samples.'x' sizes: ${a}\n'y' sizes: ${b}\n`,
        evidence: [
          { fact: `${names[0]} has ${a} samples`, source: context.source(call.x) },
          { fact: `${names[1]} has ${b} samples`, source: context.source(call.y) },
        ],
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${names[0]} has ${a} samples and ${names[1]} has ${b}.`,
        remedy: 'Make inputs and targets from the same rows.',
      });
    },
  },
});
