// What tools beside a run report of it, in the forms that `ncclras`, `dcgmi` and `nvidia-smi` print, each with a run that looks like it and
// is well; and the logs of several hosts that are one job. The forms are those of NVIDIA's own pages: "RAS" in the NCCL user guide
// (2.28), dcgmi-diag, dcgmi-health and dcgmi-dmon in the DCGM reference, and nvidia-smi(1). The texts were written for these tests.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnoseRecord, findRuns, judgeSeveral } from '../../src/index.js';
import { runOf } from '../run-files.js';

async function judged(files: Readonly<Record<string, string>>) {
  const { ranks, subcause, outcome } = diagnoseRecord(await runOf(files));
  return { outcome, subcause, first: ranks?.first?.rank ?? null, behind: ranks?.behind ?? [] };
}

const timedOut =
  'RuntimeError: [../third_party/gloo/gloo/transport/tcp/unbound_buffer.cc:81] Timed out waiting 1800000ms for recv operation to complete';
const steps = (rank: number, count = 12) =>
  Array.from(
    { length: count },
    (_, at) => `step ${at + 1}: loss=${(2.3 - at * 0.01).toFixed(3)} rank ${rank}\n`,
  ).join('');
const waiting = (ranks: readonly number[]) =>
  Object.fromEntries(ranks.map((rank) => [`rank_${rank}.log`, `${steps(rank)}${timedOut}\n`]));
const finished = (ranks: readonly number[]) =>
  Object.fromEntries(ranks.map((rank) => [`rank_${rank}.log`, `${steps(rank)}Training finished.\n`]));

const summary = `NCCL version 2.28.9 compiled with CUDA 12.9
CUDA runtime version 12090, driver version 13000

Job summary
===========

  Nodes  Processes         GPUs  Processes     GPUs
(total)   per node  per process    (total)  (total)
      1          4            1          4        4

Communicators... (0.00s)
=============

Group     Comms     Nodes     Ranks     Ranks     Ranks    Status  Errors
    #  in group  per comm  per node  per comm  in group
    0         1         1         4         4         4   RUNNING`;
const apart = `${summary}  MISMATCH

Warnings
========

#0-0 (27a079b828ff1a75) MISMATCH
  Communicator ranks have different AllReduce operation counts
  3 ranks have launched up to operation 411
  Rank 2 has launched up to operation 410 -- GPU 2 managed by process 4322 on node 10.0.0.5
`;
const gone = `${summary}  INCOMPLETE

Errors
======

INCOMPLETE
  Missing communicator data from 1 job process
  Process 4323 on node 10.0.0.5 managing GPU 3

#0-0 (27a079b828ff1a75) INCOMPLETE
  Missing communicator data from 1 rank
  Rank 3 -- GPU 3 managed by process 4323 on node 10.0.0.5
`;

/** The JSON of a job of four ranks. */
function answer(counts: readonly number[], dead: readonly number[] = []): string {
  const seat = (rank: number) => ({ rank, host: 'node1', pid: 100 + rank, cuda_dev: rank, nvml_dev: rank });
  const ranks = counts.flatMap((count, rank) =>
    dead.includes(rank)
      ? []
      : {
          ...seat(rank),
          status: { init_state: 0, async_error: 0 },
          collective_counts: { Broadcast: 1, AllReduce: count },
        },
  );
  const missing = dead.map((rank) => ({
    ...seat(rank),
    status: { unresponsive: true, considered_dead: true },
  }));
  const world = {
    hash: '0x1',
    size: counts.length,
    ranks_count: ranks.length,
    missing_ranks_count: dead.length,
    ranks,
    missing_ranks: missing,
  };
  return JSON.stringify({ nccl_version: '2.28.9', communicators_count: 1, communicators: [world] }, null, 2);
}

describe('ncclras', () => {
  it('names the rank that launched less, where the run stands still', async () => {
    for (const ras of [apart, answer([411, 411, 410, 411])])
      expect(await judged({ ...waiting([0, 1, 3]), 'rank_2.log': steps(2), 'ras.txt': ras })).toMatchObject({
        first: 2,
        behind: [2],
      });
  });

  it('says nothing by counts that differ in a run that goes on or came to its end', async () => {
    for (const ras of [apart, answer([411, 411, 410, 411])])
      expect(await judged({ ...finished([0, 1, 2, 3]), 'ras.txt': ras })).toMatchObject({
        subcause: null,
        first: null,
        behind: [],
      });
  });

  it('names the rank that is dead or does not answer', async () => {
    for (const ras of [gone, answer([411, 411, 411, 411], [3])])
      expect(await judged({ ...waiting([0, 1, 2]), 'ras.txt': ras })).toMatchObject({
        subcause: 'missing_rank',
        first: 3,
        behind: [3],
      });
  });
});

describe('tools of the GPU', () => {
  const launched = Object.fromEntries(
    [0, 1, 2, 3].map((rank) => [
      `rank_${rank}.log`,
      `node1:${900 + rank}:${900 + rank} [${rank}] NCCL INFO comm 0x55 rank ${rank} nranks 4 cudaDev ${rank} busId 1000 - Init COMPLETE\n${steps(rank)}${rank === 1 ? '' : `${timedOut}\n`}`,
    ]),
  );
  const diag = (memory: string) => `Successfully ran diagnostic for group.
+---------------------------+------------------------------------------------+
| Diagnostic                | Result                                         |
+===========================+================================================+
| Software                  | Pass                                           |
| GPU Memory                | ${memory} |
+---------------------------+------------------------------------------------+
`;
  const links = (count: number) =>
    [0, 1]
      .map(
        (gpu) =>
          `GPU ${gpu}: NVIDIA H100 (UUID: GPU-7f)\n\t Link 0: Replay Errors: 0\n\t Link 0: Recovery Errors: ${gpu * count}\n\t Link 0: CRC Errors: 0\n`,
      )
      .join('');
  const health = `Health Monitor Report
+------------------+---------------------------------------------------------+
| Overall Health   | Failure                                                 |
+==================+=========================================================+
| GPU ID: 1        | Failure                                                 |
|                  | NVLink system: Failure - GPU 1's NvLink link 0 is       |
|                  | currently down                                          |
+------------------+---------------------------------------------------------+
`;

  it.each([
    ['dcgmi diag', diag('Fail - GPU: 1                                 '), 'gpu_memory_fault'],
    ['dcgmi health', health, 'nvlink_fault'],
    ['nvidia-smi nvlink -e', links(12), 'nvlink_fault'],
    ['dcgmi dmon', '#Entity    XIDER\nID\nGPU 0      0\nGPU 1      79\nGPU 2      0\n', 'gpu_lost'],
  ])('%s finds the device, and its rank by its number', async (_tool, text, subcause) => {
    expect(await judged({ ...launched, 'tool.txt': text })).toMatchObject({ subcause, first: 1 });
  });

  it.each([
    ['dcgmi diag', diag('Pass - All                                     ')],
    ['nvidia-smi nvlink -e', links(0)],
    ['dcgmi dmon', '#Entity    XIDER\nID\nGPU 0      0\nGPU 1      0\n'],
  ])('%s that finds nothing says nothing', async (_tool, text) => {
    expect(await judged({ ...finished([0, 1, 2, 3]), 'tool.txt': text })).toMatchObject({
      subcause: null,
      first: null,
    });
  });
});

describe('logs of several hosts', () => {
  async function parts(files: Readonly<Record<string, string>>): Promise<number> {
    const folder = await mkdtemp(join(tmpdir(), 'grus-hosts-'));
    try {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), text);
      }
      return (await judgeSeveral(await findRuns(folder), diagnoseRecord))?.length ?? 1;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  const host = (name: string, ranks: readonly number[]) =>
    Array.from({ length: 8 }, (_, at) =>
      ranks
        .map(
          (rank) =>
            `2026-11-16 09:41:2${at},070 INFO [${name} rank${rank}] step ${at + 1}/9 loss ${2 - at / 10}\n`,
        )
        .join(''),
    ).join('');

  it('are one job where no rank is told of twice', async () => {
    expect(await parts({ 'dgx-a.log': host('dgx-a', [0, 1]), 'dgx-b.log': host('dgx-b', [2, 3]) })).toBe(1);
  });

  it('are several runs where each begins at rank 0, or tells of no ranks', async () => {
    expect(await parts({ 'lr-1.log': host('dgx-a', [0, 1]), 'lr-2.log': host('dgx-b', [0, 1]) })).toBe(2);
    expect(await parts({ 'lr-1.log': steps(0), 'lr-2.log': steps(0) })).toBe(2);
  });
});
