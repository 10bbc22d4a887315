// How a run ended, as launchers, schedulers, shells and the operating system print it.
import type { Exit } from '../../../record/exit.js';
import type { FileRecord } from '../../collect/file-record.js';
import { ranksIn } from '../../collect/places.js';
import type { DecodedLine } from '../context.js';
import { type Ending, endingOfCode } from './ending.js';
import { endingIn, mayTellEnd } from './exit-rules.js';

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
    if (!mayTellEnd(text)) return;
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
    const ending = endingIn(text);
    if (ending === null) return;
    this.add(ending, line);
    const local = /\blocal_rank: (\d+)/.exec(text);
    const exit: { rank: number | null } | undefined = this.record.exits.at(-1);
    if (local) this.record.workers = Math.max(this.record.workers, Number(local[1]) + 1);
    if (local && exit) this.local = { rank: Number(local[1]), exit };
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
      ...(ending.spoken && { spoken: true }),
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
