// What the options about dry runs mean for a check.
import { createInterface } from 'node:readline/promises';
import { GrusError, visible } from '@grus/core';
import { type DryOptions, type DryPolicy, guardedDryBudgetMs } from '@grus/notebook';
import type { DryFlags } from '../options/dry.js';
import { whileAsking } from '../terminal/progress.js';

/** `unsaid` is the policy when the command line names none. */
export function dryOptions(flags: DryFlags, unsaid: DryPolicy = 'auto'): DryOptions {
  const assumed = flags.set ?? [];
  const chosen = flags.dry === true ? 'always' : flags.dry;
  if (assumed.length > 0 && chosen === 'never')
    throw new GrusError('--set needs a dry run', { advice: 'Leave out --dry never.' });
  const policy = chosen ?? (assumed.length > 0 ? 'always' : unsaid);
  return {
    policy,
    concurrent: policy === 'always',
    confirm,
    ...(flags.dryBudget === undefined ? {} : { budgetMs: flags.dryBudget }),
    ...(flags.isolation === undefined ? {} : { isolation: flags.isolation }),
    ...(flags.requireIsolation === undefined ? {} : { requireIsolation: flags.requireIsolation }),
    ...(flags.readyTwin === false ? { readyTwin: false } : {}),
    ...(assumed.length === 0 ? {} : { assume: assumed }),
    ...(flags.showOutput ? { onOutput: (text: string) => process.stderr.write(visible(text)) } : {}),
  };
}

/** In a guarded run the real cell waits for the copy: it is started early, gives up soon, and loads no twin unasked. */
export function guardedDryOptions(flags: DryFlags): DryOptions {
  const options = dryOptions(flags);
  return {
    budgetMs: guardedDryBudgetMs,
    ...(options.policy === 'always' ? {} : { twinLoadMs: 0 }),
    ...options,
    concurrent: true,
  };
}

async function confirm(reason: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await whileAsking(() =>
      terminal.question(`Run the cell in a copy first (${visible(reason)})? [y/N] `),
    );
    return /^y/i.test(answer);
  } finally {
    terminal.close();
  }
}
