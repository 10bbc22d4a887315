// Logs with known causes, judged and scored: repositories stay in one part, and each figure counts what its name says.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runLogs } from '../../src/logs/run.js';
import { scoreLogs } from '../../src/logs/score.js';
import { renderLogs } from '../../src/report/logs.js';

const cases = [
  [
    'one',
    'a/x#1',
    'model_software',
    'shape_mismatch',
    'RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)',
  ],
  ['two', 'a/x#2', 'memory_hardware', 'disk_full', 'OSError: [Errno 28] No space left on device'],
  ['three', 'b/y:train.log@0', 'data_pipeline', 'decode_error', 'nothing of use'],
  ['four', 'b/y#4', 'unknown', null, 'nothing of use either'],
] as const;

function folderOfCases(): string {
  const folder = mkdtempSync(join(tmpdir(), 'grus-cases-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const lines = cases.map(([id, source, category, subcause, excerpt]) =>
    JSON.stringify({ id, source, category, subcause, excerpt, tier: 'B' }),
  );
  writeFileSync(join(folder, 'cases.jsonl'), `${lines.join('\n')}\n`);
  return folder;
}

it('judges every log and weighs repositories', async () => {
  const report = await runLogs({ data: folderOfCases() });
  const score = report.methods.hybrid;
  expect(score).toMatchObject({ n: 4, failing: 3, false_alarms: 0, healthy: 0, unknown_of_unsettled: 1 });
  expect(score.accuracy_failing).toBeCloseTo(2 / 3);
  expect(score.accuracy_by_repository).toBeCloseTo((1 + 0) / 2);
  expect(score.of_commits).toBe(1);
  for (const name of ['a/x', 'b/y'])
    expect(
      new Set(report.predictions.filter((row) => row.repository === name).map(({ part }) => part)).size,
    ).toBe(1);
  expect(report.parts.develop.n + report.parts.held.n).toBe(4);
  expect(renderLogs(report)).toContain('failing, category right');
});

it('counts a failing log that is called healthy, and an alarm in a healthy one', async () => {
  const { predictions } = await runLogs({ data: folderOfCases() });
  const [first, second] = predictions;
  const score = scoreLogs([
    { ...first!, category: 'healthy' },
    { ...second!, actual: 'healthy' },
  ]);
  expect(score).toMatchObject({ false_healthy: 1, false_alarms: 1, healthy: 1, of_commits: 0 });
});

it('counts what a label calls as right beside the strict figures, and silence about a failing log in neither', async () => {
  const { predictions } = await runLogs({ data: folderOfCases() });
  const [first, , third] = predictions;
  const score = scoreLogs([
    { ...first!, category: 'optimization', accept: ['optimization', 'unknown'] },
    { ...third!, category: 'unknown', accept: ['unknown'] },
    { ...first!, actual: 'healthy', category: 'optimization', accept: ['optimization'] },
    { ...first!, actual: 'healthy', category: 'optimization', accept: ['unknown'] },
    { ...first!, actual: 'unknown', category: 'optimization', accept: ['optimization'] },
  ]);
  expect(score).toMatchObject({
    accuracy_failing: 0,
    of_commits: 0,
    false_alarms: 2,
    unknown_of_unsettled: 0,
  });
  expect(score.accepted).toEqual({
    accuracy_failing: 0.5,
    of_commits: 1,
    false_alarms: 1,
    unknown_of_unsettled: 1,
  });
});

it('refuses a line that is no case', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grus-cases-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'cases.jsonl');
  writeFileSync(file, '{"id": "x"}\n');
  await expect(runLogs({ data: file })).rejects.toThrow(`${file}:1 is no case of a log`);
});
