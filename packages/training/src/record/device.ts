// Messages of accelerators and their libraries, with the numbers they carry. Advice the libraries print beside an
// error ("compile with TORCH_USE_CUDA_DSA", "try setting max_split_size_mb") is never kept as a message.
import type { Where } from './where.js';

interface DeviceMessageBase {
  /** The message's own sentence, cut at a bound. */
  readonly text: string;
  readonly at: Where;
  readonly rank: number | null;
  readonly time: number | null;
  readonly step: number | null;
  /** How often the same message was printed. */
  readonly count: number;
  /** Its last printing, when there were several. */
  readonly again?: { readonly at: Where };
}

/** All amounts in bytes; null where the sentence does not say. */
export interface OutOfMemoryMessage extends DeviceMessageBase {
  readonly kind: 'cuda_oom';
  readonly device: number | null;
  readonly requested: number | null;
  readonly total: number | null;
  readonly allocated: number | null;
  readonly free: number | null;
  /** Total reserved by the caching allocator (allocated + cached). */
  readonly reserved: number | null;
  /** In use by this process, contexts included. */
  readonly process: number | null;
  /** In use by each of the other processes that the sentence lists. */
  readonly otherProcesses: readonly number[];
}

export interface DeviceAssertMessage extends DeviceMessageBase {
  readonly kind: 'device_assert';
  /** Source of the kernel: "Indexing.cu:1231". */
  readonly source: string | null;
  readonly kernel: string | null;
  readonly block: readonly number[] | null;
  readonly thread: readonly number[] | null;
  /** The condition that failed: "srcIndex < srcSelectDimSize", "t >= 0 && t < n_classes". */
  readonly condition: string | null;
}

export interface LibraryMessage extends DeviceMessageBase {
  readonly kind:
    | 'cuda_error'
    | 'cudnn'
    | 'cublas'
    | 'cusparse'
    | 'nccl'
    | 'gloo'
    | 'xid'
    | 'rocm'
    | 'mps'
    | 'xla'
    /** Of `nvidia-smi` and `dcgmi`; the code is the number of the device. */
    | 'gpu_memory_error'
    | 'gpu_throttled'
    | 'gpu_missing'
    | 'nvlink_error'
    /** Of `ncclras`: dead or without an answer; behind in the number of launched operations. */
    | 'rank_gone'
    | 'rank_behind'
    /** Of `ibstat` and `perfquery`: a port that is slower than those beside it, or that alone counts errors. */
    | 'port_slow'
    | 'port_errors';
  /** The library's own name of the error: "CUBLAS_STATUS_ALLOC_FAILED", "illegal memory access", "Xid 79". */
  readonly code: string | null;
}

export interface CollectiveTimeoutMessage extends DeviceMessageBase {
  readonly kind: 'collective_timeout';
  /** "ALLREDUCE", "BROADCAST"... */
  readonly operation: string | null;
  readonly sequence: number | null;
  readonly elements: number | null;
  readonly timeoutMs: number | null;
  readonly elapsedMs: number | null;
}

export type DeviceMessage =
  | OutOfMemoryMessage
  | DeviceAssertMessage
  | LibraryMessage
  | CollectiveTimeoutMessage;
