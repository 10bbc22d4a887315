// Statuses of closed lists, by what they mean, each beside lines in which the same words end nothing.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { statusOf } from '../../src/messages/statuses.js';
import { logOf } from '../readers/run-of.js';

const judge = async (...lines: string[]) => diagnoseRecord(await logOf(`${lines.join('\n')}\n`));
const steps = [2.9, 2.8, 2.72, 2.61, 2.55, 2.47].map((loss, at) => `step ${at} loss ${loss}`);

const meanings = [
  ['CUBLAS_STATUS_ALLOC_FAILED', 'gpu_capacity'],
  ['CUDA_ERROR_OUT_OF_MEMORY', 'gpu_capacity'],
  ['cudaErrorLaunchTimeout', 'device_fault'],
  ['CUDA_ERROR_LAUNCH_TIMEOUT', 'device_fault'],
  ['the launch timed out and was terminated', 'device_fault'],
  ['CUSOLVER_STATUS_INTERNAL_ERROR', 'device_fault'],
  ['CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH', 'version_mismatch'],
  ['cudaErrorUnsupportedPtxVersion', 'version_mismatch'],
  ['hipErrorNoBinaryForGpu', 'version_mismatch'],
  ['CUFFT_INVALID_SIZE', 'code_error'],
  ['cudaErrorAssert', 'index_out_of_range'],
  ['Memory access fault by GPU node-1', 'device_fault'],
  ['UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY', 'gpu_capacity'],
  ["an instance of 'std::bad_alloc'", 'host_memory'],
] as const;

describe('a status', () => {
  it.each(meanings)('%s means %s', (status, subcause) => {
    expect(statusOf(`foo.cu:12: ${status}`)?.subcause).toBe(subcause);
  });

  it('of success, of a question at the start, or of another kind is none', () => {
    for (const said of [
      'Check passed: status == CUBLAS_STATUS_SUCCESS',
      'failed call to cuInit: CUDA_ERROR_NO_DEVICE: no device is detected',
      'HTTP_STATUS_NOT_SUPPORTED',
      'job status: running',
    ])
      expect(statusOf(said)).toBeNull();
  });

  it('alone, or at the end of a log, tells the cause', async () => {
    const said = 'Cuda error in file src/foo.cu line 211: the launch timed out and was terminated.';
    for (const before of [[], steps])
      expect(await judge(...before, said)).toMatchObject({
        category: 'memory_hardware',
        subcause: 'device_fault',
      });
  });

  it('ended nothing where training went on after it', async () => {
    const said = 'foo: CUBLAS_STATUS_NOT_INITIALIZED, retrying on the host';
    expect((await judge(said, ...steps)).category).toBe('unknown');
  });
});

describe('a launcher that tells of a death', () => {
  const report = (code: number) => [
    ...steps,
    `ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: ${code}) local_rank: 1 (pid: 77) of binary: python3`,
    'Traceback (most recent call last):',
    '  File "/usr/bin/torchrun", line 8, in <module>',
    '    sys.exit(main())',
    '  File "/lib/python3.10/site-packages/torch/distributed/launcher/api.py", line 250, in launch_agent',
    '    raise ChildFailedError(',
    'torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ',
  ];

  it('by SIGKILL blames what is outside of the run', async () => {
    expect((await judge(...report(-9))).category).toBe('memory_hardware');
  });

  it('blames nobody outside where the run left by itself', async () => {
    expect((await judge(...report(1))).category).not.toBe('memory_hardware');
  });
});

describe('a scheduler that tells why it ended a job', () => {
  it.each([
    ['=>> PBS: job killed: walltime 86442 exceeded limit 86400', 'time_limit'],
    ['=>> PBS: job killed: vmem 67109888kb exceeded limit 67108864kb', 'host_memory'],
    ['TERM_RUNLIMIT: job killed after reaching LSF run time limit.', 'time_limit'],
    ['TERM_MEMLIMIT: job killed after reaching LSF memory usage limit.', 'host_memory'],
    ['TERM_OWNER: job killed by owner.', 'terminated'],
    ['Training job foo: Stopped. Reason: MaxRuntimeExceeded', 'time_limit'],
    ["Task's current input in-7 hit its timeout of 21600s", 'time_limit'],
    ['zsh: killed     python train.py', 'terminated'],
    ['client_loop: send disconnect: Broken pipe', 'terminated'],
  ])('%s', async (said, subcause) => {
    expect(await judge(...steps, said)).toMatchObject({ category: 'memory_hardware', subcause });
  });

  it('is not heard of a task that is tried again', async () => {
    const again = 'Task 3 of the reader hit its timeout of 30s, retrying';
    expect((await judge(again, ...steps)).category).toBe('unknown');
  });

  it('is not heard in a setting', async () => {
    expect(
      (await judge('walltime limit: 24:00:00', 'max runtime exceeded action: none', ...steps)).category,
    ).toBe('unknown');
  });
});

describe('what a tool says of the system', () => {
  it.each([
    ["cp: error writing 'out/last.pt': No space left on device", 'disk_full'],
    ['tee: train.log: Input/output error', 'storage_fault'],
    ['run.sh: line 22: log.txt: Read-only file system', 'storage_fault'],
    ['run.sh: fork: Cannot allocate memory', 'host_memory'],
  ])('%s', async (said, subcause) => {
    expect(await judge(...steps, said)).toMatchObject({ category: 'memory_hardware', subcause });
  });

  it('is no complaint inside of a sentence', async () => {
    expect(
      (await judge('mounting /data as a read-only file system for the workers', ...steps)).category,
    ).toBe('unknown');
  });
});

describe('a decoder that complains', () => {
  const crash = (code: string) => [
    'Traceback (most recent call last):',
    '  File "/app/train.py", line 9, in <module>',
    '    main()',
    '  File "/app/views.py", line 41, in crop',
    `    ${code}`,
    "TypeError: 'NoneType' object is not subscriptable",
  ];

  it.each(['libpng error: IDAT: invalid stored block lengths', 'Premature end of JPEG file'])(
    'before the picture is missed: %s',
    async (said) => {
      expect((await judge(said, ...crash('left = view[:, :10]'))).category).toBe('data_pipeline');
    },
  );

  it('is not needed where the reading itself gave nothing', async () => {
    expect((await judge(...crash('left = cv2.imread(path)[:, :10]'))).category).toBe('data_pipeline');
  });

  it('is what blames the data: without it the code is at fault', async () => {
    expect((await judge(...crash('left = view[:, :10]'))).category).toBe('model_software');
  });

  it('of a file that does not matter ends nothing', async () => {
    expect(
      (await judge('Corrupt JPEG data: 12 extraneous bytes before marker 0xd9', ...steps)).category,
    ).toBe('unknown');
  });
});

describe('a training set', () => {
  const divided = [
    'Traceback (most recent call last):',
    '  File "/app/train.py", line 9, in <module>',
    '    mean = total / count',
    'ZeroDivisionError: division by zero',
  ];

  it('of nothing, said before the error, is the cause', async () => {
    expect(await judge('training set: 0 samples', ...divided)).toMatchObject({ subcause: 'empty_data' });
    expect(await judge('Loaded 0 training examples', ...divided)).toMatchObject({ subcause: 'empty_data' });
  });

  it('of some samples is not', async () => {
    for (const said of ['training set: 0.8 of all', 'training samples: 0/1200', 'training set: 120 samples'])
      expect((await judge(said, ...divided)).category).toBe('model_software');
  });
});
