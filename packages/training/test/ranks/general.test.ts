// What holds for any job, whatever its files look like: whom a report of a machine is of, who is behind, what was logged before the others
// were lost, who stands out in numbers. Each statement stands beside a job that looks like it, of which it must not be said.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnoseRecord, findRuns, judgeSeveral } from '../../src/index.js';
import { placeIn, placesIn } from '../../src/readers/collect/places.js';
import { runOf } from '../run-files.js';

type Files = Readonly<Record<string, string>>;

async function judged(files: Files) {
  const { ranks, subcause, action, category } = diagnoseRecord(await runOf(files));
  const { rank = null, host = null } = ranks?.first ?? {};
  return { first: rank, host, subcause, action, category };
}

/** As many runs as the folder is taken for. */
async function runsIn(files: Files): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'grus-job-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
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
const steps = (rank: number, count = 12, from = 100) =>
  `${lines(count, (at) => `[rank${rank}] step ${from + at}: loss=${(2.1 - at * 0.01).toFixed(3)}`)}\n`;
const gaveUp = (rank: number, turn = 77) =>
  `[rank${rank}]:[E1111 15:50:08.05 ProcessGroupNCCL.cpp:629] [Rank ${rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=${turn}, OpType=ALLREDUCE, NumelIn=18, NumelOut=18, Timeout(ms)=600000) ran for 600066 milliseconds before timing out.\n`;
const lost = (rank: number) =>
  `[rank${rank}]: torch.distributed.DistBackendError: NCCL error: remote process exited, ncclRemoteError\n`;
const logs = (size: number, text: (rank: number) => string) => each(size, (rank) => `rank_${rank}.log`, text);

describe('where ranks run', () => {
  it.each([
    ['rank 3 on gn07', null, [3], 'gn07'],
    ['gn07: ranks 8-11', null, [8, 9, 10, 11], 'gn07'],
    ['Host gn07 holds ranks [4, 5]', null, [4, 5], 'gn07'],
    ['{"rank": 3, "host": "gn07"}', null, [3], 'gn07'],
    ['global rank 12 -> c3-5 gpu 4', null, [12], 'c3-5'],
    ['running on gn07.cluster', 2, [2], 'gn07.cluster'],
  ])('%j', (text, speaker, ranks, host) => {
    expect(placeIn(text, speaker)).toEqual({ ranks, host });
  });

  it.each([
    ['rank 3 on gpu3', null],
    ['LoRA rank 8 on layer-3', null],
    ['connecting to master host gn01', 2],
    ['median rank 4 on H100', null],
    ['rank 1 waiting for host gn07', null],
  ])('not %j', (text, speaker) => {
    expect(placeIn(text, speaker)).toBeNull();
  });

  it('stands in trees of settings', () => {
    const seven = { ranks: [8, 9], host: 'gn07' };
    expect(placesIn({ hosts: { gn07: [8, 9] } })).toEqual([seven]);
    expect(placesIn({ nodes: [{ hostname: 'gn07', ranks: '8-9' }] })).toEqual([seven]);
    expect(placesIn({ '8': 'gn07' })).toEqual([{ ranks: [8], host: 'gn07' }]);
    expect(placesIn({ layers: [8, 9], 'resnet-50': { depth: 3 }, steps: 7 })).toEqual([]);
  });
});

describe('a report of a machine', () => {
  const job = (end: (rank: number) => string) =>
    logs(4, (rank) => `[rank${rank}] running on gn0${1 + (rank >> 1)}\n${steps(rank)}${end(rank)}`);
  const kernel = (host: string, text: string) => `Nov  6 18:42:50 ${host} kernel: ${text}\n`;
  const xid = "NVRM: Xid (PCI:0000:3b:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.";

  it('is of the host that its line begins with, and there of the one that says nothing', async () => {
    const files = job((rank) => (rank === 3 ? '' : lost(rank)));
    const found = await judged({ ...files, 'kern.log': kernel('gn02', xid) });
    expect(found).toMatchObject({ first: 3, host: 'gn02', subcause: 'gpu_lost', action: 'exclude_node' });
    expect((await judged({ ...files, 'kern.log': kernel('gn09', xid) })).host).not.toBe('gn01');
  });

  it('that memory ran out is of the process that the kernel killed', async () => {
    const table = 'rank host pid\n0 gn01 810\n1 gn01 811\n2 gn02 820\n3 gn02 821\n';
    const files = { ...job((rank) => (rank === 2 ? '' : lost(rank))), 'places.txt': table };
    const killed = 'Out of memory: Killed process 820 (python3) total-vm:91812312kB, anon-rss:60812312kB';
    expect(await judged({ ...files, 'gn02.dmesg': `[ 912.1] ${killed}\n` })).toMatchObject({ first: 2 });
  });

  it('that a disk or port fails is of its host, a port of no rank where several share it, and nothing in a run that ended well', async () => {
    const disk = kernel('gn02', 'blk_update_request: I/O error, dev nvme1n1, sector 91231231');
    const files = job((rank) => (rank === 2 ? '' : gaveUp(rank)));
    expect(await judged({ ...files, 'kern.log': disk })).toMatchObject({
      first: 2,
      host: 'gn02',
      subcause: 'storage_fault',
      action: 'exclude_node',
    });
    const port = kernel('gn02', 'ice 0000:31:00.0 ens1f0 eth2: NIC Link is Down'.replace('NIC Link', 'Link'));
    expect(await judged({ ...job(lost), 'kern.log': port })).toMatchObject({
      first: null,
      subcause: 'network_link',
      action: 'exclude_node',
    });
    const alone = logs(3, (rank) => `[rank${rank}] running on gn0${1 + rank}\n${steps(rank)}${lost(rank)}`);
    expect(await judged({ ...alone, 'kern.log': port })).toMatchObject({ first: 1, host: 'gn02' });
    const well = job(() => 'Training completed.\n');
    for (const text of [disk, port])
      expect(await judged({ ...well, 'kern.log': text })).toMatchObject({ first: null, subcause: null });
  });

  const brake = `==============NVSMI LOG==============

Attached GPUs                             : 1
GPU 00000000:3B:00.0
    Clocks Event Reasons
        HW Slowdown                       : Active
        HW Power Brake Slowdown           : Active
`;
  const paced = (late: number, end: string) =>
    logs(
      4,
      (rank) =>
        `[rank${rank}] running on gn0${1 + rank}\n${lines(40, (at) => `[rank${rank}] step ${at}: loss=${(2.1 - at * 0.01).toFixed(3)} step_time=${at < 20 ? 0.5 : late}`)}\n${end}`,
    );

  it('that clocks are held down explains a run that became slower, and none that kept its pace', async () => {
    const files = { 'gn03.smi.txt': brake };
    expect(await judged({ ...paced(0.9, ''), ...files })).toMatchObject({
      first: 2,
      subcause: 'straggler',
      action: 'exclude_node',
    });
    expect((await judged({ ...paced(0.5, 'Training completed.\n'), ...files })).subcause).toBeNull();
  });
});

describe('who is behind', () => {
  it('is the one whose watchdog counts fewer turns, or that tells of fewer steps', async () => {
    const turns = logs(4, (rank) => `${steps(rank)}${gaveUp(rank, rank === 2 ? 76 : 77)}`);
    expect(await judged(turns)).toMatchObject({ first: 2 });
    const told = logs(4, (rank) => `${steps(rank, rank === 1 ? 11 : 12)}${gaveUp(rank)}`);
    expect(await judged(told)).toMatchObject({ first: 1 });
    const none = logs(4, (rank) => `${steps(rank, rank < 2 ? 11 : 12)}${gaveUp(rank)}`);
    expect((await judged(none)).first).toBeNull();
    const well = logs(4, (rank) => `${steps(rank, rank === 1 ? 11 : 12)}Training completed.\n`);
    expect((await judged(well)).first).toBeNull();
  });

  it('is the one that the others name', async () => {
    const said = (of: (rank: number) => number) =>
      logs(
        4,
        (rank) => `${steps(rank)}[rank${rank}] no heartbeat from rank ${of(rank)} for 300 s\n${gaveUp(rank)}`,
      );
    expect((await judged(said((rank) => (rank === 3 ? 0 : 3)))).first).toBeNull();
    expect((await judged(said(() => 3))).first).toBe(3);
  });
});

describe('an error that a rank logged before the others were lost', () => {
  const job = (text: string, behind = '') =>
    logs(4, (rank) => `${steps(rank)}${rank === 1 ? `${text}\n${behind}` : lost(rank)}`);
  const read = '[rank1] 2026-11-06 18:42:50 ERROR data: [Errno 5] Input/output error: /data/p7.bin';

  it('is where it began, unless the rank went on or only speaks of others', async () => {
    expect(await judged(job(read))).toMatchObject({ first: 1, subcause: 'storage_fault' });
    const wentOn = await judged(job(read, `${steps(1, 6, 112)}${lost(1)}`));
    expect(wentOn.subcause).not.toBe('storage_fault');
    const others = await judged(
      job('[rank1] 2026-11-06 18:42:50 ERROR comm: peer 3 timed out, shutting down'),
    );
    expect(others.category).not.toBe('model_software');
  });
});

describe('numbers of one rank that stand out', () => {
  const job = (name: string, of: (rank: number, at: number) => number) =>
    logs(
      6,
      (rank) =>
        `${lines(20, (at) => `[rank${rank}] step ${at}: loss=${(2.1 - at * 0.01).toFixed(3)} ${name}=${of(rank, at).toFixed(2)}`)}\n`,
    );

  it('are its work, its data or its link, by what they are called', async () => {
    const slow = (rank: number, at: number) => (rank === 4 ? 90 : 50) + (at % 3);
    expect(await judged(job('compute_ms', slow))).toMatchObject({ first: 4, subcause: 'straggler' });
    expect(await judged(job('fetch_ms', slow))).toMatchObject({ first: 4, subcause: 'slow_loader' });
    const narrow = (rank: number, at: number) => (rank === 4 ? 20 : 90) + (at % 3);
    expect(await judged(job('busbw_gbps', narrow))).toMatchObject({ first: 4, subcause: 'slow_link' });
  });

  it('are nothing where all differ, or one by little', async () => {
    const stages = (rank: number, at: number) => 40 + 20 * rank + (at % 3);
    expect((await judged(job('compute_ms', stages))).first).toBeNull();
    const near = (rank: number, at: number) => (rank === 4 ? 58 : 50) + (at % 3);
    expect((await judged(job('compute_ms', near))).first).toBeNull();
  });
});

describe('a state that one rank went on from', () => {
  const job = (of: (rank: number) => number) =>
    logs(
      4,
      (rank) => `[rank${rank}] resumed from checkpoint step ${of(rank)}\n${steps(rank)}${gaveUp(rank)}`,
    );

  it('is another than that of all others, or each has its own', async () => {
    expect(await judged(job((rank) => (rank === 2 ? 900 : 1000)))).toMatchObject({
      first: 2,
      subcause: 'collective_mismatch',
    });
    expect((await judged(job((rank) => 900 + rank))).subcause).not.toBe('collective_mismatch');
    expect((await judged(job(() => 900))).subcause).not.toBe('collective_mismatch');
  });
});

describe('files that say which of their job they are', () => {
  const names = ['alder.log', 'birch.log', 'cedar.log'];
  const job = (head: (at: number) => string) =>
    Object.fromEntries(
      names.map((name, at) => [
        name,
        `${head(at)}\n${lines(10, (step) => `step ${step} loss ${(3 - step / (6 + at)).toFixed(3)}`)}\n`,
      ]),
    );

  it('are one job where none is left out, and runs where all say the same', async () => {
    expect(await runsIn(job((at) => `process_index: ${at}`))).toBe(1);
    expect(await runsIn(job(() => 'process_index: 0'))).toBe(3);
    expect(await runsIn(job((at) => `process_index: ${at + 4}`))).toBe(3);
  });
});
