// What people paste of an error: with its class, without it, and broken by a terminal. Beside each kind stand lines that look like it and
// say nothing.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { runOf } from '../readers/run-of.js';

const judge = async (...lines: string[]) =>
  diagnoseRecord(await runOf({ 'pasted.txt': `${lines.join('\n')}\n` }));

/** Class, message and what both mean. */
const messages: readonly (readonly [type: string, message: string, subcause: string])[] = [
  [
    'RuntimeError',
    'one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [8, 64]], which is output 0 of ReluBackward0, is at version 4; expected version 3 instead.',
    'in_place_change',
  ],
  [
    'RuntimeError',
    'Given groups=1, weight of size [16, 3, 5, 5], expected input[4, 1, 28, 28] to have 3 channels, but got 1 channels instead',
    'shape_mismatch',
  ],
  [
    'RuntimeError',
    'PytorchStreamReader failed reading zip archive: invalid header or archive is corrupted',
    'truncated_data',
  ],
  ['OSError', "[Errno 5] Input/output error: '/mnt/array/clips/0007.flac'", 'storage_fault'],
  ['OSError', 'image file is truncated (7 bytes not processed)', 'truncated_data'],
  ['OSError', "[Errno 24] Too many open files: '/mnt/array/clips/0007.flac'", 'open_files'],
  ['RuntimeError', 'operator extra_ops::soft_nms does not exist', 'version_mismatch'],
  [
    'Exception',
    'data did not match any variant of untagged enum NormalizerWrapper at line 12 column 3',
    'version_mismatch',
  ],
  ['UnboundLocalError', "local variable 'metrics' referenced before assignment", 'code_error'],
  ['TypeError', "unsupported operand type(s) for +: 'NoneType' and 'float'", 'code_error'],
  [
    'requests.exceptions.ConnectionError',
    "HTTPSConnectionPool(host='tracker.example.org', port=443): Max retries exceeded with url: /api/runs",
    'network',
  ],
];

describe('a message', () => {
  it.each(messages)('%s: %s', async (type, message, subcause) => {
    expect(await judge(`${type}: ${message}`)).toMatchObject({ subcause, abstained: false });
    expect(await judge(message)).toMatchObject({ subcause, abstained: false });
    expect(await judge(`> ${message}`)).toMatchObject({ subcause, abstained: false });
  });

  const long = messages.filter(([, message]) => message.length > 85);
  it.each(long)('broken at 80 columns: %s: %s', async (type, message, subcause) => {
    const pieces = (text: string) => text.match(/.{1,80}/g)!;
    expect(await judge(...pieces(`${type}: ${message}`))).toMatchObject({ subcause, abstained: false });
    expect(await judge(...pieces(message))).toMatchObject({ subcause, abstained: false });
  });
});

const named = [
  ['omegaconf.errors.MissingMandatoryValue: Missing mandatory value: optim.total_steps', 'model_software'],
  [
    'minigrid.error.ResetNeeded: Cannot call step() before reset() of the wrapped environment',
    'model_software',
  ],
  ["pkg_resources.VersionConflict: (numpy 2.1.0 (/opt/lib), Requirement.parse('numpy<2'))", 'model_software'],
  [
    'google.api_core.exceptions.ServiceUnavailable: 503 GET https://storage.example.org/b/rows: try again',
    'memory_hardware',
  ],
  [
    'huggingface_hub.errors.EntryNotFoundError: 404 Client Error. Entry Not Found for url: https://hub.example.org/a/b.json',
    'data_pipeline',
  ],
] as const;

const open = [
  'mylib.training.Trainer: using 4 devices',
  'sklearn.exceptions.ConvergenceWarning: Maximum number of iteration reached before convergence.',
  'org.apache.spark.SparkContext: Running Spark version 3.5.1',
  'torch.nn.Linear',
  'No checkpoint found, starting from scratch',
  'Padding the batch: tensors of different sizes are padded to the longest instead',
  'Retrying (Retry(total=3)) after connection broken by ReadTimeoutError: /simple/torch/',
  'failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected',
  "No module named 'fused_adam', using the built-in optimizer instead",
  'flashnorm is not installed: the slower path is taken.',
  'output folder runs/a is empty, starting a new run',
  'Token indices sequence length is longer than the specified maximum sequence length for this model (700 > 512).',
  'hidden size 512 split among 8 heads',
  'Resuming: optimizer state was not found in the checkpoint, using the default one',
];

describe('a class that is not called an error', () => {
  it.each(named)('%s', async (line, category) => {
    expect(await judge(line)).toMatchObject({ category, abstained: false });
  });

  it.each(open)('and a line that names none: %s', async (line) => {
    expect(await judge(line)).toMatchObject({ category: 'unknown' });
  });
});

describe("a sentence of Python's own behind a program's own words", () => {
  const epochs = (from: number, to: number) =>
    Array.from(
      { length: to - from },
      (_, at) => `Epoch ${from + at} loss ${(2.1 - 0.03 * (from + at)).toFixed(4)}`,
    );

  it.each<[string, string]>([
    ["Error during training: 'Namespace' object has no attribute 'decay_start'", 'model_software'],
    [
      "'charmap' codec can't encode character '\\u2192' in position 3: character maps to <undefined>",
      'model_software',
    ],
    ['Fitting failed: division by zero', 'model_software'],
    [
      "could not go on, error: 'utf-8' codec can't decode byte 0x8f in position 9: invalid start byte",
      'data_pipeline',
    ],
    [
      '2026-03-02 08:11:12,345 - fit - ERROR - Training failed with error: Input contains NaN.',
      'data_pipeline',
    ],
    [
      '2026-03-02 08:11:12,345 - fit - ERROR - Training failed: expected scalar type Half but found Float',
      'model_software',
    ],
  ])('%s', async (said, category) => {
    const line = said.startsWith("'") ? `Run crashed: ${said}` : said;
    expect(await judge(...epochs(1, 5), line)).toMatchObject({ outcome: 'failed', category });
    expect(await judge(...epochs(1, 5), line, ...epochs(5, 30))).not.toMatchObject({ outcome: 'failed' });
  });

  it.each(['index out of range in self', 'CUDA error: device-side assert triggered'])(
    'says nothing where training went on: %s',
    async (said) => {
      const line = `Error during training: ${said}`;
      expect(await judge(...epochs(1, 5), line)).toMatchObject({ outcome: 'failed' });
      expect(await judge(...epochs(1, 5), line, ...epochs(5, 30))).not.toMatchObject({ outcome: 'failed' });
    },
  );

  it.each([
    "Number of failed downloads: 'shard-3'",
    'Reconstruction error: 0.412',
    'mean error of the fold: 3',
  ])('is none of: %s', async (said) => {
    expect(await judge(...epochs(1, 5), said)).not.toMatchObject({ outcome: 'failed' });
  });
});

describe('what an error is about', () => {
  it.each([
    [
      'OSError: [WinError 1455] The paging file is too small for this operation to complete. Error loading "C:\\\\env\\\\cublas64_11.dll"',
      'host_memory',
    ],
    [
      'ImportError: DLL load failed while importing _core: The paging file is too small for this operation to complete.',
      'host_memory',
    ],
    [
      "RuntimeError: Unable to initialize backend 'tpu': ABORTED: The TPU is already in use by process with pid 77.",
      'gpu_other_process',
    ],
    ['Failed to initialize NVML: Unknown Error', 'device_fault'],
    [
      'UserWarning: CUDA initialization: CUDA unknown error - this may be due to an incorrectly set up environment',
      'device_fault',
    ],
    [
      'tracker.MyTrackingException: request to http://10.0.0.3:5000/runs failed: [Errno 111] Connection refused',
      'network',
    ],
    ['OSError: Error no file named model.safetensors found in directory ./out/step_20.', 'missing_data'],
    ["_pickle.UnpicklingError: invalid load key, 'v'.", 'truncated_data'],
    [
      'ValueError: Found array with 0 sample(s) (shape=(0, 9)) while a minimum of 1 is required by MinMaxScaler.',
      'empty_data',
    ],
    ['paramstore.exceptions.StoreConnectionLostException: the store is gone', 'network'],
    ["FileNotFoundError: [Errno 2] No such file or directory: 'ffprobe'", 'missing_package'],
    ["FileNotFoundError: [Errno 2] No such file or directory: 'utterances'", 'missing_data'],
    [
      "terminate called after throwing an instance of 'std::out_of_range'\n  what():  map::at",
      'native_crash',
    ],
    ['memory allocation of 8589934592 bytes failed', 'host_memory'],
    ['DataError: exog contains inf or nans', 'nan_in_data'],
    ['MyReaderError: checksum mismatch in block 12 of rows-003.bin', 'truncated_data'],
    ['ImageError: Cannot determine the file format of "scan.xyz"', 'decode_error'],
    [
      "fatal: unable to access 'https://git.example.org/a/b.git/': Could not resolve host: git.example.org",
      'network',
    ],
    ["*** Error in `python3': free(): invalid pointer: 0x00005581 ***", 'native_crash'],
    [
      'host:1:2 [0] include/shm.h:48 NCCL WARN Error while creating shared memory segment /dev/shm/nccl-Q1 (size 9637888)',
      'shared_memory',
    ],
  ])('%s', async (line, subcause) => {
    expect(await judge(line)).toMatchObject({ subcause, abstained: false });
  });

  it('is told by the operation for a row of a table that TensorFlow does not have', async () => {
    const missed = 'indices[3,9] = 512 is not in [0, 512)';
    expect(await judge(missed, '\t [[{{node net/word_embeddings/Gather}}]]')).toMatchObject({
      subcause: 'token_out_of_vocabulary',
    });
    expect((await judge(missed, '\t [[{{node metrics/Gather}}]]')).subcause).not.toBe(
      'token_out_of_vocabulary',
    );
  });

  it('is rows where a data set stacks nothing, and code elsewhere', async () => {
    const frames = (file: string) => [
      `  File "${file}", line 40, in build`,
      '    rows = np.concatenate(rows)',
    ];
    const raised = 'ValueError: need at least one array to concatenate';
    expect(await judge(...frames('/opt/seg/datasets/tiles.py'), raised)).toMatchObject({
      subcause: 'empty_data',
    });
    expect(await judge(...frames('/opt/seg/models/head.py'), raised)).toMatchObject({
      category: 'model_software',
    });
  });

  it('is how processes are started where the main module has no guard', async () => {
    const said = await judge(
      'RuntimeError: ',
      '        An attempt has been made to start a new process before the',
      '        current process has finished its bootstrapping phase.',
    );
    expect(said).toMatchObject({ subcause: 'code_error', abstained: false });
  });
});

describe('lines of a run that goes on', () => {
  it('tell of no error, whatever they are about', async () => {
    const rows = Array.from(
      { length: 6 },
      (_, epoch) => `epoch ${epoch} loss ${(2 / (epoch + 1)).toFixed(3)}`,
    );
    const said = 'could not read image: image file is truncated (9 bytes not processed)';
    expect((await judge(said, ...rows)).category).not.toBe('data_pipeline');
  });
});
