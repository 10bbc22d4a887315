// What ranks say of themselves, compared: who differs is first, and who only found the difference is not. Each fault stands beside a run
// that looks like it and has another end.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/index.js';
import { runOf } from '../readers/run-of.js';

const c10d = '/env/lib/python3.12/site-packages/torch/distributed/distributed_c10d.py';
const autograd = '/env/lib/python3.12/site-packages/torch/autograd/graph.py';
const closed = 'RuntimeError: [gloo/transport/tcp/pair.cc:553] Connection closed by peer [10.0.0.4]:4021';

async function judged(files: Readonly<Record<string, string>>) {
  const { ranks, subcause } = diagnoseRecord(await runOf(files));
  return { first: ranks?.first?.rank ?? null, subcause };
}

/** One log per rank. */
function logs(count: number, of: (rank: number) => string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, rank) => [`rank_${rank}.log`, of(rank)]));
}

function raised(frames: readonly (readonly [file: string, line: number, name: string])[], error: string) {
  const shown = frames.map(([file, line, name]) => `  File "${file}", line ${line}, in ${name}\n    ...\n`);
  return `Traceback (most recent call last):\n${shown.join('')}${error}\n`;
}

const inBackward = (error = closed) =>
  raised(
    [
      ['/job/fit.py', 31, 'fit'],
      [autograd, 825, '_engine_run_backward'],
    ],
    error,
  );
const inBarrier = raised(
  [
    ['/job/fit.py', 40, 'fit'],
    [c10d, 4635, 'barrier'],
  ],
  'RuntimeError: [gloo/transport/tcp/unbound_buffer.cc:78] Timed out waiting 30000ms for recv operation to complete',
);

const steps = (count: number, line: (step: number) => string) =>
  Array.from({ length: count }, (_, step) => `${line(step)}\n`).join('');

describe('fingerprints of a collective', () => {
  const print = (rank: number, shape: string) =>
    `Rank ${rank} is running collective: CollectiveFingerPrint(SequenceNumber=12, OpType=ALLREDUCE, TensorShape=[${shape}], TensorDtypes=Float, TensorDeviceTypes=TensorOptions(dtype=float (default), device=cpu, requires_grad=false (default), memory_format=(nullopt)))`;
  const found = (rank: number, shape: string, other: number, theirs: string) =>
    raised(
      [
        ['/job/fit.py', 12, 'fit'],
        [c10d, 2810, 'all_reduce'],
      ],
      `RuntimeError: Detected mismatch between collectives on ranks. ${print(rank, shape)}, but ${print(other, theirs)}.`,
    );

  it('are voted on as a whole, and their options are no sign of frozen weights', async () => {
    const odd = logs(3, (rank) => found(rank, rank === 1 ? '6, 2' : '3', rank === 1 ? 0 : 1, '3'));
    expect(await judged(odd)).toEqual({ first: 1, subcause: 'collective_mismatch' });
    // One message alone holds one word against another.
    expect(await judged({ 'rank_0.log': found(0, '3', 1, '6, 2'), 'rank_1.log': 'started\n' })).toEqual({
      first: null,
      subcause: 'collective_mismatch',
    });
  });
});

describe('one rank that is through with its data', () => {
  const trained = (batches: number, done: number) =>
    `${batches} batches per epoch\n${steps(done, (step) => `step ${step} loss ${(0.9 - step / 50).toFixed(3)}`)}`;

  it('announced fewer batches and waits behind its loop', async () => {
    const uneven = logs(3, (rank) => (rank === 1 ? trained(6, 6) + inBarrier : trained(9, 6) + inBackward()));
    expect(await judged(uneven)).toEqual({ first: 1, subcause: 'uneven_batches' });
  });

  it('is nobody where the ranks announced the same and one of them was killed', async () => {
    const killed = logs(3, (rank) => trained(9, 6) + (rank === 1 ? '' : inBackward()));
    const first = await judged({
      ...killed,
      'launcher.log': 'srun: error: node2: task 1: Killed\n',
    });
    expect(first).toMatchObject({ first: 1 });
    expect(first.subcause).not.toBe('uneven_batches');
  });

  it('is not rank 0 because it alone reports the end of an epoch', async () => {
    const told = logs(
      3,
      (rank) => trained(6, 6) + (rank === 0 ? 'epoch 0 done\n' : '') + (rank === 2 ? '' : inBackward()),
    );
    expect(await judged(told)).toMatchObject({ first: 2 });
  });
});

describe('versions', () => {
  const ddp = (rank: number, own: number, other: number, theirs: number) =>
    raised(
      [['/job/fit.py', 9, 'main']],
      `RuntimeError: DDP expects same model across all ranks, but Rank ${rank} has ${own} params, while rank ${other} has inconsistent ${theirs} params.`,
    );

  it('of one rank differ: it is named, not those that noticed', async () => {
    const apart = logs(3, (rank) =>
      rank === 2
        ? `torch 2.4.1 numpy 2.1.0\n${ddp(2, 8, 0, 5)}`
        : `torch 2.5.0 numpy 2.1.0\n${ddp(rank, 5, 2, 8)}`,
    );
    expect(await judged(apart)).toEqual({ first: 2, subcause: 'versions_apart' });
  });

  it('settle what the numbers of two ranks leave open, and without them nobody is named', async () => {
    const one = (said: (rank: number) => string) =>
      logs(3, (rank) => `${said(rank)}\n${rank === 1 ? ddp(1, 5, 0, 8) : ''}`);
    expect(await judged(one((rank) => `commit ${rank === 0 ? '9f01ab2' : '77be210'}`))).toMatchObject({
      first: 0,
    });
    expect(await judged(one(() => 'commit 77be210'))).toMatchObject({ first: null });
  });
});

describe('the store at the start', () => {
  const init = (error: string) =>
    raised(
      [
        ['/job/fit.py', 4, 'main'],
        [c10d, 1710, 'init_process_group'],
      ],
      error,
    );
  const waited = init(
    'torch.distributed.DistStoreError: wait timeout after 30000ms, keys: /default_pg/0//cpu//0/0',
  );

  it('was not reached by one rank: it comes before those that waited in the store', async () => {
    const job = logs(3, (rank) =>
      rank === 2
        ? init(
            'torch.distributed.DistNetworkError: The client socket has timed out after 30000ms while trying to connect to (10.0.0.9, 29500).',
          )
        : waited,
    );
    expect(await judged(job)).toEqual({ first: 2, subcause: 'rendezvous' });
  });

  it('was reached by all that speak: who waits there is not named', async () => {
    expect(await judged(logs(3, () => waited))).toEqual({ first: null, subcause: 'rendezvous' });
  });

  it('needs the interface that a setting names: where all lack it nobody is first', async () => {
    const lacking = init(
      'RuntimeError: [enforce fail at device.cc:84] ifa != nullptr. Unable to find address for: ib3',
    );
    expect(await judged(logs(3, () => lacking))).toEqual({ first: null, subcause: 'launch_settings' });
    expect(await judged(logs(3, (rank) => (rank === 1 ? lacking : waited)))).toEqual({
      first: 1,
      subcause: 'launch_settings',
    });
  });
});

describe('the last words of rank 0', () => {
  const timedOut = inBackward(
    'RuntimeError: [gloo/transport/tcp/unbound_buffer.cc:78] Timed out waiting 30000ms for recv operation to complete',
  );
  const job = (word: string) =>
    logs(
      3,
      (rank) => steps(6, (step) => `step ${step} loss 0.${90 - step}`) + (rank === 0 ? word : timedOut),
    );

  it.each([
    ['saving checkpoint epoch_1.pt\n', 'slow_checkpoint'],
    ['evaluating on the test set\n', 'rank_zero_work'],
    ['saved checkpoint epoch_1.pt\n', 'collective_timeout'],
    ['evaluating on the test set\nstep 6 loss 0.84\n', 'collective_timeout'],
  ])('%j mean %s', async (word, subcause) => {
    expect(await judged(job(word))).toEqual({ first: 0, subcause });
  });
});

describe('dumps that agree, and a library that noticed a mismatch', () => {
  /** As Gloo's recorder writes: every call, no states. */
  const dump = (turns: number) =>
    JSON.stringify({
      version: '2.10',
      pg_config: { 0: { name: '0', desc: 'default_pg', ranks: '' } },
      entries: Array.from({ length: turns }, (_, turn) => ({
        process_group: ['0', 'default_pg'],
        collective_seq_id: turn + 1,
        profiling_name: 'gloo:all_reduce',
        time_created_ns: (1e6 + turn) * 1e6,
        input_sizes: [[8]],
        output_sizes: [[8]],
        input_dtypes: ['Float'],
        state: 'scheduled',
        is_p2p: false,
      })),
    });
  const job = (turns: readonly number[]) => ({
    ...logs(3, (rank) =>
      rank === 0
        ? "terminate called after throwing an instance of 'gloo::EnforceNotMet'\n  what():  op.preamble.length <= op.nbytes. 96 vs 4\n"
        : inBackward(),
    ),
    ...Object.fromEntries(turns.map((count, rank) => [`trace_rank_${rank}.json`, dump(count)])),
  });

  it('name the one rank that left a collective out', async () => {
    expect(await judged(job([9, 8, 9]))).toEqual({ first: 1, subcause: 'collective_mismatch' });
  });

  it('name nobody where several ranks are behind', async () => {
    expect(await judged(job([9, 8, 8]))).toEqual({ first: null, subcause: 'collective_mismatch' });
  });
});
