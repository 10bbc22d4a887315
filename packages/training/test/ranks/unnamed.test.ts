// Processes of which nothing says the rank, and others that speak of them: stacks without a name, errors of a whole host, a coordinator that
// misses a member. Each statement stands beside a job that looks like it, of which it must not be said.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/index.js';
import { runOf } from '../run-files.js';

async function judged(files: Readonly<Record<string, string>>) {
  const { ranks, subcause, action, outcome } = diagnoseRecord(await runOf(files));
  return { first: ranks?.first?.rank ?? null, subcause, action, outcome };
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
const c10d = '/env/lib/python3.12/site-packages/torch/distributed/distributed_c10d.py';

/** As faulthandler prints it. */
const stack = (...frames: readonly (readonly [file: string, line: number, name: string])[]): string =>
  `Current thread 0x00007f11aa (most recent call first):\n${frames
    .map(([file, line, name]) => `  File "${file}", line ${line} in ${name}\n`)
    .join('')}`;

const steps = (mark: (rank: number) => string, ranks: readonly number[], count = 9) =>
  upTo(count)
    .flatMap((step) =>
      ranks.map(
        (rank) => `08:14:0${step % 10} ${mark(rank)} step ${step} loss ${(0.9 - step / 40).toFixed(3)}\n`,
      ),
    )
    .join('');

describe('stacks beside the log', () => {
  const inCall = (name: string) =>
    stack([c10d, 2100, name], ['/job/ring.py', 31, 'shift'], ['/job/ring.py', 70, 'main']);
  const inLock = stack(
    ['/usr/lib/python3.12/threading.py', 327, 'wait'],
    ['/usr/lib/python3.12/queue.py', 140, 'put'],
    ['/job/ring.py', 44, 'emit'],
    ['/job/ring.py', 72, 'main'],
  );
  const job = (stacks: readonly string[], end = '') => ({
    'a1.log': `${steps((rank) => `stage=${rank}`, [0, 1])}${end && [0, 1].map((rank) => `08:15:00 stage=${rank} ${end}\n`).join('')}`,
    'a2.log': `${steps((rank) => `stage=${rank}`, [2, 3])}${end && [2, 3].map((rank) => `08:15:00 stage=${rank} ${end}\n`).join('')}`,
    ...Object.fromEntries(stacks.map((text, at) => [`stacks/a${at < 2 ? 1 : 2}.proc${at}.txt`, text])),
  });

  it('are of the ranks that their names count, and show whom the others wait for', async () => {
    const stacks = [inCall('send'), inCall('send'), inLock, inCall('recv')];
    expect(await judged(job(stacks))).toMatchObject({ subcause: 'stuck_rank', first: 2, action: 'fix_code' });
  });

  it('show a circle where every process receives, and none where one sends', async () => {
    expect(await judged(job(upTo(4).map(() => inCall('recv'))))).toMatchObject({
      subcause: 'collective_mismatch',
      first: null,
    });
    const oneSends = upTo(4).map((at) => inCall(at === 1 ? 'send' : 'recv'));
    expect((await judged(job(oneSends))).subcause).not.toBe('collective_mismatch');
  });

  it('tell nothing of a job that came to its end', async () => {
    const stacks = [inCall('barrier'), inCall('barrier'), inLock, inCall('barrier')];
    expect(await judged(job(stacks, 'finished'))).toMatchObject({ first: null, subcause: null });
  });

  it('of py-spy show the circle though only process numbers are known', async () => {
    const dump = (pid: number, call: string) =>
      `Process ${pid}: python halo.py\nPython v3.12.4 (/usr/bin/python3.12)\n\nThread ${pid} (idle): "MainThread"\n    ${call} (torch/distributed/distributed_c10d.py:2100)\n    swap (halo.py:18)\n    main (halo.py:40)\n`;
    const of = (calls: readonly string[]) => ({
      'halo.log': steps((rank) => `w${rank}`, [0, 1, 2]),
      ...Object.fromEntries(calls.map((call, at) => [`spy/${4410 + 3 * at}.txt`, dump(4410 + 3 * at, call)])),
    });
    expect(await judged(of(['recv', 'recv', 'recv']))).toMatchObject({ subcause: 'collective_mismatch' });
    expect((await judged(of(['recv', 'recv', 'barrier']))).subcause).toBeNull();
  });
});

describe('errors of a host that name no rank', () => {
  const gaveUp = (call: string, line: number) =>
    `Traceback (most recent call last):\n  File "/job/fit.py", line ${line}, in fit\n    dist.${call}(x)\n  File "${c10d}", line 90, in ${call}\n    work.wait()\nRuntimeError: [gloo/transport/tcp/unbound_buffer.cc:78] Timed out waiting 15000ms for recv operation to complete\n`;
  const job = (calls: readonly string[]) => ({
    'c1.log': `${steps((rank) => `trainer(${rank}/4)`, [0, 1])}${calls
      .slice(0, 2)
      .map((call) => gaveUp(call, call === 'all_reduce' ? 50 : 44))
      .join('')}`,
    'c2.log': `${steps((rank) => `trainer(${rank}/4)`, [2, 3])}${calls
      .slice(2)
      .map((call) => gaveUp(call, call === 'all_reduce' ? 50 : 44))
      .join('')}`,
  });

  it('show that the processes stood in different calls, or in the same', async () => {
    expect(await judged(job(['all_gather', 'all_gather', 'all_reduce', 'all_gather']))).toMatchObject({
      subcause: 'collective_mismatch',
      first: null,
    });
    expect(await judged(job(upTo(4).map(() => 'all_gather')))).toMatchObject({
      subcause: 'collective_timeout',
    });
  });
});

describe('a member that others miss', () => {
  const worker = (at: number, count: number, end = '') =>
    `I0801 10:00:00.1 ${at} main.py:12] process ${at} of 3\n${upTo(count)
      .map(
        (step) =>
          `I0801 10:0${step % 10}:00.1 1 loop.py:88] step ${step * 50}: loss=${(4 - step / 20 - at / 900).toFixed(4)}\n`,
      )
      .join('')}${end}`;
  const unheard =
    '2026-08-01 10:30:00.2: E external/xla/coordination_service.cc:1227] /job:jax_worker/replica:0/task:1 has been set to ERROR in coordination service: UNAVAILABLE: Task /job:jax_worker/replica:0/task:1 heartbeat timeout. This indicates that the remote task has failed, got preempted, or crashed unexpectedly.\n';
  const fatal =
    '2026-08-01 10:30:00.3: F external/xla/pjrt/client.h:88] Terminating process because the coordination service detected fatal errors.\nFatal Python error: Aborted\n';

  it('is named by the coordinator, and is no job that the scheduler took back', async () => {
    const files = {
      'w-0.log': worker(0, 20, `${unheard}${fatal}`),
      'w-1.log': worker(1, 17),
      'w-2.log': worker(2, 20, fatal),
    };
    expect(await judged(files)).toMatchObject({ subcause: 'missing_rank', first: 1 });
  });

  it('is nobody while all are heard', async () => {
    const files = Object.fromEntries(
      upTo(3).map((at) => [`w-${at}.log`, worker(at, 20, `done: 950 steps\n`)]),
    );
    expect(await judged(files)).toMatchObject({ subcause: null, first: null });
  });

  const mapping =
    "n1: launch global_rank_mapping={'n1': [0, 1], 'n2': [2, 3], 'n3': [4, 5]}\nn1: dist_world_size=6\n";
  const watchdog = [1, 4]
    .map(
      (rank) =>
        `n${rank < 2 ? 1 : 3}: [rank${rank}]:[E801 11:00:00.1 ProcessGroupNCCL.cpp:632] [Rank ${rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=88, OpType=ALLREDUCE, NumelIn=64, NumelOut=64, Timeout(ms)=600000) ran for 600044 milliseconds before timing out.\n`,
    )
    .join('');
  const trained = upTo(8)
    .map((step) => `n1: [rank0] step ${step} loss ${(2 - step / 10).toFixed(2)}\n`)
    .join('');

  it('is of the host that a launcher lost', async () => {
    const lost = 'pdsh@head: n2: ssh exited with exit code 255\n';
    expect((await judged({ 'all.log': `${mapping}${trained}${lost}${watchdog}` })).first).toBe(2);
    expect((await judged({ 'all.log': `${mapping}${trained}${watchdog}` })).first).toBeNull();
  });

  it('is the child that its launcher saw die', async () => {
    const run = (end: string) => ({ 'job.log': `${steps((rank) => `trainer(${rank}/3)`, [0, 1, 2])}${end}` });
    expect((await judged(run('runner: child 1 (pid 7712) killed by signal 9\n'))).first).toBe(1);
    expect((await judged(run('runner: loader worker 1 (pid 7712) killed by signal 9\n'))).first).toBeNull();
  });
});

describe('accounting of a job that was taken back', () => {
  const table = (state: string) =>
    `JobID           JobName      State ExitCode\n------------ ---------- ---------- --------\n5120             lm-fit ${state.padStart(10)}      0:0\n5120.batch        batch  CANCELLED     0:15\n5120.ext+        extern  COMPLETED      0:0\n`;
  const job = (state: string) => ({
    'slurm-5120.out': steps((rank) => `[rank${rank}]`, [0, 1]),
    'sacct.txt': table(state),
  });

  it('counts the job and not what was closed with it', async () => {
    expect(await judged(job('PREEMPTED'))).toMatchObject({
      subcause: 'preempted',
      action: 'restart',
      first: null,
    });
    expect(await judged(job('COMPLETED'))).toMatchObject({ subcause: null });
  });
});

describe('rows that call the rank otherwise', () => {
  const row = (key: string, at: number, step: number) =>
    `{"t": ${1790000000 + step}, "${key}": ${at}, "it": ${step}, "loss": ${(0.9 - step / 60 + at / 50).toFixed(4)}, "checksum": ${(40 + step / 7 + (at === 2 && step > 9 ? step / 3 : 0)).toFixed(4)}}\n`;
  const job = (key: string) => ({
    'run.jsonl': upTo(24)
      .flatMap((step) => upTo(4).map((at) => row(key, at, step)))
      .join(''),
  });

  it('tell the replica that drifted away, and what to do', async () => {
    expect(await judged(job('proc'))).toMatchObject({
      subcause: 'replica_drift',
      first: 2,
      action: 'fix_code',
    });
  });

  it('count no ranks where they count the parts of something else', async () => {
    expect(await judged(job('layer'))).toMatchObject({ first: null });
  });
});

describe('processes that say of how many they are one, and where', () => {
  const none =
    'RuntimeError: [enforce fail at gloo/transport/tcp/device.cc:84] ifa != nullptr. Unable to find address for: ib7\n';
  const waits =
    'torch.distributed.DistStoreError: wait timeout after 20000ms, keys: /default_pg/0//cpu//0/3\n';
  const raised = (error: string) =>
    `Traceback (most recent call last):\n  File "/job/main.py", line 9, in <module>\n    dist.init_process_group("gloo")\n  File "${c10d}", line 1899, in init_process_group\n    default_pg = make()\n${error}`;
  const host = (name: string, ranks: readonly number[], error: string) =>
    ranks.map((rank) => `learner ${rank} of 4 iface ib7 host ${name}\n${raised(error)}`).join('');

  it('are seated on their hosts: the one that lacks an interface is named', async () => {
    const job = { 'q-11.out': host('q-11', [0, 1], waits), 'q-12.out': host('q-12', [2, 3], none) };
    expect(await judged(job)).toMatchObject({ first: 2, action: 'fix_code' });
    const sound = { 'q-11.out': host('q-11', [0, 1], waits), 'q-12.out': host('q-12', [2, 3], waits) };
    expect((await judged(sound)).first).toBeNull();
  });
});

describe('a loss scale that stands at one', () => {
  const iteration = (at: number, scale: number, loss: number) =>
    ` iteration ${at * 10}/ 300 | learning rate: 1.0E-04 | lm loss: ${loss.toFixed(4)} | loss scale: ${scale.toFixed(1)} | grad norm: 1.1 | number of skipped iterations: 0 |\n`;
  const job = (loss: (at: number) => number) => ({
    'train.log': upTo(30)
      .map((at) => iteration(at + 1, at === 0 ? 65536 : 1, loss(at)))
      .join(''),
  });

  it('has not collapsed where the loss goes on falling', async () => {
    expect((await judged(job((at) => 9 - at / 5))).subcause).toBeNull();
    expect((await judged(job(() => 9))).subcause).toBe('loss_scale_collapse');
  });
});

describe('workers that each host counts from 0', () => {
  const local = (host: string, ranks: readonly number[], end: string) =>
    `${upTo(9)
      .flatMap((step) =>
        ranks.map(
          (at) => `08:0${step}:00 ${host} gpu${at} step ${step * 10} loss ${(0.9 - step / 40).toFixed(3)}\n`,
        ),
      )
      .join('')}${end}`;
  const stood = (call: boolean) =>
    call
      ? stack(
          ['/env/lib/python3.12/site-packages/torch/autograd/graph.py', 825, '_engine_run_backward'],
          ['/job/fit.py', 61, 'run'],
        )
      : stack(['/job/warp.py', 14, 'solve'], ['/job/fit.py', 55, 'run']);
  const job = (stuck: string) => ({
    'node0.log': local('node0', [0, 1], ''),
    'node1.log': local('node1', [0, 1], ''),
    ...Object.fromEntries(
      ['node0_gpu0', 'node0_gpu1', 'node1_gpu0', 'node1_gpu1'].map((name) => [
        `dumps/${name}.stack`,
        stood(name !== stuck),
      ]),
    ),
  });

  it('are ranks that go on through the hosts', async () => {
    expect(await judged(job('node1_gpu0'))).toMatchObject({ subcause: 'stuck_rank', first: 2 });
    expect(await judged(job('node0_gpu1'))).toMatchObject({ subcause: 'stuck_rank', first: 1 });
    expect((await judged(job('none'))).first).toBeNull();
  });

  it('are named by their launcher in the list of processes', async () => {
    const dump = (at: number, frame: string) =>
      `Process ${900 + at}: python -u fit.py --local-rank=${at}\nPython v3.12.4 (/usr/bin/python3.12)\n\nThread ${900 + at} (idle): "MainThread"\n    ${frame}\n    main (fit.py:90)\n\n`;
    const call = 'all_reduce (torch/distributed/distributed_c10d.py:2501)';
    const of = (frames: readonly string[]) => ({
      'fit.log': steps((rank) => `[rank ${rank}]`, [0, 1, 2]),
      'stacks.txt': frames.map((frame, at) => dump(at, frame)).join(''),
    });
    expect(await judged(of([call, 'acquire (telemetry.py:30)', call]))).toMatchObject({ first: 1 });
    expect((await judged(of([call, call, call]))).first).toBeNull();
  });
});

describe('stacks that each host took of its own workers', () => {
  const dump = (at: number, frames: string) =>
    `Process ${500 + at}: python fit.py --local_rank=${at}\nPython v3.12.4 (/usr/bin/python3.12)\n\nThread ${500 + at} (idle): "MainThread"\n${frames}    main (fit.py:41)\n`;
  const call = '    all_reduce (torch/distributed/distributed_c10d.py:2501)\n';
  const reads = '    read (ssl.py:1166)\n    readinto (socket.py:706)\n    fetch_shard (data.py:44)\n';
  const job = (where: string) =>
    Object.fromEntries(
      [0, 1].flatMap((host) => [
        [`h${host}/console.log`, steps((rank) => `[rank${rank}]`, [host * 2, host * 2 + 1])],
        ...[0, 1].map((at) => {
          const name = `h${host}/spy-${at}.txt`;
          return [name, dump(at, name === where ? reads : call)] as const;
        }),
      ]),
    );

  it('are of the ranks of that host', async () => {
    expect(await judged(job('h1/spy-0.txt'))).toMatchObject({ subcause: 'loader_stall', first: 2 });
    expect((await judged(job('none'))).first).toBeNull();
  });

  it('were taken in passing where the log ends well', async () => {
    const of = (end: string) => ({
      'p.log': `${upTo(12)
        .flatMap((at) =>
          [0, 1].map(
            (rank) => `11:${10 + at}:00 stage=${rank} mb ${at} loss ${(0.9 - at / 40).toFixed(3)}\n`,
          ),
        )
        .join('')}${end}`,
      'at/stage0.txt': stack(['/job/p.py', 14, 'compute'], ['/job/p.py', 9, 'main']),
      'at/stage1.txt': stack([c10d, 2190, 'recv'], ['/job/p.py', 9, 'main']),
    });
    expect((await judged(of('11:31:00 stage=0 done\n11:31:00 stage=1 done\n'))).first).toBeNull();
    expect((await judged(of(''))).first).toBe(0);
  });
});

describe('the last words of a rank', () => {
  const gaveUp = (rank: number) =>
    `[rank${rank}]: Traceback (most recent call last):\n[rank${rank}]:   File "/job/fit.py", line 70, in fit\n[rank${rank}]:     loss.backward()\n[rank${rank}]: RuntimeError: [gloo/transport/tcp/unbound_buffer.cc:78] Timed out waiting 15000ms for recv operation to complete\n`;
  const others = (ranks: readonly number[]) => ranks.map(gaveUp).join('');
  const trained = steps((rank) => `[rank${rank}]:`, [0, 1, 2]);

  it('are an end of its data, as words or as a smaller number of batches', async () => {
    const words = `${trained}[rank2]: loader exhausted at batch 9\n${others([0, 1])}`;
    expect(await judged({ 'a.log': words })).toMatchObject({ subcause: 'uneven_batches', first: 2 });
    const plan = (counts: readonly number[]) => ({
      'a.log': `${counts.map((count, rank) => `[rank${rank}]: epoch 0 begins, ${count} batches\n`).join('')}${trained}${others([0, 1])}`,
    });
    expect(await judged(plan([10, 10, 9]))).toMatchObject({ subcause: 'uneven_batches', first: 2 });
    expect((await judged(plan([10, 10, 10]))).subcause).not.toBe('uneven_batches');
  });

  it('are those that name no rank, where the first one alone names none', async () => {
    const unmarked = (words: string) => ({
      'a.log': `world size: 3\n${steps(() => '', [0])}${words}${others([1, 2])}`,
    });
    const uploads = 'Uploading weights.bin:  12% 600M/5.00G\n';
    expect(await judged(unmarked(uploads))).toMatchObject({ first: 0, subcause: 'slow_checkpoint' });
    expect((await judged(unmarked('Uploaded weights.bin\n'))).subcause).not.toBe('slow_checkpoint');
  });
});
