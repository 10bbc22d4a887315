// What Grus knows of scikit-learn and of all estimators that follow it.
import type { LibraryModel } from '../../reasoning/library.js';
import { namesBelow } from '../../reasoning/names.js';
import { adviceOnMissing } from './advice.js';
import { estimators } from './estimators.js';
import { kinds } from './kinds.js';
import { live } from './live.js';
import { questions } from './questions.js';

export const library: LibraryModel = {
  name: 'sklearn',
  adviceOnMissing,
  kinds,
  transfers: [estimators],
  live,
  questions,
  publicName: namesBelow('sklearn', 'imblearn'),
  manners: {
    keepingArguments: ['sklearn', 'imblearn', 'joblib'],
    writingNoFiles: ['sklearn'],
    lettingThrough: ['sklearn', 'joblib'],
    plainBases: /^sklearn\.base\./,
    changesSettings: ({ target }) => target !== null && /^sklearn\.(\w+\.)*set_config$/.test(target),
  },
  hooks: {
    enterManager: (name) => (/^sklearn\.(\w+\.)*config_context$/.test(name) ? { mutes: true } : undefined),
  },
};
