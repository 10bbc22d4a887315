// The words that make a console line worth decoding. Everything else of a log is only scanned for numbers.
export const flag = {
  /** Worth keeping whatever else the line holds. */
  strong: 1,
  /** Worth keeping unless it is a line of metrics. */
  weak: 2,
  /** A Python traceback begins. */
  traceback: 4,
  /** ANSI escapes must be taken out before numbers are read. */
  escape: 8,
  /** The line may state settings, sizes or versions. */
  settings: 16,
} as const;

/** Parted by bars: blanks belong to them. */
const strong = [
  'remotetraceback|out of memory|outofmemory|oom-kill|oom_kill|oomkill|oom kill|killed|已杀死',
  'segmentation fault|illegal instruction|bus error|core dumped|sigkill|sigterm|sigsegv|sigbus',
  'sigabrt|sigint|sighup|sigusr|signal|exitcode|exit code|exit status|return code|exited with',
  'process name:|successfully finished|terminate called|assertion `|assertionerror',
  'device-side assert|cuda error|cudnn_|cudnn error|cublas_|cusparse_|cufft_|nccl|of ranks',
  'hip error|watchdog|timed out|no space left|slurmstepd|srun: error|due to time limit|preempt',
  'evicted|eviction|error:|exception:|error code|exception ignored|nvrm: xid|deadlock|overflow',
  'attempted loss scale|keyboardinterrupt|training completed|training finished|stopped by',
  '`trainer.fit` stopped|diverged|non-finite|is nan|nan loss|loss is',
];

const weak = [
  'error|exception|warning|fatal|failed|failure|cannot|invalid|mismatch|unexpected key|missing key',
  'permission denied|broken pipe|connection re|resuming|restarting|restarted|resumed',
  'loading checkpoint|loaded checkpoint|early stop|trainer to stop|stopping. best|not found|no such file|truncat|corrupt|deprecat',
  'unused|terminated|aborted|cancelled|worker process|worker (pid|worker died|straggler|unable to',
  'longer than|empty|exceed|enforced|low on resource|crashed|premature end|not a jpeg|out of range',
  'too many open|closed by remote|read-only file|stale file|overfitting detector',
];

const settings = [
  'namespace(|num examples|num epochs|total optimization steps|batch size per device',
  'train batch size|gradient accumulation steps|trainable param|number of param|total params|......',
  'trainingarguments|overriding:|world size|world_size| processes| ranks|tokens per iteration',
  'version|torch==|using device|nvidia |tesla |mib / |running training|args:|config:|config =',
  'config=|configuration:|hparams|hyperparam|optimizer=|optimizer:|dtype=|vocab_size|num_classes',
  'learning_rate=|dataset size',
];

/** Each with what it says of its line. */
export function flaggedWords(): Map<string, number> {
  const words = new Map<string, number>();
  const add = (list: readonly string[], bits: number): void => {
    for (const word of list.join('|').split('|')) words.set(word, (words.get(word) ?? 0) | bits);
  };
  add(weak, flag.weak);
  add(strong, flag.strong);
  add(settings, flag.settings);
  words.set('traceback (most recent call last)', flag.traceback | flag.strong);
  words.set('  file "', flag.traceback);
  words.set('(most recent call first)', flag.traceback);
  words.set('timeout (', flag.traceback);
  words.set('original traceback', flag.traceback | flag.strong);
  words.set('\u001b', flag.escape);
  return words;
}
