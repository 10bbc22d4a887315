// The options about dry runs, and what they mean for a check.
import { createInterface } from 'node:readline/promises';
import { GrusError } from '@grus/core';
import { type IsolationStrength, strengths } from '@grus/kernel';
import { type DryOptions, type DryPolicy, dryPolicies, guardedDryBudgetMs } from '@grus/notebook';
import type { Command } from 'commander';
import { whileAsking } from '../terminal/progress.js';
import { choiceOption, secondsOption } from './values.js';

export interface DryFlags {
  /** `true` when the option was given without a policy. */
  readonly dry?: DryPolicy | true;
  readonly isolation?: 'auto' | IsolationStrength;
  readonly requireIsolation?: IsolationStrength;
  readonly dryBudget?: number;
  readonly set?: readonly string[];
  readonly showOutput?: boolean;
}

export function withDryOptions(command: Command): Command {
  return command
    .option(
      '--dry [policy]',
      `run the cell in an isolated copy of the kernel first: ${dryPolicies.join(', ')} (default auto; without a policy, always)`,
      choiceOption('--dry', dryPolicies),
    )
    .option(
      '--isolation <strength>',
      `how the copy is fenced in: auto, ${strengths.join(', ')}`,
      choiceOption('--isolation', ['auto', ...strengths] as const),
    )
    .option(
      '--require-isolation <strength>',
      'make no copy that is fenced in less than this',
      choiceOption('--require-isolation', strengths),
    )
    .option('--dry-budget <seconds>', 'seconds that the copy may take', secondsOption('--dry-budget'))
    .option('--set <name=expression>', 'assume this in the copy (may be repeated)', collect, [])
    .option('--show-output', 'show what the cell printed in the copy');
}

export function dryOptions(flags: DryFlags): DryOptions {
  const assumed = flags.set ?? [];
  const chosen = flags.dry === true ? 'always' : flags.dry;
  if (assumed.length > 0 && chosen === 'never')
    throw new GrusError('--set needs a dry run', { advice: 'Leave out --dry never.' });
  return {
    policy: chosen ?? (assumed.length > 0 ? 'always' : 'auto'),
    confirm,
    ...(flags.dryBudget === undefined ? {} : { budgetMs: flags.dryBudget }),
    ...(flags.isolation === undefined ? {} : { isolation: flags.isolation }),
    ...(flags.requireIsolation === undefined ? {} : { requireIsolation: flags.requireIsolation }),
    ...(assumed.length === 0 ? {} : { assume: assumed }),
    ...(flags.showOutput ? { onOutput: (text: string) => process.stderr.write(text) } : {}),
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

function collect(text: string, before: readonly string[]): string[] {
  const [, name, expression] = /^([^\W\d]\w*)\s*=(?!=)\s*(.+)$/su.exec(text) ?? [];
  if (name === undefined || expression === undefined)
    throw new GrusError(`--set ${text} is no assignment`, { advice: 'Write --set NAME=EXPRESSION.' });
  return [...before, `${name} = (${expression})`];
}

async function confirm(reason: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await whileAsking(() =>
      terminal.question(`Run the cell in a copy first (${reason})? [y/N] `),
    );
    return /^y/i.test(answer);
  } finally {
    terminal.close();
  }
}
