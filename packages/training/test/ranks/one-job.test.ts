// Files of one job that name no rank, evidence that is of a host, and words that only compare ranks. Each statement stands beside a job
// that looks like it, of which it must not be said.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnoseRecord, findRuns, judgeSeveral } from '../../src/index.js';
import { runOf } from '../run-files.js';

type Files = Readonly<Record<string, string>>;

async function judged(files: Files) {
  const { ranks, subcause, action, outcome } = diagnoseRecord(await runOf(files));
  return { first: ranks?.first?.rank ?? null, subcause, action, outcome };
}

/** As many runs as the folder is taken for. */
async function runsIn(files: Files): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'grus-job-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const several = await judgeSeveral(await findRuns(folder), (record) => diagnoseRecord(record));
    return several?.length ?? 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
const lines = (count: number, of: (at: number) => string) => upTo(count).map(of).join('\n');
const each = (count: number, name: (at: number) => string, text: (at: number) => string) =>
  Object.fromEntries(upTo(count).map((at) => [name(at), text(at)]));
const timedOut = (rank: number) =>
  `[rank${rank}]:[E1111 15:50:08.05 ProcessGroupNCCL.cpp:629] [Rank ${rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=77, OpType=ALLREDUCE, NumelIn=18, NumelOut=18, Timeout(ms)=600000) ran for 600066 milliseconds before timing out.`;
const lost = 'torch.distributed.DistBackendError: NCCL error: remote process exited, ncclRemoteError';

describe('numbered logs that name no rank', () => {
  const curve = (of: (at: number) => number, first = 'started') =>
    `${first}\n${lines(10, (at) => `03:1${at}:07 step ${at * 50} loss ${of(at).toFixed(3)}`)}\n`;

  it('are one job where they print the same loss, and runs where they do not', async () => {
    const job = each(
      4,
      (at) => `p${at}.log`,
      () => curve((at) => 3 - at / 7),
    );
    expect(await runsIn(job)).toBe(1);
    const sweep = each(
      4,
      (at) => `p${at}.log`,
      (run) => curve((at) => 3 - at / (6 + run)),
    );
    expect(await runsIn(sweep)).toBe(4);
  });

  it('are one job where they meet in one place, unless that is each one’s own machine', async () => {
    const at = (place: string) =>
      each(
        3,
        (run) => `p${run}.log`,
        (run) => curve((point) => 3 - point / (6 + run), `coordinator ${place}`),
      );
    expect(await runsIn(at('10.0.0.4:1234'))).toBe(1);
    expect(await runsIn(at('localhost:1234'))).toBe(3);
  });

  it('are one job beside a launcher that only counts its tasks', async () => {
    const log = (task: number) => `${curve((at) => 3 - at / 7)}${task === 1 ? '' : `${lost}\n`}`;
    const job = each(3, (at) => `job-7.${at}.out`, log);
    const launcher = 'srun: error: gx4: task 1: Segmentation fault (core dumped)\n';
    expect(await runsIn({ ...job, 'job-7.err': launcher })).toBe(1);
    expect(await judged({ ...job, 'job-7.err': launcher })).toMatchObject({ first: 1 });
  });

  it('are one job under other names too where they meet in one place', async () => {
    const at = (place: string) => ({
      'alpha.log': curve((point) => 3 - point / 7, `coordinator ${place}`),
      'beta.log': curve((point) => 3 - point / 8, `coordinator ${place}`),
    });
    expect(await runsIn(at('10.0.0.4:1234'))).toBe(1);
    expect(await runsIn(at('localhost:1234'))).toBe(2);
  });

  it('belong to the job whose other logs are numbered by their ranks', async () => {
    const log = (rank: number) =>
      `${curve((at) => 3 - at / 9)}${rank === 2 ? 'received SIGTERM, grace 25 s\n' : `[rank${rank}]: ${lost}\n`}`;
    const job = each(4, (at) => `spot-${at}.log`, log);
    expect(await runsIn(job)).toBe(1);
    expect(await judged(job)).toMatchObject({ first: 2 });
    const events =
      'LAST SEEN   TYPE     REASON                 OBJECT       MESSAGE\n8m          Normal   TaintManagerEviction   pod/spot-2   Marking for deletion\n';
    expect(await judged({ ...job, 'events.txt': events })).toMatchObject({
      first: 2,
      subcause: 'preempted',
      action: 'restart',
    });
  });
});

describe('a log that goes on where another ended', () => {
  const attempt = (from: number, first: string, last: string) =>
    `${lines(4, (rank) => `${rank}: ${first}`)}\n${lines(10, (at) => `0: 2026-09-10 0${from ? 2 : 0}:0${at}:00 step ${from + at * 100} loss ${(2 - (from + at * 100) / 3000).toFixed(3)}`)}\n${lines(4, (rank) => `${rank}: ${last}`)}\n`;
  const cut = 'slurmstepd: error: *** JOB 44 ON e0 CANCELLED AT 2026-09-10T00:16:00 DUE TO PREEMPTION ***\n';

  it('is the last attempt of one job', async () => {
    const job = {
      'log.1.txt': `${attempt(0, 'up', 'Terminated')}${cut}`,
      'log.2.txt': attempt(1000, 'resumed step 1000', 'bye'),
    };
    expect(await runsIn(job)).toBe(1);
    expect((await judged(job)).outcome).toBe('unknown');
  });

  it('is a run of its own where it begins anew', async () => {
    const runs = { 'log.1.txt': attempt(0, 'up', 'bye'), 'log.2.txt': attempt(0, 'up', 'bye') };
    expect(await runsIn(runs)).toBe(2);
  });
});

describe('a rank that cannot resolve the name of the first', () => {
  const gone = 'torch.distributed.DistNetworkError: failed to recv, got 0 bytes';
  const job = (unresolved: string) =>
    each(
      5,
      (at) => `logs/worker-${at}.log`,
      (at) =>
        `waiting for master-0.svc\n${at === 0 ? 'store listening on 29500\ntorch.distributed.DistStoreError: Timed out after 301 seconds waiting for clients. 4/5 clients joined.' : at === 3 ? unresolved : `connected to 10.2.0.7:29500\n${gone}`}\n`,
    );

  it('is first, and nobody is where nothing tells who did not come', async () => {
    const broken =
      '[W1102 06:00:03.07 socket.cpp:758] [c10d] The IPv4 network addresses of (master-0.svc, 29500) cannot be retrieved (gai error: -3 - Temporary failure in name resolution).\ntorch.distributed.DistNetworkError: The client socket has failed to connect to any network address of (master-0.svc, 29500).';
    expect(await judged(job(broken))).toMatchObject({ first: 3, subcause: 'rendezvous' });
    expect((await judged(job(`connected to 10.2.0.7:29500\n${gone}`))).first).toBe(null);
  });
});

describe('a table of all ranks', () => {
  const log = lines(12, (at) => `[rank0]: step ${at} loss ${(2 - at / 20).toFixed(3)}`);
  const table = (column: string, slow: (rank: number) => boolean) =>
    `rank,node,compute_ms,${column}\n${lines(16, (rank) => `${rank},w${rank >> 2},${1500 + rank},${slow(rank) ? 310 : 36 + (rank % 4)}`)}\n`;
  const slowed = (column: string, slow: (rank: number) => boolean) =>
    judged({
      'main.log': `${log}\nstopped: goodput 54 %, exit code 75\n`,
      'profile.csv': table(column, slow),
    });

  it('names a host whose ranks work slowly, and a rank that sends slowly', async () => {
    expect(await slowed('fb_ms_p50_after', (rank) => rank >> 2 === 1)).toMatchObject({
      first: 4,
      subcause: 'straggler',
    });
    expect(await slowed('p2p_send_ms', (rank) => rank === 9)).toMatchObject({
      first: 9,
      subcause: 'slow_link',
    });
  });

  it('names nobody where two hosts differ, where ranks wait, or where all are alike', async () => {
    for (const [column, slow] of [
      ['fb_ms', (rank: number) => rank % 4 === 0],
      ['wait_ms', (rank: number) => rank === 9],
      ['fb_ms', () => false],
    ] as const)
      expect((await slowed(column, slow)).first).toBe(null);
  });

  it('has a machine to leave out where the clocks of that host are held down', async () => {
    const smi = (state: string) =>
      `index, clocks.sm [MHz], clocks_event_reasons.hw_power_brake_slowdown\n${lines(4, (at) => `${at}, 990 MHz, ${state}`)}\n`;
    const files = { 'main.log': log, 'profile.csv': table('fb_ms', (rank) => rank >> 2 === 1) };
    expect((await judged({ ...files, 'w1_smi.txt': smi('Active') })).action).toBe('exclude_node');
    expect((await judged({ ...files, 'w1_smi.txt': smi('Not Active') })).action).not.toBe('exclude_node');
  });
});

describe('a port of the network', () => {
  const seat = (rank: number) =>
    `n${rank}:66${rank}:90${rank} [0] NCCL INFO comm 0x5${rank} rank ${rank} nranks 4 cudaDev 0 busId 18000 - Init START`;
  const failed = (from: number, to: number) =>
    `n${from}:66${from}:902 [0] transport/net_ib.cc:2271 NCCL WARN NET/IB : Got completion from peer 10.3.0.${to}<50169> with status=12 opcode=0 len=0 vendor err 129 (Recv)`;
  const end = lines(4, (rank) => `[rank${rank}]: ${lost}`);
  const log = (pairs: readonly (readonly [number, number])[]) =>
    `${lines(4, seat)}\n${pairs.map(([from, to]) => failed(from, to)).join('\n')}\n${end}\n`;

  it('is of the host that has a part in every transfer that failed', async () => {
    const around = [0, 1, 3].flatMap(
      (other) =>
        [
          [other, 2],
          [2, other],
        ] as const,
    );
    expect(await judged({ 'all.log': log(around) })).toMatchObject({ first: 2, subcause: 'network_link' });
    expect(
      (
        await judged({
          'all.log': log([
            [0, 1],
            [1, 0],
            [2, 3],
            [3, 2],
          ]),
        })
      ).first,
    ).toBe(null);
  });

  it('is of the host where alone a counter stands high', async () => {
    const counters = (bad: number) =>
      lines(
        4,
        (host) =>
          `# n${host} mlx5_2 port 1\nSymbolErrorCounter:..............${host === bad ? 65535 : 0}\nLinkDownedCounter:...............0`,
      );
    const apart = log([
      [0, 1],
      [2, 3],
    ]);
    expect((await judged({ 'all.log': apart, 'perfquery.txt': counters(3) })).first).toBe(3);
    expect((await judged({ 'all.log': apart, 'perfquery.txt': counters(9) })).first).toBe(null);
  });
});

describe('tensors that did not come together', () => {
  const block = (rows: readonly string[]) =>
    `${lines(8, (at) => `[1,${at % 4}]<stdout>:step ${at >> 2} loss 1.${at}`)}\n[1,0]<stderr>:stall_inspector.cc:107] One or more tensors are waiting for remainder of ranks for more than 60 seconds.\n${['Missing ranks:', ...rows].map((row) => `[1,0]<stderr>:${row}\n`).join('')}[1,0]<stderr>:RuntimeError: Stall shutdown time exceeded\n`;

  it('were left out by the smaller side', async () => {
    const rows = [
      '3: [allreduce.fc.weight, allreduce.fc.bias ...]',
      '0: [allgather.x.1]',
      '1: [allgather.x.1]',
    ];
    expect(await judged({ 'all.log': block(rows) })).toMatchObject({
      first: 3,
      subcause: 'collective_mismatch',
    });
    const even = ['3: [allreduce.fc.weight]', '0: [allgather.x.1]'];
    expect((await judged({ 'all.log': block(even) })).first).not.toBe(3);
  });
});

describe('numbers that a writer cannot write', () => {
  const rows = (rank: number, from: number) =>
    lines(20, (step) =>
      JSON.stringify({
        rank,
        step,
        loss: step >= from ? null : 1.4 - step / 50,
        grad_norm: step >= 16 ? null : 0.5,
      }),
    );

  it('are no numbers when they never come back', async () => {
    const job = each(
      3,
      (rank) => `m/rank-${rank}.jsonl`,
      (rank) => rows(rank, rank === 1 ? 15 : 16),
    );
    const end = lines(3, (rank) => `[rank${2 - rank}]: RuntimeError: non-finite gradient norm, stopping`);
    expect((await judged({ ...job, 'stderr.txt': end })).first).toBe(1);
  });

  it('are left out where a row tells something else', async () => {
    const text = lines(30, (step) =>
      JSON.stringify(
        step % 5 === 4 || step > 27 ? { step, loss: null, eval_loss: 1.2 } : { step, loss: 1.4 - step / 50 },
      ),
    );
    const record = await runOf({ 'm.jsonl': text });
    const loss = record.series.find(({ rawName }) => rawName === 'loss')!;
    expect(loss.values.every((value) => Number.isFinite(value))).toBe(true);
  });
});

describe('replicas that are said to differ', () => {
  const job = (loaded: (rank: number) => number, end: string) =>
    `${lines(4, (rank) => `${rank}: 2026-08-17 08:00:06 optimizer state: /ckpt/optim_step_${loaded(rank)}.pt`)}\n${lines(12, (at) => `${at % 4}: 2026-08-17 08:01:0${at % 10} step ${at >> 2} loss 1.${at >> 2}`)}\n${end}\n`;
  const apart = '0: ERROR parameters out of sync between replicas, stopping';

  it('began where one loaded something else', async () => {
    const one = await judged({ 'v.log': job((rank) => (rank === 3 ? 12000 : 14000), apart) });
    expect(one).toMatchObject({ first: 3, subcause: 'replica_drift' });
    expect((await judged({ 'v.log': job((rank) => 1000 * rank, apart) })).first).not.toBe(3);
    expect((await judged({ 'v.log': job((rank) => (rank === 3 ? 12000 : 14000), '0: bye') })).subcause).toBe(
      null,
    );
  });
});

describe('storage without its server', () => {
  const kernel =
    'Nov  6 18:42:50 nn0 kernel: Lustre: lfs2-OST0017: Connection to lfs2-OST0017 was lost; in progress operations will wait for recovery\nNov  6 18:48:20 nn0 kernel: LustreError: 11-0: lfs2-OST0018: operation ost_write to node 10.9.0.17 failed: rc = -107\n';
  const steps = lines(8, (at) => `${at % 4}: [2026-11-06 18:40:0${at}] step ${at >> 2} loss 1.${at >> 2}`);

  it('is the cause where ranks gave up meanwhile, and none where the run ended well', async () => {
    const gaveUp = `${steps}\n${lines(4, (rank) => `${rank}: ${timedOut(rank)}`)}\n`;
    expect(await judged({ 'all.out': gaveUp, 'nn0.kern': kernel })).toMatchObject({
      first: null,
      subcause: 'storage_fault',
    });
    const well = `${steps}\n0: Training completed.\n`;
    expect((await judged({ 'all.out': well, 'nn0.kern': kernel })).subcause).toBe(null);
  });
});

describe('what rank 0 did while the others waited', () => {
  const job = (last: string) =>
    `${lines(8, (at) => `[rank${at % 4}] 2026-09-14 02:01:0${at} step ${at >> 2} loss 1.${at >> 2}`)}\n${last}\n${[1, 2, 3].map(timedOut).join('\n')}\n[rank0] torch.distributed.DistBackendError: NCCL communicator was aborted on rank 0.\n`;

  it('is told by its last line before it found them gone', async () => {
    const uploads = await judged({
      'trainer.log': job('[rank0] 2026-09-14 02:48:36 upload 41.3/412.0 GB 172 MB/s'),
    });
    expect(uploads).toMatchObject({ first: 0, subcause: 'slow_checkpoint' });
    const nothing = await judged({ 'trainer.log': job('[rank0] 2026-09-14 02:48:36 saved /ckpt/3000') });
    expect(nothing.subcause).not.toBe('slow_checkpoint');
  });
});
