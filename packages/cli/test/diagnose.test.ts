// grus diagnose end to end, on runs that really failed on a GPU and on bad input.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entry, grus, scratch } from './grus.js';

const recorded = join(import.meta.dirname, '..', '..', '..', 'scenarios', 'recorded');
const fields = [
  'abstained',
  'category',
  'confidence',
  'evidence',
  'hypotheses',
  'input',
  'ms',
  'onset_step',
  'outcome',
  'path',
  'remedies',
  'rungs',
  'subcause',
];

describe('grus diagnose', () => {
  it('answers in the fields of the contract', async () => {
    const path = join(recorded, 'cuda-label-one-based-cnn');
    const { code, stdout } = await grus(['diagnose', path, '--json']);
    const answer = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(Object.keys(answer).sort()).toEqual(fields);
    expect(answer).toMatchObject({
      path,
      outcome: 'failed',
      category: 'data_pipeline',
      subcause: 'label_out_of_range',
    });
    expect(answer.evidence[0]).toMatchObject({
      fact: expect.any(String),
      file: 'console.log',
      line: expect.any(Number),
    });
  });

  it('reads a pipe, and says how it understood it', async () => {
    const input = '> RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x784 and 512x10)\n';
    const { code, stdout } = await grus(['diagnose', '-', '--json'], { input });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      path: '-',
      subcause: 'shape_mismatch',
      input: {
        kind: 'stdin',
        files: [{ file: 'stdin', read_as: 'console log' }],
        repaired: ['quotation marks at the line starts taken off'],
      },
    });
    const told = await grus(['diagnose', '-'], { input });
    expect(told.stderr).toContain('text from a pipe');
    expect(told.stdout).toContain('Tensor shapes do not fit');
  });

  it('gives each run of a folder its own verdict', async () => {
    const folder = scratch();
    for (const name of ['cuda-label-one-based-cnn', 'cuda-bf16-healthy'])
      cpSync(join(recorded, name), join(folder, name), { recursive: true });
    const { code, stdout } = await grus(['diagnose', folder, '--json']);
    expect(code).toBe(1);
    const answer = JSON.parse(stdout);
    expect(Object.keys(answer)).toEqual(['path', 'runs']);
    expect(answer.runs).toMatchObject([
      { path: join(folder, 'cuda-bf16-healthy') },
      { path: join(folder, 'cuda-label-one-based-cnn'), subcause: 'label_out_of_range' },
    ]);
    const table = await grus(['diagnose', folder]);
    expect(table.stdout).toMatch(/2 runs \(1 failed/);
    const page = await grus(['diagnose', folder, '--html', join(folder, 'x.html')]);
    expect(page.code).toBe(2);
  });

  it.each([
    ['checks --json', 'head -c 10'],
    ['checks --json', 'true'],
    [`diagnose --json "${join(recorded, 'ok-classes-mlp')}"`, 'true'],
  ])('ends quietly when nobody reads on: grus %s | %s', (command, reader) => {
    const line = `"${process.execPath}" "${entry}" ${command} | ${reader}`;
    const { status, stderr } = spawnSync('bash', ['-c', line], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('answers in a file what it answers in a pipe', async () => {
    const [run, file] = [join(recorded, 'cuda-label-one-based-cnn'), join(scratch(), 'answer.txt')];
    const { stdout, code } = await grus(['diagnose', run]);
    const line = `"${process.execPath}" "${entry}" diagnose "${run}" > "${file}"`;
    expect(spawnSync('bash', ['-c', line]).status).toBe(code);
    expect(readFileSync(file, 'utf8')).toBe(stdout);
  });

  it('calls a run healthy that shows it on held-out data', async () => {
    const { code, stdout } = await grus(['diagnose', join(recorded, 'ok-classes-mlp')]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Healthy/);
    expect(stdout).not.toContain('\u001b');
  });

  it('writes one self-contained page', async () => {
    const page = join(scratch(), 'report.html');
    await grus(['diagnose', join(recorded, 'cuda-fp16-overflow'), '--html', page]);
    const html = readFileSync(page, 'utf8');
    expect(html).toContain('<!doctype html>');
    expect(html).not.toMatch(/(?:src|href)="https?:/);
  });

  it.each([
    ['a path that is not there', (folder: string) => ['diagnose', join(folder, 'nothing')]],
    [
      'an unwritable page',
      (folder: string) => [
        'diagnose',
        join(recorded, 'cuda-bf16-healthy'),
        '--html',
        join(folder, 'a', 'b.html'),
      ],
    ],
    ['an unknown method', () => ['diagnose', recorded, '--method', 'oracle']],
  ])('%s gets one line and exit code 2', async (_title, args) => {
    const { code, stdout, stderr } = await grus(args(scratch()));
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('says unknown of an empty directory and of a binary file, without failing', async () => {
    const folder = scratch();
    mkdirSync(join(folder, 'empty'));
    writeFileSync(
      join(folder, 'noise.log'),
      Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 256)),
    );
    for (const name of ['empty', 'noise.log']) {
      const { code, stdout, stderr } = await grus(['diagnose', join(folder, name), '--json']);
      if (code === 2) expect(stderr.trim().split('\n')).toHaveLength(1);
      else expect(JSON.parse(stdout)).toMatchObject({ outcome: 'unknown' });
    }
    expect(existsSync(join(folder, 'empty'))).toBe(true);
  });
});
