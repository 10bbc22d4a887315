// Where it began when the evidence is of a host, of a file that names no rank, or of the one who came too late. Each statement stands beside
// a run that looks like it, of which it must not be said.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnoseRecord, findRuns, judgeSeveral } from '../../src/index.js';
import { runOf } from '../run-files.js';

async function judged(files: Readonly<Record<string, string>>) {
  const { ranks, subcause, action } = diagnoseRecord(await runOf(files));
  return { first: ranks?.first?.rank ?? null, host: ranks?.first?.host ?? null, subcause, action };
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
const lines = (count: number, of: (at: number) => string) => upTo(count).map(of).join('\n');
const steps = (prefix = '', count = 12) =>
  lines(count, (at) => `${prefix}step ${at} loss ${(0.9 - at / 50).toFixed(3)}`);
const c10d = '/env/lib/python3.12/site-packages/torch/distributed/distributed_c10d.py';

function raised(prefix: string, error: string, file = '/job/fit.py', name = 'fit'): string {
  return ['Traceback (most recent call last):', `  File "${file}", line 20, in ${name}`, '    ...', error]
    .map((line) => `${prefix}${line}\n`)
    .join('');
}

const lost = 'torch.distributed.DistBackendError: NCCL error: ncclRemoteError: remote process exited';
const timedOut = (rank: number, operation = 'ALLREDUCE') =>
  `[rank${rank}]:[E1111 15:50:08.05 ProcessGroupNCCL.cpp:629] [Rank ${rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=77, OpType=${operation}, NumelIn=18, NumelOut=18, Timeout(ms)=600000) ran for 600066 milliseconds before timing out.\n`;

describe('who found that the ranks meant different things', () => {
  const meant = (rank: number, operation: string, other: number, others: string) =>
    raised(
      `[rank${rank}]: `,
      `RuntimeError: Detected mismatch between collectives on ranks. Rank ${rank} is running collective: CollectiveFingerPrint(SequenceNumber=19, OpType=${operation}, TensorShape=[8], TensorDtypes=Float), but Rank ${other} is running collective: CollectiveFingerPrint(SequenceNumber=19, OpType=${others}, TensorShape=[8], TensorDtypes=Float).`,
    );

  it('is not who meant something else', async () => {
    const all = [1, 0, 3].map((rank) => meant(rank, 'ALLREDUCE', 2, 'BROADCAST')).join('');
    const text = `${steps()}\n${all}${meant(2, 'BROADCAST', 0, 'ALLREDUCE')}`;
    expect(await judged({ 'all.log': text })).toMatchObject({ first: 2, subcause: 'collective_mismatch' });
  });

  it('names nobody where two stand against two', async () => {
    const text = `${steps()}\n${upTo(4)
      .map((rank) =>
        meant(rank, rank < 2 ? 'ALLREDUCE' : 'BROADCAST', 3 - rank, rank < 2 ? 'BROADCAST' : 'ALLREDUCE'),
      )
      .join('')}`;
    expect(await judged({ 'all.log': text })).toMatchObject({ first: null });
  });
});

describe('who looks for NaN', () => {
  const curve = (from: number) =>
    `step,loss_local,grad_norm\n${lines(20, (at) => `${at},${at >= from ? 'nan' : 0.5 + at / 100},${at >= 15 ? 'nan' : 1}`)}\n`;
  const console = (ranks: number) =>
    `${lines(ranks, (rank) => `[1,${rank}]<stdout>:size ${ranks}, pid ${200 + rank}`)}\n${steps('[1,0]<stdout>:', 20)}\n${raised('[1,0]<stderr>:', 'FloatingPointError: loss is NaN')}`;
  const family = (count: number, first: number) =>
    Object.fromEntries(upTo(count).map((at) => [`metrics/worker_0${at}.csv`, curve(at === first ? 15 : 16)]));

  it('is not who had it first, as files that are as many as the ranks show', async () => {
    expect(await judged({ 'mpirun.log': console(4), ...family(4, 3) })).toMatchObject({ first: 3 });
  });

  it('stays first where fewer files are numbered than there are ranks, and where all had it at once', async () => {
    expect(await judged({ 'mpirun.log': console(4), ...family(3, 2) })).toMatchObject({ first: 0 });
    expect(await judged({ 'mpirun.log': console(4), ...family(4, 9) })).toMatchObject({ first: 0 });
  });
});

describe('a host whose ranks differ together', () => {
  const versions = (older: (rank: number) => boolean) =>
    `${lines(12, (rank) => `${rank}: n${rank >> 2}:9${rank}:9${rank} [0] NCCL INFO NCCL version ${older(rank) ? '2.21.5' : '2.26.2'}`)}
${lines(8, (rank) => `${rank}: n${rank >> 2}:9${rank}:9${rank} [0] init.cc:10 NCCL WARN Mismatched NCCL version detected : rank ${rank} version ${older(rank) ? 22105 : 22602} rank 9 version ${older(9) ? 22105 : 22602}`)}
${lines(12, (rank) => raised(`${rank}: [rank${rank}]: `, 'torch.distributed.DistBackendError: NCCL error: invalid usage').trimEnd())}
srun: error: n0: tasks 0-3: Exited with exit code 1
srun: error: n1: tasks 4-7: Exited with exit code 1
srun: error: n2: tasks 8-11: Exited with exit code 1
`;

  it('is named by one of its ranks', async () => {
    const verdict = await judged({ 'srun.log': versions((rank) => rank >= 8) });
    expect(verdict).toMatchObject({ host: 'n2', subcause: 'versions_apart' });
  });

  it('is none where ranks of two hosts differ', async () => {
    expect(await judged({ 'srun.log': versions((rank) => rank === 9 || rank === 1) })).toMatchObject({
      first: null,
    });
  });
});

describe('an error that names no rank in the log of one host', () => {
  const full = raised('', 'OSError: [Errno 28] No space left on device');
  const host = (ranks: readonly number[], own: string) =>
    `${steps()}\n${own}${ranks.map((rank) => raised(`[rank${rank}]: `, lost, c10d, 'all_reduce')).join('')}`;

  it('began on that host', async () => {
    const files = { 'job_c1.out': host([0, 2], ''), 'job_c2.out': host([5, 6], full) };
    expect(await judged(files)).toMatchObject({ first: 5, subcause: 'disk_full', action: 'exclude_node' });
  });

  it('began nowhere when two hosts say it, and on no node to exclude when the first rank writes for all', async () => {
    const both = { 'job_c1.out': host([0, 2], full), 'job_c2.out': host([5, 6], full) };
    expect(await judged(both)).toMatchObject({ first: null, action: 'unknown' });
    const first = { 'job_c1.out': host([0, 2], full), 'job_c2.out': host([5, 6], '') };
    expect((await judged(first)).action).toBe('unknown');
  });
});

describe('a fault of a device', () => {
  const introduced = (pid: (rank: number) => number) =>
    lines(
      4,
      (rank) =>
        `(Controller pid=18) - (ip=10.6.1.${rank >> 1}, pid=${pid(rank)}) world_rank=${rank}, local_rank=${rank % 2}`,
    );
  const files = (pid: (rank: number) => number) => ({
    'driver.log': `${introduced(pid)}\n${steps()}\n${raised('[rank0]: ', lost, c10d, 'all_reduce')}`,
    'kern-10.6.1.1.log':
      'Aug  5 06:44:30 w3 kernel: NVRM: Xid (PCI:0000:5d:00): 94, pid=703, name=python, Contained: SM (0x1).\n',
  });

  it('is of the rank whose process the launcher introduced on that host', async () => {
    expect(await judged(files((rank) => 700 + rank))).toMatchObject({ first: 3, host: '10.6.1.1' });
  });

  it('is of none of them when the process is another', async () => {
    expect((await judged(files((rank) => 900 + rank))).first).not.toBe(3);
  });
});

describe('the one that came after all others had given up', () => {
  const gone = raised('[rank0]: ', lost, c10d, 'all_reduce');

  it('did the work that the last line before tells of', async () => {
    const text = `${steps()}\n${[1, 2, 3].map((rank) => timedOut(rank)).join('')}Generation: 48/140 prompts done\n${gone}`;
    expect(await judged({ 'all.log': text })).toMatchObject({ first: 0, subcause: 'rank_zero_work' });
  });

  it('is nobody when its own watchdog gave up too', async () => {
    const text = `${steps()}\n${[0, 1, 2, 3].map((rank) => timedOut(rank)).join('')}${gone}`;
    expect((await judged({ 'all.log': text })).first).toBeNull();
  });
});

describe('stacks beside the logs of the ranks', () => {
  const stack = (rank: number, inner: string) =>
    `Process 301${rank}: python learner.py --rank ${rank}\nPython v3.12.4 (/usr/bin/python3.12)\n\nThread 301${rank} (idle): "MainThread"\n    ${inner}\n    main (learner.py:260)\n\n`;
  const waits = '_engine_run_backward (torch/autograd/graph.py:829)\n    update (learner.py:188)';
  const locked = '__enter__ (threading.py:180)\n    sample (replay.py:96)';

  async function told(files: Readonly<Record<string, string>>) {
    const folder = await mkdtemp(join(tmpdir(), 'grus-job-'));
    try {
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
      return await judgeSeveral(await findRuns(folder), (record) => diagnoseRecord(record));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  const log = (rank: number) =>
    `${lines(8, (at) => `15:2${at}:01 [${rank}] INFO update ${at} return=${30 + at} rank ${rank}`)}\n${rank === 2 ? '' : timedOut(rank)}`;
  const logs = Object.fromEntries(upTo(4).map((rank) => [`learner_${rank}.log`, log(rank)]));
  const stacks = upTo(4)
    .map((rank) => stack(rank, rank === 2 ? locked : waits))
    .join('');

  it('are of the same job', async () => {
    expect(await told({ ...logs, 'stacks.txt': stacks })).toBeNull();
    expect(await judged({ ...logs, 'stacks.txt': stacks })).toMatchObject({
      first: 2,
      subcause: 'stuck_rank',
    });
  });

  it('make no job of runs that each have a first rank', async () => {
    const run = (seed: number) => `${lines(8, (at) => `[rank0]: step ${at} loss ${seed - at / 20}`)}\n`;
    const runs = { 'run_a.log': run(2), 'run_b.log': run(3), 'stacks.txt': stacks };
    expect((await told(runs))?.length).toBe(2);
  });
});

describe('what a run asks for beyond its machine', () => {
  it('is changed in the run', async () => {
    const memory =
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 9.00 GiB. GPU 0 has a total capacity of 79.10 GiB of which 2.00 GiB is free.';
    const files = Object.fromEntries(
      upTo(3).map((rank) => [
        `rank_${rank}.log`,
        `${steps()}\n${rank === 1 ? raised('', memory) : raised('', lost, c10d, 'all_reduce')}`,
      ]),
    );
    expect(await judged(files)).toMatchObject({ first: 1, action: 'fix_code' });
  });
});
