// What drivers, device libraries, systems and decoders answer with when they refuse: closed lists, known from their documentation and
// not from the source of any library. Each status has a name, a sentence, or both; the rows below say what it means.
import type { Subcause } from '../causes/table.js';
import type { Complaint } from './complaints.js';

interface Meaning extends Complaint {
  /** Names as a program prints them: CUBLAS_STATUS_ALLOC_FAILED, cudaErrorLaunchTimeout. */
  readonly named?: RegExp;
  /** The sentence that belongs to a name, where programs print it alone. */
  readonly says?: RegExp;
}

/** Of the libraries that compute on a device: the same few words behind each library's name. */
const ofLibrary = (words: string): RegExp =>
  new RegExp(
    String.raw`\b(?:CU(?:BLAS(?:LT)?|DNN|FFT|SOLVER|SPARSE(?:LT)?|RAND|TENSOR)|HIP(?:BLAS|FFT|SOLVER|SPARSE|RAND)|(?:ROC|roc)BLAS|MIOPEN|miopen)_?(?:STATUS_?)?(?:${words})\b`,
  );
/** Of the driver (CUDA_ERROR_NAME) and the runtime (cudaErrorName), whatever the vendor. */
const ofDriver = (words: string): RegExp =>
  new RegExp(
    String.raw`\b(?:CUDA_ERROR|HIP_ERROR|cudaError|hipError)_?(?:${words
      .split('|')
      .flatMap((word) => [word, word.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()])
      .join('|')})\b`,
  );

const meanings: readonly Meaning[] = [
  {
    subcause: 'gpu_capacity',
    certainty: 0.9,
    named: ofLibrary('ALLOC(?:ATION)?_FAILED|ALLOC_ERROR|INSUFFICIENT_RESOURCES|memory_error'),
  },
  {
    subcause: 'gpu_capacity',
    certainty: 0.88,
    named: ofDriver('MemoryAllocation|OutOfMemory'),
    // A copy to a device that had no room for it.
    says: /\bDst tensor is not initialized\b|\b(?:PI|UR_RESULT)_ERROR_OUT_OF_(?:RESOURCES|DEVICE_MEMORY)\b|\bout of memory on device\b|\bmalloc device memory failed\b/i,
  },
  {
    subcause: 'version_mismatch',
    certainty: 0.84,
    named: ofLibrary(
      'ARCH_MISMATCH|(?:SUBLIBRARY_)?VERSION_MISMATCH|RUNTIME_PREREQUISITE_MISSING|LICENSE_ERROR|NOT_SUPPORTED(?:_\\w+)?',
    ),
  },
  {
    subcause: 'version_mismatch',
    certainty: 0.86,
    named: ofDriver(
      'InsufficientDriver|NoKernelImageForDevice|NoBinaryForGpu|InvalidDeviceFunction|InvalidKernelImage|InvalidImage|InvalidPtx|UnsupportedPtxVersion|JitCompilerNotFound|JitCompilationDisabled|SystemDriverMismatch|CompatNotSupportedOnDevice|CallRequiresNewerDriver|StubLibrary',
    ),
    says: /\bno kernel image is available\b|\bdriver version is insufficient\b|\binvalid device (?:function|symbol)\b|\bdevice kernel image is invalid\b|\bcompiled with an unsupported toolchain\b|\bunsupported display driver \/ cuda driver combination\b|\bforward compatibility was attempted\b|\bPTX JIT compil(?:er library not found|ation (?:failed|was disabled))|\bnot supported in the installed CUDA driver\b/i,
  },
  {
    subcause: 'invalid_configuration',
    certainty: 0.84,
    named: ofDriver('InvalidDevice'),
    says: /\binvalid device ordinal\b/i,
  },
  {
    subcause: 'index_out_of_range',
    certainty: 0.82,
    named: ofDriver('Assert'),
    says: /\bdevice-side assert triggered\b/i,
  },
  {
    subcause: 'device_fault',
    certainty: 0.82,
    named: ofDriver(
      'LaunchTimeout|LaunchFailure|LaunchFailed|IllegalAddress|MisalignedAddress|IllegalInstruction|HardwareStackError|EccUncorrectable|ECCUncorrectable|NvlinkUncorrectable|DevicesUnavailable|DeviceUnavailable|SystemNotReady|InvalidPc|InvalidAddressSpace|Contained|TensorMemoryLeak|MpsConnectionFailed|MpsRpcFailure|MpsServerNotReady|Unknown',
    ),
    says: /\b(?:PI|UR_RESULT)_ERROR_DEVICE_LOST\b|\bmemory access fault by GPU\b|\bthe launch timed out and was terminated\b|\bunspecified launch failure\b|\billegal (?:memory access|instruction) was encountered\b|\bmisaligned address\b|\bhardware stack error\b|\buncorrectable (?:ECC|NVLink) error\b|\bdevices?(?:\(s\))? (?:is\/are|are|is) busy or unavailable\b|\bsystem not yet initialized\b|\bGPU access blocked by the operating system\b|\bremote procedural call between the MPS server\b|\binvalid program counter\b/i,
  },
  // The system's own words for what it refuses, at the end of what a tool says.
  {
    subcause: 'host_memory',
    certainty: 0.85,
    says: /: cannot allocate memory\W*$|\bcannot allocate vector of size\b|\binstance of 'std::bad_alloc'|\bpthread_create failed\b|\bcan't start new thread\b|\bunable to allocate necessary resources for OMP thread\b/i,
  },
  {
    subcause: 'disk_full',
    certainty: 0.92,
    says: /: (?:no space left on device|disk quota exceeded)\W*$|\bephemeral (?:local )?storage\b.{0,40}\bexceeds\b/i,
  },
  // What a stream of C++ says when a write failed.
  { subcause: 'disk_full', certainty: 0.72, says: /\bbasic_ios::clear: iostream error\b/ },
  { subcause: 'open_files', certainty: 0.92, says: /: too many open files(?: in system)?\W*$/i },
  {
    subcause: 'storage_fault',
    certainty: 0.86,
    says: /: (?:input\/output error|read-only file system|stale (?:NFS )?file handle|transport endpoint is not connected|remote I\/O error|structure needs cleaning)\W*$/i,
  },
  {
    subcause: 'version_mismatch',
    certainty: 0.82,
    says: /\bexec format error\b|\bbut found lib\S+ already initialized\b|\bcould not select device driver\b.{0,40}\bgpu\b/i,
  },
  { subcause: 'missing_package', certainty: 0.84, says: /\bexecutable file not found in \$PATH/ },
  { subcause: 'invalid_configuration', certainty: 0.74, says: /\bfile name too long\b/i },
  // What notebooks, clouds and stores of objects say of a host's memory.
  {
    subcause: 'host_memory',
    certainty: 0.88,
    says: /\bcrashed after using all available RAM\b|\btried to allocate more memory than is available\b|\binstance type with more memory\b|\bobject store because it is full\b/i,
  },
  {
    subcause: 'host_memory',
    certainty: 0.9,
    says: /\bpaging file is too small\b|\bWinError (?:8|14|1455)\b/i,
  },
  {
    subcause: 'gpu_other_process',
    certainty: 0.84,
    says: /\b(?:TPU|GPU|device|accelerator)\b.{0,60}\balready (?:in use|held|locked) by\b/i,
  },
  // A driver that does not answer.
  {
    subcause: 'device_fault',
    certainty: 0.78,
    says: /\bfailed to initialize NVML\b|\bCUDA unknown error\b/i,
  },
  // A library that could not do its work, and says no more: memory, driver or device, seldom the program.
  {
    subcause: 'device_fault',
    certainty: 0.66,
    named: ofLibrary(
      'NOT_INITIALIZED|INTERNAL_ERROR|EXEC(?:UTION)?_FAILED|MAPPING_ERROR|LAUNCH_FAILURE|SETUP_FAILED|INITIALIZATION_FAILED|PREEXISTING_FAILURE',
    ),
    says: /\bBlas \w+ launch failed\b|\b(?:could not|failed to) create cu(?:blas|dnn) handle\b|\bDNN library initialization failed\b|\bGPU sync failed\b|\bTPU (?:initiali[sz]ation failed|backend\b.{0,40}\bUnavailable)|\bCUDA error\b[^:]{0,60}: unknown error\b/i,
  },
  {
    subcause: 'code_error',
    certainty: 0.68,
    named: ofLibrary(
      'BAD_PARAM(?:_\\w+)?|INVALID_(?:VALUE|SIZE|TYPE|PLAN|DEVICE)|MATRIX_TYPE_NOT_SUPPORTED|LENGTH_NOT_MULTIPLE|OUT_OF_RANGE|TYPE_ERROR',
    ),
    says: /\btoo many resources requested for launch\b|\bout of resource: shared memory\b/i,
  },
];

/** TensorFlow asks for a device at every start, and goes on without one; a device that is there and fails is another matter. */
const asked = /\bcuInit\b(?!.*\bCUDA_ERROR_(?!NO_DEVICE|STUB))/;

/** What the status that a text names means; null where it names none. */
export function statusOf(text: string): (Complaint & { readonly subcause: Subcause }) | null {
  if (asked.test(text)) return null;
  const found = meanings.find(({ named, says }) => named?.test(text) || says?.test(text));
  return found ? { subcause: found.subcause, certainty: found.certainty } : null;
}
