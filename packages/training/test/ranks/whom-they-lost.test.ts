// Whom the others name as the end that they lost, which number of a host a file is of, and which sentence differs on one rank. Each
// statement stands beside a job that looks like it, of which it must not be said.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/index.js';
import { isLabelled } from '../../src/readers/console/ranks/prefix.js';
import { runOf } from '../run-files.js';

async function judged(files: Readonly<Record<string, string>>) {
  const { ranks, subcause, action, outcome } = diagnoseRecord(await runOf(files));
  return { first: ranks?.first?.rank ?? null, host: ranks?.first?.host ?? null, subcause, action, outcome };
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
const lines = (count: number, of: (at: number) => string) => upTo(count).map(of).join('\n');
const steps = lines(12, (at) => `2026-05-04 03:${10 + at}:07 step ${at} loss ${(3 - at / 9).toFixed(3)}`);
const gone = (rank: number, peer: string) =>
  `[rank${rank}]: NCCL error: remote process exited or there was a network error\nncclRemoteError: A call failed possibly due to a remote process exiting prematurely.\nLast error:\nsocketProgress: Connection closed by remote peer ${peer}<4112${rank}>`;

describe('the host that the others lost', () => {
  const hosts = ['kx-1', 'kx-2', 'kx-3'];
  const job = (peers: readonly (string | null)[], beside: Readonly<Record<string, string>> = {}) => ({
    ...Object.fromEntries(
      hosts.map((host, at) => [
        `${host}.log`,
        `${lines(4, (nth) => `[rank${at * 4 + nth}]: up on ${host}`)}\n${steps}\n${peers[at] === null ? '' : lines(4, (nth) => gone(at * 4 + nth, peers[at]!))}\n`,
      ]),
    ),
    ...beside,
  });

  it('is the one that complains of nobody', async () => {
    expect(await judged(job(['kx-2.pool.svc', null, 'kx-2.pool.svc']))).toMatchObject({
      first: 4,
      host: 'kx-2',
    });
  });

  it('may be named by its address, where a line says whose that is', async () => {
    const nodes = {
      'nodes.txt': lines(3, (at) => `${hosts[at]} 10.4.0.${at + 1} tasks ${at * 4}-${at * 4 + 3}`),
    };
    expect((await judged(job(['10.4.0.2', null, '10.4.0.2'], nodes))).host).toBe('kx-2');
  });

  it('is none where each names another', async () => {
    expect((await judged(job(['kx-2', 'kx-3', 'kx-1']))).first).toBeNull();
  });
});

describe('ranks of hosts some of which left nothing', () => {
  const timedOut = (rank: number) =>
    `[rank${rank}]:[E0504 03:40:01.1 ProcessGroupNCCL.cpp:629] [Rank ${rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=44, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600038 milliseconds before timing out.`;
  const host = (at: number, silent: number) =>
    `${lines(4, (nth) => `[rank${at * 4 + nth}]: step 1 ok`)}\n${upTo(4)
      .filter((nth) => nth !== silent)
      .map((nth) => timedOut(at * 4 + nth))
      .join('\n')}\n`;
  const stack = `Process 61: python train.py\nPython v3.11.7 (/usr/bin/python3.11)\n\nThread 61 (idle): "MainThread"\n    get (queue.py:180)\n    _next_data (torch/utils/data/dataloader.py:1454)\n    epoch (train.py:24)\n`;

  it('are counted in blocks, and a file is of the number that it names on its host', async () => {
    const files = { 'img-w-0.log': host(0, 9), 'img-w-1.log': host(1, 9), 'img-w-3.log': host(3, 1) };
    expect(await judged({ ...files, 'pyspy_img-w-3_local1.txt': stack })).toMatchObject({
      first: 13,
      subcause: 'loader_stall',
    });
  });

  it('are none that is named where all complain', async () => {
    const files = { 'img-w-0.log': host(0, 9), 'img-w-1.log': host(1, 9), 'img-w-3.log': host(3, 9) };
    expect((await judged(files)).first).not.toBe(13);
  });
});

describe('a sentence with several numbers', () => {
  const error =
    'RuntimeError: Mismatched broadcast tensor shapes: One rank sent a tensor of shape [64, 10], but another rank sent a tensor of shape [64, 9].';
  const job = (kinds: (rank: number) => number) =>
    `${lines(4, (rank) => `[1,${rank}]<stdout>:Found ${500 + rank} files of ${kinds(rank)} kinds in /data/part${rank}`)}\n${lines(4, (rank) => `[1,${rank}]<stderr>:Traceback (most recent call last):\n[1,${rank}]<stderr>:  File "fit.py", line 8, in <module>\n[1,${rank}]<stderr>:    fit()\n[1,${rank}]<stderr>:${error}`)}\n`;

  it('differs in the one that all others say alike', async () => {
    expect(await judged({ 'mpi.log': job((rank) => (rank === 2 ? 9 : 10)) })).toMatchObject({
      first: 2,
      subcause: 'collective_mismatch',
      action: 'fix_code',
    });
  });

  it('differs in none where each says its own, or two differ', async () => {
    expect((await judged({ 'mpi.log': job(() => 10) })).first).toBeNull();
    expect((await judged({ 'mpi.log': job((rank) => 8 + (rank >> 1)) })).first).toBeNull();
  });
});

describe('a label before every line', () => {
  it('is one though the log begins with a single task, and is no time of day', () => {
    expect(isLabelled(lines(12, (at) => `127:  step ${at} loss 1.${at}`))).toBe(true);
    expect(isLabelled(lines(12, (at) => `00:00:0${at % 6} step ${at}`))).toBe(false);
    expect(isLabelled(lines(12, (at) => `${at}: step`))).toBe(false);
  });
});

describe('a section of each rank below a heading', () => {
  const section = (rank: number, text: string) =>
    `Global rank ${rank} (PID ${600 + rank}) exited with code ${rank === 2 ? 1 : -15}\n----------Begin global rank ${rank} STDERR----------\n${text}\n----------End global rank ${rank} STDERR----------`;
  const raised =
    'Traceback (most recent call last):\n  File "/app/train.py", line 9, in <module>\n    main()\n  File "/app/read.py", line 7, in unpack\n    return decode(data)\nzstd.Error: Decompression error: Data corruption detected';

  it('ends the error in it, and is of its rank', async () => {
    const text = lines(4, (rank) => section(rank, rank === 2 ? raised : 'bye'));
    expect(await judged({ 'node0.log': `${text}\n` })).toMatchObject({
      first: 2,
      subcause: 'decode_error',
      action: 'fix_data',
    });
  });
});

describe('a row with the error of a rank in a field', () => {
  const row = (rank: number, exc: string) =>
    JSON.stringify({ ts: '2026-04-02T06:06:26Z', lvl: 'ERROR', rank, msg: 'stopped', exc });
  const lost = 'torch.distributed.DistBackendError: NCCL error: remote process exited, ncclRemoteError';
  const raised =
    'Traceback (most recent call last):\n  File "/app/loop.py", line 14, in run\n    share = kept / total\nZeroDivisionError: division by zero';
  const job = (own: string) => ({
    'all.jsonl': `${lines(8, (at) => JSON.stringify({ rank: 0, step: at, loss: 3 - at / 9 }))}\n${lines(4, (rank) => row(rank, rank === 3 ? own : lost))}\n`,
  });

  it('is read like any other', async () => {
    expect(await judged(job(raised))).toMatchObject({ first: 3, subcause: 'code_error', action: 'fix_code' });
    expect((await judged(job(lost))).first).toBeNull();
  });
});

describe('pods of a master and its workers', () => {
  const job = (worker: string, named: string) => ({
    'det-master-0.log': `${steps}\n${lines(4, (rank) => gone(rank, `10-4-2-31.${named}.vision.svc`))}\n`,
    'det-worker-0.log': worker,
    'det-worker-1.log': `${lines(4, (rank) => gone(8 + rank, `10-4-2-31.${named}.vision.svc`))}\n`,
  });

  it('are counted one after the other', async () => {
    expect(await judged(job('got SIGTERM, flushing\n', 'det-worker-0'))).toMatchObject({
      first: 4,
      host: 'det-worker-0',
    });
    const own = `${lines(4, (rank) => gone(4 + rank, 'det-master-0'))}\n`;
    expect((await judged(job(own, 'det-worker-0'))).host).not.toBe('det-master-0');
  });
});

describe('a check that finds replicas apart', () => {
  const table = (of: (rank: number, step: number) => number) =>
    lines(
      8,
      (at) =>
        `[2026-07-14 07:0${at}:01] digests at step ${at * 100}\n${lines(4, (rank) => `    rank  ${rank} |w|=${of(rank, at).toFixed(6)}`)}`,
    );
  const stop =
    '[2026-07-14 07:35:05] ERROR check: replicas differ, stopping\n[rank0]: Traceback (most recent call last):\n[rank0]:   File "/src/guard.py", line 90, in check\n[rank0]:     raise Apart(step)\n[rank0]: guard.ApartError: step 700\n';

  it('is raised by one rank, and began at another', async () => {
    const drifting = table((rank, at) => 800 + at + (rank === 2 && at > 3 ? at / 4 : 0));
    expect(await judged({ 'out.log': `${drifting}\n${stop}` })).toMatchObject({
      first: 2,
      subcause: 'replica_drift',
    });
    expect((await judged({ 'out.log': `${table((_, at) => 800 + at)}\n${stop}` })).first).toBeNull();
  });
});

describe('a device that a kernel names', () => {
  const job = (device: (at: number) => string) => ({
    'n1.log': `${lines(4, (rank) => `[rank${rank}]: up on n1${device(rank)}`)}\n${steps}\n${lines(4, (rank) => gone(rank, 'n2'))}\n`,
    'n2.log': `${lines(4, (rank) => `[rank${rank + 4}]: up on n2`)}\n${lines(4, (rank) => gone(rank + 4, 'n1'))}\n`,
    'dmesg_n1.txt':
      "May  4 03:22:41 n1 kernel: NVRM: Xid (PCI:0000:5d:00): 48, pid='<unknown>', name=<unknown>, DBE (double bit error) detected\n",
  });

  it('is of no rank where nobody is known to have it', async () => {
    expect((await judged(job(() => ''))).first).toBeNull();
    const table = `index, pci.bus_id, name\n${lines(4, (at) => `${at}, 00000000:${at + 3}D:00.0, NVIDIA A100`)}\n`;
    expect((await judged({ ...job(() => ''), 'gpus_n1.csv': table })).first).toBe(2);
  });
});

describe('a job that was taken back as a whole', () => {
  it('began at no rank', async () => {
    const job = (end: string) =>
      `${lines(12, (at) => `${at % 4}: 2026-05-04 03:${10 + at}:07 step ${at} loss 2.${at}`)}\n3: [rank3]: Traceback (most recent call last):\n3: [rank3]:   File "/p/train.py", line 12, in stop\n3: [rank3]: SystemExit: 143\n${end}\n`;
    const all =
      'slurmstepd: error: *** JOB 4410 ON lh05 CANCELLED AT 2026-05-04T03:32:05 DUE TO PREEMPTION ***';
    expect(await judged({ 'a.log': job(all) })).toMatchObject({
      first: null,
      subcause: 'preempted',
      action: 'restart',
    });
  });
});

describe('a job that was queued again', () => {
  const log = (from: number, first: string, last: string) =>
    `${first}\n${lines(12, (at) => `2026-05-0${from > 0 ? 5 : 4} 03:${10 + at}:07 step ${from + at * 10} loss ${(3 - (from + at * 10) / 200).toFixed(3)}`)}\n${last}\n`;
  const limit =
    'slurmstepd: error: *** JOB 99 ON n1 CANCELLED AT 2026-05-04T04:00:00 DUE TO TIME LIMIT ***\n';

  it('is judged by how it went on, whichever stream told of the limit', async () => {
    const again = {
      'gpt_0.out': log(0, '0: up', 'saved step_115'),
      'gpt_0.err': limit,
      'gpt_1.out': log(120, 'resuming from step_115', 'training finished'),
      'gpt_1.err': '\n',
    };
    expect((await judged(again)).subcause).toBeNull();
    const { 'gpt_1.out': _, ...stopped } = again;
    expect((await judged(stopped)).subcause).toBe('time_limit');
  });
});

describe('what rank 0 says that it started', () => {
  const waits = (rank: number) =>
    `[rank${rank}]:[E0504 03:40:01.1 ProcessGroupNCCL.cpp:629] [Rank ${rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=44, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600038 milliseconds before timing out.`;
  const job = (word: string) =>
    `${lines(8, (at) => `[rank${at % 4}] step ${at >> 2} loss 2.${at}`)}\n[rank0] ${word} started: 512 prompts\n${lines(3, (at) => waits(at + 1))}\n`;

  it('is its own work, unless it is the training', async () => {
    expect(await judged({ 'a.log': job('sample generation') })).toMatchObject({
      first: 0,
      subcause: 'rank_zero_work',
      action: 'fix_code',
    });
    expect((await judged({ 'a.log': job('training') })).subcause).not.toBe('rank_zero_work');
  });
});

describe('a rank that waits in vain for what a root sends', () => {
  const frames = (rank: number, file: string, of: string) =>
    `[rank${rank}]: Traceback (most recent call last):\n[rank${rank}]:   File "/app/fit.py", line ${of === 'broadcast' ? 22 : 40}, in <module>\n[rank${rank}]:     go()\n[rank${rank}]:   File "/venv/site-packages/torch/${file}", line 9, in ${of}\n[rank${rank}]:     run()\n[rank${rank}]: RuntimeError: [/gloo/transport/tcp/unbound_buffer.cc:78] Timed out waiting 8000ms for recv operation to complete`;
  const root = (rank: number) => frames(rank, 'distributed/distributed_c10d.py', 'broadcast');
  const pass = (rank: number) => frames(rank, 'autograd/graph.py', '_engine_run_backward');

  it('took another way than all others', async () => {
    const job = (of: (rank: number) => string) => ({ 'all.log': `${steps}\n${lines(4, of)}\n` });
    expect(await judged(job((rank) => (rank === 3 ? root(rank) : pass(rank))))).toMatchObject({
      first: 3,
      subcause: 'collective_mismatch',
    });
    expect((await judged(job((rank) => (rank > 1 ? root(rank) : pass(rank))))).first).toBeNull();
  });
});
