// Watching from beginning to end: starts the command or follows the directory, looks as often as looking is cheap, hands
// warnings out, stops the run when asked to, and diagnoses it when it is over.
import { appendFile, mkdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { diagnose } from '../diagnose/diagnose.js';
import { viewOf } from '../features/view.js';
import { RunFollower } from '../readers/index.js';
import type { RunRecord } from '../record/run-record.js';
import type { Diagnosis } from '../rules/diagnosis.js';
import type { CommandEnd, RunningCommand } from './command.js';
import { RunWatcher } from './run-watcher.js';
import { collectStacks } from './stacks.js';
import { SurroundingsKeeper } from './surroundings.js';
import type { RunWarning } from './warning.js';

export interface WatchRunOptions {
  readonly path: string;
  /** The command under watch; without one the directory is followed until the run has ended. */
  readonly command?: RunningCommand;
  /** Warning ids, sub-causes or categories that stop the command, or "any". */
  readonly stopOn?: readonly string[];
  readonly onWarning?: (warning: RunWarning) => void;
  /** Ends following. */
  readonly signal?: AbortSignal;
  readonly intervalMs?: number;
  /** Ends following when nothing has changed for so long; without it only when the run's artefacts say that it ended. */
  readonly idleMs?: number;
}

export interface WatchedRun {
  readonly record: RunRecord | null;
  readonly diagnosis: Diagnosis | null;
  readonly warnings: readonly RunWarning[];
  readonly end: CommandEnd | null;
  /** The warning that stopped the command. */
  readonly stoppedOn: RunWarning | null;
}

/** At most this share of a processor is spent on looking. */
const lookingShare = 0.05;
/** A run whose artefacts say that it ended is over when nothing was added for so long. */
const settleMs = 10_000;
const patienceMs = 30_000;
const mostWarnings = 500;

export async function watchRun(options: WatchRunOptions): Promise<WatchedRun> {
  return new Watch(options).run();
}

class Watch {
  private readonly follower: RunFollower;
  private readonly watcher = new RunWatcher();
  private readonly surroundings: SurroundingsKeeper;
  private readonly warnings: RunWarning[] = [];
  private readonly over = new AbortController();
  private record: RunRecord | null = null;
  private recordAtStop: RunRecord | null = null;
  private stoppedOn: RunWarning | null = null;
  private end: CommandEnd | null = null;

  constructor(private readonly options: WatchRunOptions) {
    this.follower = new RunFollower(options.path);
    this.surroundings = new SurroundingsKeeper(options.path);
  }

  async run(): Promise<WatchedRun> {
    const { command, signal } = this.options;
    const stop = (): void => this.over.abort();
    signal?.addEventListener('abort', stop, { once: true });
    const ended = command?.ended.then((end) => {
      this.end = end;
      stop();
    });
    // A command that cannot be started is reported after the loop.
    ended?.catch(stop);
    while (!this.over.signal.aborted) {
      const started = performance.now();
      await this.look();
      if (command === undefined && (await this.isOver())) break;
      const pause = Math.max(this.options.intervalMs ?? 1000, (performance.now() - started) / lookingShare);
      await sleep(pause, undefined, { signal: this.over.signal }).catch(() => undefined);
    }
    await ended;
    return this.finish();
  }

  private async look(): Promise<void> {
    if (!(await exists(this.options.path))) return;
    const now = Date.now();
    const record = await this.follower.poll();
    await this.surroundings.sample(now);
    if (record !== null) {
      this.record = record;
      this.surroundings.moved(record.lastStep, now);
    }
    if (this.record === null) return;
    for (const warning of this.watcher.look(this.record, this.surroundings, now)) await this.warn(warning);
  }

  private async warn(warning: RunWarning): Promise<void> {
    if (this.warnings.length < mostWarnings) this.warnings.push(warning);
    this.options.onWarning?.(warning);
    await askForFinerRecords(this.options.path);
    const pid = this.options.command?.pid;
    // A hang says where only while it lasts.
    if (warning.subcause === 'hang' && pid !== undefined) await collectStacks(this.options.path, pid);
    if (this.stoppedOn === null && this.isReasonToStop(warning)) this.stop(warning);
  }

  private isReasonToStop({ warning, subcause, category }: RunWarning): boolean {
    const reasons = this.options.stopOn ?? [];
    return reasons.some((reason) => reason === 'any' || [warning, subcause, category].includes(reason));
  }

  /** As a person would: interrupts first, so that the loop can save, and insists later. */
  private stop(warning: RunWarning): void {
    const { command } = this.options;
    if (command === undefined) return;
    this.stoppedOn = warning;
    this.recordAtStop = this.record;
    command.kill('SIGINT');
    const insist = setTimeout(() => command.kill('SIGTERM'), patienceMs);
    insist.unref();
    void command.ended.finally(() => clearTimeout(insist)).catch(() => undefined);
  }

  private async isOver(): Promise<boolean> {
    const { idleMs } = this.options;
    const newest = this.record === null ? null : await newestChange(this.options.path, this.record);
    const quiet = Date.now() - (newest ?? this.surroundings.lastChange);
    if (idleMs !== undefined && quiet >= idleMs) return true;
    return this.record !== null && viewOf(this.record).ending.kind !== 'unknown' && quiet >= settleMs;
  }

  private async finish(): Promise<WatchedRun> {
    if (this.end !== null) await noteEnd(this.options.path, this.end, this.stoppedOn !== null);
    if (await exists(this.options.path)) {
      await this.look();
      if (this.record !== null) this.record = this.follower.finish();
    }
    const judged = this.recordAtStop ?? this.record;
    return {
      record: judged,
      diagnosis: judged === null ? null : await diagnose(judged),
      warnings: this.warnings,
      end: this.end,
      stoppedOn: this.stoppedOn,
    };
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function newestChange(path: string, record: RunRecord): Promise<number | null> {
  const times = await Promise.all(
    record.sources.map(async ({ file }) => {
      const found = await stat(join(path, file)).catch(() => stat(path).catch(() => null));
      return found?.mtimeMs ?? 0;
    }),
  );
  const newest = Math.max(0, ...times);
  return newest > 0 ? newest : null;
}

/** The hooks look for this file and record every step for a while when it is touched. */
async function askForFinerRecords(path: string): Promise<void> {
  const file = join(path, '.grus-fine.lock');
  const now = new Date();
  await utimes(file, now, now).catch(() => writeFile(file, '').catch(() => undefined));
}

const watchFile = 'grus-watch.jsonl';

/** Writes down that a command is watched here, so that a later diagnosis knows how it ended. */
export async function noteStart(path: string, argv: readonly string[]): Promise<void> {
  await mkdir(path, { recursive: true });
  const row = { grus: 'start', by: 'watch', time: Date.now() / 1000, config: { command: argv.join(' ') } };
  await appendFile(join(path, watchFile), `${JSON.stringify(row)}\n`);
}

async function noteEnd(path: string, end: CommandEnd, stopped: boolean): Promise<void> {
  const reason = stopped
    ? 'stopped'
    : end.signal !== null
      ? 'signal'
      : end.code === 0
        ? 'completed'
        : 'failed';
  const row = { grus: 'end', by: 'watch', time: Date.now() / 1000, exit: { reason, ...end } };
  await appendFile(join(path, watchFile), `${JSON.stringify(row)}\n`).catch(() => undefined);
}
