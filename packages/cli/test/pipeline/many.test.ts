// Many notebooks in one call: those that hang, kill their kernel or cannot be read stop none of the others.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { grus, notebook, processesWith, scratch, start } from '../grus.js';

const notebooks: Readonly<Record<string, readonly string[]>> = {
  'b-crash.ipynb': ['rows = {"a": 1}', 'rows["b"]', 'print("never")'],
  'c-hangs.ipynb': ['import time', 'time.sleep(10_000)', 'x = 1'],
  'deep/d-kills.ipynb': ['import os, signal', 'os.kill(os.getpid(), signal.SIGKILL)'],
  'f-sound.ipynb': ['x = 2', 'x ** 10'],
};

function folderOf(cells: Readonly<Record<string, readonly string[]>>): string {
  const folder = scratch();
  for (const [name, sources] of Object.entries(cells)) notebook(folder, sources, {}, name);
  return folder;
}

describe('grus check with a folder', () => {
  it('judges each, whatever happens to the others, and leaves no kernel behind', async () => {
    const folder = folderOf(notebooks);
    writeFileSync(join(folder, 'e-broken.ipynb'), '{');
    const marker = `GRUS_TEST_${process.pid}_many`;
    const report = join(folder, 'report.json');
    const { code, stdout } = await grus(
      ['check', '.', '--jobs', '2', '--timeout', '2', '--format', `json=${report}`, '--format', 'text'],
      { cwd: folder, env: { [marker]: '1' } },
    );
    expect(processesWith(marker)).toEqual([]);
    expect(code).toBe(1);
    const { notebooks: told, summary } = JSON.parse(readFileSync(report, 'utf8'));
    expect(told.map(({ notebook: path, outcome }: Record<string, unknown>) => [path, outcome])).toEqual([
      ['b-crash.ipynb', 'crash'],
      ['c-hangs.ipynb', 'crash'],
      ['deep/d-kills.ipynb', 'crash'],
      ['e-broken.ipynb', 'unknown'],
      ['f-sound.ipynb', 'ok'],
    ]);
    expect(told[0].cells[1]).toMatchObject({ cell: 2, outcome: 'crash', exception: { type: 'KeyError' } });
    expect(told[0].not_judged).toEqual([
      { cell: 3, because: 'cell 2 crashes before it', reason: { code: 'behind-crash', cell: 2 } },
    ]);
    expect(told[1].cells.at(-1)).toMatchObject({ rung: 'execution', exception: { type: 'TimeoutError' } });
    expect(told[2].cells.at(-1)).toMatchObject({ rung: 'execution', exception: { type: 'KernelDied' } });
    expect(told[3].problem).toMatch(/e-broken.ipynb is not JSON/);
    expect(summary).toMatchObject({ notebooks: 5, crash: 3, ok: 1, unknown: 1, problems: 1, cells: 8 });
    expect(stdout).toContain('b-crash.ipynb cell 2 would crash: KeyError');
    expect(stdout).toContain('cell 3 was not judged: cell 2 crashes before it');
    expect(stdout).toContain('✓ f-sound.ipynb: 2 cells ran');
    expect(stdout).toMatch(/5 notebooks: 3 would crash, 1 ran, 1 could not be checked \(/);
  });

  it('answers 2 where nothing crashes but one could not be judged, and 0 for an empty shard', async () => {
    const folder = folderOf({ 'a.ipynb': ['x = 1'] });
    writeFileSync(join(folder, 'b.ipynb'), '[]');
    const paths = ['check', '.', '--json'];
    expect(await grus(paths, { cwd: folder })).toMatchObject({ code: 2 });
    // One of the two is always empty of `a.ipynb`.
    const parts = await Promise.all(
      ['1/2', '2/2'].map((part) => grus(['check', 'a.ipynb', '--shard', part, '--json'], { cwd: folder })),
    );
    expect(parts.map(({ code }) => code)).toEqual([0, 0]);
    const counts = parts.map(({ stdout }) => JSON.parse(stdout).summary.notebooks);
    expect(counts.sort()).toEqual([0, 1]);
  });

  it('ends with its kernels on Ctrl-C, and writes no half report', async () => {
    const folder = folderOf({
      'a.ipynb': ['import time; time.sleep(600)'],
      'b.ipynb': ['import time; time.sleep(600)'],
      'c.ipynb': ['x = 1'],
    });
    const marker = `GRUS_TEST_${process.pid}_ctrl_c`;
    const report = join(folder, 'report.json');
    const child = start(['check', folder, '--jobs', '2', '--format', `json=${report}`], {
      env: { [marker]: '1' },
    });
    const kernels = () => processesWith(marker).filter((command) => command.includes('ipykernel'));
    while (kernels().length < 2) await new Promise((resolve) => setTimeout(resolve, 100));
    child.kill('SIGINT');
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(130);
    expect(kernels()).toEqual([]);
    expect(existsSync(report)).toBe(false);
  });
});
