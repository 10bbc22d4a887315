// Ranks that wait for each other: in different lines, for one that left, or for one that holds up all others.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/index.js';
import { runOf } from '../readers/run-of.js';

async function verdictOf(files: Record<string, string>) {
  const { outcome, category, subcause, action, ranks } = diagnoseRecord(await runOf(files));
  return { outcome, category, subcause, action, first: ranks?.first?.rank ?? null };
}

const c10d = '/env/site-packages/torch/distributed/distributed_c10d.py';
const timedOut =
  '[/pytorch/gloo/transport/tcp/unbound_buffer.cc:78] Timed out waiting 60000ms for recv operation to complete';
const closed = '[/pytorch/gloo/transport/tcp/pair.cc:553] Connection closed by peer [10.0.0.1]:4112';
const gaveUp = (line: number, code: string, message: string): string =>
  `Traceback (most recent call last):\n  File "/job/train.py", line ${line}, in step\n    ${code}\n  File "${c10d}", line 3252, in all_reduce\n    work.wait()\nRuntimeError: ${message}\n`;
const stack = (line: number): string =>
  `Timeout (0:01:00)!\nThread 0x01 (most recent call first):\n  File "${c10d}", line 3252 in all_reduce\n  File "/job/train.py", line ${line} in step\n  File "/job/train.py", line 90 in <module>\n`;
const ofAll = 'dist.all_reduce(grad)';
const ofGroup = 'dist.all_reduce(part, group=mine)';

describe('ranks that stand in different collectives', () => {
  const rank = (number: number, line: number, code: string, message: string, dump = true) => ({
    [`rank${number}.log`]: `rank ${number} ready\n${dump ? stack(line) : ''}${gaveUp(line, code, message)}`,
  });

  it('of a group and of all wait in a circle', async () => {
    const verdict = await verdictOf({
      ...rank(0, 20, ofAll, timedOut),
      ...rank(1, 30, ofGroup, closed),
      ...rank(2, 20, ofAll, timedOut),
      ...rank(3, 30, ofGroup, closed),
    });
    expect(verdict).toMatchObject({ subcause: 'collective_mismatch', action: 'fix_code', first: null });
  });

  it('of which one is alone in a group wait in a circle, without any stack', async () => {
    const verdict = await verdictOf({
      ...rank(0, 20, ofAll, timedOut, false),
      ...rank(1, 20, ofAll, timedOut, false),
      ...rank(2, 20, ofAll, timedOut, false),
      ...rank(3, 30, ofGroup, closed, false),
    });
    expect(verdict).toMatchObject({ subcause: 'collective_mismatch', action: 'fix_code' });
  });

  it('of the same line say nothing of the code', async () => {
    const verdict = await verdictOf({
      ...rank(0, 20, ofAll, timedOut),
      ...rank(1, 20, ofAll, timedOut),
      ...rank(2, 20, ofAll, closed),
    });
    expect(verdict.subcause).toBe('collective_timeout');
  });
});

describe('a rank that left by itself', () => {
  const launcher = (listed: readonly number[]): string =>
    `E1118 12:49:35.9 44 torch/distributed/elastic/multiprocessing/api.py:1002] failed (exitcode: 1) local_rank: ${listed[0]} (pid: 7${listed[0]}) of binary: python\ntorch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n====\ntrain.py FAILED\n----\nFailures:\n` +
    listed
      .map(
        (rank) =>
          `[${rank}]:\n  time      : 2026-11-18_12:49:35\n  host      : n1\n  rank      : ${rank} (local_rank: ${rank})\n  exitcode  : 1 (pid: 7${rank})\n  error_file: <N/A>\n`,
      )
      .join('');
  const files = (samples: readonly number[], listed: readonly number[]) => ({
    'launcher.log': launcher(listed),
    ...Object.fromEntries(
      samples.map((count, rank) => [
        `rank${rank}.log`,
        `shard ${rank} holds ${count} pages\n${listed.includes(rank) ? gaveUp(20, ofAll, closed) : 'nothing to do\n'}`,
      ]),
    ),
  });

  it('because it had no data', async () => {
    expect(await verdictOf(files([8, 9, 0, 8], [0, 1, 3]))).toMatchObject({
      category: 'data_pipeline',
      subcause: 'empty_data',
      action: 'fix_data',
      first: 2,
    });
  });

  it('though it had as much as the others', async () => {
    expect(await verdictOf(files([8, 8, 8, 8], [0, 1, 3]))).toMatchObject({
      category: 'model_software',
      action: 'fix_code',
      first: 2,
    });
  });

  it('is nobody where the launcher lists them all', async () => {
    const verdict = await verdictOf(files([8, 8, 8, 8], [0, 1, 2, 3]));
    expect(verdict).toMatchObject({ category: 'memory_hardware', first: null });
  });
});

describe('a run that somebody ended', () => {
  const limit = 'slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE TO TIME LIMIT ***\n';
  const times = (rank: number, slow: number): string =>
    Array.from({ length: 40 }, (_, step) => {
      const noise = ((step * 7919) % 13) / 1000;
      const work = (rank === slow ? 0.5 : 0.1) + noise;
      return `${step},${work.toFixed(4)},${(0.52 + ((step * 31) % 17) / 500 - work).toFixed(4)},${(0.52 + ((step * 31) % 17) / 500).toFixed(4)}\n`;
    }).join('');
  const head = 'step,compute_s,allreduce_s,step_s\n';
  const table = (slow: number) =>
    Object.fromEntries([0, 1, 2, 3].map((rank) => [`perf_r${rank}.csv`, head + times(rank, slow)]));

  it('because one rank held up all others: files of one job, whose steps last alike', async () => {
    const verdict = await verdictOf({ ...table(3), 'slurm-7.out': `step 39/400\n${limit}` });
    expect(verdict).toMatchObject({ subcause: 'straggler', first: 3 });
  });

  it('at its time limit, with ranks that are equally fast', async () => {
    const verdict = await verdictOf({ ...table(-1), 'slurm-7.out': `step 39/400\n${limit}` });
    expect(verdict).toMatchObject({ subcause: 'time_limit', first: null });
  });

  it('because it stood still: a stack shows where', async () => {
    const cancelled = 'slurmstepd: error: *** STEP 7.0 ON n1 CANCELLED AT 2026-01-01T00:00:00 ***\n';
    const own =
      'Current thread 0x01 (most recent call first):\n  File "/job/queue_of_mine.py", line 22 in push\n  File "/job/train.py", line 90 in <module>\n';
    const waiting = stack(20).replace('Timeout (0:01:00)!\n', '').replace('Thread', 'Current thread');
    const log = '0: step 1 loss 0.7\n1: step 1 loss 0.7\n2: step 1 loss 0.7\n';
    const stacks = { 'stack_rank0.txt': waiting, 'stack_rank1.txt': own, 'stack_rank2.txt': waiting };
    expect(await verdictOf({ 'job.out': log + cancelled, ...stacks })).toMatchObject({
      subcause: 'stuck_rank',
      action: 'fix_code',
      first: 1,
    });
    expect((await verdictOf({ 'job.out': log + cancelled })).subcause).toBe('terminated');
  });
});

it('a loss of nothing on several ranks is one loss, and no alarm', async () => {
  const log = (rank: number): string =>
    `${[10, 20, 30, 40].map((step) => `[rank${rank}] step ${step} loss 0.0000\n`).join('')}[rank${rank}] training finished\n`;
  const { outcome } = await verdictOf(
    Object.fromEntries([0, 1, 2].map((rank) => [`rank${rank}.log`, log(rank)])),
  );
  expect(outcome).toBe('unknown');
});

it('a shard whose least value is no number holds NaN', async () => {
  const log = (rank: number, least: string): string =>
    `shard s${rank}.npy rows 160 min ${least} max ${least} nan ${least === 'nan' ? 1 : 0}\n` +
    Array.from({ length: 6 }, (_, step) => `step ${step} loss ${step < 3 ? 0.5 - step / 10 : 'nan'}\n`).join(
      '',
    );
  const verdict = await verdictOf({
    'rank0.log': log(0, '0.1'),
    'rank1.log': log(1, 'nan'),
    'rank2.log': log(2, '0.2'),
  });
  expect(verdict).toMatchObject({ category: 'data_pipeline', subcause: 'nan_in_data' });
});

describe('an error of one rank', () => {
  const files = (raised: string) => ({
    'rank0.log': gaveUp(20, ofAll, closed),
    'rank1.log': `Traceback (most recent call last):\n  File "/job/train.py", line 40, in work\n    advance()\n${raised}\n`,
    'rank2.log': gaveUp(20, ofAll, closed),
  });

  it('is one by its traceback, whatever its class is called', async () => {
    for (const raised of [
      'bdb.BdbQuit',
      'StopIteration',
      'mine.ShardVanished: shard 17',
      'QuotaReached: none left',
    ])
      expect(await verdictOf(files(raised))).toMatchObject({
        category: 'model_software',
        action: 'fix_code',
        first: 1,
      });
  });

  it('is none where a person or a wire ended it', async () => {
    for (const raised of ['KeyboardInterrupt', 'TimeoutExpired: after 5 seconds'])
      expect((await verdictOf(files(raised))).category).not.toBe('model_software');
  });
});

describe('ranks whose sizes do not fit', () => {
  const size = '[/pytorch/gloo/transport/tcp/pair.cc:446] op.preamble.length <= op.nbytes. 4096 vs 1024';
  const steps = (all: readonly number[]): string =>
    all.map((step) => `step ${step} loss 0.${9 - step}\n`).join('');
  const files = (of: (rank: number) => string) =>
    Object.fromEntries(
      [0, 1, 2, 3].map((rank) => [`rank${rank}.log`, of(rank) + gaveUp(20, ofAll, rank < 2 ? size : closed)]),
    );

  it('because one left out a step', async () => {
    const verdict = await verdictOf(files((rank) => steps(rank === 2 ? [0, 1, 2, 4, 5] : [0, 1, 2, 3, 4])));
    expect(verdict).toMatchObject({ subcause: 'collective_mismatch', first: 2 });
  });

  it('because one says that it skipped something', async () => {
    const verdict = await verdictOf(
      files((rank) => `${rank === 3 ? 'skipping sample 7\n' : ''}${steps([0, 1, 2])}`),
    );
    expect(verdict).toMatchObject({ subcause: 'collective_mismatch', first: 3 });
  });

  it('for no reason that anybody tells', async () => {
    const verdict = await verdictOf(files(() => steps([0, 1, 2])));
    expect(verdict).toMatchObject({ subcause: 'collective_mismatch', first: null });
  });
});

it('a rank that stands where files are read waits for its data, wherever that is called from', async () => {
  const at = (frames: string): string =>
    `Timeout (0:05:00)!\nThread 0x01 (most recent call first):\n${frames}`;
  const places = {
    '  File "/job/shards.py", line 44 in next_lines\n  File "/job/data.py", line 20 in __getitem__\n  File "/job/train.py", line 10 in main\n':
      'loader_stall',
    '  File "/usr/lib/python3.10/gzip.py", line 300 in read\n  File "/job/shards.py", line 44 in next_lines\n':
      'loader_stall',
    '  File "/job/cache.py", line 44 in lookup\n  File "/job/train.py", line 10 in main\n': 'stuck_rank',
  };
  for (const [frames, subcause] of Object.entries(places)) {
    const waiting = `step 1 loss 0.5\n${stack(20)}${gaveUp(20, ofAll, timedOut)}`;
    const files = {
      'rank0.log': waiting,
      'rank1.log': `step 1 loss 0.5\n${at(frames)}`,
      'rank2.log': waiting,
    };
    expect(await verdictOf(files)).toMatchObject({ subcause, first: 1 });
  }
});

describe('everybody in the same direction', () => {
  const files = (of: (rank: number) => string) =>
    Object.fromEntries(
      [0, 1].map((rank) => [
        `rank${rank}.log`,
        gaveUp(20, 'dist.x(t, 1)', timedOut).replace('in all_reduce', `in ${of(rank)}`),
      ]),
    );

  it('sends, and nobody receives', async () => {
    expect(await verdictOf(files(() => 'send'))).toMatchObject({
      subcause: 'collective_mismatch',
      action: 'fix_code',
    });
  });

  it('or one sends and one receives: no circle', async () => {
    const { subcause } = await verdictOf(files((rank) => (rank === 0 ? 'send' : 'recv')));
    expect(subcause).not.toBe('collective_mismatch');
  });
});

describe('one rank that says its end', () => {
  const steps = (rank: number) =>
    [1, 2, 3, 4].map((step) => `[rank${rank}] step ${step} loss 0.${9 - step}\n`).join('');
  const gone = (rank: number): string =>
    `[rank${rank}]:[E1118 10:00:00.1 ProcessGroupNCCL.cpp:632] [Rank ${rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=120, OpType=ALLREDUCE, NumelIn=100, NumelOut=100, Timeout(ms)=600000) ran for 600022 milliseconds before timing out.\n`;
  const files = (end: (rank: number) => string) =>
    Object.fromEntries([0, 1, 2, 3].map((rank) => [`rank${rank}.log`, steps(rank) + end(rank)]));

  it('while the others wait for it', async () => {
    const verdict = await verdictOf(
      files((rank) => (rank === 2 ? '[rank2] stopping early at step 4\n' : gone(rank))),
    );
    expect(verdict).toMatchObject({
      outcome: 'failed',
      category: 'model_software',
      action: 'fix_code',
      first: 2,
    });
  });

  it('with all others', async () => {
    const { outcome } = await verdictOf(files((rank) => `[rank${rank}] stopping early at step 4\n`));
    expect(outcome).not.toBe('failed');
  });
});

describe('an error in a file of its own', () => {
  const files = (before: string, isThrough = true) => ({
    ...Object.fromEntries(
      [0, 1, 2].map((rank) => [
        `logs/x/attempt_0/${rank}/stdout.log`,
        `${Array.from({ length: 20 }, (_, step) => `step ${step} loss ${(2 - step / 20).toFixed(2)}\n`).join('')}${isThrough || rank !== 1 ? 'training finished\n' : ''}`,
      ]),
    ),
    'logs/x/attempt_0/1/stderr.log': `${before}Traceback (most recent call last):\n  File "/job/train.py", line 40, in <module>\n    image = decode(path)\nValueError: cannot decode a.jpg\n`,
  });

  it('that a logger warned of is no failure of a rank that came to its end', async () => {
    expect((await verdictOf(files('WARNING:root:a.jpg left out\n'))).outcome).not.toBe('failed');
  });

  it('is one of a rank that did not', async () => {
    const failed = await verdictOf(files('WARNING:root:a.jpg left out\\n', false));
    expect(failed).toMatchObject({ outcome: 'failed', first: 1 });
  });
});

it('nobody is told to start again what stood still until its time was over', async () => {
  const limit = 'slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE TO TIME LIMIT ***\n';
  const log = [0, 1].map((rank) => `[rank${rank}] step 1 loss 0.5\n`).join('') + limit;
  const standing = stack(20).replace('Timeout (0:01:00)!\n', '');
  const stacks = { 'stack_rank0.txt': standing, 'stack_rank1.txt': standing };
  expect((await verdictOf({ 'slurm-7.out': log })).action).toBe('restart');
  expect((await verdictOf({ 'slurm-7.out': log, ...stacks })).action).not.toBe('restart');
});
