// Live models and layers of Keras, tensors and datasets of TensorFlow.
import type { ObjectFact } from '@grus/kernel/snapshot';
import { type Fact, known } from '../../reasoning/facts.js';
import type { LiveReader } from '../../reasoning/library.js';
import {
  type CommonFields,
  layersOf,
  type ObjectContext,
  pick,
  tableOf,
} from '../../reasoning/live/context.js';
import { loaderFact } from '../torch/live.js';
import type { KerasModel } from './kinds.js';

const modelReader = (kind: KerasModel['kind']): LiveReader => ({
  read(object: ObjectFact, common: CommonFields, context: ObjectContext): Fact {
    const { structural = {}, representation = {} } = object;
    return known({
      ...common,
      kind,
      attributes: common.attributes ?? new Map(),
      ...(structural.layers && { layers: layersOf(structural.layers, context) }),
      inputs: representation.input_shape,
      outputs: representation.output_shape,
      compiled: structural.compiled,
      loss: representation.loss,
      ...(structural.parameters && { parameters: tableOf(structural.parameters, context) }),
    });
  },
});

export const live: Readonly<Record<string, LiveReader>> = {
  keras_model: modelReader('keras-model'),
  keras_layer: modelReader('keras-layer'),
  tf_dataset: { read: loaderFact },
};

export function liveInstance({ kind, representation = {} }: ObjectFact) {
  return kind === 'keras_tensor' || kind === 'tf_tensor' ? pick(representation, 'shape') : {};
}
