// Proves by execution that a pair is what its meta.json says: the crashing version raises there and nowhere before,
// the repaired one runs to its end.
import { type Crash, crashOf } from './crash.js';
import type { LivePair, PairVersion } from './load.js';
import { withScratchKernel } from './scratch-kernel.js';
import { inParallel } from './workers.js';

export interface VerifyOptions {
  readonly pairs: readonly LivePair[];
  /** Interpreter with ipykernel and the libraries that the pairs use. */
  readonly python: string;
  /** Kernels at the same time. Default 2. */
  readonly workers?: number;
  /** Milliseconds that one cell may run. Default 120 000. */
  readonly timeout?: number;
  /** Whether the wording of a pair's exception is to be compared. Default: of every pair. */
  readonly compareMessage?: (pair: LivePair) => boolean;
  readonly progress?: (done: number, verification: Verification) => void;
}

export interface Verification {
  readonly id: string;
  /** What does not hold, in sentences; empty when the pair is as described. */
  readonly problems: readonly string[];
  readonly ms: number;
}

/** The first cell that raises, or null when all pass. */
interface Run {
  readonly cell: number;
  readonly crash: Crash;
}

/** Of a traceback only the lines are read; to draw what stands around them takes a kernel a second. */
const plainTracebacks = 'get_ipython().InteractiveTB.set_mode("Plain")';

export async function verifyPairs(options: VerifyOptions): Promise<Verification[]> {
  let done = 0;
  return inParallel(options.pairs, options.workers ?? 2, async (pair) => {
    const verification = await verifyPair(pair, options);
    options.progress?.(++done, verification);
    return verification;
  });
}

async function verifyPair(pair: LivePair, options: VerifyOptions): Promise<Verification> {
  const started = performance.now();
  const timeout = options.timeout ?? 120_000;
  const buggy = await executeAll(pair, 'buggy', options.python, timeout);
  const fixed = await executeAll(pair, 'fixed', options.python, timeout);
  const problems = problemsOfBuggy(pair, buggy, options.compareMessage?.(pair) ?? true);
  if (fixed !== null) problems.push(`the repaired version raises ${describe(fixed)}`);
  return { id: pair.id, problems, ms: Math.round(performance.now() - started) };
}

function executeAll(
  pair: LivePair,
  version: PairVersion,
  python: string,
  timeout: number,
): Promise<Run | null> {
  return withScratchKernel(python, async (kernel) => {
    await kernel.execute(plainTracebacks, { silent: true });
    for (const cell of pair.cells[version]) {
      const result = await kernel.execute(cell.source, { timeout });
      if (result.status === 'ok') continue;
      const crash = crashOf(result) ?? {
        exception: result.status,
        message: `after ${Math.round(result.ms / 1000)} s`,
        line: null,
        callLine: null,
      };
      return { cell: cell.number - 1, crash };
    }
    return null;
  });
}

function problemsOfBuggy({ meta }: LivePair, run: Run | null, compareMessage: boolean): string[] {
  if (run === null) return ['the crashing version runs to its end'];
  if (run.cell !== meta.target_cell) return [`the crashing version raises ${describe(run)}`];
  const { crash } = run;
  const differences: [what: string, expected: unknown, actual: unknown][] = [
    ['exception', meta.exception, crash.exception],
    ['message', compareMessage ? meta.message : crash.message, crash.message],
    ['line', meta.line, crash.line],
    ['call_line', meta.call_line ?? crash.callLine, crash.callLine],
  ];
  return differences
    .filter(([, expected, actual]) => expected !== actual)
    .map(
      ([what, expected, actual]) =>
        `${what} is ${JSON.stringify(actual)}, meta.json says ${JSON.stringify(expected)}`,
    );
}

function describe({ cell, crash }: Run): string {
  return `${crash.exception} in code cell ${cell}: ${crash.message}`;
}
