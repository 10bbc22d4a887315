import type { Check } from '../define-check.js';
import deletedName from './deleted-name.js';
import missingFile from './missing-file.js';
import missingImportedName from './missing-imported-name.js';
import missingModule from './missing-module.js';
import optionalDependency from './optional-dependency.js';
import shadowedCallable from './shadowed-callable.js';
import skippedCell from './skipped-cell.js';
import syntaxError from './syntax-error.js';
import unboundLocal from './unbound-local.js';
import undefinedName from './undefined-name.js';

/** The checks of the names rung. */
export const namesChecks: readonly Check[] = [
  syntaxError,
  undefinedName,
  skippedCell,
  deletedName,
  unboundLocal,
  missingModule,
  missingImportedName,
  missingFile,
  optionalDependency,
  shadowedCallable,
];
