// Bad input gets one clear line and exit code 2, nothing on stdout and nothing half-written.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { grus, notebook, scratch } from './grus.js';

interface Case {
  readonly title: string;
  readonly args: (folder: string) => readonly string[];
  readonly says: RegExp;
  readonly env?: Record<string, string>;
}

function file(folder: string, name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const v3 = JSON.stringify({ nbformat: 3, nbformat_minor: 0, metadata: {}, worksheets: [] });
const markdownOnly = JSON.stringify({
  nbformat: 4,
  metadata: {},
  cells: [{ cell_type: 'markdown', source: '# hi', metadata: {} }],
});

const cases: readonly Case[] = [
  { title: 'no arguments', args: () => ['check'], says: /nothing to check/ },
  { title: 'missing file', args: (folder) => ['check', join(folder, 'none.ipynb')], says: /does not exist/ },
  { title: 'a folder without notebooks', args: (folder) => ['check', folder], says: /no notebook was found/ },
  {
    title: 'an option of one notebook with a folder',
    args: (folder) => ['check', folder, '--cell', '2'],
    says: /--cell goes with one notebook/,
  },
  {
    title: 'a part that is none',
    args: (folder) => ['check', notebook(folder, ['1']), '--shard', '4/3'],
    says: /--shard 4\/3 is no part/,
  },
  {
    title: 'an unknown format',
    args: (folder) => ['check', notebook(folder, ['1']), '--format', 'yaml'],
    says: /--format yaml is not known/,
  },
  {
    title: 'two formats on stdout',
    args: (folder) => ['check', notebook(folder, ['1']), '--format', 'json', '--format', 'text'],
    says: /json and text cannot share stdout/,
  },
  { title: 'empty file', args: (folder) => ['check', file(folder, 'a.ipynb', '')], says: /is empty/ },
  {
    title: 'not JSON',
    args: (folder) => ['check', file(folder, 'a.ipynb', 'import os')],
    says: /is not JSON/,
  },
  {
    title: 'JSON, but no notebook',
    args: (folder) => ['check', file(folder, 'a.ipynb', '[]')],
    says: /is not a Jupyter notebook/,
  },
  {
    title: 'nbformat 3',
    args: (folder) => ['check', file(folder, 'a.ipynb', v3)],
    says: /notebook format 3.*nbconvert/,
  },
  {
    title: 'no code cells',
    args: (folder) => ['check', file(folder, 'a.ipynb', markdownOnly)],
    says: /no code cells/,
  },
  {
    title: 'cell number out of range',
    args: (folder) => ['check', notebook(folder, ['1']), '--cell', '5'],
    says: /there is no cell 5.*1 to 1/,
  },
  {
    title: 'cell zero',
    args: (folder) => ['check', notebook(folder, ['1']), '--cell', '0'],
    says: /there is no cell 0/,
  },
  {
    title: 'unknown cell id',
    args: (folder) => ['check', notebook(folder, ['1']), '--cell', 'nope'],
    says: /no cell with the id "nope"/,
  },
  {
    title: "another language's notebook",
    args: (folder) => ['check', notebook(folder, ['x <- 1'], { language_info: { name: 'R' } })],
    says: /is in r, and Grus reads Python only/,
  },
  {
    title: 'missing kernelspec',
    args: (folder) => ['check', notebook(folder, ['1']), '--kernel-name', 'no-such-kernel'],
    says: /no-such-kernel/,
  },
  {
    title: 'missing interpreter',
    args: (folder) => ['check', notebook(folder, ['1']), '--python', '/no/such/python'],
    says: /Cannot start/,
  },
  {
    title: 'kernel that dies during replay',
    args: (folder) => ['check', notebook(folder, ['import os', 'os._exit(3)', 'x = 1']), '--cell', '3'],
    says: /died|ended/i,
  },
  {
    title: 'a cell that fails before the target',
    args: (folder) => ['check', notebook(folder, ['1 / 0', 'x = 1']), '--cell', '2'],
    says: /cell 1 fails before cell 2 is reached: ZeroDivisionError/,
  },
  {
    title: 'a replayed cell that takes too long',
    args: (folder) => [
      'check',
      notebook(folder, ['import time; time.sleep(60)', 'x = 1']),
      '--cell',
      '2',
      '--timeout',
      '1',
    ],
    says: /cell 1 fails before cell 2 is reached: it ran out of time/,
  },
  {
    title: 'unreachable server',
    args: (folder) => [
      'check',
      '--server',
      'http://127.0.0.1:9',
      '--kernel-id',
      'x',
      '--code',
      file(folder, 'c.py', '1'),
    ],
    says: /127\.0\.0\.1:9/,
  },
  {
    title: 'server without kernel id',
    args: (folder) => ['check', '--server', 'http://127.0.0.1:9', '--code', file(folder, 'c.py', '1')],
    says: /--kernel-id/,
  },
  {
    title: 'code without kernel',
    args: (folder) => ['check', '--code', file(folder, 'c.py', '1')],
    says: /needs a live kernel/,
  },
  {
    title: 'missing connection file',
    args: (folder) => ['check', '--kernel', join(folder, 'k.json'), '--code', file(folder, 'c.py', '1')],
    says: /k\.json/,
  },
  {
    title: 'missing code file',
    args: (folder) => ['check', '--kernel', 'k.json', '--code', join(folder, 'c.py')],
    says: /c\.py cannot be read/,
  },
  {
    title: 'time-out that is no number',
    args: (folder) => ['check', notebook(folder, ['1']), '--timeout', 'soon'],
    says: /--timeout soon is not a number/,
  },
  {
    title: 'a count that is no number',
    args: () => ['bench', 'live', '--workers', 'all'],
    says: /--workers all is not a whole number from 1 on/,
  },
  {
    title: 'a count below the least',
    args: () => ['bench', 'false-alarms', '--limit', '-3'],
    says: /--limit -3 is not a whole number from 1 on/,
  },
  {
    title: 'a benchmark of GPUs without scripts',
    args: (folder) => ['bench', 'gpu', '--data', join(folder, 'none')],
    says: /cannot be read.*--data/,
  },
  { title: 'unknown option', args: () => ['check', '--frobnicate'], says: /unknown option/ },
  { title: 'unknown command', args: () => ['frobnicate'], says: /unknown command/ },
  {
    title: 'unknown redaction',
    args: (folder) => ['snapshot', notebook(folder, ['1']), '--redaction', 'none'],
    says: /--redaction none is not known/,
  },
  {
    title: 'unwritable output',
    args: (folder) => ['run', notebook(folder, ['1']), '-o', join(folder, 'no', 'such', 'folder.ipynb')],
    says: /cannot be written/,
  },
  {
    title: 'output that is a directory',
    args: (folder) => ['run', notebook(folder, ['1']), '-o', folder],
    says: /cannot be written/,
  },
  {
    title: 'unknown check',
    args: () => ['explain', 'names/undefined-nam'],
    says: /Did you mean names\/undefined-name/,
  },
];

describe('bad input', () => {
  it.concurrent.each(cases)('$title', async ({ args, says, env }) => {
    const folder = scratch();
    const finished = await grus(args(folder), env ? { env } : {});
    expect(finished.stderr).toMatch(says);
    expect(finished.code).toBe(2);
    expect(finished.stdout).toBe('');
    expect(finished.stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
    expect(finished.stderr).not.toContain('    at ');
    const written = readdirSync(folder).filter(
      (name) => !['notebook.ipynb', 'a.ipynb', 'c.py'].includes(name),
    );
    expect(written).toEqual([]);
    expect(existsSync(join(folder, 'no'))).toBe(false);
  });
});
