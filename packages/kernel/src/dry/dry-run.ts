// Asks the agent to run cells in an isolated copy of the kernel's process. The kernel answers other requests meanwhile.
import { GrusError } from '@grus/core';
import { agentVersion } from '../agent/install.js';
import { installations, takeSnapshot } from '../agent/snapshot.js';
import type { Kernel, Reply } from '../kernel.js';
import type { Content } from '../protocol/message.js';
import { emptyRequest } from '../snapshot/request.js';
import { type DryRunResult, dryReplySchema, type IsolationStrength } from './schema.js';

export interface DryRunOptions {
  /**
   * Milliseconds from the fork to the last cell's end; then the copy is ended. Time in which it was ready to run and the
   * machine's processors were busy with others is not counted, up to three times as much.
   */
  readonly budgetMs: number;
  /** Default `auto`: the strongest that the machine offers. */
  readonly isolation?: 'auto' | IsolationStrength;
  /** Refuse to run under anything weaker than this. */
  readonly requireIsolation?: IsolationStrength;
  /** Megabytes that the copy may take beyond what the kernel holds. Default: what the machine has to spare. */
  readonly memoryMb?: number;
  /**
   * Where the kernel's libraries do not survive a fork: milliseconds for a fresh process to load what the cell needs,
   * beyond the budget. Default 0: no twin is made.
   */
  readonly twinLoadMs?: number;
  /** Whether a process with the kernel's libraries is kept ready, which twins are forked from. Default true. */
  readonly readyTwin?: boolean;
  /**
   * Megabytes that a twin may be given; of larger frames and arrays it gets a sample of the rows. Default 512, and where a sample does not
   * help, an eighth of the free memory, up to 2048.
   */
  readonly carryMb?: number;
  /**
   * After so many milliseconds a second copy is sent ahead whose loops and fits are cut short. Its exception counts when
   * the cutting cannot have caused it. Default: none is sent.
   */
  readonly clipAfterMs?: number;
  /** Cut loops and fits short from the start, in the only copy that is made. Default false. */
  readonly cut?: boolean;
  /** Also tell the pictures and tables that a cell shows. A twin tells text alone. Default false. */
  readonly rich?: boolean;
  /** Make no copy of a kernel that holds more megabytes. Default: of any. */
  readonly largestMb?: number;
  /**
   * For kernels that use a GPU, and no others: in a copy, where nothing on the GPU has its values. What needs none of them
   * happens as it would, exceptions too; a finish proves nothing. Default false.
   */
  readonly withoutValues?: boolean;
  /** Milliseconds to wait for a kernel that is running a cell. Default 2 000. */
  readonly busyBudgetMs?: number;
  /** When it is aborted, the copy is ended: nobody needs its word any more. */
  readonly signal?: AbortSignal;
}

/** A cell can write to the pipe over which its copy tells how it ended. What it writes there is no result. */
const toldNonsense: DryRunResult = {
  status: 'ok',
  isolation: null,
  skipped: [],
  twin: null,
  cells: [],
  ended: 'failed',
  reason: { code: 'preparing-failed', error: 'what the copy told is no result' },
  signal: null,
  where: [],
  rehearsed: [],
  held_ms: 0,
  ready_ms: null,
  total_ms: 0,
};

const graceMs = 10_000;
/** How much longer than its budget a copy may live on a busy machine; the agent's `STRETCH`. */
const stretch = 4;

/** Runs the cells one after the other in one copy, until one of them does not finish. */
export async function dryRun(
  kernel: Kernel,
  cells: readonly string[],
  options: DryRunOptions,
): Promise<DryRunResult> {
  const run = crypto.randomUUID();
  options.signal?.addEventListener('abort', () => giveUp(kernel, run), { once: true });
  const reply = await ask(kernel, { run, ...dryRequest(cells, options) }, options);
  const parsed = dryReplySchema.safeParse(reply.content);
  if (!parsed.success && reply.content['status'] === 'ok') return toldNonsense;
  if (!parsed.success) throw unusable(kernel, 'its reply has another form', parsed.error);
  if (parsed.data.status === 'stale') throw unusable(kernel, 'another version of it answers');
  if (parsed.data.status === 'error') throw unusable(kernel, `${parsed.data.ename}: ${parsed.data.evalue}`);
  return parsed.data;
}

/** What the agent is asked for; for those who bring it there themselves. */
export function dryRequest(cells: readonly string[], options: DryRunOptions): Content {
  return {
    cells: [...cells],
    budget_ms: options.budgetMs,
    isolation: options.isolation ?? 'auto',
    require: options.requireIsolation ?? null,
    memory_mb: options.memoryMb ?? null,
    twin_load_ms: options.twinLoadMs ?? 0,
    carry_mb: options.carryMb ?? null,
    ready_twin: options.readyTwin ?? true,
    clip_after_ms: options.clipAfterMs ?? null,
    clip: options.cut ?? false,
    rich: options.rich ?? false,
    largest_mb: options.largestMb ?? null,
    ...(options.withoutValues && { without_values: true }),
  };
}

/** What the agent answered to such a request; null when it made no copy. */
export function dryReply(content: unknown): DryRunResult | null {
  const parsed = dryReplySchema.safeParse(content);
  return parsed.success && (parsed.data.status === 'ok' || parsed.data.status === 'refused')
    ? parsed.data
    : null;
}

/** A kernel that does not answer ends the copy by itself when its time is up. */
function giveUp(kernel: Kernel, run: string): void {
  const content = { agent: agentVersion, give_up: run };
  kernel
    .request('grus_dry_request', content, { replyAfterIdle: true, subshell: 'never', timeout: graceMs })
    .catch(() => undefined);
}

/**
 * A kernel without the agent leaves the request unanswered; a snapshot of nothing installs it. Where it was installed
 * before, both travel together, and the request is repeated should the agent have been gone.
 */
async function ask(kernel: Kernel, content: Content, options: DryRunOptions): Promise<Reply> {
  const busyBudget = options.busyBudgetMs ?? 2_000;
  const timeout = busyBudget + stretch * (options.budgetMs + (options.twinLoadMs ?? 0)) + graceMs;
  const send = () =>
    kernel.request(
      'grus_dry_request',
      { agent: agentVersion, ...content },
      { replyAfterIdle: true, subshell: 'never', busyBudget, timeout },
    );
  const before = installations(kernel);
  const presence = takeSnapshot(kernel, emptyRequest, { busyBudget });
  if (before > 0) {
    const early = send();
    early.catch(() => undefined);
    await presence;
    if (installations(kernel) === before) return early;
  }
  await presence;
  return send();
}

function unusable(kernel: Kernel, why: string, cause?: unknown): GrusError {
  return new GrusError(`The agent in ${kernel.label} could not make a dry run: ${why}`, {
    advice: 'Run the command again, or without the dry run (--dry never).',
    cause,
  });
}
