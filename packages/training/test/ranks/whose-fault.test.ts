// Whose fault it is: the program's or the machine's, one rank's or everybody's, or nobody's.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/index.js';
import { runOf } from '../readers/run-of.js';

async function verdictOf(files: Record<string, string>) {
  const { category, subcause, action, ranks } = diagnoseRecord(await runOf(files));
  return { category, subcause, action, first: ranks?.first?.rank ?? null };
}

const steps = (rank: number): string =>
  [1, 2, 3].map((step) => `[rank${rank}]: step ${step} loss ${4 - step / 2}\n`).join('');
const raised = (rank: number, message: string): string =>
  `[rank${rank}]: Traceback (most recent call last):\n[rank${rank}]:   File "/job/net.py", line 12, in forward\n[rank${rank}]:     y = own_kernel(x)\n[rank${rank}]: RuntimeError: ${message}\n`;
const illegal = 'CUDA error: an illegal memory access was encountered';

describe('an illegal access on one of several ranks', () => {
  const log = steps(0) + steps(1) + raised(1, illegal);

  it('blames no machine, with the Xid of a program beside it as without', async () => {
    const xid = 'NVRM: Xid (PCI:0000:10:00): 31, pid=77, name=python, MMU Fault\n';
    for (const files of [{ 'train.log': log }, { 'train.log': log, 'dmesg.txt': xid }])
      expect(await verdictOf(files)).toMatchObject({ subcause: 'code_error', action: 'fix_code', first: 1 });
  });

  it('beside the Xid of a broken memory is the machine', async () => {
    const xid = 'NVRM: Xid (PCI:0000:10:00): 48, pid=77, name=python, Double Bit ECC Error\n';
    const verdict = await verdictOf({ 'train.log': log, 'dmesg.txt': xid });
    expect(verdict).toMatchObject({ subcause: 'gpu_memory_fault', action: 'exclude_node' });
  });
});

it('an illegal access of the only rank there is, is that of its device', async () => {
  const verdict = await verdictOf({ 'train.log': steps(0) + raised(0, illegal) });
  expect(verdict).toMatchObject({ category: 'memory_hardware', subcause: 'device_fault' });
});

it('devices that the driver did not bring up are the machine, and no code is to be mended', async () => {
  const message = 'Unexpected error from cudaGetDeviceCount(). Error 802: system not yet initialized';
  const verdict = await verdictOf({ 'train.log': `[rank0]: waiting\n${raised(1, message)}` });
  expect(verdict).toMatchObject({ category: 'memory_hardware', action: 'exclude_node', first: 1 });
});

describe('what every rank reports', () => {
  const unused = (rank: number): string =>
    raised(
      rank,
      `Expected to have finished reduction in the prior iteration before starting a new one. Parameter indices which did not receive grad for rank ${rank}: 4 5`,
    );

  it('with its own number in it names none', async () => {
    const log = steps(0) + steps(1) + unused(0) + unused(1);
    expect(await verdictOf({ 'train.log': log })).toMatchObject({
      subcause: 'unused_parameters',
      first: null,
    });
  });

  it('names the one that reports it alone', async () => {
    const log = steps(0) + steps(1) + unused(1);
    expect((await verdictOf({ 'train.log': log })).first).toBe(1);
  });

  it('by the same exit code names none, and by a code of its own one', async () => {
    const exits = (codes: number[]): string =>
      codes.map((code, rank) => `srun: error: n1: task ${rank}: Exited with exit code ${code}\n`).join('');
    const log = steps(0) + steps(1);
    expect((await verdictOf({ 'train.log': log, 'launcher.log': exits([3, 3]) })).first).toBeNull();
    expect((await verdictOf({ 'train.log': log, 'launcher.log': exits([0, 3]) })).first).toBe(1);
  });
});

describe('a time limit', () => {
  const limit = 'slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE TO TIME LIMIT ***\n';

  it('is no cause where the run had saved and left because of it', async () => {
    const left = '[rank0]: SIGTERM received: checkpoint written at step 3, leaving\n';
    expect((await verdictOf({ 'slurm-7.out': steps(0) + steps(1) + left + limit })).subcause).toBeNull();
  });

  it('is one where a checkpoint was saved as always', async () => {
    const saved = '[rank0]: checkpoint written at step 3\n';
    expect((await verdictOf({ 'slurm-7.out': steps(0) + steps(1) + saved + limit })).subcause).toBe(
      'time_limit',
    );
  });
});

describe('an end that a launcher tells of', () => {
  const log = [0, 1, 2, 3].map(steps).join('');
  const command = "['python', '-u', 'train.py', '--local_rank=3'] exits with return code = 1\n";

  it('is of no rank where it only repeats the last command of the host', async () => {
    expect((await verdictOf({ 'train.log': log + command })).first).toBeNull();
    const named = 'mpirun noticed that process rank 3 with PID 9 on node n1 exited on signal 9 (Killed).\n';
    expect((await verdictOf({ 'train.log': log + named })).first).toBe(3);
  });

  it('by an abort follows from the end of another, unless nobody else fell', async () => {
    const aborted = 'srun: error: n1: task 1: Aborted (core dumped)\n';
    const lost = [0, 2]
      .map((rank) => raised(rank, 'NCCL communicator was aborted: remote process exited'))
      .join('');
    expect((await verdictOf({ 'train.log': log + lost + aborted })).first).toBeNull();
    expect((await verdictOf({ 'train.log': log + aborted })).first).toBe(1);
  });
});

describe('a rank that says nothing', () => {
  const waited =
    'gloo/transport/tcp/unbound_buffer.cc:78 Timed out waiting 25000ms for recv operation to complete';
  const gaveUp = steps(0) + steps(1) + raised(0, waited) + raised(1, waited);
  const agent = 'torch/distributed/elastic/multiprocessing/api.py';
  const closing = (process: number): string =>
    `W1118 12:14:59.592000 70 ${agent}:1010] Sending process ${process} closing signal SIGTERM\n`;
  const failed = `E1118 12:14:59.693000 70 ${agent}:984] failed (exitcode: 1) local_rank: 0 (pid: 71) of binary: python\n`;

  it('is known by the processes that its launcher ends', async () => {
    expect((await verdictOf({ 'train.log': gaveUp + closing(72) + closing(73) + failed })).first).toBe(2);
    expect((await verdictOf({ 'train.log': gaveUp + closing(72) + failed })).first).toBeNull();
    const again = closing(62) + failed.replace('71', '61') + gaveUp + closing(72) + failed;
    expect((await verdictOf({ 'train.log': again })).first).toBeNull();
  });

  it('and left with a code of its own did what its code says; one that was killed did not', async () => {
    const lost = 'gloo/transport/tcp/pair.cc:553 Connection closed by peer [127.0.0.1]:2947';
    const log = steps(0) + steps(1) + raised(0, lost) + raised(1, lost);
    const end = (how: string): string => `srun: error: n1: task 2: ${how}\n`;
    expect(await verdictOf({ 'train.log': log + end('Exited with exit code 3') })).toMatchObject({
      subcause: 'code_error',
      action: 'fix_code',
      first: 2,
    });
    expect(await verdictOf({ 'train.log': log + end('Killed') })).toMatchObject({
      category: 'memory_hardware',
      first: 2,
    });
  });

  it('is known by the number of ranks that the program tells', async () => {
    for (const told of [
      'world size 3, starting',
      'All distributed processes registered. Starting with 3 processes',
      'training on 3 ranks',
      'WORLD_SIZE=3',
    ])
      expect((await verdictOf({ 'train.log': `INFO ${told}\n${gaveUp}` })).first).toBe(2);
    for (const told of ['world size 2, starting', 'tokenizing with 3 processes'])
      expect((await verdictOf({ 'train.log': `INFO ${told}\n${gaveUp}` })).first).toBeNull();
  });
});

describe('what the ranks said before', () => {
  const all = [0, 1, 2, 3];
  const waited =
    'gloo/transport/tcp/unbound_buffer.cc:78 Timed out waiting 25000ms for recv operation to complete';

  it('tells whose word was another, where a library says that they differ', async () => {
    const apart =
      '[rank0]:   what():  [enforce fail at gloo/transport/tcp/pair.cc:456] op.preamble.length <= op.nbytes. 4096 vs 2048\n';
    const log = (odd: number): string =>
      all
        .map((rank) => `[rank${rank}]: loaded stats as float${rank === odd ? 64 : 32}\n${steps(rank)}`)
        .join('') + apart;
    expect(await verdictOf({ 'train.log': log(1) })).toMatchObject({
      subcause: 'collective_mismatch',
      first: 1,
    });
    expect(await verdictOf({ 'train.log': log(-1) })).toMatchObject({
      subcause: 'collective_mismatch',
      first: null,
    });
  });

  it('tells what it was within while the others waited', async () => {
    const log = (last: string): string =>
      `${all.map(steps).join('')}[rank0]: ${last}\n${[1, 2, 3].map((rank) => raised(rank, waited)).join('')}`;
    const within = await verdictOf({ 'train.log': log('wrote shard 2/4 fc.weight (18.7 s)') });
    expect(within).toMatchObject({ subcause: 'slow_checkpoint', first: 0 });
    for (const last of [
      'wrote shard 4/4 fc.bias (9.1 s)',
      'W1118 12:29:55.8 59 torch/multiprocessing/spawn.py:165] Terminating process 8 via signal',
    ])
      expect((await verdictOf({ 'train.log': log(last) })).subcause).toBe('collective_timeout');
  });

  it('when its launcher ended it is no cause beside one that left; alone it is', async () => {
    const signal = (rank: number): string =>
      raised(rank, 'x').replace(
        'RuntimeError: x',
        'torch.distributed.elastic.multiprocessing.api.SignalException: Process 8 got signal: 15',
      );
    const left = 'srun: error: n1: task 2: Exited with exit code 3\n';
    const log = steps(0) + steps(1) + signal(0) + signal(1);
    expect((await verdictOf({ 'train.log': log + left })).subcause).toBe('code_error');
    expect((await verdictOf({ 'train.log': log })).subcause).toBe('terminated');
  });
});
