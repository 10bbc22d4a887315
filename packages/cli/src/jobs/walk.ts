// Walks a notebook: each cell is checked, then run, until one is predicted to crash or really does.
import { abstention, exceptionText, quietVerdict, textOf, type Verdict } from '@grus/core';
import type { ExecuteResult } from '@grus/kernel';
import {
  type CheckOptions,
  type CodeCell,
  type ExecuteCellOptions,
  isMissingModule,
  type NotebookSession,
} from '@grus/notebook';

export interface WalkOptions extends ExecuteCellOptions {
  readonly check?: CheckOptions;
  readonly onStep?: (cell: CodeCell, doing: 'checking' | 'running') => void;
  /** Ends the walk before the next cell, and interrupts the one that is running. */
  readonly signal?: AbortSignal;
  /** Called with what a cell gave when it was run. */
  readonly onResult?: (cell: CodeCell, result: ExecuteResult) => void;
}

export interface WalkStep {
  readonly cell: CodeCell;
  readonly verdict: Verdict;
}

export async function walk(
  session: NotebookSession,
  cells: readonly CodeCell[],
  options: WalkOptions,
): Promise<WalkStep[]> {
  const steps: WalkStep[] = [];
  for await (const step of stepsOf(session, cells, options)) steps.push(step);
  return steps;
}

/** The same, step by step: what was found stays found when the kernel dies later. */
export async function* stepsOf(
  session: NotebookSession,
  cells: readonly CodeCell[],
  options: WalkOptions,
): AsyncGenerator<WalkStep> {
  options.signal?.addEventListener('abort', () => void session.kernel.interrupt());
  for (const cell of cells) {
    if (options.signal?.aborted) return;
    options.onStep?.(cell, 'checking');
    const predicted = await session.check(cell, options.check);
    if (predicted.outcome === 'crash') {
      yield { cell, verdict: predicted };
      return;
    }
    options.onStep?.(cell, 'running');
    const result = await session.execute(cell, options);
    options.onResult?.(cell, result);
    yield { cell, verdict: experienced(predicted, result, options.check?.guessedPython) };
    if (result.status !== 'ok') return;
  }
}

/** A cell that ended its kernel when it was run. */
export function deathVerdict(message: string): Verdict {
  const exception = { type: 'KernelDied', message };
  return {
    ...quietVerdict('unknown', 1, 'The cell was run, and the process of the kernel ended with it.'),
    outcome: 'crash',
    rung: 'execution',
    exception,
    evidence: [{ fact: exceptionText(exception), source: 'the cell was run' }],
    rungs: [{ rung: 'execution', outcome: 'crash', ms: 0, ...abstention(null) }],
    ms: 0,
    findings: [],
  };
}

/** The verdict once the cell has really run: what happened replaces what was predicted. */
export function experienced(predicted: Verdict, result: ExecuteResult, guessedPython?: string): Verdict {
  if (guessedPython !== undefined && result.error && isMissingModule(result.error.ename))
    return missedIn(predicted, result, guessedPython);
  const rungs = [
    ...predicted.rungs,
    { rung: 'execution', outcome: outcomeOf(result), ms: result.ms, ...abstention(null) },
  ];
  const shared = { ...predicted, rung: 'execution', rungs, confidence: 1, remedy: null, ms: predicted.ms };
  if (result.status === 'ok')
    return { ...shared, outcome: 'ok', explanation: 'No crash was predicted, and none came.' };
  // After a time-out the error is that of the interrupt.
  const exception =
    result.error && result.status !== 'timeout'
      ? { type: result.error.ename, message: result.error.evalue }
      : { type: 'TimeoutError', message: `the cell did not finish (${result.status})` };
  return {
    ...shared,
    outcome: 'crash',
    exception,
    line: lineOf(result),
    evidence: [{ fact: exceptionText(exception), source: 'the cell was run' }],
    explanation: 'No rung foresaw it: the cell was run and failed.',
  };
}

/** A module that a guessed interpreter lacks: the cell did not run, and may well run with the right one. */
function missedIn(predicted: Verdict, result: ExecuteResult, python: string): Verdict {
  const reason = { code: 'interpreter-guessed', python, error: result.error!.evalue } as const;
  const report = { rung: 'execution', outcome: 'unknown', ms: result.ms, ...abstention(reason) } as const;
  return {
    ...predicted,
    ...quietVerdict('unknown', 0, textOf(reason)),
    rung: null,
    rungs: [...predicted.rungs, report],
  };
}

function outcomeOf(result: ExecuteResult): 'ok' | 'crash' {
  return result.status === 'ok' ? 'ok' : 'crash';
}

/** The line of the cell in which the exception surfaced, read off IPython's traceback. */
function lineOf(result: ExecuteResult): number | null {
  const text = (result.error?.traceback ?? []).join('\n').replace(/\u001b\[[\d;]*m/g, '');
  const match = /(?:Cell|Input) In ?\[\d+\], line (\d+)|^-+> (\d+) /m.exec(text);
  const line = match?.[1] ?? match?.[2];
  return line === undefined ? null : Number(line);
}
