// Whose line, whose device and whose number it is, learned from a log and the files beside it; each with something that looks like it and
// tells of no rank. The texts were written for these tests.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/index.js';
import { marksOf, stripPrefixes } from '../../src/readers/console/ranks/prefix.js';
import { busOf, busOfNumber } from '../../src/record/seat.js';
import { runOf } from '../run-files.js';

const log = (line: (rank: number, step: number) => string, ranks = 4, steps = 12): string =>
  Array.from({ length: steps * ranks }, (_, at) => line(at % ranks, Math.floor(at / ranks) * 10)).join('\n');

/** What a run that learns tells: a loss that falls. */
const falling = (step: number): string => (2.5 - step / 100 + ((step * 7) % 3) / 50).toFixed(3);

async function judged(files: Readonly<Record<string, string>>) {
  const { ranks, subcause, category } = diagnoseRecord(await runOf(files));
  return { category, subcause, first: ranks?.first?.rank ?? null };
}

describe('how a log marks its ranks', () => {
  it.each([
    ['(2) step=30 loss=0.5', (rank: number, step: number) => `(${rank}) step=${step} loss=0.5`],
    ['[2/4] batch 30 loss 0.5', (rank: number, step: number) => `[${rank}/4] batch ${step} loss 0.5`],
    ['09:00 | rank 2 | step 30', (rank: number, step: number) => `09:00 | rank ${rank} | step ${step}`],
    ['n7 INFO rank=2 step=30', (rank: number, step: number) => `n7 INFO rank=${rank} step=${step}`],
    ['02:20:00 r2 step 30', (rank: number, step: number) => `02:20:00 r${rank} step ${step}`],
    ['09:00 n3 stage=2 step 30', (rank: number, step: number) => `09:00 n3 stage=${rank} step ${step}`],
    [
      '[09:00] trainer(2/4) step=30',
      (rank: number, step: number) => `[09:00] trainer(${rank}/4) step=${step}`,
    ],
    ['I 09:00 gr=2 b 30', (rank: number, step: number) => `I 09:00 gr=${rank} b ${step}`],
    ['09:00 party 2 of 4 step 30', (rank: number, step: number) => `09:00 party ${rank} of 4 step ${step}`],
    ['epoch 1/3 rank 2 loss 0.5', (rank: number) => `epoch 1/3 rank ${rank} loss 0.5`],
  ])('is learned from %j', (line, of) => {
    expect(stripPrefixes(line, marksOf(log(of))).rank).toBe(2);
  });

  it('is learned from the number before each line of an error', () => {
    const lines = [
      'started',
      'Traceback (most recent call last):',
      '  File "/job/train.py", line 6, in main',
    ];
    const head = [0, 1].flatMap((rank) => [...lines, ...lines].map((line) => `(${rank}) ${line}`)).join('\n');
    expect(stripPrefixes('(1)   File "/job/train.py", line 6, in main', marksOf(head))).toMatchObject({
      rank: 1,
      text: '  File "/job/train.py", line 6, in main',
    });
  });

  it.each([
    ['(2) first, (3) second', (rank: number, step: number) => `(${rank + step}) of the things to do`],
    ['layer 3 lora rank 8', () => 'layer 3 lora rank 8'],
    ['step 30 median rank 2', (rank: number, step: number) => `step ${step} median rank ${rank}`],
    ['waiting for rank 2', (rank: number) => `waiting for rank ${rank}`],
    ['layer 2/4 step 30', (rank: number, step: number) => `layer ${rank}/4 step ${step}`],
    ['model 2/4 step 30', (rank: number, step: number) => `model ${rank}/4 step ${step}`],
    ['client 2 of 4 step 30', (rank: number, step: number) => `client ${rank} of 4 step ${step}`],
    ['env=2 step 30', (rank: number, step: number) => `env=${rank} step ${step}`],
    ['[2] loss 0.5', (rank: number) => `[${rank}] loss 0.5`],
    ['epoch 1 [2/4] loss 0.5', (rank: number, step: number) => `epoch ${step} [${rank}/4] loss 0.5`],
  ])('is nothing in %j', (line, of) => {
    expect(stripPrefixes(line, marksOf(log(of))).rank).toBeNull();
  });
});

describe('checksums of the weights', () => {
  const digest = (step: number, salt = 1): string =>
    ((step + 7) * 0x9e3779b97f * salt).toString(16).slice(0, 10).padEnd(10, 'a');
  const ranks = (of: (rank: number, step: number) => string) => ({
    'train.log': `${log((rank, step) => `rank=${rank} step=${step} loss=${falling(step)} crc=${of(rank, step)}`)}\n`,
  });

  it('tell the replica that is another one from some step on', async () => {
    const files = ranks((rank, step) => digest(step, rank === 2 && step >= 60 ? 3 : 1));
    expect(await judged(files)).toMatchObject({ subcause: 'replica_drift', first: 2 });
  });

  it('tell nothing where all agree, and where each rank has its own', async () => {
    expect(await judged(ranks((_, step) => digest(step)))).toMatchObject({ subcause: null, first: null });
    const own = ranks((rank, step) => digest(step, rank + 1));
    expect(await judged(own)).toMatchObject({ subcause: null, first: null });
  });
});

describe('times under any name', () => {
  const times = (slow: (rank: number, step: number) => boolean) => ({
    'train.log': `${log((rank, step) => {
      const [data, wait] = slow(rank, step) ? [0.3, 0.01] : [0.02, 0.29];
      return `rank ${rank} step ${step} loss ${falling(step)} data_s ${data} compute_s 0.1 allreduce_s ${wait}`;
    })}\n`,
  });

  it('tell who is late with its data, all along or from some step on', async () => {
    for (const from of [0, 60])
      expect(await judged(times((rank, step) => rank === 1 && step >= from))).toMatchObject({
        subcause: 'slow_loader',
        first: 1,
      });
  });

  it('tell nothing where nobody is, or each in turn', async () => {
    expect(await judged(times(() => false))).toMatchObject({ subcause: null, first: null });
    const turns = await judged(times((rank, step) => rank === (step / 10) % 4));
    expect(turns).toMatchObject({ subcause: null, first: null });
  });
});

describe('a device by its address', () => {
  const xid = 'Dec 01 05:06:06 h2 kernel: NVRM: Xid (PCI:0000:2d:00): 94, Contained: SM (0x1).\n';
  const seats = `# rank host gpu pid bus
0 h1 0 700 0000:0f:00.0
1 h1 1 701 0000:2d:00.0
2 h2 0 800 0000:0f:00.0
3 h2 1 801 0000:2d:00.0
`;
  const words = (end: string) =>
    `${log((rank, step) => `[rank${rank}] step ${step} loss ${falling(step)}`)}\n${end}`;

  it('is of the rank that the table seats there, on the host that the file is named by', async () => {
    const files = { 'job.log': words(''), 'h2.kern.log': xid, 'seats.txt': seats };
    expect(await judged(files)).toMatchObject({ subcause: 'gpu_memory_fault', first: 3 });
  });

  it("is nobody's where the host is not known, and nothing where the run finished", async () => {
    const nameless = { 'job.log': words(''), 'kern.log': xid.replace(' h2 ', ' '), 'seats.txt': seats };
    expect(await judged(nameless)).toMatchObject({ first: null });
    const over = { 'job.log': words('Training finished.\n'), 'h2.kern.log': xid, 'seats.txt': seats };
    expect(await judged(over)).toMatchObject({ first: null });
  });

  it('is written in one way', () => {
    expect([busOf('00000000:2D:00.0'), busOf('PCI:0000:2d:00'), busOfNumber('2d000')]).toEqual(
      Array(3).fill('0000:2d:00'),
    );
  });
});

describe('a run that was queued again', () => {
  const before = log((_, step) => `step=${step} loss=${falling(step)}`, 1);
  const after = log((_, step) => `step=${120 + step} loss=${falling(120 + step)}`, 1);
  const stop = 'slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-05-05T01:13:44 DUE TO PREEMPTION ***';

  it('is well when it resumed and finished, and was stopped when it did not', async () => {
    const resumed = `${before}\n${stop}\nresuming from step 110\n${after}\nTraining finished.\n`;
    expect(await judged({ 'slurm-7.out': resumed })).toMatchObject({ subcause: null });
    expect(await judged({ 'slurm-7.out': `${before}\n${stop}\n` })).toMatchObject({ subcause: 'preempted' });
  });
});

describe('a host by the names of its files', () => {
  const down = '[Wed May 20 20:08:31 2026] mlx5_core 0000:31:00.0 ens1f0np0: Link down\n';
  const err = (host: string, ranks: readonly number[]) =>
    ranks
      .map(
        (rank, at) =>
          `${host}:40${at}:44${at} [${at}] NCCL INFO comm 0x5${rank} rank ${rank} nranks 4 cudaDev ${at} busId f000\n[rank${rank}]:[E520 20:18:43.023 ProcessGroupNCCL.cpp:632] [Rank ${rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=50, OpType=ALLREDUCE, NumelIn=3, NumelOut=3, Timeout(ms)=600000) ran for 600030 milliseconds before timing out.\n`,
      )
      .join('');
  const job = { 'tor-1/train.err': err('tor-1', [0, 1]), 'tor-2/train.err': err('tor-2', [2, 3]) };

  it('shows the host whose adapter went down, and names no rank where several share it', async () => {
    const one = {
      ...job,
      'tor-1/dmesg.txt': '[Wed May 20 20:00:00 2026] hrtimer: took 9 ns\n',
      'tor-2/dmesg.txt': down,
    };
    expect(await judged(one)).toMatchObject({ subcause: 'network_link', first: null });
    const told = (host: string, at: number) =>
      `${host}:40${at}:48${at} [${at}] transport/net_ib.cc:113 NCCL WARN NET/IB : mlx5_0:1 Got async event : port error\n`;
    const said = {
      ...job,
      'tor-2/train.err': `${job['tor-2/train.err']}${told('tor-2', 0)}${told('tor-2', 1)}`,
    };
    expect(await judged(said)).toMatchObject({ subcause: 'network_link', first: null });
    const single = { 'tor-1/train.err': err('tor-1', [0]), 'tor-2/train.err': err('tor-2', [1]) };
    expect(await judged({ ...single, 'tor-2/dmesg.txt': down })).toMatchObject({ first: 1 });
    expect(await judged({ ...job, 'tor-1/dmesg.txt': down, 'tor-2/dmesg.txt': down })).toMatchObject({
      subcause: 'network_link',
      first: null,
    });
  });
});

describe('what a rank says of itself', () => {
  const waits = (rank: number) =>
    `[rank${rank}]:[E520 20:18:43.023 ProcessGroupNCCL.cpp:632] [Rank ${rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=50, OpType=ALLREDUCE, NumelIn=3, NumelOut=3, Timeout(ms)=600000) ran for 600030 milliseconds before timing out.\n`;
  const held =
    '[rank3]:[E319 07:18:01.000 ProcessGroupNCCL.cpp:1379] Could not acquire GIL within 300 ms on exit, possible GIL induced hang\n';
  const steps = log((rank, step) => `[rank${rank}] step ${step} loss ${falling(step)}`);

  it('is that something keeps its interpreter; without the word it only did not come', async () => {
    const others = [0, 1, 2].map(waits).join('');
    expect(await judged({ 'job.log': `${steps}\n${others}${held}` })).toMatchObject({
      subcause: 'stuck_rank',
      first: 3,
    });
    expect(await judged({ 'job.log': `${steps}\n${others}` })).toMatchObject({
      subcause: 'collective_timeout',
      first: 3,
    });
  });

  it('is an error only where it does not try again and go on', async () => {
    const raised = (announced: string) =>
      `[rank1] ERROR reading shard-3.tar failed${announced}\n[rank1] Traceback (most recent call last):\n[rank1]   File "/w/data.py", line 9, in fetch\n[rank1]     raise URLError(err)\n[rank1] urllib.error.URLError: <urlopen error [Errno 111] Connection refused>\n`;
    const shards = (from: number) =>
      log((rank, step) => `[rank${rank}] shard ${from + step} done loss ${falling(from + step)}`);
    const well = `${shards(0)}\n${raised(' (attempt 1/4), retrying in 0.5 s')}${shards(120)}\n`;
    expect(await judged({ 'job.log': well })).toMatchObject({ subcause: null, first: null });
    expect(await judged({ 'job.log': `${shards(0)}\n${raised('')}` })).toMatchObject({ first: 1 });
  });
});
