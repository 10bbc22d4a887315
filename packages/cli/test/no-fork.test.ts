// On a system that cannot fork: the ladder works without copies, and says so. The system is this one, with fork taken away
// from Python before anything runs.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { grus, notebook, python, scratch } from './grus.js';
import { stagedGuard } from './staged-guard.js';

vi.setConfig({ testTimeout: 120_000 });

const folder = scratch();
writeFileSync(join(folder, 'sitecustomize.py'), 'import os\nif hasattr(os, "fork"):\n    del os.fork\n');
const env = { PYTHONPATH: folder };
const cells = ['import math\nradius = 3', 'print(math.sqrt(radius))', 'print(math.sqr(radius))'];

it('still finds a crash, proves nothing, and says why', async () => {
  const path = notebook(scratch(), cells);
  const crash = JSON.parse((await grus(['check', path, '--cell', '3', '--json'], { env })).stdout);
  expect(crash).toMatchObject({ outcome: 'crash', exception: { type: 'AttributeError' }, line: 1 });
  const fine = await grus(['check', path, '--cell', '2'], { env });
  expect(fine.code).toBe(0);
  expect(fine.stdout).toContain('no certain crash found');
  expect(fine.stdout).toContain('cannot be forked safely');
});

it('guards cells, and says that it cannot rehearse', async () => {
  const staged = await stagedGuard();
  const input = [
    'import grus.guard.guard as _g; _g.PATIENCE = 100.0',
    'print(undefined_name)',
    '%grus check 1 + 1',
    'print(6 * 7)',
  ];
  const { stdout } = spawnSync(
    python,
    ['-m', 'IPython', '--simple-prompt', '--no-banner', '--colors=NoColor', '--ext=grus'],
    {
      env: { ...process.env, PYTHONPATH: `${folder}:${staged}`, GRUS_NODE: process.execPath },
      input: `${input.join('\n')}\n`,
      encoding: 'utf8',
    },
  );
  expect(stdout).toContain('Grus held this cell: it would raise NameError');
  expect(stdout).toContain('cannot be forked safely');
  expect(stdout).toContain('42');
});
