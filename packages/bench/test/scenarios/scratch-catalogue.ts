// A small folder of scenarios with the real recorder and scripts that need no library: quick to run for real.
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Recorder, record } from '../../src/scenarios/record.js';

const project = resolve(import.meta.dirname, '..', '..', '..', '..');
export const scenarios = join(project, 'scenarios');
export const python = process.env['GRUS_PYTHON'] ?? join(project, '.venv', 'bin', 'python');

export const loop = `
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--width", type=int, default=8)
parser.add_argument("--seed", type=int, default=0)
options = parser.parse_args()
weights = [0.5] * options.width
for step in range(60):
    loss = sum(w * w for w in weights) + 0.01 * (options.seed + step % 3)
    print(f"step {step} | loss {loss:.4f} | lr 0.1", flush=True)
    weights = [w * 0.97 for w in weights]
    if step == 40:
        weights[options.width] = 0.0
`;

export const entry = {
  id: 'row-too-wide',
  script: 'loop.py',
  args: { width: 8 },
  category: 'model_software',
  subcause: 'code_error',
  difficulty: 'easy',
  architecture: 'mlp',
  optimizer: 'sgd',
  framework: 'pytorch',
  format: 'plain',
  why: 'The loop writes one place behind the last weight.',
};

export async function scratchCatalogue(entries: readonly object[] = [entry]): Promise<Recorder> {
  const folder = await mkdtemp(join(tmpdir(), 'grus-catalogue-'));
  for (const part of ['record.py', 'recorder', 'kit'])
    await cp(join(scenarios, part), join(folder, part), { recursive: true });
  await mkdir(join(folder, 'catalog'));
  await mkdir(join(folder, 'scripts'));
  await writeFile(join(folder, 'catalog', 'all.json'), JSON.stringify(entries));
  await writeFile(join(folder, 'scripts', 'loop.py'), loop);
  const recorder = { folder, python };
  await record(recorder, { ids: [] }, join(folder, 'recorded'));
  return recorder;
}

export async function contribution(change: object, script = loop): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'grus-contribution-'));
  await writeFile(join(folder, 'scenario.json'), JSON.stringify({ ...entry, id: 'contributed', ...change }));
  await writeFile(join(folder, 'loop.py'), script);
  return folder;
}
