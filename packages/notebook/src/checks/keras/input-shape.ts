/**
 * # Data that does not fit the input of a model
 *
 * ## What
 * `fit`, `evaluate` or `predict` gets samples with another number of dimensions, features or channels than the model was
 * built for.
 *
 * ## Why it crashes
 * The first layer's weights have fixed sizes; Keras raises `ValueError` when the input is not compatible.
 *
 * ## Example
 * ```python state
 * import numpy as np
 * from tensorflow import keras
 *
 * model = keras.Sequential([keras.layers.Input((13,)), keras.layers.Dense(1)])
 * X = np.zeros((4, 12), "float32")
 * ```
 * ```python cell
 * model.predict(X)
 * ```
 *
 * ## Fix
 * Give the data the shape of `model.input_shape`: the same columns, a `reshape`, or a channel axis (`x[..., None]`).
 * ```python fixed
 * model.predict(np.zeros((4, 13), "float32"))
 * ```
 *
 * ## When it stays silent
 * For models with several inputs, when a shape is not known, and when only image sizes differ, which many models allow.
 */
import type { Shape } from '../../reasoning/facts.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { shapeText } from '../wording.js';
import { dataShape, type ModelCall, modelCall } from './shared.js';

export default defineCheck({
  id: 'keras/input-shape',
  title: 'Data that does not fit the input of a model',
  rung: 'contracts',
  libraries: ['keras', 'tensorflow'],
  on: {
    call(event, context) {
      const call = modelCall(event);
      const wanted = call?.model.inputs?.length === 1 ? call.model.inputs[0] : undefined;
      const given = dataShape(call?.x);
      if (!call?.x || !wanted || !given || (call.method !== 'predict' && call.model.compiled === false))
        return;
      if (call.y && hasOtherLength(call)) return;
      if (!isIncompatible(context, call, wanted, given)) return;
      const name = context.text(call.x.node);
      const owner = context.text(call.receiver.node);
      context.report({
        exception: 'ValueError',
        message: '… incompatible …',
        evidence: [
          { fact: `${owner} takes ${shapeText(wanted)}`, source: context.source(call.receiver) },
          { fact: `${name} has the shape ${shapeText(given)}`, source: context.source(call.x) },
        ],
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${owner} takes ${shapeText(wanted)}, and ${name} has the shape ${shapeText(given)}.`,
        remedy:
          given.length < wanted.length
            ? `Add the missing dimension, for example \`${name}[..., None]\`.`
            : `Give ${name} the shape that the model was built for.`,
      });
    },
  },
});

function hasOtherLength(call: ModelCall): boolean {
  const [a, b] = [dataShape(call.x)?.[0], dataShape(call.y)?.[0]];
  return typeof a === 'number' && typeof b === 'number' && a !== b;
}

const checksLastAxis =
  /^keras\.layers\.(Dense|Conv1D|Conv2D|LSTM|GRU|SimpleRNN|BatchNormalization|Bidirectional)$/;

function isIncompatible(context: CheckContext, call: ModelCall, wanted: Shape, given: Shape): boolean {
  if (given.length !== wanted.length) {
    const canSqueeze = given.length === wanted.length + 1 && given.at(-1) === 1;
    const canExpand = given.length === wanted.length - 1 && (wanted.at(-1) === 1 || wanted.at(-1) === null);
    return !canSqueeze && !canExpand;
  }
  const width = wanted.at(-1);
  const found = given.at(-1);
  if (typeof width !== 'number' || typeof found !== 'number' || width === found) return false;
  return checksLastAxis.test(firstLayer(context, call) ?? '');
}

/** Class of the layer that meets the data. */
function firstLayer(context: CheckContext, { model }: ModelCall): string | undefined {
  const layer = model.layers?.find(({ class: name }) => !/\.InputLayer$/.test(name));
  const object = layer?.object === undefined ? undefined : context.look(layer.object);
  return object?.class ?? layer?.class;
}
