// The benchmark on a small corpus that is already in the cache: judged, run, resumed, summed up and shown.
import { appendFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeNotebook } from '@grus/notebook';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installedPackages } from '../../src/false-alarms/packages.js';
import { runFalseAlarms, spread } from '../../src/false-alarms/run.js';
import { renderFalseAlarms } from '../../src/report/false-alarms.js';

const python =
  process.env['GRUS_PYTHON'] ?? fileURLToPath(new URL('../../../../.venv/bin/python', import.meta.url));

let cache: string;
let corpus: string;
beforeAll(async () => {
  cache = await mkdtemp(join(tmpdir(), 'grus-corpus-'));
  const [numpy] = await installedPackages(python, ['numpy']);
  corpus = `numpy-${numpy!.version}`;
  await save('a.py', ['x = [1, 2]', 'x.push(3)', 'len(x)']);
  await save('b.py', ['y = 1']);
});
afterAll(() => rm(cache, { recursive: true, force: true }));

async function save(name: string, sources: readonly string[]): Promise<void> {
  const folder = join(cache, 'notebooks', corpus);
  await mkdir(folder, { recursive: true });
  await writeNotebook(join(folder, `${name}.ipynb`), {
    nbformat: 4,
    metadata: {},
    cells: sources.map((source) => ({ cell_type: 'code', source, metadata: {} })),
  });
}

it('runs every cell after judging it, and counts what came true', async () => {
  const report = await runFalseAlarms({ python, cache, packages: ['numpy'] });
  const score = report.methods.contracts;
  expect(score).toMatchObject({ notebooks: 2, n: 4, ran: 3, false_alarms: 0, false_alarms_per_1000: 0 });
  expect(score).toMatchObject({ came_true: 1, wrong_exception: 0, wrong_line: 0, problems: {} });
  expect(report.predictions.map(({ instance, outcome, crashes }) => [instance, outcome, crashes])).toEqual([
    [`${corpus}/a.py#1`, 'unknown', false],
    [`${corpus}/a.py#2`, 'crash', true],
    [`${corpus}/a.py#3`, 'unknown', false],
    [`${corpus}/b.py#1`, 'unknown', false],
  ]);
});

it('resumes from its results, whatever they say, and lists a false alarm', async () => {
  const path = join(cache, 'results.jsonl');
  const lines = (await readFile(path, 'utf8')).trim().split('\n');
  const alarmed = JSON.parse(lines.find((line) => line.includes('a.py'))!);
  alarmed.cells[1].crash = null;
  await appendFile(path, `${JSON.stringify(alarmed)}\n{"notebook": "cut o`);
  const report = await runFalseAlarms({ python, cache, packages: ['numpy'], resume: true });
  expect(report.methods.contracts).toMatchObject({ n: 4, ran: 4, false_alarms: 1, came_true: 0 });
  const text = renderFalseAlarms(report);
  expect(text).toContain('1 false alarms: 250 per 1,000 cells that ran');
  expect(text).toContain(`FALSE ALARM ${corpus}/a.py#2 (attributes/missing-attribute)\n  x.push(3)`);
});

it('chooses the same notebooks every time, spread over all', () => {
  expect(spread([0, 1, 2, 3, 4, 5, 6, 7], 3)).toEqual([0, 2, 5]);
  expect(spread([0, 1], 3)).toEqual([0, 1]);
});
