/**
 * # A package is not installed
 *
 * ## What
 * An import failed because nothing of that name is installed, or a program that a library starts is not there.
 *
 * ## Why
 * Another environment than the one the packages were installed in, or an optional dependency of a library.
 *
 * ## Example
 * `ModuleNotFoundError: No module named 'flash_attn'`.
 *
 * ## Stays silent
 * For names that moved inside an installed package: see versions.
 */
import { defineDetector } from '../define.js';
import { fromFailure, isProgram } from '../shared/match.js';

export const missingPackage = defineDetector({
  id: 'model/missing-package',
  subcause: 'missing_package',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) => {
    const tool = fromFailure(view, /No such file or directory/, { strength: 0.94, when: isProgram });
    if (tool.length > 0) return tool;
    return fromFailure(
      view,
      /No module named|cannot open shared object file|PackageNotFoundError|requires the .* library but it was not found|is not installed|(doesn't|does not) seem to be (?:installed|a Python package)|`pip install/i,
      { strength: 0.95 },
    );
  },
});
