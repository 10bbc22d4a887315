// What the awaited rank said last, whose file a file without ranks is, and words that only one rank has: each with its healthy or
// undecided twin. The texts were written for these tests.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnoseRecord, findRuns, judgeSeveral } from '../../src/index.js';
import { runOf } from '../run-files.js';

async function judged(files: Readonly<Record<string, string>>) {
  const { ranks, subcause } = diagnoseRecord(await runOf(files));
  return { subcause, first: ranks?.first?.rank ?? null };
}

const steps = (rank: number, count = 12) =>
  Array.from(
    { length: count },
    (_, at) => `[rank${rank}] step ${at + 1}: loss=${(2.3 - at * 0.01).toFixed(3)}\n`,
  ).join('');
const timedOut =
  'RuntimeError: [../third_party/gloo/gloo/transport/tcp/unbound_buffer.cc:81] Timed out waiting 1800000ms for recv operation to complete';
const waiting = (ranks: readonly number[]) =>
  Object.fromEntries(ranks.map((rank) => [`rank_${rank}.log`, `${steps(rank)}[rank${rank}]: ${timedOut}\n`]));

describe('the last words of the rank that the others wait for', () => {
  it.each([
    ['dataset: waiting for the next shard, 0 samples passed the filter', 'loader_stall'],
    ['waiting for /shared/cache/vocab.lock', 'stuck_rank'],
    ['loss below target, stopping at step 12', 'collective_mismatch'],
    ['saving checkpoint to /mnt/ckpt/step_12', 'slow_checkpoint'],
    ['tokenizing 120/9000', 'stuck_rank'],
    ['opening /data/tok/part-0014.bin', 'loader_stall'],
    ['[E629 04:59:49.5 ProcessGroupNCCL.cpp:1658] Received a dump signal from rank 1', 'collective_timeout'],
  ])('%j: %s', async (words, subcause) => {
    const files = { ...waiting([0, 1, 3]), 'rank_2.log': `${steps(2)}[rank2] ${words}\n` };
    expect(await judged(files)).toEqual({ subcause, first: 2 });
  });

  it('count though the launcher tells of the ends of the others', async () => {
    const launcher =
      'ERROR:cli.launcher:Rank 3 crashed with exit code -6.\nERROR:cli.launcher:Global rank 3 (PID 313) exited with code -6\n';
    const words = '[rank2] checkpoint: written 17.1 / 134.2 GB (32 MB/s)\n';
    const files = { ...waiting([0, 1, 3]), 'rank_2.log': `${steps(2)}${words}`, 'launcher.txt': launcher };
    expect(await judged(files)).toEqual({ subcause: 'slow_checkpoint', first: 2 });
  });

  it('are those of rank 0 alone when the others do not have them', async () => {
    const files = { ...waiting([1, 2, 3]), 'rank_0.log': `${steps(0)}[rank0] eval 31/4000 batches\n` };
    expect(await judged(files)).toEqual({ subcause: 'rank_zero_work', first: 0 });
  });

  it('tell nothing when all ranks have them', async () => {
    const said = (rank: number) => `${steps(rank)}[rank${rank}] loss below target, stopping\n`;
    const files = Object.fromEntries([0, 1, 2].map((rank) => [`rank_${rank}.log`, said(rank)]));
    expect((await judged(files)).first).toBeNull();
  });
});

describe('a file without ranks', () => {
  const failing =
    'Traceback (most recent call last):\n  File "/app/train.py", line 9, in <module>\n    import tok\n';
  const lost =
    'torch.distributed.DistStoreError: Timed out after 61 seconds waiting for clients. 2/3 clients joined.\n';
  const hosts = {
    'launcher.log':
      'srun: error: c1: task 1: Exited with exit code 1\nsrun: error: c2: task 2: Exited with exit code 1\nsrun: error: c0: task 0: Exited with exit code 1\n',
    'c0.log': `${failing.replace('import tok', 'dist.init_process_group()')}${lost}`,
    'c1.log': `${failing}ModuleNotFoundError: No module named 'tok'\n`,
    'c2.log': `${failing.replace('import tok', 'dist.init_process_group()')}${lost}`,
  };

  it('is of the rank that the launcher started on the host in its name', async () => {
    expect(await judged(hosts)).toEqual({ subcause: 'missing_package', first: 1 });
    expect(await parts(hosts)).toBe(1);
  });

  it('is of the rank in its number where its siblings are', async () => {
    const closed = (rank: number) =>
      `[rank${rank}]: RuntimeError: [gloo/transport/tcp/pair.cc:553] Connection closed by peer [10.0.0.3]:4001\n`;
    const pod = (at: number, end: string) => [
      `bert-worker-${at}.log`,
      `step=1 loss=2.1\nstep=2 loss=2.0\n${end}`,
    ];
    expect(await judged(Object.fromEntries([pod(0, closed(0)), pod(1, closed(1)), pod(2, '')]))).toEqual({
      subcause: 'missing_rank',
      first: 2,
    });
  });

  it('stays a run of its own where no launcher names its host and nobody counts the ranks', async () => {
    const { 'launcher.log': _launcher, ...logs } = hosts;
    expect(await parts(logs)).toBe(1);
    const uncounted = Object.entries(logs).map(([name, text]) => [
      name,
      text.replace(' 2/3 clients joined.', ''),
    ]);
    expect(await parts(Object.fromEntries(uncounted))).toBe(3);
  });
});

describe('the number of a worker on its host', () => {
  const host = (first: number, end = '') =>
    [0, 1].map((local) => `[default${local}]:10:00:00 r${first + local} step 40 loss 2.1\n`).join('') + end;
  const killed =
    'E0101 10:00:09.860000 88 torch/distributed/elastic/multiprocessing/api.py:874] failed (exitcode: -9) local_rank: 1 (pid: 91) of binary: python\n';

  it('is no rank where the lines tell the rank', async () => {
    const report = `torch.distributed.elastic.multiprocessing.errors.ChildFailedError: 
============================================================
train.py FAILED
------------------------------------------------------------
Failures:
  <NO_OTHER_FAILURES>
------------------------------------------------------------
Root Cause (first observed failure):
[0]:
  time      : 2026-01-01_10:00:09
  host      : m1
  rank      : 3 (local_rank: 1)
  exitcode  : -9 (pid: 91)
  error_file: <N/A>
  traceback : Signal 9 (SIGKILL) received by PID 91
============================================================
`;
    const closed =
      '[default0]:[rank0]: RuntimeError: [gloo/transport/tcp/pair.cc:553] Connection closed by peer [10.0.0.3]:4001\n';
    const files = { 'm0.log': host(0, closed), 'm1.log': host(2, killed + report) };
    expect((await judged(files)).first).toBe(3);
    expect(await parts(files)).toBe(1);
  });
});

describe('an error of the communication', () => {
  it('tells of no data, whatever its words', async () => {
    const error = (rank: number) =>
      `[rank${rank}]: Traceback (most recent call last):\n[rank${rank}]:   File "/app/train.py", line 4, in main\n[rank${rank}]:     dist.barrier()\n[rank${rank}]: torch.distributed.DistBackendError: NCCL error in: NCCLUtils.hpp:268, internal error\n[rank${rank}]: Last error:\n[rank${rank}]: Message truncated : received 1024 bytes instead of 256\n`;
    const { action, category } = diagnoseRecord(await runOf({ 'all.log': error(0) + error(1) }));
    expect([category === 'data_pipeline', action]).toEqual([false, 'unknown']);
  });

  it('leaves the rank that has none as the one that is gone', async () => {
    const lost = (rank: number) =>
      `${steps(rank)}[rank${rank}]:[E226 03:38:25.9 ProcessGroupNCCL.cpp:1895] [Rank ${rank}] Process group watchdog thread terminated with exception: NCCL error: remote process exited or there was a network error\nncclRemoteError: A call failed possibly due to a network error\n`;
    const files = {
      'rank_0.log': lost(0),
      'rank_1.log': lost(1),
      'rank_2.log': steps(2),
      'rank_3.log': lost(3),
    };
    expect((await judged(files)).first).toBe(2);
  });
});

describe('what only one rank has', () => {
  const watchdog = (rank: number, operation: string) =>
    `[rank${rank}]:[E0101 10:00:00.1 ProcessGroupNCCL.cpp:632] [Rank ${rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=81, OpType=${operation}, NumelIn=64, NumelOut=64, Timeout(ms)=600000) ran for 600031 milliseconds before timing out.\n`;
  const all = (odd: string) =>
    [0, 1, 2, 3].map((rank) => watchdog(rank, rank === 2 ? odd : 'ALLTOALL_BASE')).join('');

  it('is the operation that its watchdog names', async () => {
    expect(await judged({ 'all.log': all('ALLREDUCE') })).toEqual({
      subcause: 'collective_mismatch',
      first: 2,
    });
    expect((await judged({ 'all.log': all('ALLTOALL_BASE') })).first).toBeNull();
  });

  it('is an error of its own device, though a library for all of them tells it', async () => {
    const error = (rank: number, what: string) =>
      `[rank${rank}]: Traceback (most recent call last):\n[rank${rank}]:   File "/app/train.py", line 40, in step\n[rank${rank}]:     loss.backward()\n[rank${rank}]: torch.distributed.DistBackendError: NCCL error in: NCCLUtils.hpp:268, ${what}\n`;
    const files = {
      'all.log': [0, 1, 2]
        .map((rank) => error(rank, rank === 1 ? 'unhandled cuda error' : 'remote process exited'))
        .join(''),
    };
    expect((await judged(files)).first).toBe(1);
  });

  it('is a norm of weights that never was that of the others; parts of a model all differ', async () => {
    const norms = (rank: number, shift: number) =>
      Array.from({ length: 6 }, (_, at) =>
        JSON.stringify({ rank, step: at, loss: 2 - at / 10, weight_norm: 150 + at + shift }),
      ).join('\n');
    const job = (shifts: readonly number[]) =>
      Object.fromEntries(shifts.map((shift, rank) => [`metrics_rank${rank}.jsonl`, norms(rank, shift)]));
    expect(await judged(job([0, 0, 3, 0]))).toEqual({ subcause: 'replica_drift', first: 2 });
    expect((await judged(job([0, 1, 3, 2]))).first).toBeNull();
    expect((await judged(job([0, 0, 0, 0]))).first).toBeNull();
  });
});

/** As many runs as a folder with these files holds. */
async function parts(files: Readonly<Record<string, string>>): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'grus-awaited-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    return (await judgeSeveral(await findRuns(folder), diagnoseRecord))?.length ?? 1;
  } finally {
    await rm(folder, { recursive: true });
  }
}
