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
  'ninja: build stopped: subcommand failed.',
  'foo-train: error: unrecognized arguments: --colour blue',
  'foo.errors.NamespaceNotFound: Namespace bar not found. Have you installed the proper package for bar?',
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
];
const open = [
  'E0000 00:00:17.79 247 foo_platform.cc:52] failed call to fooInit: INTERNAL: UNKNOWN ERROR (303)',
  'FutureWarning: passing a type as a synonym is deprecated; in a future version it will be understood otherwise.',
  'W foo/allocator.cc:239] ran out of memory trying to allocate 2GiB. The caller indicates that this is not a failure.',
  '[W foo.cpp:53] Could not initialize foo! Reason: Unsupported hardware.',
  'train: Scanning labels... 120 found, 0 missing, 0 empty, 0 corrupted: 100%',
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
