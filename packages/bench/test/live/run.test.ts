// The benchmark end to end on a few quick pairs: real kernels, real judgements, and the target really executed afterwards.
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runLive } from '../../src/live/run.js';
import { pairsFolder, python } from './pairs-folder.js';

it('judges both versions of a pair and then executes them', async () => {
  const only = ['name-comprehension-leak', 'value-int-of-float-string'];
  const seen: string[] = [];
  const report = await runLive({
    data: pairsFolder,
    methods: ['contracts'],
    python,
    only,
    execute: true,
    progress: (done, total, instance) => seen.push(`${done}/${total} ${instance}`),
  });
  expect(report.benchmark).toBe('live');
  expect(report.predictions.map(({ instance }) => instance)).toEqual(
    only.flatMap((id) => [`${id}/buggy`, `${id}/fixed`]),
  );
  expect(seen.at(-1)).toBe(`4/4 ${only[1]}/fixed`);
  const leak = report.predictions[0]!;
  expect(leak).toMatchObject({
    outcome: 'crash',
    rung: 'names',
    exception: { type: 'NameError' },
    line: 2,
    exception_right: true,
    line_right: true,
  });
  expect(report.methods['contracts']).toMatchObject({ n: 4, false_alarms: 0 });
  expect(report.predictions.every(({ executed_ms: ms }) => ms !== null)).toBe(true);
});

it('goes on where the cells before a target do not run here', async () => {
  const only = ['name-comprehension-leak', 'value-int-of-float-string'];
  const data = mkdtempSync(join(tmpdir(), 'grus-pairs-'));
  for (const id of only) cpSync(join(pairsFolder, id), join(data, id), { recursive: true });
  const path = join(data, only[0]!, 'fixed.ipynb');
  const notebook = JSON.parse(readFileSync(path, 'utf8'));
  notebook.cells.find((cell: { cell_type: string }) => cell.cell_type === 'code').source =
    'import not_installed';
  writeFileSync(path, JSON.stringify(notebook));
  const report = await runLive({ data, methods: ['contracts'], python, only });
  expect(report.predictions.map(({ instance }) => instance)).toEqual([
    `${only[0]}/buggy`,
    ...[`${only[1]}/buggy`, `${only[1]}/fixed`],
  ]);
  expect(report.not_run).toEqual([
    { instance: `${only[0]}/fixed`, why: expect.stringContaining("No module named 'not_installed'") },
  ]);
});
