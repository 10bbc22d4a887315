// The dry-run rung of the ladder for one cell.
import { exceptionText, type Reason, type RungResult, textOf } from '@grus/core';
import { type DryRunResult, dryRun, type Kernel } from '@grus/kernel';
import type { ParsedCell } from '@grus/python';
import type { CellHistory } from '../session/cells.js';
import { conclude } from './conclude.js';
import {
  cheapCopyMb,
  type DryOptions,
  defaultDryBudgetMs,
  defaultTwinLoadMs,
  shortCellBudgetMs,
} from './options.js';
import { worthADryRun } from './policy.js';

/** A cell that takes longer deserves a second copy that hurries ahead. */
const clipAfterMs = 400;

export interface DryTarget {
  readonly kernel: Kernel;
  readonly cell: ParsedCell;
  readonly cells: readonly CellHistory[];
}

/**
 * Starts now what the rung will be asked for, while the earlier rungs judge. Null where the answer must wait for them:
 * when people are to be asked, or when a suspicion would give the dry run more time.
 */
export function startDry(target: DryTarget, options: DryOptions): Promise<RungResult> | null {
  if (!options.concurrent || (options.policy !== 'always' && options.policy !== 'auto')) return null;
  const started = runDry(target, options);
  started.catch(() => undefined);
  return started;
}

/** `suspected`: what made an earlier rung doubt the cell without being certain. */
export async function runDry(
  target: DryTarget,
  options: DryOptions,
  suspected: Reason | null = null,
): Promise<RungResult> {
  const worth = worthIt(target) ?? (suspected && textOf(suspected));
  const declined = await whyNot(options, worth);
  if (declined !== null) return { outcome: 'unknown', reason: declined };
  const assume = options.assume ?? [];
  const limits = options.policy === 'auto' && worth === null ? cheap(options) : options;
  const result = await inCopy(target.kernel, [...assume, target.cell.source], limits);
  tellOutput(result, options);
  const unmet = assume.findIndex((_, index) => conclude(result, index, '').outcome !== 'ok');
  if (unmet !== -1 && result.status === 'ok' && result.ended === 'done') {
    const told = result.cells.find((cell) => cell.cell === unmet);
    const error = told?.status === 'raised' ? exceptionText(told) : null;
    return { outcome: 'unknown', reason: { code: 'not-assumed', statement: assume[unmet]!, error } };
  }
  return conclude(result, assume.length, target.cell.source);
}

/** The cells one after the other in one copy, under the options' limits. */
export function inCopy(kernel: Kernel, cells: readonly string[], options: DryOptions): Promise<DryRunResult> {
  return dryRun(kernel, cells, {
    budgetMs: options.budgetMs ?? defaultDryBudgetMs,
    twinLoadMs: options.twinLoadMs ?? defaultTwinLoadMs,
    ...(options.clip === false ? {} : { clipAfterMs }),
    ...(options.largestMb === undefined ? {} : { largestMb: options.largestMb }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(options.readyTwin === undefined ? {} : { readyTwin: options.readyTwin }),
    ...(options.isolation === undefined ? {} : { isolation: options.isolation }),
    ...(options.requireIsolation === undefined ? {} : { requireIsolation: options.requireIsolation }),
  });
}

/** Whether `auto` gives the cell no more than a cheap copy. */
export function isShort({ cell, cells }: Omit<DryTarget, 'kernel'>): boolean {
  return worthADryRun(cell, cells) === null;
}

function worthIt({ cell, cells }: DryTarget): string | null {
  return worthADryRun(cell, cells);
}

/** What nobody notices: a fork of a kernel that is not large, a moment for the cell, no fresh process. */
function cheap(options: DryOptions): DryOptions {
  const budgetMs = Math.min(options.budgetMs ?? shortCellBudgetMs, shortCellBudgetMs);
  return { ...options, budgetMs, twinLoadMs: 0, largestMb: cheapCopyMb };
}

async function whyNot(options: DryOptions, worth: string | null): Promise<Reason | null> {
  switch (options.policy) {
    case 'never':
      return { code: 'dry-off' };
    case 'always':
    case 'auto':
      return null;
    case 'ask': {
      // Who runs a whole notebook is not asked about every short cell.
      if (options.concurrent && worth === null) return { code: 'short-cell' };
      const agreed = await (options.confirm?.(worth ?? 'it can be run in a copy first') ??
        Promise.resolve(false));
      return agreed ? null : { code: 'dry-declined' };
    }
  }
}

function tellOutput(result: DryRunResult, options: DryOptions): void {
  if (result.status !== 'ok' || options.onOutput === undefined) return;
  for (const { output } of result.cells) if (output !== '') options.onOutput(output);
}
