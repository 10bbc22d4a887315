// The dry-run rung of the ladder for one cell.
import { type Reason, type RungResult, textOf } from '@grus/core';
import { type DryRunResult, dryRun, type Kernel } from '@grus/kernel';
import type { ParsedCell } from '@grus/python';
import type { CellHistory } from '../session/cells.js';
import { conclude } from './conclude.js';
import { type DryOptions, defaultDryBudgetMs, defaultTwinLoadMs } from './options.js';
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
 * when people are to be asked, or when only a suspicion would make the dry run worth its time.
 */
export function startDry(target: DryTarget, options: DryOptions): Promise<RungResult> | null {
  const certain = options.policy === 'always' || (options.policy === 'auto' && worthIt(target) !== null);
  if (!options.concurrent || !certain) return null;
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
  const declined = await whyNot(target, options, suspected);
  if (declined !== null) return { outcome: 'unknown', reason: declined };
  const assume = options.assume ?? [];
  const result = await inCopy(target.kernel, [...assume, target.cell.source], options);
  tellOutput(result, options);
  const unmet = assume.findIndex((_, index) => conclude(result, index, '').outcome !== 'ok');
  if (unmet !== -1 && result.status === 'ok' && result.ended === 'done') {
    const told = result.cells.find((cell) => cell.cell === unmet);
    const error = told?.status === 'raised' ? `${told.type}: ${told.message}` : null;
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
    ...(options.isolation === undefined ? {} : { isolation: options.isolation }),
    ...(options.requireIsolation === undefined ? {} : { requireIsolation: options.requireIsolation }),
  });
}

function worthIt({ cell, cells }: DryTarget): string | null {
  return worthADryRun(cell, cells);
}

async function whyNot(
  target: DryTarget,
  options: DryOptions,
  suspected: Reason | null,
): Promise<Reason | null> {
  const worth = worthIt(target) ?? (suspected && textOf(suspected));
  switch (options.policy) {
    case 'never':
      return { code: 'dry-off' };
    case 'always':
      return null;
    case 'auto':
      return worth === null ? { code: 'short-cell' } : null;
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
