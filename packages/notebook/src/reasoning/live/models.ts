// Live estimators, torch modules and Keras models.
import type { ObjectFact } from '@grus/kernel/snapshot';
import type { Fact, Layer } from '../facts.js';
import { type CommonFields, type ObjectContext, publicClass } from './context.js';

export function estimatorFact(object: ObjectFact, common: CommonFields, context: ObjectContext): Fact {
  const { structural = {}, representation = {}, values = {} } = object;
  return {
    ...common,
    kind: 'estimator',
    ...(structural.fitted !== undefined && { fitted: structural.fitted }),
    ...(representation.n_features_in !== undefined && { features: representation.n_features_in }),
    ...(representation.feature_names_in && { featureNames: representation.feature_names_in }),
    ...(values.classes && values.classes_complete !== false && { classes: values.classes }),
    ...(structural.parameters && {
      parameters: new Map(
        Object.entries(structural.parameters).map(([name, key]) => [name, context.refOf(key)]),
      ),
    }),
    ...(structural.parameters && { accepts: Object.keys(structural.parameters) }),
    ...samplesOf(structural.attributes?.['n_samples_fit_'], context),
    ...(structural.layers && { steps: layersOf(structural.layers, context) }),
  };
}

/** Rows that a neighbours model was fitted on. */
function samplesOf(key: string | undefined, context: ObjectContext): { samples?: number } {
  const value = key === undefined ? undefined : context.object(key)?.values?.literal;
  return typeof value === 'number' ? { samples: value } : {};
}

export function modelFact(
  object: ObjectFact,
  common: CommonFields,
  context: ObjectContext,
  kind: 'torch-module' | 'keras-model' | 'keras-layer',
): Fact {
  const { structural = {}, representation = {} } = object;
  const layers = structural.layers && layersOf(structural.layers, context);
  const of = structural.related?.['class'];
  const attributes = new Map(common.attributes ?? []);
  if (kind === 'torch-module')
    for (const layer of layers ?? [])
      if (layer.object !== undefined) attributes.set(layer.name, layer.object);
  return {
    ...common,
    kind,
    attributes,
    ...(layers && { layers }),
    ...(representation.input_shape && { inputs: representation.input_shape }),
    ...(representation.output_shape && { outputs: representation.output_shape }),
    ...(structural.compiled !== undefined && { compiled: structural.compiled }),
    ...(structural.hooked && { hooked: true }),
    ...(representation.loss !== undefined && { loss: representation.loss }),
    ...(structural.parameters && {
      parameters: new Map(
        Object.entries(structural.parameters).map(([name, key]) => [name, context.refOf(key)]),
      ),
    }),
    ...(of !== undefined && { of: context.refOf(of) }),
  };
}

function layersOf(
  layers: NonNullable<NonNullable<ObjectFact['structural']>['layers']>,
  context: ObjectContext,
): Layer[] {
  return layers.map((layer) => ({
    name: layer.name,
    class: publicClass(layer.class),
    ...(layer.object !== undefined && { object: context.refOf(layer.object) }),
  }));
}
