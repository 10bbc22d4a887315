// What the first error of the run talks about, as 0 or 1 per subject. Advice and launchers' trailers were taken out before.
import { defineFeature, type Feature } from './define.js';
import type { RunView } from './view.js';

const subjects: Readonly<Record<string, readonly [definition: string, pattern: RegExp]>> = {
  text_device_memory: [
    'running out of device memory',
    /out of memory|CUBLAS_STATUS_ALLOC_FAILED|OutOfMemory|RESOURCE_EXHAUSTED/i,
  ],
  text_host_resource: [
    'host memory, disk, shared memory or processes',
    /no space left|bus error|shared memory|shm|cannot allocate memory|MemoryError|oom.?kill|worker .*killed|disk quota/i,
  ],
  text_index: [
    'an index, label or token outside its range',
    /index out of (range|bounds)|device-side assert|out of bounds|invalid (label|target)|Target \d+ is out|label value/i,
  ],
  text_shape: [
    'sizes or shapes that do not fit',
    /shape|size mismatch|dimension|divisible|sizes of tensors|mat1 and mat2|broadcast/i,
  ],
  text_dtype_device: [
    'a number type or a device',
    /dtype|expected scalar type|same device|Half|BFloat16|expected all tensors/i,
  ],
  text_checkpoint: ['keys of a checkpoint', /state_dict|Missing key|Unexpected key|checkpoint/i],
  text_autograd: ['the autograd graph', /backward|inplace|in-place|does not require grad|autograd|grad_fn/i],
  text_data_file: [
    'files, decoding or parsing of data',
    /FileNotFound|UnicodeDecode|JSONDecode|ParserError|UnidentifiedImage|truncated|EOFError|Arrow|KeyError/i,
  ],
  text_version: [
    'imports, versions or builds',
    /ImportError|ModuleNotFound|undefined symbol|GLIBC|no kernel image|version|not compiled/i,
  ],
  text_collective: [
    'communication between ranks',
    /NCCL|gloo|rendezvous|ProcessGroup|collective|all_?reduce|broadcast timeout/i,
  ],
  text_nonfinite: ['NaN or infinite values', /\bnan\b|\binf\b|non-?finite|infinite|overflow/i],
};

const firstText = (view: RunView): string | null => {
  const first = view.failures[0];
  if (first) return first.text;
  return view.record.device[0]?.text ?? null;
};

export const textFeatures: readonly Feature[] = [
  ...Object.entries(subjects).map(([name, [definition, pattern]]) =>
    defineFeature('text', name, {
      definition: `1 when the first error is about ${definition}, 0 when it is not; missing without text.`,
      compute: (view) => {
        const text = firstText(view);
        if (text === null) return view.record.text.lines.length === 0 ? undefined : 0;
        return pattern.test(text) ? 1 : 0;
      },
    }),
  ),
  defineFeature('text', 'text_error', {
    definition:
      '1 when any traceback or error line was found, 0 when the text holds none; missing without text.',
    compute: (view) => (view.record.text.lines.length === 0 ? undefined : view.failures.length > 0 ? 1 : 0),
  }),
];
