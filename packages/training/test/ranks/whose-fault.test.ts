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
