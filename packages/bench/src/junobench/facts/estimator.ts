// A recorded scikit-learn estimator: its class, whether it is fitted, and on how many features.
import type { ObjectFact } from '@grus/kernel/snapshot';
import { asBoolean, asNumber, get, type PyValue } from '../pprint/value.js';

export function describeEstimator(record: PyValue, className: string): ObjectFact {
  const fitted = asBoolean(get(record, 'is_fitted'));
  const learned = get(record, 'fitted_attributes');
  const features = asNumber(get(learned, 'n_features_in_'));
  const outputs = asNumber(get(learned, 'n_outputs_'));
  return {
    kind: 'estimator',
    class: className,
    structural: { ...(fitted !== undefined ? { fitted } : {}) },
    representation: {
      ...(features !== undefined ? { n_features_in: features } : {}),
      ...(outputs !== undefined ? { n_outputs: outputs } : {}),
      callable: false,
    },
  };
}
