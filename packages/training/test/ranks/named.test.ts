// Whom words name: a heading over what a rank said, the subject of an error, the process or host that a launcher, a scheduler or the other
// ranks speak of. Each statement stands beside a job that looks like it, of which it must not be said. The texts were written for these tests.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnoseRecord, findRuns, judgeSeveral } from '../../src/index.js';
import { placeIn } from '../../src/readers/collect/places.js';
import { runOf } from '../run-files.js';

async function judged(files: Readonly<Record<string, string>>) {
  const { ranks, subcause, action, outcome } = diagnoseRecord(await runOf(files));
  const { rank = null, host = null } = ranks?.first ?? {};
  return { first: rank, host, subcause, action, outcome };
}

/** As many runs as the folder is taken for. */
async function runsIn(files: Readonly<Record<string, string>>): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'grus-named-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const several = await judgeSeveral(await findRuns(folder), (record) => diagnoseRecord(record));
    return several?.length ?? 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
const steps = (count = 12, mark = '') =>
  upTo(count)
    .map((at) => `${mark}step ${at + 1} loss ${(2.3 - at * 0.01).toFixed(3)}\n`)
    .join('');
const raised = (text: string) =>
  `Traceback (most recent call last):\n  File "/job/fit.py", line 31, in <module>\n    main()\n  File "/job/fit.py", line 18, in main\n    row = table[key]\n${text}\n`;
const lost =
  'torch.distributed.DistBackendError: NCCL error: remote process exited or there was a network error\n';

describe('a heading', () => {
  it.each([
    (rank: number) => `[Rank ${rank} Error Snippet]:`,
    (rank: number) => `----- rank ${rank} -----`,
    (rank: number) => `==> out/rank${rank}.log <==`,
    (rank: number) => `### stderr of rank ${rank} (gn03):`,
    (rank: number) => `rank ${rank}:`,
  ])('gives its rank to what stands below', async (heading) => {
    const text = `${steps()}${heading(1)}\n${lost}${heading(3)}\n${raised("KeyError: 'width'")}${heading(0)}\n${lost}`;
    expect((await judged({ 'driver.log': text })).first).toBe(3);
  });

  it('is none in a sentence, and ends where another process speaks', async () => {
    const text = `${steps()}waiting for rank 3 at the barrier of epoch 2\n${raised("KeyError: 'width'")}[rank1]: ${lost}`;
    expect((await judged({ 'driver.log': text })).first).toBeNull();
    const others = `${steps()}(Boss pid=11) [rank 3 said]:\n(Boss pid=11) ok\n(Other pid=12) ${raised("KeyError: 'width'").replaceAll('\n', '\n(Other pid=12) ')}\n[rank1]: ${lost}`;
    expect((await judged({ 'driver.log': others })).first).not.toBe(3);
  });
});

describe('an error that is said of a rank', () => {
  const checks = (text: string) =>
    `torchrun --nnodes 2 --nproc-per-node 4\n${steps()}ERROR:health.compare:${text}\n[rank1]: ${lost}`;
  it('is of that rank', async () => {
    const text = 'Rank 5, device 1: the replay of batch 7 is not reproducible';
    expect(await judged({ 'c.log': checks(text) })).toMatchObject({
      first: 5,
      subcause: 'device_fault',
      action: 'exclude_node',
    });
  });
  it('is not of one that only waits', async () => {
    expect(
      (await judged({ 'c.log': checks('Rank 5 timed out while it waited for its peers') })).first,
    ).not.toBe(5);
  });
});

describe('who is said to be gone', () => {
  it('is the process that a launcher names', async () => {
    const text = `${steps(12, '[1,0]<stdout>: ')}launcher noticed that process rank 6 with PID 902 on node n02 exited on signal 9 (Killed).\n`;
    expect((await judged({ 'mpi.txt': text })).first).toBe(6);
  });
  it('is the rank of the process, where it was introduced', async () => {
    const seats = upTo(4)
      .map((at) => `(W pid=${40 + at}, ip=10.1.0.${2 + (at >> 1)}) up [rank=${at}, world_size=4]\n`)
      .join('');
    const text = (word: string) =>
      `${seats}${steps(12, '(W pid=40) ')}WARNING A worker ${word}. Worker IP address: 10.1.0.3 Worker PID: 43\n(W pid=40) [rank0]: ${lost}`;
    expect((await judged({ 'ray.log': text('died or was killed unexpectedly') })).first).toBe(3);
  });
  it('is whom all others name', async () => {
    const line = (rank: number, text: string) => `11:06:1${rank} fit[${rank}] ${text}\n`;
    const text = upTo(6)
      .map((at) =>
        upTo(4)
          .map((rank) => line(rank, `step=${at} loss=${2 - at * 0.1}`))
          .join(''),
      )
      .join('');
    const named = (who: (rank: number) => number) =>
      `${text}${[0, 1, 3].map((rank) => line(rank, `abort requested by rank ${who(rank)}, leaving`)).join('')}Killed\n`;
    expect((await judged({ 'a.log': named(() => 2) })).first).toBe(2);
    expect((await judged({ 'a.log': named((rank) => (rank === 0 ? 1 : 2)) })).first).toBeNull();
  });
});

describe('the host of a rank', () => {
  const worker = (host: number, text = '') =>
    [
      `get_logs_tr-worker-${host}.log`,
      `${upTo(4)
        .map((at) => steps(2, `[rank${host * 4 + at}] `))
        .join('')}${text}`,
    ] as const;
  const workers = Object.fromEntries([
    worker(0, `[rank0]: ${lost}`),
    worker(1),
    worker(2, `[rank9]: ${lost}`),
  ]);

  it('is what differs in the names of the files', async () => {
    const pod = 'State:  Terminated\n  Reason:  OOMKilled\n  Exit Code: 137\n';
    expect(await judged({ ...workers, 'describe_tr-worker-1.txt': pod })).toMatchObject({
      first: 4,
      host: 'tr-worker-1',
      subcause: 'host_memory',
    });
  });

  it('stands in a row beside its ranks', () => {
    expect(placeIn('6 hx-118 ranks 48-50', null)).toEqual({ ranks: [48, 49, 50], host: 'hx-118' });
    expect(placeIn('top-5 accuracy of ranks 0-3 was printed by the evaluation loop of v2', null)).toBeNull();
  });

  it('is the one that failed, and not the one that a step is named by', async () => {
    const tasks = upTo(3)
      .map((at) => `srun: error: hx-${at + 1}: tasks ${at * 4}-${at * 4 + 3}: Terminated\n`)
      .join('');
    const ended = (why: string) =>
      `slurmstepd: error: *** STEP 88.0 ON hx-1 CANCELLED AT 2026-01-11T00:42:00${why} ***\n${tasks}`;
    const failed = `srun: error: Node failure on hx-2\n${ended(' DUE TO NODE FAILURE')}`;
    expect(await judged({ 'slurm.out': `${steps()}${failed}` })).toMatchObject({
      first: 4,
      action: 'exclude_node',
    });
    expect((await judged({ 'slurm.out': `${steps()}${ended(' DUE TO PREEMPTION')}` })).first).toBeNull();
  });
});

describe('nobody is first', () => {
  it('where ranks of several hosts ended with one code', async () => {
    const report = (host: string, codes: Readonly<Record<number, number>>) =>
      `${raised('torch.distributed.elastic.multiprocessing.errors.ChildFailedError:')}${Object.entries(codes)
        .map(
          ([rank, code]) =>
            `  host      : ${host}\n  rank      : ${rank} (local_rank: ${Number(rank) % 4})\n  exitcode  : ${code} (pid: 70${rank})\n`,
        )
        .join('')}`;
    const one = { 'gn1.out': `${steps()}${report('gn1', { 2: 17, 3: 17, 1: -15 })}` };
    expect((await judged(one)).first).toBe(2);
    expect((await judged({ ...one, 'gn2.out': report('gn2', { 5: 17 }) })).first).toBeNull();
  });

  it('where ranks of several hosts aborted', async () => {
    const ended = (rank: number, code: number) =>
      `Global rank ${rank} (PID ${500 + rank}) exited with code ${code}\n`;
    const files = (code: number) => ({
      'gn1_rank0.log': `${steps()}${ended(0, -6)}${ended(1, -6)}`,
      'gn2_rank2.log': `${steps()}${ended(2, code)}${ended(3, -6)}`,
    });
    expect((await judged(files(-6))).first).toBeNull();
    expect((await judged(files(-9))).first).toBe(2);
  });

  it('where the time of the job ran out', async () => {
    const text = (limit: string) =>
      `${upTo(4)
        .map((rank) => steps(4, `[rank${rank}] `))
        .join('')}${limit}srun: error: k1: task 2: Killed\n`;
    const limit =
      'slurmstepd: error: *** JOB 8 ON k0 CANCELLED AT 2026-08-01T01:00:31 DUE TO TIME LIMIT ***\n';
    expect(await judged({ 'o.out': text(limit) })).toMatchObject({ first: null, subcause: 'time_limit' });
    expect((await judged({ 'o.out': text('') })).first).toBe(2);
  });

  it('where accounting says that the job came to its end', async () => {
    const out = `${upTo(4)
      .map((rank) => steps(4, `${rank}: `))
      .join('')}slurmstepd: error: *** STEP 8.1 ON k0 CANCELLED AT 2026-08-01T01:00:31 ***\n`;
    const sacct = (state: string) =>
      `JobID        State      ExitCode\n8         ${state}       0:0\n8.1       CANCELLED       0:15\n`;
    expect((await judged({ 'o.out': out, 'sacct.txt': sacct('COMPLETED') })).outcome).not.toBe('failed');
    expect((await judged({ 'o.out': out, 'sacct.txt': sacct('CANCELLED') })).outcome).toBe('failed');
  });
});

describe('ranks that meant different collectives', () => {
  const differ =
    "what():  [enforce fail at pair.cc:456] op.preamble.length <= op.nbytes. 130 vs 4. Received data size doesn't match expected size.\n";
  const text = (said: string) =>
    `${upTo(4)
      .map((rank) => steps(6, `[rank${rank}] `))
      .join('')}${said}[rank1]: ${differ}`;
  it('parted where one alone left', async () => {
    expect(
      (await judged({ 'o.log': text('[rank2] early stopping: patience is used up, leaving the loop\n') }))
        .first,
    ).toBe(2);
    const all = upTo(4)
      .map((rank) => `[rank${rank}] leaving the loop\n`)
      .join('');
    expect((await judged({ 'o.log': text(all) })).first).toBeNull();
  });
});

describe('a file that begins with its rank', () => {
  const file = (rank: number, text: string) => `06:00:00 rank=${rank} world=2 workers=4\n${text}`;
  it('is of that rank', async () => {
    const files = {
      'seg-master-0.log': file(0, `${steps()}[rank0]: ${lost}`),
      'seg-worker-0.log': file(1, raised("KeyError: 'mask'")),
    };
    expect((await judged(files)).first).toBe(1);
  });
  it('is not when it is the only one', async () => {
    expect(
      (await judged({ 'all.log': file(0, `${steps()}${raised("KeyError: 'mask'")}`) })).first,
    ).toBeNull();
  });
});

describe('the time that each rank needs', () => {
  const row = (rank: number, step: number, isSlow: boolean, mark: (rank: number) => string) => {
    const work = isSlow ? 1.9 : 0.6 + (step % 3) * 0.01;
    return `02:0${step % 10} ${mark(rank)} it ${step} | fwd ${(work / 2).toFixed(3)}s bwd ${(work / 2).toFixed(3)}s sync ${(2 - work).toFixed(3)}s | loss ${(3 - step * 0.02).toFixed(3)}\n`;
  };
  const text = (slow: number | null, mark: (rank: number) => string) =>
    upTo(20)
      .map((step) =>
        upTo(8)
          .map((rank) => row(rank, step, rank === slow, mark))
          .join(''),
      )
      .join('');

  it('is read behind a word, and the rank behind its host', async () => {
    const mark = (rank: number) => `[vx${rank >> 2}:${rank}]`;
    expect(await judged({ 'o.out': text(6, mark) })).toMatchObject({
      first: 6,
      host: 'vx1',
      subcause: 'straggler',
    });
    expect((await judged({ 'o.out': text(null, mark) })).first).toBeNull();
  });

  it('is of no rank where hosts count their own', async () => {
    const mark = (rank: number) => `[vx${rank >> 2}:${rank % 4}]`;
    expect((await judged({ 'o.out': text(6, mark) })).first).toBeNull();
  });
});

describe('the device of a rank', () => {
  const table = upTo(4)
    .map((at) => `|   ${at}  NVIDIA A100          On  | 00000000:${at + 1}0:00.0 Off |          0 |\n`)
    .join('');
  const gaveUp = (rank: number) =>
    `[rank${rank}]:[E0311 02:11:07.1 ProcessGroupNCCL.cpp:632] [Rank ${rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=9, OpType=ALLREDUCE, NumelIn=4, NumelOut=4, Timeout(ms)=600000) ran for 600066 milliseconds before timing out.\n`;
  const xid = (bus: string) =>
    `[Wed Mar 11 02:00:03 2026] NVRM: Xid (PCI:0000:${bus}:00): 79, GPU has fallen off the bus.\n`;
  const job = (bus: string) => ({
    ...Object.fromEntries(
      upTo(3).flatMap((node) => [
        [
          `ga-${node}.log`,
          `${upTo(4)
            .filter((at) => !(node === 1 && at > 1))
            .map((at) => `${steps(2, `[rank${node * 4 + at}] `)}${gaveUp(node * 4 + at)}`)
            .join('')}`,
        ],
        [`smi_ga-${node}.txt`, table],
      ]),
    ),
    'dmesg_ga-1.txt': xid(bus),
  });

  it('is that of its place on the host', async () => {
    expect(await judged(job('40'))).toMatchObject({ first: 7, host: 'ga-1' });
    expect(await judged(job('30'))).toMatchObject({ first: 6, host: 'ga-1' });
  });
});

describe('a link that is slow for all', () => {
  const text = upTo(36)
    .map((step) =>
      upTo(4)
        .map(
          (node) =>
            `[00:${step + 10}] nd${node} rank ${node * 8}: step ${step} compute 0.71 s, allreduce ${step < 18 ? 0.12 : 1.9} s, loss ${(3 - step * 0.01).toFixed(2)}\n`,
        )
        .join(''),
    )
    .join('');
  const ports = (slow: number) =>
    Object.fromEntries(
      upTo(4).map((node) => [
        `ibstat_nd${node}.txt`,
        `CA 'mlx5_0'\n\tCA type: MT4129\n\tPort 1:\n\t\tState: Active\n\t\tRate: ${node === slow ? 100 : 400}\n`,
      ]),
    );
  it('ends at the host with the slower port', async () => {
    expect(await judged({ 't.log': text, ...ports(2) })).toMatchObject({ first: 16, action: 'exclude_node' });
    expect(await judged({ 't.log': text, ...ports(9) })).toMatchObject({
      first: null,
      subcause: 'slow_link',
    });
  });
});

describe('a host that did not come', () => {
  const waited = (node: number) =>
    `+ torchrun --nnodes=3 --nproc-per-node=8 --node-rank=${node} --rdzv-endpoint=nd-0:29400 fit.py\n${raised('torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError')}`;
  const files = (nodes: readonly number[]) =>
    Object.fromEntries(nodes.map((node) => [`nd-${node}.log`, waited(node)]));
  it('has the ranks that nobody tells of', async () => {
    expect((await judged(files([0, 2]))).first).toBe(8);
    expect((await judged(files([0, 1, 2]))).first).toBeNull();
    expect((await judged(files([0]))).first).toBeNull();
  });

  it('is counted as the logs of the others are, beside tables of pods', async () => {
    const listed = (node: number) =>
      `I0822 07:00:0${node} 1 launcher/api.py:195]   max_nodes        : 3\nI0822 07:00:0${node} 1 launcher/api.py:195]   nproc_per_node   : 4\n${raised('torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError')}`;
    const pods = {
      'bb-worker-0.log': listed(0),
      'bb-worker-2.log': listed(2),
      'pods.txt':
        'NAME          READY   STATUS             RESTARTS\nbb-worker-0   0/1     Error              0\nbb-worker-1   0/1     ImagePullBackOff   0\n',
      'events.txt':
        'LAST SEEN   TYPE      REASON   OBJECT            MESSAGE\n12m         Warning   Failed   pod/bb-worker-1   Error: ErrImagePull\n',
    };
    expect((await judged(pods)).first).toBe(4);
    expect(await runsIn(pods)).toBe(1);
  });
});

describe('a node that is late at its rendezvous', () => {
  const late =
    "WARNING:torch.distributed.elastic.rendezvous.dynamic_rendezvous:The node 'n2_771_0' has failed to send a keep-alive heartbeat to the rendezvous 'job5' due to an error of type RendezvousTimeoutError.";
  const rounds = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `Round ${from + at} @ 10:${10 + from + at} AM : saved`);

  it('is gone where nothing follows, and not where the program goes on', async () => {
    const judge = async (...lines: string[]) => (await judged({ 'fit.log': lines.join('\n') })).subcause;
    expect(await judge(...rounds(1, 9), late)).toBe('missing_rank');
    expect(await judge(...rounds(1, 9), late, late, ...rounds(9, 18))).not.toBe('missing_rank');
  });
});

describe('a device that is not there', () => {
  const raises = (rank: number) =>
    raised('RuntimeError: CUDA error: invalid device ordinal').replace(/^/gm, `${rank}: `);
  const text = (ranks: readonly number[]) =>
    `${upTo(8)
      .map((rank) => `${rank}: starting\n${rank}: using one of the devices\n`)
      .join(
        '',
      )}${ranks.map(raises).join('\n')}\nsrun: error: rk-1: tasks 0-3: Exited with exit code 1\nsrun: error: rk-2: tasks 4-7: Exited with exit code 1\n`;
  it('is lost where only one of the hosts lacks it', async () => {
    expect(await judged({ 's.out': text([7]) })).toMatchObject({ first: 7, action: 'exclude_node' });
    expect((await judged({ 's.out': text([3, 7]) })).action).not.toBe('exclude_node');
  });
});

describe('a launcher that says that its workers finished', () => {
  const finished =
    'I1119 03:16:40.3 100 torch/distributed/elastic/agent/server/api.py:866] [default] worker group successfully finished. Waiting 300 seconds for other agents to finish.\n';
  const failed =
    '[default2]:[rank6]: RuntimeError: CUDA error: an illegal memory access was encountered\nE1119 01:20:00.3 100 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: 1) local_rank: 2 (pid: 132) of binary: python\n';
  it('speaks for those of its host', async () => {
    const one = { 'el-0.log': `${steps(12, '[default0]:[rank0] ')}${finished}` };
    expect(
      (
        await judged({
          ...one,
          'el-1.log': `${failed}[default2]:[rank6] resumed from /ck/10 (step 10)\n${finished}`,
        })
      ).outcome,
    ).not.toBe('failed');
    expect(await judged({ ...one, 'el-1.log': failed })).toMatchObject({ outcome: 'failed', first: 6 });
  });
});

describe('replicas that are said to differ', () => {
  const text = (odd: number | null, rank: number) =>
    `worker ${rank} of 6 ready\n${upTo(8)
      .map(
        (at) => `step ${at * 10} loss ${(2 - at * 0.1 + (rank === odd && at > 4 ? 0.02 : 0)).toFixed(4)}\n`,
      )
      .join('')}${rank === 0 ? 'RuntimeError: parameters are not the same on all workers at step 80\n' : ''}`;
  const files = (odd: number | null) =>
    Object.fromEntries(upTo(6).map((rank) => [`w${rank}.txt`, text(odd, rank)]));
  it('began with the one whose numbers part, not with the one that looks', async () => {
    expect((await judged(files(4))).first).toBe(4);
    expect((await judged(files(null))).first).toBeNull();
  });
});
