/**
 * # Targets that do not fit the output of a model and its loss
 *
 * ## What
 * `fit` or `evaluate` gets class numbers for a loss on one-hot vectors, one-hot vectors for a loss on class numbers, or vectors
 * of another width than the output.
 *
 * ## Why it crashes
 * The loss compares target and output element by element; Keras raises `ValueError` when ranks or widths differ.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * from tensorflow import keras
 *
 * model = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(10, "softmax")])
 * model.compile(loss="categorical_crossentropy")
 * X, y = np.zeros((20, 4), "float32"), np.zeros(20, "int64")
 * ```
 * ```python cell
 * model.fit(X, y)
 * ```
 *
 * ## Fix
 * `sparse_categorical_crossentropy` for class numbers, `keras.utils.to_categorical(y)` for one-hot vectors.
 * ```python fixed
 * model.fit(X, keras.utils.to_categorical(y, 10), verbose=0)
 * ```
 *
 * ## When it stays silent
 * For several outputs, other losses, and shapes that are not known.
 */
import type { Shape } from '../../reasoning/facts.js';
import { defineCheck } from '../define-check.js';
import { shapeText } from '../wording.js';
import { dataShape, lossName, modelCall } from './shared.js';

export default defineCheck({
  id: 'keras/target-shape',
  title: 'Targets that do not fit the output of a model and its loss',
  rung: 'contracts',
  libraries: ['keras', 'tensorflow'],
  on: {
    call(event, context) {
      const call = modelCall(event);
      const output = call?.model.outputs?.length === 1 ? call.model.outputs[0] : undefined;
      const target = dataShape(call?.y);
      const loss = call && lossName(call.model);
      if (!call?.x || !call.y || !output || !target || loss === undefined || call.model.compiled === false)
        return;
      const rows = dataShape(call.x)?.[0];
      if (typeof rows !== 'number' || rows !== target[0] || output.length !== 2) return;
      const remedy = problemOf(loss, output, target);
      if (remedy === undefined) return;
      const name = context.text(call.y.node);
      const owner = context.text(call.receiver.node);
      context.report({
        exception: 'ValueError',
        message: `Arguments \`target\` and \`output\` must have the same …. Received: target.shape=…, output.shape=…`,
        evidence: [
          {
            fact: `${owner} gives ${shapeText(output)} and was compiled with ${loss}`,
            source: context.source(call.receiver),
          },
          { fact: `${name} has the shape ${shapeText(target)}`, source: context.source(call.y) },
        ],
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${name} has the shape ${shapeText(target)}, which ${loss} cannot compare with the output ${shapeText(output)}.`,
        remedy,
      });
    },
  },
});

/** What to do about it, or undefined when the target fits. */
function problemOf(loss: string, output: Shape, target: Shape): string | undefined {
  const classes = output[1];
  const width = target[1];
  if (typeof classes !== 'number' || classes === 1) return undefined;
  if (loss === 'categorical_crossentropy' && target.length === 1)
    return "Use loss='sparse_categorical_crossentropy' for class numbers, or `keras.utils.to_categorical` for one-hot targets.";
  if (target.length !== 2 || typeof width !== 'number') return undefined;
  if (loss === 'categorical_crossentropy' && width !== classes)
    return `Give the last layer ${width} units, or the targets ${classes} columns.`;
  if (loss === 'sparse_categorical_crossentropy' && width > 1)
    return "Use loss='categorical_crossentropy' for one-hot targets, or `argmax(axis=1)` for class numbers.";
  if (loss === 'binary_crossentropy' && width !== classes && width > 1)
    return `Give the last layer ${width} units, or the targets ${classes} columns.`;
  return undefined;
}
