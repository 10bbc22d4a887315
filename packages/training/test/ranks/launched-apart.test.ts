// Ranks that do not meet at the start: by the settings that they were started with, or by a host that does not come.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/index.js';
import { runOf } from '../readers/run-of.js';

async function verdictOf(files: Record<string, string>) {
  const { category, subcause, action, ranks } = diagnoseRecord(await runOf(files));
  return { category, subcause, action, first: ranks?.first?.rank ?? null };
}

const frames =
  'Traceback (most recent call last):\n  File "/job/train.py", line 4, in <module>\n    dist.init_process_group("gloo")\n  File "/env/site-packages/torch/distributed/rendezvous.py", line 199, in _create_c10d_store\n    return TCPStore(\n';
const waits = (came: number, all: number): string =>
  `${frames}torch.distributed.DistStoreError: Timed out after 61 seconds waiting for clients. ${came}/${all} clients joined.\n`;
const waitsForKey = `${frames}torch.distributed.DistStoreError: wait timeout after 60000ms, keys: /default_pg/0//cpu//0/0\n`;
const cannotReach = (host: string, port: number): string =>
  `${frames}torch.distributed.DistNetworkError: The client socket has timed out after 60000ms while trying to connect to (${host}, ${port}).\n`;
const settings = { category: 'model_software', subcause: 'launch_settings', action: 'fix_code' };

describe('ranks that did not meet', () => {
  it('were given different ports', async () => {
    const verdict = await verdictOf({
      'rank0.log': `rank 0 of 2, store at tcp://10.1.0.4:29500\n${waits(1, 2)}`,
      'rank1.log': `rank 1 of 2, store at tcp://10.1.0.4:29600\n${cannotReach('10.1.0.4', 29600)}`,
    });
    expect(verdict).toMatchObject({ ...settings, first: 1 });
  });

  it('were given the same: then a host cannot be reached', async () => {
    const verdict = await verdictOf({
      'rank0.log': `rank 0 of 2, store at tcp://10.1.0.4:29500\n${waits(1, 2)}`,
      'rank1.log': `rank 1 of 2, store at tcp://10.1.0.4:29500\n${cannotReach('10.1.0.4', 29500)}`,
    });
    expect(verdict).toMatchObject({ category: 'memory_hardware', subcause: 'rendezvous' });
  });

  it('were told to use an interface that one host does not have', async () => {
    const noInterface = `${frames}RuntimeError: [enforce fail at gloo/transport/tcp/device.cc:84] ifa != nullptr. Unable to find address for: ib0\n`;
    const verdict = await verdictOf({
      'n1/rank0.log': `rank 0 of 2\n${waitsForKey.replace('0/0\n', '0/1\n')}`,
      'n2/rank1.log': `rank 1 of 2\n${noInterface}`,
    });
    expect(verdict).toMatchObject({ category: 'model_software', subcause: 'launch_settings', first: 1 });
  });

  it('were started by commands that differ', async () => {
    const command = (node: number, endpoint: string): string =>
      `torchrun --nnodes=2 --node-rank=${node} --nproc-per-node=1 --rdzv-backend=c10d --rdzv-endpoint=${endpoint} train.py\n`;
    const files = (other: string) => ({
      'node0.sh': command(0, 'n0:29400'),
      'node1.sh': command(1, other),
      'node0.log': waits(1, 2),
      'node1.log': '',
    });
    expect(await verdictOf(files('n0:29401'))).toMatchObject(settings);
    expect((await verdictOf(files('n0:29400'))).subcause).toBe('rendezvous');
  });

  it('were told another number of ranks', async () => {
    const files = (all: number) => ({
      'rank0.log': `rank 0: world_size=3 MASTER_ADDR=n0\n${waits(2, 3)}`,
      'rank1.log': `rank 1: world_size=${all} MASTER_ADDR=n0\n${waitsForKey}`,
    });
    expect(await verdictOf(files(2))).toMatchObject(settings);
    expect((await verdictOf(files(3))).subcause).toBe('rendezvous');
  });

  it('are fewer than were waited for, on a host of their own', async () => {
    const files = (address: string) =>
      Object.fromEntries(
        [0, 1, 2].map((rank) => [
          `rank${rank}.log`,
          `rank ${rank} world 4 MASTER_ADDR=${address}\n${rank === 0 ? waits(3, 4) : waitsForKey}`,
        ]),
      );
    expect(await verdictOf(files('127.0.0.1'))).toMatchObject(settings);
    // The fourth may be on a host that did not start.
    expect((await verdictOf(files('10.1.0.4'))).subcause).toBe('rendezvous');
  });

  it('call one host by its name and by its number', async () => {
    const verdict = await verdictOf({
      'rank0.log': `rank 0 of 2 MASTER_ADDR=n0 MASTER_PORT=29500\n${waits(1, 2)}`,
      'rank1.log': `rank 1 of 2 MASTER_ADDR=10.1.0.4 MASTER_PORT=29500\n${cannotReach('10.1.0.4', 29500)}`,
    });
    expect(verdict.subcause).toBe('rendezvous');
  });

  it('look for the first on their own host', async () => {
    const verdict = await verdictOf({
      'rank0.log': `rank 0 of 2 MASTER_ADDR=n0 MASTER_PORT=29500\n${waits(1, 2)}`,
      'rank1.log': `rank 1 of 2 MASTER_ADDR=localhost MASTER_PORT=29500\n${cannotReach('localhost', 29500)}`,
    });
    expect(verdict).toMatchObject(settings);
  });

  it('and the first does not find its own place', async () => {
    const file = (rank: number) =>
      `rank ${rank} of 2 MASTER_ADDR=10.1.0.9\n${cannotReach('10.1.0.9', 29500)}`;
    expect(await verdictOf({ 'rank0.log': file(0), 'rank1.log': file(1) })).toMatchObject(settings);
    // Only the others do not: the first may be behind a wall.
    expect((await verdictOf({ 'rank0.log': waits(1, 2), 'rank1.log': file(1) })).subcause).toBe('rendezvous');
  });
});
