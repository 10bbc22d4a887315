// Linter and type checker for the Python of the project. Ruff is kept in an environment of its own, beside which pyright
// sees no library: what happens to be installed changes no result.
import { join } from 'node:path';
import { handOver, installPython, root } from './setup.mjs';

/** The exit code of the first that complains, else 0. */
export async function checkPython() {
  const python = await installPython('check', '.venv-check');
  const lint = await handOver(python, ['-m', 'ruff', 'check', '--quiet', '.']);
  if (lint !== 0) return lint;
  return handOver(process.execPath, [join(root, 'node_modules', 'pyright', 'index.js'), '--warnings']);
}
