// How a run ended, as launchers, schedulers, shells and the operating system print it.
import type { Exit, ExitReason, ExitSource } from '../../record/exit.js';
import type { FileRecord } from '../collect/file-record.js';
import type { DecodedLine } from './context.js';

export const signalNames: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  10: 'SIGUSR1',
  11: 'SIGSEGV',
  12: 'SIGUSR2',
  13: 'SIGPIPE',
  14: 'SIGALRM',
  15: 'SIGTERM',
  24: 'SIGXCPU',
  25: 'SIGXFSZ',
};

/** How Windows calls the same: the status a process ends with. */
const windowsSignals: Readonly<Record<number, string>> = {
  3221225477: 'SIGSEGV',
  3221225501: 'SIGILL',
  3221225620: 'SIGFPE',
  3221225725: 'SIGSEGV',
  3221226356: 'SIGABRT',
  3221226505: 'SIGABRT',
  3221225786: 'SIGINT',
};

interface Ending {
  readonly source: ExitSource;
  readonly reason: ExitReason;
  readonly code?: number | null;
  readonly signal?: string | null;
  readonly rank?: number | null;
  readonly passing?: true;
  readonly isFirst?: true;
}

type Rule = readonly [RegExp, (match: RegExpExecArray) => Ending];

/** Codes above 128 and below 0 are signals. */
export function endingOfCode(source: ExitSource, code: number, rank: number | null = null): Ending {
  const number = code < 0 ? -code : code > 128 && code <= 128 + 64 ? code - 128 : 0;
  const signal =
    windowsSignals[code >>> 0] ?? (number > 0 ? (signalNames[number] ?? `signal ${number}`) : null);
  return {
    source,
    reason: signal !== null ? 'signal' : code === 0 ? 'completed' : 'failed',
    code,
    signal,
    rank,
  };
}

const shellWords: Readonly<Record<string, string>> = {
  killed: 'SIGKILL',
  已杀死: 'SIGKILL',
  terminated: 'SIGTERM',
  aborted: 'SIGABRT',
  'segmentation fault': 'SIGSEGV',
  'bus error': 'SIGBUS',
  'illegal instruction': 'SIGILL',
  'floating point exception': 'SIGFPE',
  abort: 'SIGABRT',
  'illegal hardware instruction': 'SIGILL',
};

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
    () => ({ source: 'slurm', reason: 'out_of_memory', signal: 'SIGKILL' }),
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
  [/CANCELLED AT .* DUE TO TIME LIMIT/, () => ({ source: 'slurm', reason: 'timeout', signal: 'SIGTERM' })],
  [/CANCELLED AT .* DUE TO PREEMPTION/, () => ({ source: 'slurm', reason: 'preempted', signal: 'SIGTERM' })],
  [/CANCELLED AT .* DUE TO NODE ?FAIL/, () => ({ source: 'slurm', reason: 'node_failure' })],
  [
    /\*\*\* (?:JOB|STEP) \S+ ON \S+ CANCELLED AT/,
    () => ({ source: 'slurm', reason: 'cancelled', signal: 'SIGTERM' }),
  ],
  [
    /srun: error: .*: tasks? ([\d,-]+): (?:Exited with exit code (\d+))/,
    (match) => endingOfCode('slurm', Number(match[2]), optionalNumber(match[1])),
  ],
  [
    /srun: error: .*: tasks? ([\d,-]+): (Killed|Terminated|Segmentation fault|Bus error|Aborted)/,
    (match) => ({
      source: 'slurm',
      reason: 'signal',
      signal: shellWords[match[2]!.toLowerCase()] ?? null,
      rank: optionalNumber(match[1]),
    }),
  ],
  [/srun: error: Node failure on /, () => ({ source: 'slurm', reason: 'node_failure' })],
  [
    /\bPBS: job killed: (\w+) .*exceeded limit|\bTERM_(\w+): job killed\b/i,
    (match) => ({
      source: 'scheduler',
      reason: scheduled[(match[1] ?? match[2])!.toLowerCase()] ?? 'cancelled',
    }),
  ],
  [/\bqmaster enforced h_rt\b/, () => ({ source: 'scheduler', reason: 'cancelled' })],
  [
    /\bMaxRuntimeExceeded\b|\breason: *["']?DeadlineExceeded|active longer than specified deadline|exceeded (?:the |its )?max(?:imum)? (?:run ?time|duration)\b/i,
    () => ({ source: 'scheduler', reason: 'timeout' }),
  ],
  [
    /\breason: *["']?OOMKilled/i,
    () => ({ source: 'kubernetes', reason: 'out_of_memory', code: 137, signal: 'SIGKILL' }),
  ],
  [/^\s*Exit Code: +(\d+)/, (match) => endingOfCode('kubernetes', Number(match[1]))],
  [/"?exitCode"?: *(\d+)/, (match) => endingOfCode('kubernetes', Number(match[1]))],
  [
    /\breason: *["']?(?:Evicted|Preempt\w*)|The node was low on resource|\s(?:\w*Eviction|Evicted|Preempt\w*)\s+(?:pod|node)\//i,
    () => ({ source: 'kubernetes', reason: 'preempted' }),
  ],
  [
    /Out of memory: Kill(?:ed)? process|Memory cgroup out of memory|oom-kill:constraint|invoked oom-killer/,
    () => ({ source: 'kernel', reason: 'out_of_memory', signal: 'SIGKILL' }),
  ],
  [
    /failed \(exitcode: (-?\d+)\) local_rank: (\d+)/,
    (match) => ({ ...endingOfCode('torchrun', Number(match[1]), Number(match[2])), passing: true }),
  ],
  [/\bworker group successfully finished\b/, () => ({ source: 'torchrun', reason: 'completed' })],
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
    (match) => endingOfCode('shell', Number(match[1])),
  ],
  [
    /^(?:exit|return) ?(?:code|status)\s*[:=]?\s*(-?\d+)\s*$/i,
    (match) => endingOfCode('shell', Number(match[1])),
  ],
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
    (match) => ({ source: 'shell', reason: 'signal', signal: shellWords[match[1]!] ?? null }),
  ],
  [
    /EXIT STRING: .*\(signal (\d+)\)/,
    (match) => ({ source: 'shell', reason: 'signal', signal: signalNames[Number(match[1])] ?? null }),
  ],
  // The terminal that a program was started from went away.
  [
    /^(?:client_loop: send disconnect\b|packet_write_wait: Connection to |Connection to \S+ closed by remote host)/,
    () => ({ source: 'shell', reason: 'signal', signal: 'SIGHUP' }),
  ],
  [/\bfailed:? \(?exit (?:code|status):? (-?\d+)/i, (match) => endingOfCode('shell', Number(match[1]))],
  [
    /died with <Signals\.(SIG\w+): \d+>/,
    (match) => ({ source: 'shell', reason: 'signal', signal: match[1]! }),
  ],
  [
    /(?:^|\]|line \d+: *\d+ |\b\d{2,} +)(Killed|已杀死|Terminated|Aborted|Segmentation fault|Bus error|Illegal instruction|Floating point exception)(?: *\(core dumped\))?(?:\s{2,}\S.*|\s*)$/,
    (match) => ({ source: 'shell', reason: 'signal', signal: shellWords[match[1]!.toLowerCase()] ?? null }),
  ],
  [
    /^Fatal Python error: (Segmentation fault|Bus error|Aborted|Floating point exception)/,
    (match) => ({ source: 'python', reason: 'signal', signal: shellWords[match[1]!.toLowerCase()] ?? null }),
  ],
  [
    /^Training completed\. Do not forget|`Trainer\.fit` stopped: `max_(?:epochs|steps)=[1-9]|^(?:Training|Finished training|Training run) (?:is )?(?:complete|completed|finished|done)\b/i,
    () => ({ source: 'python', reason: 'completed' }),
  ],
];

/** Nothing above matches a line without one of these. */
const mayBeExit =
  /kill|杀|exit|signal|cancel|terminat|abort|fault|illegal|bus error|floating point|evict|preempt|oom|memory|resource|complete|finish|stopped|training|rank|host|died|return|exceeded|enforced|deadline|node failure|disconnect|closed by|connection to/i;

/** The agent of a launcher that started a function tells once more, and at length, of the process that fell. */
const toldAgain = /\belastic\b.*\.py:\d+\] [\w.]*Process(?:Exited|Raised)Exception\b/;

/** Reads the trailer torchrun prints: several lines that belong together. */
export class ExitLines {
  private trailerRank: number | null = null;
  private trailerHost: string | null = null;
  /** When a process ended, as torchrun writes it above its rank. */
  private trailerTime: number | null = null;
  /** torchrun tells of the process that failed first under a heading of its own, behind all others. */
  private isRootCause = false;
  /** The process that a launcher of MPI's kind names above its exit code. */
  private firstToEnd: number | null = null;
  /** The processes of one attempt, as far as their launcher tells of them, and whether it has told of the attempt's end. */
  private readonly processes = new Set<string>();
  private hasEnded = false;
  /** What kubectl describes is how an earlier container of the pod ended. */
  private isEarlier = false;
  private local: { readonly rank: number; readonly exit: { rank: number | null } } | null = null;

  constructor(private readonly record: FileRecord) {}

  feed(line: DecodedLine): void {
    const { text } = line;
    const state = /^\s*(Last )?State: /.exec(text);
    if (state) this.isEarlier = state[1] !== undefined;
    const ended = /^\s*time\s+: (\d{4}-\d\d-\d\d)_(\d\d:\d\d:\d\d)/.exec(text);
    if (ended) this.trailerTime = Date.parse(`${ended[1]}T${ended[2]}Z`);
    if (/^Root Cause \(first observed failure\)/.test(text)) this.isRootCause = true;
    const named = /^\s*Process name: (?:\[\[\d+,\d+\],)?(\d+)\]?\s*$/.exec(text);
    if (named) this.firstToEnd = Number(named[1]);
    if (!mayBeExit.test(text)) return;
    const own = this.firstToEnd === null ? null : /^\s*Exit code:\s+(-?\d+)\s*$/.exec(text);
    if (own) {
      this.add({ ...endingOfCode('shell', Number(own[1]), this.firstToEnd), isFirst: true }, line);
      this.firstToEnd = null;
      return;
    }
    const last = toldAgain.test(text) ? this.record.exits.at(-1) : undefined;
    if (last?.passing) {
      Object.assign(last, { at: this.record.at(line.line) });
      return;
    }
    const rank = /^\s*rank\s+: (\d+) \(local_rank: (\d+)\)/.exec(text);
    if (rank) {
      this.trailerRank = Number(rank[1]);
      this.record.workers = Math.max(this.record.workers, Number(rank[2]) + 1);
      // The agent of a host counts its own workers; its report gives their ranks.
      if (this.local?.rank === Number(rank[2])) this.local.exit.rank = this.trailerRank;
      return;
    }
    const code = /^\s*exitcode\s+: (-?\d+) \(pid: (\d+)\)/.exec(text);
    if (code) {
      if (this.trailerRank !== null)
        this.record.seat({
          rank: this.trailerRank,
          host: this.trailerHost,
          device: null,
          pid: Number(code[2]),
        });
      this.process(code[2]!);
      const ending = endingOfCode('torchrun', Number(code[1]), this.trailerRank);
      this.add(this.isRootCause ? { ...ending, isFirst: true } : ending, {
        ...line,
        time: line.time ?? this.trailerTime,
      });
      this.isRootCause = false;
      return;
    }
    const host = /^\s*host\s+: (\S+)/.exec(text);
    if (host) {
      this.trailerHost = host[1]!;
      this.record.hosts.add(host[1]!);
    }
    const closed = /\b(?:Terminating|Sending) process (\d+) (?:via|closing) signal/.exec(text);
    const fell = /\bfailed \(exitcode: -?\d+\) local_rank: \d+ \(pid: (\d+)\)/.exec(text);
    if (closed || fell) {
      if (this.hasEnded) this.processes.clear();
      this.hasEnded = fell !== null;
      this.process((closed ?? fell)![1]!);
    }
    if (this.processes.size > 0 && /^-- Process \d+ terminated with/.test(text))
      this.record.worldSize ??= this.processes.size + 1;
    const tasks = /^srun: error: ([\w.-]+): tasks? ([\d,-]+):/.exec(text);
    if (tasks) for (const task of ranksIn(tasks[2]!)) this.record.tasks.set(task, tasks[1]!);
    for (const [pattern, make] of rules) {
      const match = pattern.exec(text);
      if (match === null) continue;
      this.add(make(match), line);
      const local = /\blocal_rank: (\d+)/.exec(text);
      const exit: { rank: number | null } | undefined = this.record.exits.at(-1);
      if (local) this.record.workers = Math.max(this.record.workers, Number(local[1]) + 1);
      if (local && exit) this.local = { rank: Number(local[1]), exit };
      return;
    }
  }

  private process(id: string): void {
    this.processes.add(id);
    this.record.workers = Math.max(this.record.workers, this.processes.size);
  }

  private add(ending: Ending, line: DecodedLine): void {
    // The agent of a host speaks of all its workers, whoever else the file is of.
    const isOfAgent = ending.source === 'torchrun' && ending.reason === 'completed' && ending.code == null;
    const exit: Exit = {
      source: ending.source,
      reason: ending.reason,
      code: ending.code ?? null,
      signal: ending.signal ?? null,
      rank: isOfAgent ? null : (ending.rank ?? namedRank(line.text) ?? line.rank),
      text: line.text.trim().slice(0, 500),
      at: this.record.at(line.line),
      time: line.time,
      step: line.step,
      ...(ending.isFirst && { isFirst: true }),
      ...(ending.passing || (this.isEarlier && ending.source === 'kubernetes') ? { passing: true } : {}),
    };
    this.record.exit(exit);
  }
}

/** The only rank that a line names: "process rank 6 with PID 4021 exited on signal 9". `local_rank` is counted on each host; DeepSpeed names the last. */
function namedRank(text: string): number | null {
  const named = text
    .slice(0, 400)
    .matchAll(/(?<![A-Za-z_])(?:global[ _])?rank[ :=#]{0,2}(\d{1,5})\b(?![.,-]\d)/gi);
  const [one, ...more] = new Set([...named].map(([, digits]) => Number(digits)));
  if (one === undefined && !/loader/i.test(text)) {
    const child = ofChild.exec(text.slice(0, 400))?.[1];
    return child === undefined ? null : Number(child);
  }
  return one !== undefined && more.length === 0 ? one : null;
}

/** What a launcher counts beside the number of the process: "child 2 (pid 8110) killed by signal 9". */
const ofChild =
  /\b(?:child|worker|proc|trainer|replica|stage|actor|learner|member)[ :=#]{0,2}(\d{1,4})\b(?=[^\n]{0,20}\bpid\b)/i;

/** "0-2,5" is 0, 1, 2 and 5. */
function ranksIn(list: string): number[] {
  return list.split(',').flatMap((part) => {
    const [from = Number.NaN, to = from] = part.split('-').map(Number);
    return to - from < mostOnHost ? Array.from({ length: to - from + 1 }, (_, at) => from + at) : [];
  });
}

const mostOnHost = 1024;

function optionalNumber(text: string | undefined): number | null {
  const value = Number(text);
  return text === undefined || Number.isNaN(value) ? null : value;
}
