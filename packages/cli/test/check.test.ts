// grus check, run and snapshot end to end: real kernels, the JSON that scripts rely on, and Ctrl-C.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startKernel } from '@grus/kernel';
import { describe, expect, it } from 'vitest';
import { grus, notebook, processesWith, python, scratch, start } from './grus.js';

const verdictFields = [
  'cell',
  'check',
  'confidence',
  'evidence',
  'exception',
  'explanation',
  'interpreter',
  'line',
  'ms',
  'notebook',
  'outcome',
  'remedy',
  'rung',
  'rungs',
];

const crashing = ['import math\nradius = 3', 'area = math.pi * radius ** 2\nprint(aera)'];
const fine = ['import math\nradius = 3', 'area = math.pi * radius ** 2\nprint(area)'];

describe('grus check', () => {
  it('predicts a crash in the fields of the contract', async () => {
    const path = notebook(scratch(), crashing);
    const { code, stdout } = await grus(['check', path, '--cell', '2', '--json']);
    const answer = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(Object.keys(answer).sort()).toEqual(verdictFields);
    expect(answer).toMatchObject({
      notebook: path,
      cell: 2,
      outcome: 'crash',
      confidence: 1,
      rung: 'names',
      exception: { type: 'NameError', message: "name 'aera' is not defined" },
      line: 2,
      check: 'names/undefined-name',
    });
    expect(answer.evidence[0]).toEqual({ fact: expect.any(String), source: expect.any(String) });
    expect(Object.keys(answer.rungs[0]).sort()).toEqual([
      'abstained_because',
      'ms',
      'outcome',
      'reason',
      'rung',
    ]);
  });

  it('climbs the whole ladder for one cell that looks short, and says so of a healthy one', async () => {
    const path = notebook(scratch(), [
      'import json\ndef f(n):\n    return json.loads("[" + "]" * n)\nx = 1',
      'f(x - 1)',
    ]);
    const judge = async (...more: string[]) =>
      JSON.parse((await grus(['check', path, '--cell', '2', '--json', ...more])).stdout);
    expect(await judge()).toMatchObject({
      outcome: 'crash',
      rung: 'dry run',
      exception: { type: 'JSONDecodeError' },
    });
    expect(await judge('--set', 'x=2')).toMatchObject({ outcome: 'ok', rung: 'dry run' });
    expect(await judge('--dry', 'never')).toMatchObject({ outcome: 'unknown' });
  });

  it('accepts a cell id and answers 0 when nothing is found', async () => {
    const { code, stdout } = await grus(['check', notebook(scratch(), fine), '--cell', 'cell-2', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      cell: 2,
      outcome: 'ok',
      rung: 'dry run',
      exception: null,
      line: null,
    });
  });

  it('shows the line with carets, the evidence and the remedy, without colours in a pipe', async () => {
    const { stdout } = await grus(['check', notebook(scratch(), crashing), '--cell', '2']);
    expect(stdout).toContain('cell 2 would crash: NameError');
    expect(stdout).toContain('   2 │ print(aera)\n     │       ^^^^');
    expect(stdout).toMatch(/ {2}do {4}.*area/);
    expect(stdout).not.toContain('\u001b');
  });

  it('walks a notebook: checks each cell, runs it, stops before the crash', async () => {
    const folder = scratch();
    const marker = join(folder, 'ran.txt');
    const path = notebook(folder, ['x = 1', 'print(y)\n', `open(${JSON.stringify(marker)}, "w").close()`]);
    const { code, stdout } = await grus(['check', path, '--json']);
    const answer = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(answer).toMatchObject({ cell: 2, outcome: 'crash', rung: 'names' });
    expect(answer.cells.map((cell: { outcome: string }) => cell.outcome)).toEqual(['ok', 'crash']);
    expect(existsSync(marker)).toBe(false);
  });

  it('reports a crash that no rung foresaw as what it is', async () => {
    const path = notebook(scratch(), [
      'import random\nif random.random() < 2:\n    raise ValueError("late")',
    ]);
    const { code, stdout } = await grus(['check', path, '--json', '--dry', 'never']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'crash',
      rung: 'execution',
      exception: { type: 'ValueError' },
      line: 3,
    });
  });

  it('judges code on a kernel that somebody else started, and leaves it running', async () => {
    const kernel = await startKernel({ python });
    try {
      await kernel.execute('total = 3');
      const file = (kernel as unknown as { connectionFile: string }).connectionFile;
      const code = join(scratch(), 'code.py');
      writeFileSync(code, 'print(totl)\n');
      const bad = await grus(['check', '--kernel', file, '--code', code, '--json']);
      expect(JSON.parse(bad.stdout)).toMatchObject({ notebook: null, cell: null, outcome: 'crash', line: 1 });
      const good = await grus(['check', '--kernel', file, '--code', '-'], { input: 'print(total)' });
      expect(good.code).toBe(0);
      const after = await kernel.execute('total');
      expect(after.status).toBe('ok');
    } finally {
      await kernel.close();
    }
  });

  it('teaches by --help', async () => {
    const { code, stdout } = await grus(['check', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('Examples:');
    expect(stdout).toContain('Exit code:');
  });

  it('leaves no kernel behind on Ctrl-C', async () => {
    const marker = `GRUS_TEST_${process.pid}_${Date.now()}`;
    const path = notebook(scratch(), ['import time; time.sleep(60)', 'x = 1']);
    const child = start(['check', path, '--cell', '2'], { env: { [marker]: '1' } });
    const running = () => processesWith(marker).filter((command) => command.includes('ipykernel')).length;
    while (running() === 0) await new Promise((resolve) => setTimeout(resolve, 100));
    child.kill('SIGINT');
    await new Promise((resolve) => child.on('close', resolve));
    expect(running()).toBe(0);
  });
});

describe('grus run', () => {
  it('stops before the cell that would crash and writes what was computed', async () => {
    const folder = scratch();
    const output = join(folder, 'out.ipynb');
    const { code, stdout } = await grus([
      'run',
      notebook(folder, ['print("first")', 'print(nothing)', 'print("third")']),
      '-o',
      output,
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain('Stopped before cell 2 of 3');
    const { cells } = JSON.parse(readFileSync(output, 'utf8'));
    expect(cells[0].outputs[0]).toMatchObject({ output_type: 'stream', text: 'first\n' });
    expect(cells[0].execution_count).toBe(1);
    expect(cells[1]).toMatchObject({ outputs: [], execution_count: null });
  });

  it('stops before a long cell that a copy with cut loops sees crash, and lets the others go', async () => {
    const folder = scratch();
    const cells = [
      'import time\nrows = {"a": 1}',
      'total = 0\nfor step in range(3):\n    total += step\nprint(total)',
      'for epoch in range(1_000):\n    time.sleep(0.2)\nrows.upper()',
    ];
    const output = join(folder, 'out.ipynb');
    const path = notebook(folder, cells);
    const { code, stdout } = await grus(['run', path, '-o', output, '--json', '--dry-budget', '60']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      cell: 3,
      outcome: 'crash',
      line: 3,
      exception: { type: 'AttributeError' },
    });
    const written = JSON.parse(readFileSync(output, 'utf8')).cells;
    expect(written[1].outputs[0]).toMatchObject({ text: '3\n' });
    expect(written[2].execution_count).toBeNull();
  });

  // The quick tests have no nbformat.
  const quick = process.env['GRUS_TESTS'] === 'quick';
  it.skipIf(quick)('writes a notebook that nbformat accepts when every cell ran', async () => {
    const folder = scratch();
    const output = join(folder, 'out.ipynb');
    const { code } = await grus(['run', notebook(folder, ['x = 2', 'x ** 10']), '-o', output, '--json']);
    expect(code).toBe(0);
    const script = `import nbformat, sys; nb = nbformat.read(sys.argv[1], 4); nbformat.validate(nb); print(nb.cells[1].outputs[0]["data"]["text/plain"])`;
    expect(execFileSync(python, ['-c', script, output]).toString().trim()).toBe('1024');
  });
});

describe('grus snapshot', () => {
  it('prints what the cell needs and obeys the redaction', async () => {
    const path = notebook(scratch(), [
      'ages = [31, 45, 70]\nsecret = "hf_AbCdEfGhIjKlMnOpQrStUv"',
      'print(ages, secret)',
    ]);
    const shapes = JSON.parse(
      (await grus(['snapshot', path, '--cell', '2', '--redaction', 'shapes'])).stdout,
    );
    expect(shapes.names).toHaveProperty('ages');
    expect(JSON.stringify(shapes.objects)).not.toContain('45');
    const values = (await grus(['snapshot', path, '--cell', '2'])).stdout;
    expect(values).toContain('45');
    expect(values).not.toContain('hf_AbCd');
  });
});
