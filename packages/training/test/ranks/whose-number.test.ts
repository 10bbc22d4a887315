// Whose a number, a mark or a process is, and what a program passed over by itself. Each statement stands beside a job that looks like it,
// of which it must not be said. The texts were written for these tests.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/index.js';
import { marksOf, stripPrefixes } from '../../src/readers/console/ranks/prefix.js';
import { runOf } from '../run-files.js';

async function judged(files: Readonly<Record<string, string>>) {
  const { ranks, subcause, action, outcome } = diagnoseRecord(await runOf(files));
  return {
    first: ranks?.first?.rank ?? null,
    size: ranks?.world_size ?? null,
    subcause,
    action,
    outcome,
  };
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
/** In another order each time, as processes write. */
const shuffled = (turn: number) =>
  [
    [2, 0, 1],
    [0, 2, 1],
    [1, 0, 2],
    [0, 1, 2],
  ][turn % 4]!;

describe('a mark in brackets', () => {
  const log = (line: (rank: number, turn: number) => string, order: (turn: number) => readonly number[]) =>
    text(upTo(6).flatMap((turn) => order(turn).map((rank) => line(rank, turn))));
  const line = (rank: number, turn: number) => `08:1${turn} INFO [${rank}] wave ${turn + 1} sown`;

  it('is of a rank where several say the same with it, in any order and of whatever they count', () => {
    const marks = marksOf(log(line, shuffled));
    expect(stripPrefixes('08:20 WARNING [2] wave 9 is late', marks).rank).toBe(2);
  });

  it('is of none where one process goes through them in turn, and where nobody says what another said', () => {
    expect(stripPrefixes(line(2, 3), marksOf(log(line, () => [0, 1, 2]))).rank).toBeNull();
    const apart = (rank: number, turn: number) => `08:1${turn} INFO [${rank}] tile ${turn * 3 + rank} cut`;
    expect(stripPrefixes(apart(2, 3), marksOf(log(apart, shuffled))).rank).toBeNull();
  });
});

describe('what a program warns of', () => {
  const said = (turn: number) => shuffled(turn).map((rank) => `INFO [${rank}] wave ${turn} sown`);
  const late =
    'WARNING [1] wave 5: no seeds (wait timeout after 900ms, keys: /seed/5/0, /seed/5/2); sowing old ones';
  const before = [1, 2, 3, 4].flatMap(said);

  it('is no failure where it goes on in its words behind it', async () => {
    const on = text([...before, late, ...[5, 6, 7, 8, 9].flatMap(said)]);
    expect((await judged({ 'sow.log': on })).outcome).not.toBe('failed');
  });

  it('is one where nothing is said behind it, or only that the program still waits', async () => {
    expect(await judged({ 'sow.log': text([...before, late]) })).toMatchObject({ outcome: 'failed' });
    const waits = upTo(6).map((at) => `INFO [1] waited ${at * 30 + 30} s`);
    expect(await judged({ 'sow.log': text([...before, late, ...waits]) })).toMatchObject({
      outcome: 'failed',
    });
  });
});

describe('processes beside one that runs out of device memory', () => {
  const oom = (held: readonly string[]) =>
    `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 310.00 MiB. GPU 0 has a total capacity of 47.50 GiB of which 90.00 MiB is free. ${held.map((size, at) => `Process ${7100 + at} has ${size} GiB memory in use. `).join('')}Including non-PyTorch memory, this process has 15.70 GiB memory in use. Of the allocated memory 15.10 GiB is allocated by PyTorch, and 88.00 MiB is reserved by PyTorch but unallocated.`;
  const job = (ranks: number, held: readonly string[]) => ({
    'tune.log': text([
      ...upTo(5).flatMap((step) =>
        upTo(ranks).map((rank) => `[rank${rank}]: step ${step} loss ${(2 - step / 10).toFixed(2)}`),
      ),
      ...[
        'Traceback (most recent call last):',
        '  File "/home/lea/tune/go.py", line 31, in <module>',
        '    teacher = read_teacher(path)',
        '  File "/home/lea/tune/go.py", line 12, in read_teacher',
        '    return torch.load(path)',
        oom(held),
      ].map((line) => `[rank0]: ${line}`),
    ]),
  });

  it('are its other ranks where they are as many and hold as much', async () => {
    expect(await judged(job(3, ['15.90', '15.40']))).toMatchObject({
      subcause: 'gpu_capacity',
      action: 'fix_code',
      first: 0,
    });
  });

  it('are of others where they are more or fewer, or hold something else', async () => {
    for (const of of [job(4, ['15.90', '15.40']), job(2, ['31.30']), job(3, ['29.10', '2.20'])])
      expect((await judged(of)).subcause).toBe('gpu_other_process');
  });
});

describe('files of pods whose names hold more numbers than their own', () => {
  const log = (rank: number, isLost: boolean) =>
    text([
      `INFO seg rank=${rank} world=3`,
      ...upTo(6).map((at) => `INFO iter=${at * 20} loss=${(1.4 - at / 20 + rank / 90).toFixed(4)}`),
      ...(isLost
        ? [
            `[rank${rank}]: Traceback (most recent call last):`,
            `[rank${rank}]:   File "/app/seg.py", line 44, in <module>`,
            `[rank${rank}]:     dist.all_reduce(total)`,
            `[rank${rank}]: RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:553] Connection closed by peer [10.9.0.4]:4411`,
          ]
        : []),
    ]);
  const told = (reason: string, code: number) =>
    text(['State:      Terminated', `  Reason:   ${reason}`, `  Exit Code:  ${code}`]);
  const job = (killed: readonly number[]) =>
    Object.fromEntries(
      upTo(3).flatMap((rank) => [
        [`logs/seg-v7-worker-${rank}.log`, log(rank, !killed.includes(rank))],
        [
          `state/seg-v7-worker-${rank}.txt`,
          killed.includes(rank) ? told('OOMKilled', 137) : told('Error', 1),
        ],
      ]),
    );

  it('are each of its own rank, and the one that was killed is first', async () => {
    expect(await judged(job([1]))).toMatchObject({ size: 3, first: 1, subcause: 'host_memory' });
  });

  it('name none where two were killed', async () => {
    expect(await judged(job([0, 1]))).toMatchObject({ size: 3, first: null });
  });
});

describe('a norm in bars', () => {
  const job = (of: (rank: number, step: number) => number, name = '|theta|') => ({
    'fit.log': text(
      upTo(9).flatMap((step) =>
        upTo(4).map(
          (rank) =>
            `fit rank=${rank} step=${step * 20} err=${(1 / (step + 1) + rank / 50).toFixed(4)} ${name}=${of(rank, step).toFixed(6)}`,
        ),
      ),
    ),
  });
  const apart = (odd: number) => (rank: number, step: number) => 4 + step / 7 + (rank === odd ? 0.21 : 0);

  it('is one of the weights, which replicas share from the first step on', async () => {
    expect(await judged(job(apart(3)))).toMatchObject({ first: 3, subcause: 'replica_drift' });
  });

  it('tells nothing where all agree or each has its own, and none of it does of the data', async () => {
    for (const of of [
      job(apart(-1)),
      job((rank, step) => 4 + step / 7 + rank / 3),
      job(apart(3), '|target|'),
      // Copies that meet only now and then begin alike.
      job((rank, step) => 4 + step / 7 + (step % 4) * rank * 0.2),
      job((rank, step) => 4 + step / 7 + step * rank * 0.2),
    ])
      expect((await judged(of)).subcause).not.toBe('replica_drift');
  });
});

describe('numbers of ranks that tell of steps of their own', () => {
  /** Every tenth step, and every one from where the number is none. */
  const rows = (rank: number, from: number) =>
    upTo(121)
      .filter((step) => step % 10 === 0 || step >= from)
      .map((step) => {
        const loss = step >= from ? 'nan' : (2.2 + rank / 40 - step / 150).toFixed(4);
        return `rank=${rank} step=${step} loss=${loss}`;
      });
  const job = (from: readonly number[]) => ({ 'fed.log': text(from.flatMap((at, rank) => rows(rank, at))) });

  it('name the rank that was none first, where another had one later on', async () => {
    expect((await judged(job([83, 85, 44]))).first).toBe(2);
  });

  it('name none where the others may have had none as early', async () => {
    expect((await judged(job([44, 44, 44]))).first).toBeNull();
    const silent = text([...rows(0, 44), ...upTo(5).map((at) => `rank=1 step=${at * 10} loss=2.1${at}`)]);
    expect((await judged({ 'fed.log': silent })).first).toBeNull();
  });
});
