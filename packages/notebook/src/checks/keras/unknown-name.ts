/**
 * # A name that Keras does not know
 *
 * ## What
 * An activation, initializer, regularizer, optimizer, loss or metric is given by a name that the installed Keras does not
 * have.
 *
 * ## Why it crashes
 * Keras looks the name up among its own objects and raises `ValueError: Could not interpret … identifier`: for a layer when
 * it is made, for the optimizer in `compile`, for loss and metrics when training begins.
 *
 * ## Example
 * ```python state
 * from tensorflow.keras import layers
 * ```
 * ```python cell
 * layers.Dense(8, activation="relux")
 * ```
 *
 * ## Fix
 * Use a name that exists; the message lists near misses. Or pass the function or object itself.
 * ```python fixed
 * layers.Dense(8, activation="relu")
 * ```
 *
 * ## When it stays silent
 * When user-defined objects are registered, and when the name is not known.
 */

import { argument } from '../../reasoning/arguments.js';
import type { EventOf, Operand } from '../../reasoning/events.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { modelCall } from './shared.js';

interface Given {
  readonly what: string;
  readonly home: string;
  readonly name: string;
  readonly operand: Operand;
}

export default defineCheck({
  id: 'keras/unknown-name',
  title: 'A name that Keras does not know',
  rung: 'contracts',
  libraries: ['keras', 'tensorflow'],
  on: {
    call(event, context) {
      for (const given of namesIn(event, context)) {
        const answer = context.ask({ ask: 'option', path: `keras.${given.home}`, value: given.name });
        if (answer?.status !== 'no') continue;
        const near = answer.siblings ?? [];
        context.report({
          exception: 'ValueError',
          message: `Could not interpret ${given.what} identifier: ${given.name}`,
          evidence: [
            { fact: `keras.${given.home} has no '${given.name}'`, source: context.source(given.operand) },
          ],
          explanation: `\`${context.text(event.node.func)}(…)\` raises ValueError: Keras has no ${given.what} '${given.name}'.`,
          remedy:
            near.length > 0
              ? `Did you mean ${near.map((word) => `'${word}'`).join(' or ')}?`
              : `Use a name of keras.${given.home}, or pass the object itself.`,
        });
        return;
      }
    },
  },
});

const ofLayers: readonly (readonly [parameter: string, what: string, home: string])[] = [
  ['activation', 'activation function', 'activations'],
  ['kernel_initializer', 'initializer', 'initializers'],
  ['bias_initializer', 'initializer', 'initializers'],
  ['kernel_regularizer', 'regularizer', 'regularizers'],
];
const secondIsActivation = /^keras\.layers\.(Dense|LSTM|GRU|SimpleRNN)$/;

function namesIn(event: EventOf<'call'>, context: CheckContext): Given[] {
  const found: Given[] = [];
  const take = (operand: Operand | undefined, what: string, home: string) => {
    const name = operand && context.literal(operand.ref);
    if (typeof name === 'string' && operand) found.push({ what, home, name, operand });
  };
  if (event.target !== null && /^keras\.layers\.[A-Z]\w*$/.test(event.target)) {
    const position = secondIsActivation.test(event.target)
      ? 1
      : event.target.endsWith('.Activation')
        ? 0
        : null;
    for (const [parameter, what, home] of ofLayers)
      take(argument(event, parameter === 'activation' ? position : null, parameter), what, home);
  }
  const isModel = event.receiver?.fact.kind === 'keras-model';
  if (isModel && event.method === 'compile') take(argument(event, 0, 'optimizer'), 'optimizer', 'optimizers');
  const call = modelCall(event);
  if (
    call?.method === 'fit' &&
    call.model.compiled === true &&
    call.x &&
    call.y &&
    call.model.loss !== undefined
  )
    if (/^[a-z_]+$/.test(call.model.loss))
      found.push({ what: 'loss', home: 'losses', name: call.model.loss, operand: call.receiver });
  return found;
}
