// Runs the command of a made bundle on an example, and keeps beside the bundle what a next start need not do again.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './setup.mjs';

const example = join(root, 'scenarios', 'recorded', 'shape-flatten-cnn');

/** The second has too many arguments: it loads what parses them, and ends before anything changes V8's settings. */
const commands = [
  ['diagnose', example],
  ['diagnose', example, example],
];

/** Keeps which files are loaded together, as one. `folder`: a path below the root, with `bin` and `dist`. */
export function keepTogether(folder) {
  keep(folder, 'keepTogether');
}

/** Keeps what V8 compiles of them. */
export function keepCompiled(folder) {
  keep(folder, 'keepCompiled');
}

function keep(folder, what) {
  const script = join(root, 'packages', 'cli', 'scripts', 'keep.cjs');
  for (const command of commands)
    spawnSync(process.execPath, [script, join(root, folder), what, ...command], { stdio: 'ignore' });
}
