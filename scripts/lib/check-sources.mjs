// Everything that is checked without running the product: format and lint, types, the direction of imports, what nothing
// uses, and the Python of the project.
import { join } from 'node:path';
import { checkPython } from './check-python.mjs';
import { handOver, root } from './setup.mjs';

const bin = (...path) => join(root, 'node_modules', ...path);

const commands = [
  [bin('@biomejs', 'biome', 'bin', 'biome'), 'check', '.'],
  [bin('typescript', 'bin', 'tsc'), '-b'],
  [bin('dependency-cruiser', 'bin', 'dependency-cruise.mjs'), '--config', '--output-type', 'err', 'packages'],
  [bin('knip', 'bin', 'knip.js'), '--no-progress', '--no-config-hints'],
];

/** Exit code of the first that finds something, or 0. */
export async function checkSources() {
  for (const command of commands) {
    const code = await handOver(process.execPath, command);
    if (code !== 0) return code;
  }
  return checkPython();
}
