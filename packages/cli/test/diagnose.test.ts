// grus diagnose end to end, on runs that really failed on a GPU and on bad input.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { grus, scratch } from './grus.js';

const recorded = join(import.meta.dirname, '..', '..', '..', 'scenarios', 'recorded');
const fields = [
  'abstained',
  'category',
  'confidence',
  'evidence',
  'hypotheses',
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

  it('calls a healthy run healthy', async () => {
    const { code, stdout } = await grus(['diagnose', join(recorded, 'cuda-bf16-healthy')]);
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
