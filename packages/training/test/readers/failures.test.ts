// What a failing run prints: tracebacks with their chain and process, device messages with their numbers, exits.
import { describe, expect, test } from 'vitest';
import { earliestTracebacks, type OutOfMemoryMessage } from '../../src/record/run-record.js';
import { fixture, logOf, runOf } from './run-of.js';

const GiB = 2 ** 30;
const types = (run: Awaited<ReturnType<typeof logOf>>) =>
  run.tracebacks.map((traceback) => traceback.chain.map((raised) => raised.type));

describe('tracebacks', () => {
  test('a chain begins with its first cause', async () => {
    const run = await fixture('tracebacks/chained.log');
    expect(types(run)).toEqual([['KeyError', 'RuntimeError']]);
    const [traceback] = run.tracebacks;
    expect(traceback).toMatchObject({ step: 5, launcher: false, ignored: false, at: { line: 2 } });
    expect(traceback!.chain[0]).toMatchObject({ message: "'labels'", link: null });
    expect(traceback!.chain[0]!.frames.at(-1)).toEqual({
      file: '/job/train.py',
      line: 2,
      function: 'load',
      code: 'return {}["labels"]',
      marked: '{}["labels"]',
    });
    expect(traceback!.chain[1]!.link).toBe('cause');
    expect(types(await fixture('tracebacks/context.log'))).toEqual([
      ['ZeroDivisionError', 'FileNotFoundError'],
    ]);
  });

  test('a DataLoader worker, a spawned process and a pool: the worker’s own exception first', async () => {
    const loader = (await fixture('tracebacks/dataloader-worker.log')).tracebacks[0]!;
    expect(loader.worker).toEqual({ kind: 'dataloader', id: 0 });
    expect(loader.chain[0]).toMatchObject({ type: 'ValueError', message: 'could not decode sample 5' });
    const spawned = (await fixture('tracebacks/spawn.log')).tracebacks[0]!;
    expect(spawned.worker).toEqual({ kind: 'process', id: 1 });
    expect(spawned.chain[0]).toMatchObject({ type: 'IndexError', message: 'rank 1 ran out of shards' });
    const pool = (await fixture('tracebacks/pool.log')).tracebacks[0]!;
    expect(pool.worker).toEqual({ kind: 'process', id: null });
    expect(pool.chain[0]!.frames.at(-1)!.function).toBe('tokenize');
  });

  test('torchrun: ranks apart, the launcher’s own error marked, exit codes and signals', async () => {
    const run = await fixture('tracebacks/torchrun.log');
    expect(run.tracebacks.map(({ rank, launcher }) => [rank, launcher])).toEqual([
      [1, false],
      [0, false],
      [null, true],
    ]);
    expect(earliestTracebacks(run)[0]!.chain[0]).toMatchObject({ type: 'FloatingPointError' });
    expect(run.exits).toContainEqual(expect.objectContaining({ source: 'torchrun', code: 1, rank: 1 }));
    expect(run.exits).toContainEqual(expect.objectContaining({ signal: 'SIGTERM', rank: 0 }));
    expect(run.lastStep).toBe(2);
  });

  test('several lines of message stay together; advice does not join them', async () => {
    const run = await fixture('tracebacks/state-dict.log');
    expect(run.tracebacks[0]!.chain[0]!.message.split('\n')).toHaveLength(3);
    const cuda = await logOf(
      [
        'Traceback (most recent call last):',
        '  File "train.py", line 3, in <module>',
        '    loss.backward()',
        'RuntimeError: CUDA error: device-side assert triggered',
        'CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.',
        'For debugging consider passing CUDA_LAUNCH_BLOCKING=1',
        'Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.',
      ].join('\n'),
    );
    expect(cuda.tracebacks[0]!.chain[0]!.message).toBe('CUDA error: device-side assert triggered');
    expect(cuda.device).toMatchObject([{ kind: 'cuda_error', code: 'device-side assert triggered' }]);
  });

  test('glued to a progress bar, repeated, and cut before its last line', async () => {
    const body = '  File "a.py", line 1, in f\n    x\nValueError: bad\n';
    const glued = await logOf(
      ` 5%|▌         | 5/100 [00:01<00:20,  4.5it/s]Traceback (most recent call last):\n${body}`,
    );
    expect(types(glued)).toEqual([['ValueError']]);
    const twice = await logOf(
      `Traceback (most recent call last):\n${body}\nTraceback (most recent call last):\n${body}`,
    );
    expect(twice.tracebacks).toMatchObject([{ count: 2 }]);
    const cut = await logOf('Traceback (most recent call last):\n  File "a.py", line 1, in f\n    x');
    expect(cut.tracebacks).toEqual([]);
    expect(cut.text.lines.at(-1)!.text).toBe('    x');
  });

  test('the error file of torchrun', async () => {
    const run = await runOf({
      'attempt_0/1/error.json': JSON.stringify({
        message: {
          message: 'ValueError: bad',
          extraInfo: {
            py_callstack:
              'Traceback (most recent call last):\n  File "t.py", line 9, in main\n    go()\nValueError: bad\n',
            timestamp: '1700000000',
          },
        },
      }),
    });
    expect(run.tracebacks).toMatchObject([
      { rank: 1, time: 1_700_000_000_000, chain: [{ type: 'ValueError' }] },
    ]);
  });
});

describe('device messages', () => {
  test('out of memory, today’s sentence and the older one, in bytes', async () => {
    const now = await logOf(
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 1 has a total capacity of 80.00 GiB of which 1.50 GiB is free. Process 4242 has 10.00 GiB memory in use. Including non-PyTorch memory, this process has 68.50 GiB memory in use. Of the allocated memory 60.00 GiB is allocated by PyTorch, and 5.00 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.',
    );
    expect(now.device).toMatchObject([
      {
        kind: 'cuda_oom',
        device: 1,
        requested: 2 * GiB,
        total: 80 * GiB,
        free: 1.5 * GiB,
        allocated: 60 * GiB,
        reserved: 65 * GiB,
        process: 68.5 * GiB,
        otherProcesses: [10 * GiB],
      },
    ]);
    expect(now.device[0]!.text).not.toContain('fragmentation');
    const old = await logOf(
      'RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 16.00 GiB total capacity; 14.00 GiB already allocated; 19.00 MiB free; 14.50 GiB reserved in total by PyTorch)',
    );
    expect(old.device[0] as OutOfMemoryMessage).toMatchObject({
      requested: 20 * 2 ** 20,
      total: 16 * GiB,
      allocated: 14 * GiB,
      free: 19 * 2 ** 20,
      reserved: 14.5 * GiB,
      otherProcesses: [],
    });
  });

  test('device-side asserts of many threads are one message, counted', async () => {
    const line = (thread: number) =>
      `/pytorch/aten/src/ATen/native/cuda/Indexing.cu:1231: indexSelectSmallIndex: block: [0,0,0], thread: [${thread},0,0] Assertion \`srcIndex < srcSelectDimSize\` failed.`;
    const run = await logOf(Array.from({ length: 64 }, (_, thread) => line(thread)).join('\n'));
    expect(run.device).toMatchObject([
      {
        kind: 'device_assert',
        source: 'Indexing.cu:1231',
        kernel: 'indexSelectSmallIndex',
        thread: [0, 0, 0],
        condition: 'srcIndex < srcSelectDimSize',
        count: 64,
      },
    ]);
  });

  test('a collective that timed out', async () => {
    const run = await logOf(
      '[rank3]:[E1115 03:19:59 ProcessGroupNCCL.cpp:629] [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=5, OpType=ALLREDUCE, NumelIn=1024, NumelOut=1024, Timeout(ms)=600000) ran for 600029 milliseconds before timing out.',
    );
    expect(run.device).toMatchObject([
      {
        kind: 'collective_timeout',
        rank: 3,
        operation: 'ALLREDUCE',
        sequence: 5,
        timeoutMs: 600_000,
        elapsedMs: 600_029,
      },
    ]);
  });
});

describe('exits', () => {
  test.each([
    ['Killed', { source: 'shell', reason: 'signal', signal: 'SIGKILL' }],
    [
      ' 20%|██        | 3/15 [1:27<5:56, 17.4s/it, loss=3.71]Killed',
      { source: 'shell', reason: 'signal', signal: 'SIGKILL' },
    ],
    ['已杀死', { source: 'shell', signal: 'SIGKILL' }],
    ['run.sh: line 3: 12345 Killed                  python train.py', { source: 'shell', signal: 'SIGKILL' }],
    ['Segmentation fault (core dumped)', { signal: 'SIGSEGV' }],
    ['Process finished with exit code 137', { code: 137, signal: 'SIGKILL' }],
    [
      'slurmstepd: error: Detected 1 oom-kill event(s) in StepId=123.batch',
      { source: 'slurm', reason: 'out_of_memory' },
    ],
    [
      'slurmstepd: error: *** JOB 123 ON n1 CANCELLED AT 2024-01-01T00:00:00 DUE TO TIME LIMIT ***',
      { reason: 'timeout' },
    ],
    [
      'slurmstepd: error: *** JOB 123 ON n1 CANCELLED AT 2024-01-01T00:00:00 DUE TO PREEMPTION ***',
      { reason: 'preempted' },
    ],
    ['      Reason:       OOMKilled', { source: 'kubernetes', reason: 'out_of_memory', code: 137 }],
    [
      '[123.4] Out of memory: Killed process 77 (python) total-vm:1kB',
      { source: 'kernel', reason: 'out_of_memory' },
    ],
    ['srun: error: n1: task 3: Exited with exit code 1', { source: 'slurm', code: 1, rank: 3 }],
  ])('%s', async (line, expected) => {
    const run = await logOf(`step 1 loss 2\n${line}\n`);
    expect(run.exits).toMatchObject([expected]);
  });

  test('text that mentions killing or an exit is no exit', async () => {
    const run = await logOf(
      'the job killed the old checkpoint\nwill exit after 3 epochs\nSignal processing loaded\n',
    );
    expect(run.exits).toEqual([]);
  });
});

test('prefixes of launchers and collectors are taken off and give the rank', async () => {
  const run = await logOf(
    [
      '2024-01-01T00:00:00.123456789Z stderr F Traceback (most recent call last):',
      '2024-01-01T00:00:00.123456789Z stderr F   File "a.py", line 1, in f',
      '2024-01-01T00:00:00.123456789Z stderr F ValueError: from the pod',
      '[1,3]<stderr>:Traceback (most recent call last):',
      '[1,3]<stderr>:  File "a.py", line 1, in f',
      '[1,3]<stderr>:KeyError: 3',
    ].join('\n'),
  );
  expect(run.tracebacks.map(({ rank, chain }) => [rank, chain[0]!.type])).toEqual([
    [null, 'ValueError'],
    [3, 'KeyError'],
  ]);
  expect(run.tracebacks[0]!.time).toBe(Date.UTC(2024, 0, 1, 0, 0, 0, 123));
});
