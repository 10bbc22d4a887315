/**
 * # A module that cannot be found
 *
 * ## What
 * The cell, or a function that it calls, imports a module that is neither loaded, nor on the kernel's import path.
 *
 * ## Why it crashes
 * Python asks its finders for the module; when none knows it, `ModuleNotFoundError` is raised.
 *
 * ## Example
 * ```python cell
 * import nunpy as np
 * ```
 *
 * ## Fix
 * Correct the spelling, or install the package in the kernel's environment.
 * ```python fixed
 * import numpy as np
 * ```
 *
 * ## When it stays silent
 * When the cell may have installed packages, written files or touched the import path before the import, when a finder
 * that Grus does not know might serve the module, and when the exception is caught.
 */
import { nearest, type Reason } from '@grus/core';
import { placeOf } from '@grus/python';
import type { CheckContext } from '../define-check.js';
import { defineCheck } from '../define-check.js';
import { distributionOf } from './distributions.js';
import { mayChangeImports } from './import-system.js';

export default defineCheck({
  id: 'names/missing-module',
  title: 'A module that cannot be found',
  rung: 'names',
  libraries: [],
  on: {
    import(event, context) {
      if (event.module === '' || event.module === '__future__' || mayChangeImports(context)) return;
      const found = findModule(event.module, context);
      if (found?.status !== 'absent') return;
      const missing = firstMissing(event.module, context);
      const parent = missing.slice(0, missing.lastIndexOf('.'));
      const notPackage = found.reason?.code === 'parent-not-package' ? `; '${parent}' is not a package` : '';
      const [near, ...others] = nearest(missing.split('.').at(-1)!, found.siblings);
      const spelt = near === undefined ? null : missing.includes('.') ? `${parent}.${near}` : near;
      context.report({
        exception: 'ModuleNotFoundError',
        message: `No module named '${missing}'${notPackage}`,
        evidence: [
          {
            fact: `no finder of the kernel's import system knows '${missing}'`,
            source: 'kernel: import path',
          },
        ],
        explanation: `Importing \`${event.module}\` raises ModuleNotFoundError: the kernel's Python has no module '${missing}'.`,
        remedy: spelt !== null ? `Did you mean \`${spelt}\`?` : installAdvice(missing),
        ...(spelt !== null &&
          others.length === 0 &&
          event.name === null &&
          missing === event.module && {
            edit: {
              place: {
                ...placeOf(event.alias),
                endColumn: placeOf(event.alias).column + event.module.length,
              },
              replacement: spelt,
              title: `Replace \`${event.module}\` by \`${spelt}\``,
            },
          }),
      });
    },
  },
});

interface FoundModule {
  readonly status: 'present' | 'absent' | 'unknown';
  readonly reason?: Reason | undefined;
  readonly siblings: readonly string[];
}

/** What the kernel knows of a module: from the first request, or by a question of the next round. */
export function findModule(module: string, context: CheckContext): FoundModule | undefined {
  const known = context.snapshot.modules[module];
  if (known) return { status: known.status, reason: known.reason, siblings: known.siblings ?? [] };
  const answer = context.ask({ ask: 'import', path: module, value: null });
  if (!answer) return undefined;
  const status = answer.status === 'no' ? 'absent' : answer.status === 'yes' ? 'present' : 'unknown';
  return { status, reason: answer.reason, siblings: answer.siblings ?? [] };
}

/** Python reports the first part of a dotted name that it cannot find. */
function firstMissing(module: string, context: CheckContext): string {
  const parts = module.split('.');
  for (let length = 1; length < parts.length; length++) {
    const prefix = parts.slice(0, length).join('.');
    if (findModule(prefix, context)?.status === 'absent') return prefix;
  }
  return module;
}

function installAdvice(module: string): string {
  const top = module.split('.')[0]!;
  if (module.includes('.')) return `Check the name of the submodule, or the installed version of \`${top}\`.`;
  const distribution = distributionOf(top);
  // A name that is not known may be a slip, and somebody else's package.
  return distribution === undefined
    ? `Check the spelling. If \`${top}\` is what you mean, install the package that provides it in the kernel's environment.`
    : `Install it in the kernel's environment: \`%pip install ${distribution}\`.`;
}
