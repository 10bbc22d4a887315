// Complaints that no class and no traceback announces, by what they are about, each family beside lines that only resemble it.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { logOf } from '../readers/run-of.js';

const judge = async (...lines: string[]) => diagnoseRecord(await logOf(`${lines.join('\n')}\n`));

const software = [
  "nvcc fatal   : Unsupported gpu architecture 'compute_95'",
  'The detected driver release version (12.1) mismatches the version that was used to compile Foo (11.7).',
  'Foo 4000 with capability sm_95 is not compatible with the current Bar installation.',
  'fatal error: foo_runtime.h: No such file or directory',
  '/usr/bin/ld: cannot find -lfoo',
  'foo.so: undefined symbol: _ZN3foo3barEv',
  "libbar.so.6: version `BAR_3.4.29' not found (required by foo.so)",
  "Error in library(foo) : there is no package called 'foo'",
  'one of the variables needed for gradient computation has been modified by an inplace operation',
  'ninja: build stopped: subcommand failed.',
  'foo-train: error: unrecognized arguments: --colour blue',
  'foo.errors.NamespaceNotFound: Namespace bar not found. Have you installed the proper package for bar?',
];
const configuration = [
  ['Config validation error', 'pretraining -> batcher        extra fields not permitted'],
  ["Error merging 'config' with schema", "Key 'exp_name' not in 'FooConfig'"],
  ["Error: Invalid config override '-train': name should start with --"],
  ['2026-02-19T08:31:02 (recipe.sh:306:main) Error: --train_set is required'],
];
const memory = [
  'CUBLAS_STATUS_ALLOC_FAILED when calling `fooCreate(handle)`',
  'Your session crashed after using all available RAM.',
  'The node was low on resource: memory.',
  'W foo/op_kernel.cc:1192] Resource exhausted: OOM when allocating tensor with shape[123008,500]',
];
const data = [
  'Wrong annotation: class_id = 5. But class_id should be [from 0 to 3]',
  'train: WARNING: ignoring corrupt image/label a.png: non-normalized or out of bounds coordinates [1.4]',
  'foo2.error: /src/resize.cpp:4051: error: (-215:Assertion failed) !ssize.empty() in function resize',
  'ERROR (get-egs[5.5]:main():get-egs.cc:385) No eg was created.',
  'UserWarning: Some entities could not be aligned in the text and will be ignored during training.',
  'foo.lib.ArrowInvalid: Column(/text) changed from string to array in row 12',
  'cut: data/train_all/text: No such file or directory',
  'InvalidArgumentError: Invalid JPEG data or crop window, data size 36864',
  'Cannot load image "data/obj/12.jpg"',
  'libpng error: Read Error',
  'gzip: train.csv.gz: unexpected end of file',
  '_csv.Error: line contains NUL',
  'foo.errors.InvalidArgumentError: indices[0,12] = 30522 is not in [0, 30522)',
  'zipfile.BadZipFile: File is not a zip file',
  'ERROR: lengths of features and alignments differ',
  'steps/normalise.sh: no such file exp/train/feats.scp',
  'ERROR (foo-copy[5.5]:table.h:2149) keys are out of order or duplicated: spk2-a is followed by spk1-b',
  'AssertionError: [E1] It looks like there is no proper sample data to initialize the component.',
  'ZeroDivisionError: All labels in your dataset are -100. Training losses will be all 0.',
  'InvalidArgumentError: Not enough time for target transition sequence (required: 9, available: 7)',
];
const read = [
  'Traceback (most recent call last):',
  '  File "/app/train.py", line 9, in <module>',
  '    row = data[3]',
  '  File "/app/core/dataset.py", line 141, in random_flip',
  '    boxes[:, [0, 2]] = width - boxes[:, [2, 0]]',
];
const open = [
  'E0000 00:00:17.79 247 foo_platform.cc:52] failed call to fooInit: INTERNAL: UNKNOWN ERROR (303)',
  'FutureWarning: passing a type as a synonym is deprecated; in a future version it will be understood otherwise.',
  'W foo/allocator.cc:239] ran out of memory trying to allocate 2GiB. The caller indicates that this is not a failure.',
  '[W foo.cpp:53] Could not initialize foo! Reason: Unsupported hardware.',
  'train: Scanning labels... 120 found, 0 missing, 0 empty, 0 corrupted: 100%',
  'cp: exp/tuned/final.mdl: No such file or directory',
  'train: all labels of the padded positions are -1 by design',
  'sorted: keys of both tables agree',
  'libpng warning: iCCP: known incorrect sRGB profile',
  'gzip: train.csv.gz: 81.2% -- replaced with train.csv',
  'symbol versions found: FOO_3.4.29, required by foo.so',
  'lengths of features and alignments agree',
  'Some weights of Foo were not initialized from the model checkpoint and are newly initialized.',
  'UserWarning: This loader will create 8 worker processes in total. Our suggested max number is 2.',
];

describe('a line that complains', () => {
  it.each(software)('of what is installed: %s', async (line) => {
    expect(await judge(line)).toMatchObject({ category: 'model_software', abstained: false });
  });

  it.each(memory)('of memory: %s', async (line) => {
    expect(await judge(line)).toMatchObject({ category: 'memory_hardware', abstained: false });
  });

  it.each(data)('of data: %s', async (line) => {
    expect(await judge(line)).toMatchObject({ category: 'data_pipeline', abstained: false });
  });

  it.each(open)('and one that does not: %s', async (line) => {
    expect(await judge(line)).toMatchObject({ category: 'unknown' });
  });

  it.each(configuration)('of what was configured: %s', async (...lines) => {
    expect(await judge(...lines)).toMatchObject({ subcause: 'invalid_configuration', abstained: false });
  });

  it('is about values where a reader of data raised it, and about code where another did', async () => {
    const raised = 'IndexError: too many indices for array';
    expect(await judge(...read, raised)).toMatchObject({ category: 'data_pipeline' });
    const elsewhere = read.map((line) => line.replace('dataset.py', 'layers.py'));
    expect((await judge(...elsewhere, raised)).category).not.toBe('data_pipeline');
    expect((await judge(...read, "NameError: name 'boxs' is not defined")).category).toBe('model_software');
    const called = (name: string) => elsewhere.map((line) => line.replace('random_flip', name));
    expect(await judge(...called('get_random_data'), raised)).toMatchObject({ category: 'data_pipeline' });
    expect((await judge(...called('get_optimizer'), raised)).category).toBe('model_software');
  });

  it('in a line that the last error points back to, and not in one that it does not', async () => {
    const said = 'Error: Unexpected labels found in file case_004.png.';
    const raised = 'RuntimeError: Some images contained errors.';
    expect(await judge(said, `${raised} Please check text output above`)).toMatchObject({
      category: 'data_pipeline',
    });
    expect((await judge(said, "NameError: name 'boxs' is not defined")).category).toBe('model_software');
  });

  it('of a division by nothing is of the code, whatever that was to count', async () => {
    expect((await judge('ZeroDivisionError: division by zero')).category).toBe('model_software');
  });

  it('of what cannot be written is not of data', async () => {
    const said = "codec can't encode character '\\u2713' in position 2: character maps to <undefined>";
    expect((await judge(`UnicodeEncodeError: 'charmap' ${said}`)).category).toBe('model_software');
    expect(
      (await judge("UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe9 in position 104")).category,
    ).toBe('data_pipeline');
  });

  it('by a class whose name says what went wrong', async () => {
    const failed = "torch.exc.BackendCompilerFailed: backend='foo' raised:";
    expect(
      await judge(...read.slice(0, 3), failed, 'RuntimeError: Cannot find a working foo installation.'),
    ).toMatchObject({ category: 'model_software', abstained: false });
  });

  it('ended nothing where training went on after it', async () => {
    const steps = [5, 4, 3.2, 2.9].map((loss, at) => `step ${at} loss ${loss}`);
    expect(await judge(data[1]!, ...steps)).toMatchObject({ category: 'unknown' });
  });

  it('is no command that was repeated with its options', async () => {
    const command =
      "[ERROR] [launch.py:324] ['python', '-u', 'run.py', '--batch_size', '4', '--shape', 'square', '--data', 'x.csv']";
    expect(await judge(command)).toMatchObject({ category: 'unknown' });
  });
});
