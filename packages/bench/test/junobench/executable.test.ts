// Recorded pairs made executable: objects from the record, real kernels, every method, and the target really run.
import { execFileSync } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readInstance } from '../../src/junobench/data/instance.js';
import { runExecuted } from '../../src/junobench/executable/run.js';
import { edited } from '../../src/junobench/executable/stage.js';
import { pythonLiteral } from '../../src/junobench/pprint/literal.js';
import { readPprint } from '../../src/junobench/pprint/read.js';
import { renderExecuted } from '../../src/report/junobench-live.js';
import { python } from '../live/pairs-folder.js';
import { writeGarden } from './garden.js';

const recipes = fileURLToPath(new URL('../../junobench', import.meta.url));

it('verifies each pair by execution and scores the methods on those that hold', {
  timeout: 120_000,
}, async () => {
  const data = writeGarden();
  const keep = join(data, 'kept.jsonl');
  const report = await runExecuted({ data, recipes, python, keep });
  expect(report.pairs).toEqual([
    { case: 'garden_1', problems: [] },
    { case: 'garden_2', problems: [] },
  ]);
  expect(report.verified).toBe(2);
  expect(Object.keys(report.methods)).toEqual(['names', 'contracts', 'dry-run', 'ladder', 'recorded:oak']);
  expect(report.methods['ladder']).toMatchObject({ n: 4, accuracy: 1, false_alarms: 0, proved_clean: 1 });
  expect(report.methods['contracts']).toMatchObject({ recall: 1, proved_clean: 0 });
  expect(report.methods['recorded:oak']).toMatchObject({ n: 4, accuracy: 0.5, false_alarms: 1 });
  expect(renderExecuted(report)).toContain('2 of 2 pairs verified by execution');
  // All of it was kept, so that a second run starts no kernel.
  await appendFile(keep, '{"instance": "garden_1_rep');
  expect(await runExecuted({ data, recipes, python: 'no-such-python', keep })).toEqual(report);
});

describe('what goes to the kernel', () => {
  it('is the record as a literal of Python', () => {
    const text = "{'a': (1, 2.0, None), 'b': [True, 'it\\'s'], 'c': torch.Size([3, 4]), 'd': <class 'set'>}";
    const literal = pythonLiteral(readPprint(text));
    const shown = execFileSync(python, [
      '-c',
      'import ast, sys; print(ast.literal_eval(sys.argv[1]))',
      literal,
    ]);
    expect(shown.toString()).toBe(
      `{'a': (1, 2.0, None), 'b': [True, "it's"], 'c': [3, 4], 'd': "<class 'set'>"}\n`,
    );
  });

  it("has today's arguments in place of old ones", () => {
    const text = readInstance('# Executed Cells:\n## Cell 1:\nx = f(old=1)\n# Target Cell:\ny = f(old=1)\n')!;
    expect(edited(text, [['old=', 'new=']])).toEqual({ executed: ['x = f(new=1)'], target: 'y = f(new=1)' });
  });
});
