// Draws recipes, trains them with and without their fault, and gives the folder of what was kept. The draw is made by scenarios/recipes;
// a seed that no rule or model was developed on makes the runs first sight.
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { GrusError } from '@grus/core';

export interface DrawOptions {
  /** Recipes to draw; each gives a failing run and its healthy twin, or nothing. */
  readonly count: number;
  readonly seed: number;
  readonly python: string;
  /** The folder of the scenarios. */
  readonly scenarios: string;
  readonly workers?: number;
  /** Where the runs stay; a draw that lies there already is judged again. Without it they are deleted. */
  readonly keep?: string;
}

export async function drawRecipes(options: DrawOptions): Promise<string> {
  const scenarios = resolve(options.scenarios);
  if (!existsSync(join(scenarios, 'recipes')))
    throw new GrusError(`${options.scenarios} holds no recipes`, {
      advice: 'Run it in a checkout of the project, or give its scenarios folder by --data.',
    });
  const folder =
    options.keep === undefined ? await mkdtemp(join(tmpdir(), 'grus-fresh-')) : resolve(options.keep);
  if (existsSync(folder) && (!statSync(folder).isDirectory() || (await readdir(folder)).length > 0))
    throw new GrusError(`${options.keep} is a file, or holds files already`, {
      advice: 'Name a new folder, so that nothing in it is lost.',
    });
  const args = ['-m', 'recipes', '--count', `${options.count}`, '--seed', `${options.seed}`, '--out', folder];
  if (options.workers !== undefined) args.push('--workers', `${options.workers}`);
  const path = [scenarios, resolve(scenarios, '../hooks/src'), process.env['PYTHONPATH']].filter(Boolean);
  const code = await new Promise<number | null>((done, fail) => {
    const child = spawn(options.python, args, {
      cwd: scenarios,
      env: { ...process.env, PYTHONPATH: path.join(delimiter), OMP_NUM_THREADS: '1' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.on('error', fail);
    child.on('close', done);
  });
  if (code !== 0 || !existsSync(join(folder, 'labels.json')))
    throw new GrusError('the recipes could not be trained', {
      advice: `${options.python} needs torch, transformers, lightning, keras and scikit-learn (requirements/scenarios.txt).`,
    });
  return folder;
}
