// Messages of CUDA, cuDNN, cuBLAS, NCCL and their kin, with the numbers they carry.
import type { DeviceMessage, LibraryMessage } from '../../../record/device.js';
import type { FileRecord } from '../../collect/file-record.js';
import type { DecodedLine } from '../context.js';
import { withoutAdvice } from './advice.js';

const sizes: Readonly<Record<string, number>> = {
  bytes: 1,
  byte: 1,
  b: 1,
  kib: 2 ** 10,
  kb: 2 ** 10,
  mib: 2 ** 20,
  mb: 2 ** 20,
  gib: 2 ** 30,
  gb: 2 ** 30,
  tib: 2 ** 40,
  pib: 2 ** 50,
  eib: 2 ** 60,
};
const amount = '(-?\\d+(?:\\.\\d+)?) ?(bytes?|[KMGTPE]i?B|B)';

function bytesIn(text: string, pattern: string): number | null {
  const match = new RegExp(pattern.replaceAll('#', amount), 'i').exec(text);
  if (match === null) return null;
  return Math.round(Number(match[1]) * (sizes[match[2]!.toLowerCase()] ?? 1));
}

/** Nothing below matches a line without one of these. */
const mayBeDevice =
  /memory|cuda|cudnn|CU[A-Z]+_|nccl|hip |xid|gloo|assertion|collective|timed out|OOM|EXHAUSTED/i;

const outOfMemory =
  /(?:CUDA|HIP|XPU|MPS backend|GPU) out of memory|OutOfMemoryError|out of memory (?:while trying to )?allocat|OOM when allocating tensor|RESOURCE_EXHAUSTED: (?:Out of memory|Error allocating|Attempting to (?:reserve|allocate))|\bTried to allocate .{1,30}\(GPU \d+;|Ran out of memory in memory space/i;
/** An allocator that goes on without what it asked for says so. */
const noFailure = /\bnot (?:a |an )?(?:failure|error)\b/i;
const deviceAssert =
  /(?:^|\s)(?:\S*\/)?([\w.-]+\.(?:cu|cuh|cpp|hip)):(\d+): (.*?)(?:: )?block: \[([\d, ]+)\], thread: \[([\d, ]+)\],? Assertion `(.+?)` failed/;
const collectiveTimeout =
  /collective operation timeout|Collective .*timed out|timed out in .*(?:monitored_barrier|NCCL)|Timed out waiting \d+ms for (?:recv|send)/i;

const libraries: readonly (readonly [LibraryMessage['kind'], RegExp])[] = [
  ['xid', /NVRM: Xid \([^)]*\): (\d+)/],
  ['cudnn', /(CUDNN_STATUS_\w+)|cuDNN error: (\w+)|(?:Unable to find a valid cuDNN algorithm)/],
  ['cublas', /(CUBLAS_STATUS_\w+)/],
  ['cusparse', /(CUSPARSE_STATUS_\w+|CUSOLVER_STATUS_\w+|CUFFT_\w+)/],
  [
    'nccl',
    /NCCL (?:WARN|error)[ :]+(.*)|(nccl(?:System|Internal|Remote|UnhandledCuda|Invalid\w+)Error)|(ncclUnhandledCudaError)/,
  ],
  ['gloo', /\[.*gloo.*\] (.*(?:Connection|closed|Timed out).*)/i],
  ['rocm', /HIP error: (.*)/],
  ['cuda_error', /CUDA error: (.*)|CUDA driver error: (.*)|(cudaError\w+)|CUDA error code=\d+\((\w+)\)/],
];

export function readDeviceLine(record: FileRecord, line: DecodedLine): void {
  const message = deviceMessage(record, line);
  if (message !== null) record.deviceMessage(message);
}

function deviceMessage(record: FileRecord, line: DecodedLine): DeviceMessage | null {
  if (!mayBeDevice.test(line.text)) return null;
  const text = withoutAdvice(line.text).slice(0, 2000);
  const base = {
    text,
    at: record.at(line.line),
    rank: line.rank,
    time: line.time,
    step: line.step,
    count: 1,
  };
  if (outOfMemory.test(text) && !noFailure.test(text)) return { kind: 'cuda_oom', ...base, ...amounts(text) };
  const assertion = deviceAssert.exec(text);
  if (assertion) {
    const [, file, sourceLine, kernel, block, thread, condition] = assertion;
    return {
      kind: 'device_assert',
      ...base,
      // Every thread prints its own line: without block and thread they are one message, counted.
      text: `${file}:${sourceLine}: ${kernel}: Assertion \`${condition}\` failed`,
      source: `${file}:${sourceLine}`,
      kernel: kernel!.trim() || null,
      block: coordinates(block!),
      thread: coordinates(thread!),
      condition: condition!,
    };
  }
  if (collectiveTimeout.test(text)) {
    return {
      kind: 'collective_timeout',
      ...base,
      operation: /OpType=(\w+)/.exec(text)?.[1] ?? null,
      sequence: numberIn(text, /SeqNum=(\d+)/),
      elements: numberIn(text, /NumelIn=(\d+)/),
      timeoutMs: numberIn(text, /Timeout\(ms\)=(\d+)/) ?? numberIn(text, /Timed out waiting (\d+)ms/),
      elapsedMs: numberIn(text, /ran for (\d+) milliseconds/),
    };
  }
  for (const [kind, pattern] of libraries) {
    const match = pattern.exec(text);
    if (match)
      return {
        kind,
        ...base,
        code:
          match
            .slice(1)
            .find((part) => part !== undefined)
            ?.slice(0, 200) ?? null,
      };
  }
  return null;
}

function amounts(text: string) {
  const requested =
    bytesIn(text, 'tried to allocate #') ?? bytesIn(text, 'allocat(?:e|ing) #') ?? tensorBytes(text);
  const allocated =
    bytesIn(text, '# is allocated by PyTorch') ??
    bytesIn(text, '# already allocated') ??
    bytesIn(text, 'MPS allocated: #');
  const unallocated = bytesIn(text, '# is reserved by PyTorch but unallocated');
  const others = [...text.matchAll(new RegExp(`Process \\d+ has ${amount} memory in use`, 'gi'))];
  return {
    device: numberIn(text, /GPU (\d+)/),
    requested,
    total:
      bytesIn(text, 'total capacity of #') ??
      bytesIn(text, '# total capacity') ??
      bytesIn(text, 'max allowed: #'),
    allocated,
    free: bytesIn(text, 'of which # is free') ?? bytesIn(text, '# free'),
    reserved:
      bytesIn(text, '# reserved in total') ??
      cachedIn(text, allocated) ??
      (allocated !== null && unallocated !== null ? allocated + unallocated : null),
    process: bytesIn(text, 'this process has #'),
    otherProcesses: others.map((match) =>
      Math.round(Number(match[1]) * (sizes[match[2]!.toLowerCase()] ?? 1)),
    ),
  };
}

/** Early versions of PyTorch count as cached only what is not allocated. */
function cachedIn(text: string, allocated: number | null): number | null {
  const cached = bytesIn(text, '# cached');
  return cached !== null && allocated !== null && cached < allocated ? cached + allocated : cached;
}

/** TensorFlow names the tensor it could not place: its size follows from shape and type. */
function tensorBytes(text: string): number | null {
  const match = /tensor with shape ?\[([\d,]+)\] and type (\w+)/.exec(text);
  if (match === null) return null;
  const elements = match[1]!.split(',').reduce((product, size) => product * Number(size), 1);
  const width = { double: 8, int64: 8, float: 4, int32: 4, half: 2, bfloat16: 2, bool: 1, int8: 1, uint8: 1 }[
    match[2]!
  ];
  return width === undefined ? null : elements * width;
}

function coordinates(text: string): number[] {
  return text.split(',').map((part) => Number(part.trim()));
}

function numberIn(text: string, pattern: RegExp): number | null {
  const match = pattern.exec(text);
  return match === null ? null : Number(match[1]);
}
