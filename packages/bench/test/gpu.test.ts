// The cells for kernels that use a GPU. Machines that test this have none, so what is tested is how the cells are read and
// scored, and what somebody without a GPU is told.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadScripts, scriptsOf } from '../src/gpu/cells.js';
import { type GpuPrediction, runGpu, scoreOf } from '../src/gpu/run.js';

const data = join(import.meta.dirname, '..', 'gpu');
const python =
  process.env['GRUS_PYTHON'] ?? join(import.meta.dirname, '..', '..', '..', '.venv', 'bin', 'python');

it('every script sets something up and then judges', async () => {
  const scripts = await loadScripts(data);
  expect(scripts.length).toBeGreaterThan(10);
  for (const { cells } of scripts) {
    expect(cells[0]?.purpose).toBe('setup');
    expect(cells.at(-1)?.purpose).not.toBe('setup');
    for (const { source } of cells) expect(source).not.toBe('');
  }
  const purposes = scripts.flatMap(({ cells }) => cells.map(({ purpose }) => purpose));
  expect(purposes.filter((purpose) => purpose === 'crash').length).toBeGreaterThanOrEqual(120);
  expect(purposes.filter((purpose) => purpose === 'fine').length).toBeGreaterThanOrEqual(150);
  const chosen = await loadScripts(data, { only: ['tabular', 'audio'], skip: ['audio'] });
  expect(chosen.map(({ name }) => name)).toEqual(['tabular', 'tabular-2']);
  await expect(loadScripts(data, { only: ['none'] })).rejects.toThrow('no such script');
});

it('sets up again what was set up when a script asks for a fresh kernel', () => {
  const text =
    '# %% setup\na\n# %% fine\nb\n# %% restart\n# %% setup\nc\n# %% crash\nd\n# %% restart\n# %% fine\ne\n';
  const told = scriptsOf('s', text).map(({ name, cells }) => [
    name,
    cells.map(({ source }) => source).join(''),
  ]);
  expect(told).toEqual([
    ['s', 'ab'],
    ['s-2', 'acd'],
    ['s-3', 'ace'],
  ]);
});

it('counts what was found, what was right, and what was a false alarm', () => {
  const made = (outcome: GpuPrediction['outcome'], exception: string | null, raised: string | null) =>
    ({ instance: 'a/1', method: 'ladder', outcome, exception, raised, ms: 4 }) as GpuPrediction;
  const score = scoreOf([
    made('crash', 'TypeError', 'TypeError'),
    made('crash', 'IndexError', 'RuntimeError'),
    made('unknown', null, 'KeyError'),
    made('crash', 'KeyError', null),
    made('unknown', null, null),
  ]);
  expect(score).toMatchObject({
    crashes: 3,
    found: 2,
    exception_right: 1,
    fine: 2,
    false_alarms: 1,
    proved: 0,
  });
});

it.skipIf(existsSync('/dev/nvidia0'))('says that there is no GPU', async () => {
  await expect(runGpu({ data, python })).rejects.toThrow('there is no GPU that torch can use here');
});
