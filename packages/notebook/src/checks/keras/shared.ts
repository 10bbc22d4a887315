// What the checks on Keras models share: the call, its data, and what the model was built and compiled for.

import type { KerasModel } from '../../libraries/keras/kinds.js';
import { argument } from '../../reasoning/arguments.js';
import type { EventOf, Operand } from '../../reasoning/events.js';
import type { Shape } from '../../reasoning/facts.js';
import { shapeOf } from '../../reasoning/kinds.js';

export interface ModelCall {
  readonly event: EventOf<'call'>;
  readonly model: KerasModel;
  readonly receiver: Operand;
  readonly method: 'fit' | 'evaluate' | 'predict';
  readonly x: Operand | undefined;
  readonly y: Operand | undefined;
}

const own = /^keras\.(models\.)?(Sequential|Functional|Model)$/;

/** `fit`, `evaluate` or `predict` of a Keras model that is not of a class of the user's. */
export function modelCall(event: EventOf<'call'>): ModelCall | undefined {
  const { receiver, method } = event;
  if (
    receiver?.fact.kind !== 'keras-model' ||
    (method !== 'fit' && method !== 'evaluate' && method !== 'predict')
  )
    return undefined;
  if (!own.test(receiver.fact.class ?? '')) return undefined;
  return {
    event,
    model: receiver.fact,
    receiver,
    method,
    x: argument(event, 0, 'x'),
    y: method === 'predict' ? undefined : argument(event, 1, 'y'),
  };
}

/** Shape of an array, frame or series that is given as data. */
export function dataShape(operand: Operand | undefined): Shape | undefined {
  const fact = operand?.fact;
  return fact && (fact.kind === 'ndarray' || fact.kind === 'dataframe' || fact.kind === 'series')
    ? shapeOf(fact)
    : undefined;
}

/** The loss in one spelling: "CategoricalCrossentropy" and "categorical_crossentropy" are the same. */
export function lossName(model: KerasModel): string | undefined {
  return model.loss?.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
}
