// Live estimators, of scikit-learn and of all that follow it.
import type { ObjectFact } from '@grus/kernel/snapshot';
import type { Fact } from '../../reasoning/facts.js';
import type { LiveReader } from '../../reasoning/library.js';
import { type CommonFields, layersOf, type ObjectContext, tableOf } from '../../reasoning/live/context.js';

function estimatorFact(object: ObjectFact, common: CommonFields, context: ObjectContext): Fact {
  const { structural = {}, representation = {}, values = {} } = object;
  return {
    ...common,
    kind: 'estimator',
    fitted: structural.fitted,
    features: representation.n_features_in,
    featureNames: representation.feature_names_in,
    ...(values.classes && values.classes_complete !== false && { classes: values.classes }),
    ...(structural.parameters && {
      parameters: tableOf(structural.parameters, context),
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

export const live: Readonly<Record<string, LiveReader>> = { estimator: { read: estimatorFact } };
