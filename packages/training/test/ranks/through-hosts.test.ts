// Ranks that are counted through hosts, what one rank prints for all of them, and what is done about it. Each statement stands beside a job
// that looks like it, of which it must not be said.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/index.js';
import { runOf } from '../run-files.js';

async function judged(files: Readonly<Record<string, string>>) {
  const { ranks, subcause, action, outcome } = diagnoseRecord(await runOf(files));
  return { first: ranks?.first?.rank ?? null, host: ranks?.first?.host ?? null, subcause, action, outcome };
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
const lines = (count: number, of: (at: number) => string) => upTo(count).map(of).join('\n');
const c10d = '/env/lib/python3.12/site-packages/torch/distributed/distributed_c10d.py';
const lost = 'torch.distributed.DistBackendError: NCCL error: ncclRemoteError: remote process exited';
const waited =
  'RuntimeError: [gloo/transport/tcp/unbound_buffer.cc:78] Timed out waiting 20000ms for recv operation to complete';

function raised(prefix: string, error: string, line = 20, call = 'all_reduce'): string {
  return [
    'Traceback (most recent call last):',
    `  File "/job/fit.py", line ${line}, in fit`,
    '    ...',
    ...(call === '' ? [] : [`  File "${c10d}", line 90, in ${call}`, '    work.wait()']),
    error,
  ]
    .map((text) => `${prefix}${text}\n`)
    .join('');
}

const steps = (prefix = '', count = 8) =>
  `${lines(count, (at) => `${prefix}step ${at} loss ${(0.9 - at / 50).toFixed(3)}`)}\n`;

const spawned =
  'Traceback (most recent call last):\n  File "/job/main.py", line 7, in <module>\n    mp.spawn(worker, (4,), nprocs=4)\n  File "/env/lib/python3.12/site-packages/torch/multiprocessing/spawn.py", line 211, in join\n    raise ProcessRaisedException(msg, error_index, failed_process.pid)\ntorch.multiprocessing.spawn.ProcessRaisedException: \n\n';

describe('tasks of a scheduler', () => {
  const agent =
    'E1117 14:45:00.57 25 torch/distributed/elastic/multiprocessing/api.py:1002] failed (exitcode: -6) local_rank: 2 (pid: 72) of binary: python\n';
  const tasks =
    'srun: error: b6: task 0: Exited with exit code 1\nsrun: error: b7: task 1: Exited with exit code 1\n';
  const xid =
    '[Mon Nov  9 03:19:17 2026] NVRM: Xid (PCI:0000:ab:00): 79, pid=<unknown>, name=<unknown>, GPU has fallen off the bus.\n';
  const job = (last: string) => ({
    'all.err': `${steps('[rank0]: ')}${raised('[rank5]: ', 'RuntimeError: CUDA error: unspecified launch failure', 20, '')}${upTo(
      8,
    )
      .filter((rank) => rank !== 5)
      .map((rank) => raised(`[rank${rank}]: `, lost))
      .join('')}${last}`,
    'dmesg/b7.txt': xid,
  });

  it('are launchers where a launcher has several workers, and ranks where there is none', async () => {
    expect(await judged(job(`${agent}${tasks}`))).toMatchObject({ first: 5, host: 'b7' });
    expect(await judged(job(tasks))).toMatchObject({ first: 1 });
  });
});

describe('the log of a host', () => {
  const ecc = raised('', 'RuntimeError: CUDA error: uncorrectable ECC error encountered', 20, '');
  const warned = (rank: number) =>
    `[rank${rank}]:[W1105 14:51:19.22 TCPStore.cpp:115] [c10d] recvVector failed on SocketImpl(fd=84): failed to recv, got 0 bytes\n`;
  const agent = (local: number) =>
    `E1105 14:51:12.88 1 torch/distributed/elastic/multiprocessing/api.py:826] failed (exitcode: -6) local_rank: ${local} (pid: 140) of binary: python\n`;
  const job = (own: string) => ({
    'asr-g3.log': `${steps()}${upTo(4).map(warned).join('')}`,
    'asr-g4.log': `${steps()}${own}${upTo(4)
      .map((at) => warned(at + 4))
      .join('')}${agent(2)}`,
  });

  it('holds the error of the worker that its launcher saw fail', async () => {
    expect(await judged(job(ecc))).toMatchObject({ first: 6, action: 'exclude_node' });
  });

  it('is of the ranks that the command started there', async () => {
    const command = (node: number) =>
      `+ exec torchrun --nnodes=4 --node-rank=${node} --nproc-per-node=2 --master-addr=pod-0.svc --master-port=23456 fit.py\n`;
    const unresolved = (text: string) =>
      `${text}[E1103 08:30:00.37 socket.cpp:1009] [c10d] The client socket has timed out after 900000ms while trying to connect to (pod-0.svc, 23456).\n${raised('', 'torch.distributed.DistNetworkError: The client socket has timed out after 900000ms while trying to connect to (pod-0.svc, 23456).', 9, '')}`;
    const joined = `${raised('', 'torch.distributed.DistStoreError: Timed out after 901 seconds waiting for clients. 3/4 clients joined.', 9, '')}`;
    const pods = (far: number) =>
      Object.fromEntries(
        upTo(4).map((node) => [
          `pods/pod-${node}.log`,
          node === far ? unresolved(command(node)) : `${command(node)}${joined}`,
        ]),
      );
    expect(await judged(pods(3))).toMatchObject({ first: 6, subcause: 'rendezvous' });
    expect((await judged(pods(9))).first).toBeNull();
  });
});

describe('what a driver clears away', () => {
  const seat = (rank: number) =>
    `g${rank >> 1}:66${rank}:90${rank} [${rank % 2}] NCCL INFO comm 0x5${rank} rank ${rank} nranks 4 cudaDev ${rank % 2} busId ${rank % 2 ? '40' : '1a'}000 - Init START\n`;
  const report = (bus: string, code: number, pid: string) =>
    `[Tue May  6 01:48:49 2025] NVRM: Xid (PCI:0000:${bus}:00): ${code}, pid=${pid}, name=python\n`;
  const end = [0, 1, 2].map((rank) => raised(`[rank${rank}]: `, lost)).join('');
  const job = (kernel: string) =>
    judged({ 'all.log': `${upTo(4).map(seat).join('')}${steps('[rank0]: ')}${end}`, 'dmesg.g1.txt': kernel });

  it('was left by the fault that another report tells of', async () => {
    expect(await job(report('40', 79, '<unknown>') + report('1a', 45, '662'))).toMatchObject({ first: 3 });
    expect(await job(report('1a', 45, '662'))).toMatchObject({ first: 2 });
  });
});

describe('a pod that was taken away', () => {
  const pod = (at: number) =>
    `${steps(`[rank${2 * at}] `)}${at === 2 ? '' : `[rank${2 * at}]: ${lost}\n[rank${2 * at + 1}]: ${lost}\n`}`;
  const pods = Object.fromEntries(upTo(4).map((at) => [`pods/lora-worker-${at}.log`, pod(at)]));
  const events = (name: string) =>
    `LAST SEEN   TYPE     REASON   OBJECT       MESSAGE\n11m   Warning   Evicted   pod/${name}   The node was low on resource: ephemeral-storage.\n`;

  it('is where it began, and another pod is not', async () => {
    expect(await judged({ ...pods, 'events.txt': events('lora-worker-2') })).toMatchObject({
      first: 4,
      action: 'restart',
    });
    expect((await judged({ ...pods, 'events.txt': events('lora-worker-21') })).first).not.toBe(0);
  });
});

describe('ranks that gave up in different lines', () => {
  const job = (line: (rank: number) => number, error: (rank: number) => string) =>
    judged(
      Object.fromEntries(
        upTo(6).map((rank) => [
          `attempt_0/${rank}/stderr.log`,
          `${steps()}${raised(`[rank${rank}]: `, error(rank), line(rank))}`,
        ]),
      ),
    );

  it('waited for different things where all of them waited', async () => {
    expect(
      await job(
        (rank) => (rank === 4 ? 21 : 18),
        () => waited,
      ),
    ).toMatchObject({
      first: 4,
      subcause: 'collective_mismatch',
      action: 'fix_code',
    });
    expect(
      (
        await job(
          () => 18,
          () => waited,
        )
      ).first,
    ).toBeNull();
  });

  it('lost somebody where a connection was closed', async () => {
    const closed =
      'RuntimeError: [gloo/transport/tcp/pair.cc:553] Connection closed by peer [127.0.0.1]:18046.';
    expect(
      (
        await job(
          (rank) => (rank === 4 ? 21 : 18),
          (rank) => (rank === 1 ? closed : waited),
        )
      ).first,
    ).not.toBe(4);
  });
});

describe('ranks that all receive', () => {
  const closed =
    'RuntimeError: [gloo/transport/tcp/pair.cc:553] Connection closed by peer [127.0.0.1]:40097.';
  const stack = `Timeout (0:01:00)!\nThread 0x0000ffffb9e5b020 (most recent call first):\n  File "${c10d}", line 2799 in recv\n  File "/job/pp.py", line 11 in exchange\n`;
  const job = (own: string) =>
    judged({
      ...Object.fromEntries(
        upTo(4).map((rank) => [
          `stage${rank}.log`,
          `${lines(6, (at) => `[stage ${rank}] step ${at} 8${at} ms`)}\n${rank === 1 ? '' : raised(`[rank${rank}]: `, closed, 11, 'recv')}`,
        ]),
      ),
      'stack_rank1.txt': own,
    });

  it('wait in a circle, as their stacks show too', async () => {
    expect(await job(stack)).toMatchObject({
      first: null,
      subcause: 'collective_mismatch',
      action: 'fix_code',
    });
  });

  it('wait for the one that does something else', async () => {
    const busy = `Timeout (0:01:00)!\nThread 0x0000ffffb9e5b020 (most recent call first):\n  File "/job/pp.py", line 44 in wait_for_lock\n`;
    expect((await job(busy)).first).toBe(1);
  });
});

describe('one that left by itself', () => {
  const job = (last: (rank: number) => string) => ({
    ...Object.fromEntries(upTo(4).map((rank) => [`worker-${rank}.log`, `${steps()}${last(rank)}`])),
    'main.log': `W1117 14:47:26.0 2166 torch/multiprocessing/spawn.py:165] Terminating process 2249 via signal SIGTERM\nW1117 14:47:26.0 2166 torch/multiprocessing/spawn.py:165] Terminating process 2250 via signal SIGTERM\n${spawned}-- Process 3 terminated with the following error:\n${raised('', 'RuntimeError: [gloo/transport/tcp/pair.cc:553] Connection closed by peer [127.0.0.1]:6018.')}`,
  });

  it('is first, and nobody is where all leave', async () => {
    const leaves = 'time budget of 11 s used after 95 steps, saving and leaving\n';
    expect(await judged(job((rank) => (rank === 2 ? leaves : '')))).toMatchObject({
      first: 2,
      action: 'fix_code',
    });
    expect((await judged(job(() => leaves))).first).toBeNull();
  });
});

describe('attempts in which the ranks never met again', () => {
  const agent = (rank: number) =>
    `E1117 14:45:00.57 25 torch/distributed/elastic/multiprocessing/api.py:1002] failed (exitcode: 1) local_rank: ${rank} (pid: 26${rank}) of binary: python\n`;
  const unmet = raised(
    '[rank0]: ',
    'RuntimeError: Gloo connectFullMesh failed with timed out connecting: SO_ERROR: Connection refused',
    2,
    '',
  );
  const disk = raised('[rank2]: ', "OSError: [Errno 5] Input/output error: '/mnt/s3/part-0231.bin'", 11, '');
  const job = (first: string, last: string) =>
    judged({
      'run.log': `${upTo(4)
        .map((rank) => steps(`[rank${rank}]: `))
        .join('')}${first}${agent(2)}${last}${agent(0)}`,
      'logs/none_a/attempt_1/0/stderr.log': '',
    });

  it('tell nothing of why the one before them ended', async () => {
    expect((await job(disk, unmet)).first).toBe(2);
    const own = raised('[rank1]: ', "KeyError: 'text'", 12, '');
    expect((await job(disk, own)).first).toBe(1);
  });
});

describe('figures that one rank prints for all', () => {
  const drawn = (step: number, slow: boolean) =>
    `            step ${step}  loss 0.35\n┏━━━━━━━━┳━━━━━━━━┓\n┃      worker ┃ data ms ┃ fwd+bwd ms ┃ grad sync ms ┃\n┡━━━━━━━━╇━━━━━━━━┩\n${lines(6, (at) => `│ host-${at >> 1}/gpu${at % 2} │     4.${at} │      ${slow && at === 5 ? '268.2' : `9${at}.1`} │      ${slow && at !== 5 ? '18' : ''}${at}.4 │`)}\n└────────┴────────┘\n`;
  const tables = (slow: (at: number) => boolean) =>
    `${upTo(8)
      .map((at) => drawn(10 * at, slow(at)))
      .join('')}`;

  it('show the one that turned slow, and its machine', async () => {
    expect(await judged({ 'host-0.out': tables((at) => at > 1) })).toMatchObject({
      first: 5,
      host: 'host-2',
      subcause: 'straggler',
      action: 'exclude_node',
    });
    expect((await judged({ 'host-0.out': tables(() => true) })).action).toBe('unknown');
    expect((await judged({ 'host-0.out': tables(() => false) })).first).toBeNull();
  });

  const list = (slow: boolean) =>
    lines(
      8,
      (at) =>
        ` iteration ${at} loss 1.${9 - at}\n    forward-compute (ms):\n${lines(4, (rank) => `       rank  ${rank}: ${(slow && rank === 2 ? 2100 : 1000 + rank) + (at % 3)}.92`)}\n    grads-reduce (ms):\n${lines(4, (rank) => `       rank  ${rank}: ${slow && rank !== 2 ? 1140 + rank : 40 + (rank % 2)}.11`)}`,
    );

  it('are read from lists below a heading', async () => {
    expect(await judged({ 'train.log': `${list(true)}\n` })).toMatchObject({
      first: 2,
      subcause: 'straggler',
    });
    expect((await judged({ 'train.log': `${list(false)}\n` })).first).toBeNull();
  });

  it('are no ranks in a contest', async () => {
    const text = `${steps()}Rank  Model  Score\n0     big    0.91\n1     small  0.88\n`;
    expect(diagnoseRecord(await runOf({ 'train.log': text })).ranks).toBeUndefined();
  });
});

describe('the rank that reports name slowest', () => {
  const report = (rank: number) =>
    `0: INFO: [straggler] MnRtt/Rnk: 5788.05ms/6 | MxRtt/Rnk: 9417.95ms/${rank} | MnClk/Rnk: 795MHz/${rank}\n`;
  const job = (ranks: readonly number[], reasons: number) =>
    judged({
      'rank0.log': `${steps('0: ', 12)}${ranks.map(report).join('')}`,
      hostfile: lines(8, (at) => `dg-${at + 1} slots=8`),
      'dmon.txt': `#Entity   TMPTR   SMCLK   CLKTHR\n${lines(8, (at) => `GPU ${at}     ${at === 2 ? `91   795   ${reasons}` : '60   1980   0'}`)}\n`,
    });

  it('is slow where it is the same until the end, on a machine whose clocks are held down', async () => {
    expect(await job([48, 7, 42, 42, 42], 72)).toMatchObject({
      first: 42,
      host: 'dg-6',
      action: 'exclude_node',
    });
    expect((await job([48, 7, 42, 42, 42], 1)).action).toBe('unknown');
    expect((await job([48, 7, 42, 13, 5], 72)).first).toBeNull();
  });
});

describe('a ring', () => {
  const rank = (at: number, held: boolean, waits: boolean) =>
    lines(20, (step) =>
      JSON.stringify({
        rank: at,
        step,
        compute_ms: 50,
        send_ms: held ? 430 + (step % 3) : 3,
        recv_wait_ms: waits ? 428 : 3,
      }),
    );
  const job = (held: (at: number) => boolean, waits: (at: number) => boolean) =>
    judged(
      Object.fromEntries(
        upTo(8).map((at) => [`n${at >> 1}-${at % 2}.ndjson`, `${rank(at, held(at), waits(at))}\n`]),
      ),
    );

  it('is slow behind the last that is held up in sending', async () => {
    const isHeld = (at: number) => at >= 2 && at <= 5;
    expect(await job(isHeld, (at) => !isHeld(at))).toMatchObject({ first: 5, subcause: 'slow_link' });
    expect(
      (
        await job(
          () => false,
          () => true,
        )
      ).first,
    ).toBeNull();
    expect(
      (
        await job(
          () => true,
          () => true,
        )
      ).first,
    ).toBeNull();
  });
});

describe('what to do', () => {
  it('is to mend the data where the loader of one rank gave up', async () => {
    const files = Object.fromEntries(
      upTo(3).map((rank) => [
        `rank_${rank}.log`,
        `${steps()}${raised(`[rank${rank}]: `, rank === 1 ? 'RuntimeError: DataLoader timed out after 12 seconds' : waited, 20, rank === 1 ? '' : 'all_reduce')}`,
      ]),
    );
    expect(await judged(files)).toMatchObject({ first: 1, subcause: 'loader_stall', action: 'fix_data' });
  });

  it('is to choose another port where one is taken', async () => {
    const text = `W1117 14:45:23.98 295 torch/multiprocessing/spawn.py:165] Terminating process 29554 via signal SIGTERM\n${spawned}-- Process 0 terminated with the following error:\n${raised('', 'torch.distributed.DistNetworkError: The server socket has failed to listen on any local network address. port: 29500, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use', 3, '')}`;
    expect(await judged({ 'nohup.out': text })).toMatchObject({
      first: 0,
      subcause: 'invalid_configuration',
      action: 'fix_code',
    });
  });

  it('is to leave a host out that cannot be reached', async () => {
    const waits =
      'Traceback (most recent call last):\n  File "/env/lib/python3.12/site-packages/torch/distributed/run.py", line 9, in main\n    run(args)\ntorch.distributed.elastic.rendezvous.api.RendezvousTimeoutError\n';
    const launch = 'gx03: ssh: connect to host gx03 port 22: No route to host\n';
    expect(await judged({ 'gx01.log': waits, 'gx02.log': waits, 'launch.log': launch })).toMatchObject({
      subcause: 'rendezvous',
      action: 'exclude_node',
    });
    expect((await judged({ 'gx01.log': waits, 'gx02.log': waits })).action).toBe('unknown');
  });

  it('is asked where a run never got beyond trying to reach its store', async () => {
    const tries = lines(
      5,
      (at) =>
        `[W1117 14:37:5${at}.22 socket.cpp:764] [c10d] The IPv6 network addresses of (ads-gpu12, 45787) cannot be retrieved (gai error: -2 - Name or service not known).`,
    );
    expect(await judged({ 'train.log': `${tries}\n` })).toMatchObject({
      subcause: 'rendezvous',
      action: 'fix_code',
    });
    expect((await judged({ 'train.log': `${tries}\n${steps()}` })).subcause).toBeNull();
  });
});
