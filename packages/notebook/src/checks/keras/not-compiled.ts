/**
 * # A model that is trained before it is compiled
 *
 * ## What
 * `fit` or `evaluate` is called on a Keras model without a call of `compile`.
 *
 * ## Why it crashes
 * There is no loss and no optimizer yet; Keras raises `ValueError: You must call compile() before using the model`.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * from tensorflow import keras
 *
 * model = keras.Sequential([keras.layers.Input((13,)), keras.layers.Dense(1)])
 * X, y = np.zeros((4, 13), "float32"), np.zeros(4, "float32")
 * ```
 * ```python cell
 * model.fit(X, y)
 * ```
 *
 * ## Fix
 * Call `model.compile(optimizer=..., loss=...)` first.
 * ```python fixed
 * model.compile(optimizer="adam", loss="mse")
 * model.fit(X, y, verbose=0)
 * ```
 *
 * ## When it stays silent
 * For `predict`, which needs no loss, and for user-defined model classes.
 */
import { defineCheck } from '../define-check.js';
import { modelCall } from './shared.js';

export default defineCheck({
  id: 'keras/not-compiled',
  title: 'A model that is trained before it is compiled',
  rung: 'contracts',
  libraries: ['keras', 'tensorflow'],
  on: {
    call(event, context) {
      const call = modelCall(event);
      if (!call || call.method === 'predict' || call.model.compiled !== false) return;
      const owner = context.text(call.receiver.node);
      context.report({
        exception: 'ValueError',
        message: 'You must call `compile()` before using the model.',
        evidence: [{ fact: `${owner} has not been compiled`, source: context.source(call.receiver) }],
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${owner} has not been compiled.`,
        remedy: `Call \`${owner}.compile(optimizer='adam', loss=…)\` first.`,
      });
    },
  },
});
