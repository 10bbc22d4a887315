/**
 * # A layer that cannot follow the one before it
 *
 * ## What
 * A Keras model is put together from layers of which one cannot take what the one before it gives: a convolution or a
 * recurrent layer after a flattening one, branches of different widths that are added, a `Reshape` to another size.
 *
 * ## Why it crashes
 * Keras computes the shapes while the model is built and raises `ValueError` at the layer that does not fit.
 *
 * ## Example
 * ```python state
 * from tensorflow import keras
 * from tensorflow.keras import layers
 * ```
 * ```python cell
 * keras.Sequential([layers.Input((8, 8, 1)), layers.Flatten(), layers.Conv2D(4, 3)])
 * ```
 *
 * ## Fix
 * Put the layers in another order, or a `Reshape` between them; give branches that are merged the same width.
 * ```python fixed
 * keras.Sequential([layers.Input((8, 8, 1)), layers.Conv2D(4, 3), layers.Flatten()])
 * ```
 *
 * ## When it stays silent
 * Without the shape of the input, after layers whose output shape is not known, and for user-defined layers.
 */

import { sequentialItems, stacked } from '../../libraries/keras/building.js';
import { layerOutput, symbolicInputs } from '../../libraries/keras/layers.js';
import type { EventOf } from '../../reasoning/events.js';
import { type CheckContext, defineCheck } from '../define-check.js';

export default defineCheck({
  id: 'keras/layer-input',
  title: 'A layer that cannot follow the one before it',
  rung: 'contracts',
  libraries: ['keras', 'tensorflow'],
  on: {
    call(event, context) {
      const refusal = refusalOf(event, context);
      if (refusal === undefined) return;
      context.report({
        exception: 'ValueError',
        message: refusal,
        evidence: [{ fact: refusal, source: context.source(event.callee) }],
        explanation: `\`${context.text(event.node.func)}(…)\` raises ValueError: ${refusal}`,
        remedy: 'Change the order of the layers, reshape between them, or give the branches the same width.',
      });
    },
  },
});

function refusalOf(event: EventOf<'call'>, context: CheckContext): string | undefined {
  const { callee, receiver, method, target } = event;
  if (callee.fact.kind === 'keras-layer') {
    const inputs = symbolicInputs(context.look, event);
    const result = inputs && layerOutput(context.look, callee.fact, inputs);
    return result && 'refusal' in result ? result.refusal : undefined;
  }
  if (target === 'keras.Sequential') {
    const items = sequentialItems(context.look, event);
    return items && stacked(context.look, items).refusal;
  }
  if (method !== 'add' || receiver?.fact.kind !== 'keras-model' || !receiver.fact.stack) return undefined;
  const [layer] = event.args.positional;
  return layer && stacked(context.look, [...receiver.fact.stack.map(context.look), layer.fact]).refusal;
}
