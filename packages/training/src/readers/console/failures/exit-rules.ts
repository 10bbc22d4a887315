// The single lines by which launchers, schedulers, shells and the operating system tell how a run ended.
import type { ExitReason, ExitSource } from '../../../record/exit.js';
import { type Ending, endingOfCode, endingOfWord, signalNames } from './ending.js';
import { signalTold } from './told-signal.js';

type Make = (match: RegExpExecArray) => Ending;
type Rule = readonly [RegExp, Ending | Make];

const byCode =
  (source: ExitSource): Make =>
  (match) =>
    endingOfCode(source, Number(match[1]));

/** Why a scheduler ended a job: PBS names the limit, LSF a keyword. Whatever else it names, it was its own decision. */
const scheduled: Readonly<Record<string, ExitReason>> = {
  walltime: 'timeout',
  cput: 'timeout',
  mem: 'out_of_memory',
  pmem: 'out_of_memory',
  vmem: 'out_of_memory',
  pvmem: 'out_of_memory',
  runlimit: 'timeout',
  cpulimit: 'timeout',
  deadline: 'timeout',
  memlimit: 'out_of_memory',
  swap: 'out_of_memory',
  preempt: 'preempted',
};

const rules: readonly Rule[] = [
  [
    /oom[-_ ]kill event|oom_kill.*(?:StepId|JobId)/i,
    { source: 'slurm', reason: 'out_of_memory', signal: 'SIGKILL' },
  ],
  [
    /srun: error: .*: task (\d+)?.*Out Of Memory/i,
    (match) => ({
      source: 'slurm',
      reason: 'out_of_memory',
      signal: 'SIGKILL',
      rank: optionalNumber(match[1]),
    }),
  ],
  [/CANCELLED AT .* DUE TO TIME LIMIT/, { source: 'slurm', reason: 'timeout', signal: 'SIGTERM' }],
  [/CANCELLED AT .* DUE TO PREEMPTION/, { source: 'slurm', reason: 'preempted', signal: 'SIGTERM' }],
  [/CANCELLED AT .* DUE TO NODE ?FAIL/, { source: 'slurm', reason: 'node_failure' }],
  [
    /\*\*\* (?:JOB|STEP) \S+ ON \S+ CANCELLED AT/,
    { source: 'slurm', reason: 'cancelled', signal: 'SIGTERM' },
  ],
  [
    /srun: error: .*: tasks? ([\d,-]+): (?:Exited with exit code (\d+))/,
    (match) => endingOfCode('slurm', Number(match[2]), optionalNumber(match[1])),
  ],
  [
    /srun: error: .*: tasks? ([\d,-]+): (Killed|Terminated|Segmentation fault|Bus error|Aborted)/,
    (match) => ({ ...endingOfWord('slurm', match[2]!), rank: optionalNumber(match[1]) }),
  ],
  [/srun: error: Node failure on /, { source: 'slurm', reason: 'node_failure' }],
  [
    /\bPBS: job killed: (\w+) .*exceeded limit|\bTERM_(\w+): job killed\b/i,
    (match) => ({
      source: 'scheduler',
      reason: scheduled[(match[1] ?? match[2])!.toLowerCase()] ?? 'cancelled',
    }),
  ],
  [/\bqmaster enforced h_rt\b/, { source: 'scheduler', reason: 'cancelled' }],
  [
    /\bMaxRuntimeExceeded\b|\breason: *["']?DeadlineExceeded|active longer than specified deadline|exceeded (?:the |its )?max(?:imum)? (?:run ?time|duration)\b/i,
    { source: 'scheduler', reason: 'timeout' },
  ],
  [
    /\breason: *["']?OOMKilled/i,
    { source: 'kubernetes', reason: 'out_of_memory', code: 137, signal: 'SIGKILL' },
  ],
  [/^\s*Exit Code: +(\d+)/, byCode('kubernetes')],
  [/"?exitCode"?: *(\d+)/, byCode('kubernetes')],
  [
    /\breason: *["']?(?:Evicted|Preempt\w*)|The node was low on resource|\s(?:\w*Eviction|Evicted|Preempt\w*)\s+(?:pod|node)\//i,
    { source: 'kubernetes', reason: 'preempted' },
  ],
  [
    /Out of memory: Kill(?:ed)? process|Memory cgroup out of memory|oom-kill:constraint|invoked oom-killer/,
    { source: 'kernel', reason: 'out_of_memory', signal: 'SIGKILL' },
  ],
  [
    /failed \(exitcode: (-?\d+)\) local_rank: (\d+)/,
    (match) => ({ ...endingOfCode('torchrun', Number(match[1]), Number(match[2])), passing: true }),
  ],
  [/\bworker group successfully finished\b/, { source: 'torchrun', reason: 'completed' }],
  [
    /Signal (\d+) \((SIG\w+)\) received by PID/,
    (match) => ({ source: 'torchrun', reason: 'signal', signal: match[2]!, code: -Number(match[1]) }),
  ],
  [
    // torch.multiprocessing.spawn counts its processes as ranks; a launcher may call them so.
    /(?:^|: )\s*process (?:rank )?(\d+):? (?:(?:terminated|exit(?:ed)?|ended|finished) )?(?:with )?(?:signal (SIG\w+)|(?:exit(?: |ed with )|status )code:? (\d+))\.?$/i,
    (match) =>
      match[2] === undefined
        ? endingOfCode('python', Number(match[3]), Number(match[1]))
        : { source: 'python', reason: 'signal', signal: match[2], rank: Number(match[1]) },
  ],
  [
    /(?:Process finished|exit(?:ed|s)?|terminated|completed|finished|failed|died|returned)(?: \w+)? (?:with (?:non-zero )?|non-zero )(?:exit |return |status )?(?:code|status):?(?: =)? *(-?\d+)/i,
    byCode('shell'),
  ],
  [/^(?:exit|return) ?(?:code|status)\s*[:=]?\s*(-?\d+)\s*$/i, byCode('shell')],
  [
    /(?:Command terminated by|killed by|terminated by|died with|exited on) signal:? *(\d+)/i,
    (match) => ({
      source: 'shell',
      reason: 'signal',
      signal: signalNames[Number(match[1])] ?? `signal ${match[1]}`,
    }),
  ],
  [
    /^zsh: (killed|terminated|abort|segmentation fault|bus error|illegal hardware instruction|floating point exception)\b/,
    (match) => endingOfWord('shell', match[1]!),
  ],
  [
    /EXIT STRING: .*\(signal (\d+)\)/,
    (match) => ({ source: 'shell', reason: 'signal', signal: signalNames[Number(match[1])] ?? null }),
  ],
  // The terminal that a program was started from went away.
  [
    /^(?:client_loop: send disconnect\b|packet_write_wait: Connection to |Connection to \S+ closed by remote host)/,
    { source: 'shell', reason: 'signal', signal: 'SIGHUP' },
  ],
  [/\bfailed:? \(?exit (?:code|status):? (-?\d+)/i, byCode('shell')],
  [
    /died with <Signals\.(SIG\w+): \d+>/,
    (match) => ({ source: 'shell', reason: 'signal', signal: match[1]! }),
  ],
  [
    /(?:^|\]|line \d+: *\d+ |\b\d{2,} +)(Killed|已杀死|Terminated|Aborted|Segmentation fault|Bus error|Illegal instruction|Floating point exception)(?: *\(core dumped\))?(?:\s{2,}\S.*|\s*)$/,
    (match) => endingOfWord('shell', match[1]!),
  ],
  [
    /^Fatal Python error: (Segmentation fault|Bus error|Aborted|Floating point exception)/,
    (match) => endingOfWord('python', match[1]!),
  ],
  [
    /^Training completed\. Do not forget|`Trainer\.fit` stopped: `max_(?:epochs|steps)=[1-9]|^(?:Training|Finished training|Training run) (?:is )?(?:complete|completed|finished|done)\b/i,
    { source: 'python', reason: 'completed' },
  ],
];

/** Nothing above matches a line without one of these. */
const mayBeExit =
  /kill|杀|exit|sig|cancel|terminat|abort|fault|illegal|bus error|floating point|evict|preempt|oom|memory|resource|complete|finish|stopped|training|rank|host|died|return|exceeded|enforced|deadline|node failure|disconnect|closed by|connection to/i;

/** Whether a line may tell of an end at all. */
export function mayTellEnd(text: string): boolean {
  return mayBeExit.test(text);
}

/** What a line says by itself; null for most. */
export function endingIn(text: string): Ending | null {
  for (const [pattern, ending] of rules) {
    const match = pattern.exec(text);
    if (match !== null) return typeof ending === 'function' ? ending(match) : ending;
  }
  return signalTold(text);
}

function optionalNumber(text: string | undefined): number | null {
  const value = Number(text);
  return text === undefined || Number.isNaN(value) ? null : value;
}
