// What helps where an estimator lacks an attribute: by scikit-learn's custom, names that end in `_` are learned.
import type { LibraryModel } from '../../reasoning/library.js';

export const adviceOnMissing: LibraryModel['adviceOnMissing'] = (owner, fact, name, literal) => {
  if (fact.kind !== 'estimator' || !/[a-z]_$/.test(name)) return undefined;
  if (fact.fitted === false)
    return `Call \`${owner}.fit(…)\` first: attributes whose names end in \`_\` exist only after fitting.`;
  const refit = fact.parameters?.get('refit');
  return name === 'best_estimator_' && refit !== undefined && literal(refit) === false
    ? `Make \`${owner}\` with \`refit=True\`: without it a search keeps no fitted estimator.`
    : undefined;
};
