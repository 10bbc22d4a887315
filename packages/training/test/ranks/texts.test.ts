// What launchers, schedulers and tools write beside the logs of ranks: who wrote a line, where a rank ran, where it stood.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/index.js';
import { doingOf } from '../../src/ranks/present/doing.js';
import { isLabelled, marksOf, stripPrefixes } from '../../src/readers/console/ranks/prefix.js';
import { hostsOf } from '../../src/readers/jobs/slurm-accounting.js';
import { runOf } from '../readers/run-of.js';

describe('the rank before a line', () => {
  it.each([
    ['[rank3]: KeyError: 1', 3],
    ['[default7]:KeyError: 1', 7],
    ['[trainer12]:KeyError: 1', 12],
    ['[rank: 2] KeyError: 1', 2],
    ['[Rank 5] KeyError: 1', 5],
    ['[1,4]<stderr>: KeyError: 1', 4],
    ['[pod/bert-worker-2/pytorch] KeyError: 1', 2],
    ['[1,mpirank:3,algo-2]<stderr>:KeyError: 1', 3],
    ['ts=2026-03-01 10:00:00,120 level=INFO host=n4 rank=5 msg="KeyError: 1"', 5],
    ['lora rank=8 alpha=16', null],
    ['rank=8 alpha=16', null],
    ['rank=3 epoch=2 step=690 loss=0.8', 3],
    ['13:00:00 [rank 07/n00] step=100', 7],
    ['node-07: [rank6]: KeyError: 1', 6],
    ['[2026-03-01 10:00:00] [rank=4] KeyError: 1', 4],
    ['2026-03-01 10:00:00,120 INFO [rank 2/8] KeyError: 1', 2],
    ['{"time": 12.5, "rank": 3, "message": "KeyError: 1"}', 3],
    ['{"lora": {"rank": 8}}', null],
    ['[2026-03-01 10:00:00] KeyError: 1', null],
    ['[epoch3]: KeyError: 1', null],
    ['[12:30:01] KeyError: 1', null],
  ])('of %j is %j', (line, rank) => {
    expect(stripPrefixes(line).rank).toBe(rank);
  });

  it('is believed without a bracket when a whole log is labelled', () => {
    const labelled = Array.from({ length: 12 }, (_, at) => `${at % 4}: step ${at}`).join('\n');
    const numbered = Array.from({ length: 12 }, (_, at) => `${at}: step ${at}`).join('\n');
    expect([isLabelled(labelled), isLabelled(numbered)]).toEqual([true, false]);
    expect(stripPrefixes('3: KeyError: 1', marksOf(labelled))).toEqual({ text: 'KeyError: 1', rank: 3 });
  });

  it('of a pod or container depends on how the others are counted', () => {
    const line = '[pod/bert-worker-2/pytorch] KeyError: 1';
    expect(stripPrefixes(line, marksOf('[pod/bert-master-0/pytorch] start\n')).rank).toBe(3);
    const [fromZero, fromOne] = ['trainer-0  | a\ntrainer-1  | b\n', 'trainer-1  | a\ntrainer-2  | b\n'];
    expect(stripPrefixes('trainer-1  | KeyError: 1', marksOf(fromZero)).rank).toBe(1);
    expect(stripPrefixes('trainer-1  | KeyError: 1', marksOf(fromOne)).rank).toBe(0);
    expect(stripPrefixes('trainer-1  | KeyError: 1', marksOf('trainer-1  | a\n')).rank).toBeNull();
  });
});

describe('a stack', () => {
  const spied = `Process 812: python train.py
Python v3.11.7 (/usr/bin/python3.11)

Thread 901 (idle): "pin_memory"
    do_one_step (pin_memory.py:31)
Thread 812 (idle): "MainThread"
    wait (threading.py:331)
    get (queue.py:180)
    _try_get_data (torch/utils/data/dataloader.py:1133)
    train (train.py:58)
`;
  const printed = `Timeout (0:09:50)!
Thread 0x00007f15683c7b80 (most recent call first):
  File "/env/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py", line 3004 in all_reduce
  File "/job/train.py", line 61 in train
`;

  it('of py-spy and of faulthandler is the main thread, innermost first', async () => {
    const { stacks } = await runOf({ 'rank_2/py-spy.txt': spied, 'attempt_0/1/stderr.log': printed });
    expect(stacks.map((stack) => [stack.rank, stack.pid, stack.frames.at(-1)?.line, doingOf(stack)])).toEqual(
      [
        [1, null, 61, 'collective'],
        [2, 812, 58, 'loader'],
      ],
    );
  });
});

describe("a scheduler's accounting", () => {
  it('gives the end and the hosts, in columns and with bars', async () => {
    const columns = `JobID           JobName      State ExitCode        NodeList
------------ ---------- ---------- -------- ---------------
42                train NODE_FAIL       0:0     node[07-08]
42.0              train CANCELLED+      0:9          node07
`;
    const bars = `JobID|JobName|State|ExitCode|NodeList\n43|train|OUT_OF_MEMORY|0:125|gpu1\n`;
    const one = await runOf({ 'sacct.txt': columns });
    const two = await runOf({ 'sacct.txt': bars });
    expect(one.exits.map(({ reason }) => reason)).toEqual(['node_failure', 'cancelled']);
    expect(one.hardware.hosts).toEqual(['node07', 'node08']);
    expect(two.exits).toMatchObject([{ source: 'slurm', reason: 'out_of_memory' }]);
    expect(hostsOf('a[1-2,9],b')).toEqual(['a1', 'a2', 'a9', 'b']);
  });
});

describe('a device', () => {
  it('with memory errors is told from one that only corrected some', async () => {
    const query = (count: number) => `==============NVSMI LOG==============

Attached GPUs                             : 1
GPU 00000000:3B:00.0
    ECC Errors
        Volatile
            SRAM Correctable              : 4
            DRAM Uncorrectable            : ${count}
    Clocks Event Reasons
        HW Slowdown                       : Not Active
`;
    const broken = await runOf({ 'smi.txt': query(2) });
    const sound = await runOf({ 'smi.txt': query(0) });
    expect(broken.device).toMatchObject([{ kind: 'gpu_memory_error', code: '0' }]);
    expect(sound.device).toEqual([]);
  });

  it('is known by its process: the rank, its host and its number', async () => {
    const record = await runOf({
      'job.log': `node7:812:901 [3] NCCL INFO comm 0x55 rank 11 nranks 16 cudaDev 3 nvmlDev 3 busId 9b000 - Init COMPLETE
node8:640:700 [0] NCCL INFO comm 0x56 rank 12 nranks 16 cudaDev 0 nvmlDev 0 busId 1b000 - Init COMPLETE
node8:640:700 [0] NCCL INFO comm 0x57 rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 1b000 - Init COMPLETE
`,
      'dmesg.txt':
        '[81204.1] NVRM: Xid (PCI:0000:3b:00): 79, pid=812, name=python, GPU has fallen off the bus.\n',
    });
    const { ranks, subcause, action } = diagnoseRecord(record);
    expect({ subcause, action }).toEqual({ subcause: 'gpu_lost', action: 'exclude_node' });
    expect(ranks).toMatchObject({ world_size: 16, first: { rank: 11, host: 'node7', device: 3 } });
  });
});
