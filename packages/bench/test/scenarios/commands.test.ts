// Both commands on real runs: a scenario that still fails as recorded, one that no longer does, and contributions good and bad.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scenarioCommand } from '../../src/scenarios/index.js';
import type { Recorder } from '../../src/scenarios/record.js';
import { contribution, entry, loop, scratchCatalogue } from './scratch-catalogue.js';

let recorder: Recorder;
const lines: string[] = [];

const run = async (...words: string[]): Promise<{ code: number; text: string }> => {
  lines.length = 0;
  const code = await scenarioCommand(words, recorder, (line) => lines.push(line));
  return { code, text: lines.join('\n') };
};

beforeAll(async () => {
  recorder = await scratchCatalogue();
});

afterAll(() => rm(recorder.folder, { recursive: true, force: true }));

describe('scenario check', () => {
  it('finds the run as recorded, without names of the machine', async () => {
    expect(await run('check', entry.id)).toEqual({ code: 0, text: 'row-too-wide: same' });
    const console = await readFile(join(recorder.folder, 'recorded', entry.id, 'console.log'), 'utf8');
    expect(console).toContain('File "/home/user/project/train.py", line 13');
    expect(console).not.toContain(recorder.folder);
  });

  it('says what changed when the script no longer fails', async () => {
    const script = join(recorder.folder, 'scripts', 'loop.py');
    await writeFile(script, loop.replace('step == 40', 'step == 400'));
    const { code, text } = await run('check', entry.id);
    await writeFile(script, loop);
    expect(code).toBe(1);
    expect(text).toContain('ended: recorded with an error, now well');
    expect(text).toContain('exception: recorded IndexError, now none');
    expect(text).toContain('last step: recorded 40, now 59');
  });
});

describe('scenario validate', () => {
  it('accepts the recorded entry and lists it', async () => {
    expect(await run('validate', entry.id)).toEqual({ code: 0, text: 'row-too-wide: valid' });
    expect((await run('list')).text).toContain('row-too-wide: mlp, sgd, pytorch, plain');
  });

  it('refuses a twin that differs in its seed only', async () => {
    const folder = await contribution({ args: { width: 8, seed: 0 } });
    const { code, text } = await run('validate', folder);
    expect(code).toBe(1);
    expect(text).toContain('duplicate of row-too-wide: almost the same script with the same settings');
  });

  it('accepts a run of its own kind', async () => {
    const script =
      'import json\nprint("building the model")\nconfig = json.loads("{}")\nconfig["hidden_size"]\n';
    const folder = await contribution({ args: {}, why: 'The configuration has no such key.' }, script);
    expect((await run('validate', folder)).code).toBe(0);
  });

  it('refuses a healthy label on a run that crashed, and a taken id', async () => {
    const folder = await contribution({
      id: entry.id,
      category: 'healthy',
      subcause: null,
      args: { width: 5 },
    });
    const { code, text } = await run('validate', folder);
    expect(code).toBe(1);
    expect(text).toContain('the id is in the catalogue already');
    expect(text).toContain('a healthy run ends with code 0, not 1');
    expect(text).toContain('a healthy run raises no IndexError');
  });

  it('refuses a label outside the vocabulary before anything runs', async () => {
    const folder = await contribution({ subcause: 'gpu_leak' });
    await expect(run('validate', folder)).rejects.toThrow('gpu_leak belongs to memory_hardware');
  });
});
