// Whose a line is that no usual mark names, and who was first to have a number that is none. Each statement stands beside a job that looks
// like it, of which it must not be said.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnoseRecord, findRuns, judgeSeveral } from '../../src/index.js';
import { runOf } from '../run-files.js';

type Files = Readonly<Record<string, string>>;

async function judged(files: Files) {
  const { ranks, subcause, outcome } = diagnoseRecord(await runOf(files));
  return {
    first: ranks?.first?.rank ?? null,
    subcause,
    isBad: outcome === 'failed' || outcome === 'degraded',
  };
}

async function runsIn(files: Files): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'grus-line-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const several = await judgeSeveral(await findRuns(folder), (record) => diagnoseRecord(record));
    return several?.length ?? 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
const joined = (lines: readonly string[]) => `${lines.join('\n')}\n`;
const two = (value: number) => String(value).padStart(2, '0');

const closed = [
  'Traceback (most recent call last):',
  '  File "/srv/tag/fit.py", line 31, in <module>',
  '    dist.all_reduce(total)',
  '  File "/opt/env/lib/python3.12/site-packages/torch/distributed/distributed_c10d.py", line 3010, in all_reduce',
  '    work.wait()',
  'RuntimeError: [/src/gloo/transport/tcp/pair.cc:553] Connection closed by peer [10.2.0.5]:31022. This is typically caused by a remote worker crashing.',
];
const refused = [
  'Traceback (most recent call last):',
  '  File "/srv/tag/fit.py", line 24, in <module>',
  '    for batch in loader:',
  '  File "/srv/tag/rows.py", line 8, in __iter__',
  '    yield json.loads(line)',
  'json.decoder.JSONDecodeError: Expecting value: line 1 column 9 (char 8)',
];

describe('a rank that stands in every line of a log', () => {
  const names = ['saale', 'unstrut', 'mulde', 'elster'];
  const job = (front: (rank: number, second: number, host: string) => string, guilty: number) =>
    Object.fromEntries(
      names.map((host, rank) => [
        `${host}.log`,
        joined([
          ...upTo(7).map(
            (at) =>
              `${front(rank, at + (rank === guilty ? 40 : 0), host)} row ${at * 25} of length ${at + 3}`,
          ),
          `${front(rank, 15 + rank, host)} stopped`,
          ...(rank === guilty ? refused : closed),
        ]),
      ]),
    );

  it('is whose log it is, before the level or behind it, whatever the clocks of the hosts say', async () => {
    const before = job(
      (rank, second, host) => `2026-05-12 08:10:${two(second)}.250 ${host} rank=${rank} INFO`,
      2,
    );
    expect(await runsIn(before)).toBe(1);
    expect(await judged(before)).toMatchObject({ first: 2, subcause: 'decode_error' });
    const behind = job(
      (rank, second, host) => `2026-05-12 08:10:${two(second)}.250 | ${host} | global_rank ${rank} |`,
      1,
    );
    expect(await runsIn(behind)).toBe(1);
    expect(await judged(behind)).toMatchObject({ first: 1, subcause: 'decode_error' });
  });

  it('is none of a job where every log has the same, or where few lines have one', async () => {
    const runs = Object.fromEntries(
      names.map((name, run) => [
        `${name}.log`,
        joined(
          upTo(20).map(
            (at) =>
              `2026-05-12 08:10:${two(at)} box rank=0 INFO step ${at} loss ${(2 - at * (run + 2) * 0.01).toFixed(4)}`,
          ),
        ),
      ]),
    );
    expect(await runsIn(runs)).toBe(4);
    const few = Object.fromEntries(
      names.map((name, run) => [
        `${name}.log`,
        joined([
          ...upTo(2).map(() => `factors rank=${run} kept`),
          ...upTo(20).map((at) => `step ${at} loss ${(2 - at * (run + 2) * 0.01).toFixed(4)}`),
        ]),
      ]),
    );
    expect(await runsIn(few)).toBe(4);
  });
});

describe('logs that are named by a word', () => {
  const job = (named: boolean, lose: boolean) =>
    Object.fromEntries(
      ['saale', 'unstrut', 'mulde'].map((host, at) => [
        `${host}.log`,
        joined([
          ...upTo(7).map(
            (row) =>
              `2026-05-12 08:10:${two(row)} ${named ? host : 'box'} INFO row ${row * 25} of length ${row + at}`,
          ),
          ...(lose && at !== 1 ? closed : refused),
        ]),
      ]),
    );

  it('are of the hosts of one job where the word stands in their lines and one of them lost others', async () => {
    expect(await runsIn(job(true, true))).toBe(1);
  });

  it('are runs where nobody lost anybody, or where no line names the word', async () => {
    expect(await runsIn(job(true, false))).toBe(3);
    expect(await runsIn(job(false, true))).toBe(3);
  });
});

describe('a counter that stands before its word', () => {
  const job = (slow: number | null, name = 'gpu') => ({
    'fit.log': joined(
      upTo(12).flatMap((at) =>
        upTo(4).map((rank) => {
          const wobble = ((at * 7 + rank * 3) % 5) / 10;
          const [load, sync] =
            rank === slow ? [120 + wobble, 4 + wobble] : [6 + wobble, (slow === null ? 4 : 118) + wobble];
          return `2026-05-12T08:10:${two(at)}.250 ${name}${rank}  ${(at + 1) * 20}it loss=1.0${rank} dataload=${load}ms compute=21.${rank}ms sync=${sync}ms`;
        }),
      ),
    ),
  });

  it('shows which processes took the same step, and so who holds up the others', async () => {
    expect(await judged(job(1))).toMatchObject({ first: 1, subcause: 'slow_loader' });
    expect(await judged(job(3, 'worker'))).toMatchObject({ first: 3, subcause: 'slow_loader' });
  });

  it('shows nothing where all are alike', async () => {
    expect(await judged(job(null))).toMatchObject({ first: null, isBad: false });
  });
});

describe('ranks that end themselves once their numbers are none', () => {
  const job = (dirty: number | null, ends: readonly number[], figures = 'in[min LOW max HIGH]') => ({
    'fit.log': joined([
      ...upTo(16).flatMap((step) =>
        [2, 0, 3, 1].map((rank) => {
          const isFirst = rank === dirty && step === 9;
          const isNone = step > 9 || isFirst || (dirty === null && step === 9);
          const told = figures
            .replace('LOW', isFirst ? 'nan' : '-3.1')
            .replace('HIGH', isFirst ? 'nan' : '2.9');
          return `[default${rank}]:step ${step} ${told} loss ${isNone ? 'nan' : (1.4 - step * 0.05 + rank * 0.01).toFixed(4)}`;
        }),
      ),
      ...ends.map((rank) => `[default${rank}]:weights are not finite, stopping`),
      'torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ',
      'fit.py FAILED',
      'Failures:',
      ...ends.flatMap((rank, at) => [
        ...(at === ends.length - 1 ? ['Root Cause (first observed failure):', '[0]:'] : [`[${at + 1}]:`]),
        '  time      : 2026-05-12_08:10:30',
        '  host      : gn04',
        `  rank      : ${rank} (local_rank: ${rank})`,
        `  exitcode  : 4 (pid: 71${rank})`,
        '  error_file: <N/A>',
      ]),
    ]),
  });

  it('began where they first were none, whichever ended first', async () => {
    expect(await judged(job(1, [2, 3, 0]))).toMatchObject({ first: 1, subcause: 'nan_in_data' });
    expect(await judged(job(3, [1, 0], 'x mean LOW std HIGH'))).toMatchObject({
      first: 3,
      subcause: 'nan_in_data',
    });
  });

  it('began nowhere where all were none at once, and where all were numbers at whoever ended first', async () => {
    expect((await judged(job(null, [2, 3, 0]))).first).toBeNull();
    const { 'fit.log': text } = job(1, [2]);
    expect((await judged({ 'fit.log': text.replaceAll('nan', '0.9000') })).first).toBe(2);
  });
});
