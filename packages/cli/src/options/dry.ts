// The options about dry runs. Every command loads them at its start, so nothing of the ladder is imported but its types.
import { GrusError } from '@grus/core';
import type { IsolationStrength } from '@grus/kernel';
import type { DryPolicy } from '@grus/notebook';
import type { Command } from 'commander';
import { choiceOption, choicesOf, secondsOption } from './values.js';

export const policies = choicesOf<DryPolicy>({ auto: true, always: true, never: true, ask: true });
export const strengths = choicesOf<IsolationStrength>({ namespaces: true, landlock: true, audit: true });

export interface DryFlags {
  /** `true` when the option was given without a policy. */
  readonly dry?: DryPolicy | true;
  readonly isolation?: 'auto' | IsolationStrength;
  readonly requireIsolation?: IsolationStrength;
  readonly dryBudget?: number;
  readonly readyTwin?: boolean;
  readonly set?: readonly string[];
  readonly showOutput?: boolean;
}

export function withDryOptions(command: Command): Command {
  return command
    .option(
      '--dry [policy]',
      `whether to run the cell in an isolated copy of the kernel: ${policies.join(', ')} (default: always for one cell, else auto; --dry alone means always)`,
      choiceOption('--dry', policies),
    )
    .option(
      '--isolation <strength>',
      `how the copy is isolated: auto (the strongest), ${strengths.join(', ')}`,
      choiceOption('--isolation', ['auto', ...strengths] as const),
    )
    .option(
      '--require-isolation <strength>',
      'make no copy with a weaker isolation than this',
      choiceOption('--require-isolation', strengths),
    )
    .option('--dry-budget <seconds>', 'seconds that the copy may take', secondsOption('--dry-budget'))
    .option(
      '--no-ready-twin',
      'do not keep a process ready with the libraries of a kernel that uses a GPU, TensorFlow, JAX or Polars',
    )
    .option('--set <name=expression>', 'assign this in the copy before the cell (may be repeated)', collect)
    .option('--show-output', 'show what the cell printed in the copy');
}

function collect(text: string, before: readonly string[] = []): string[] {
  const [, name, expression] = /^([^\W\d]\w*)\s*=(?!=)\s*(.+)$/su.exec(text) ?? [];
  if (name === undefined || expression === undefined)
    throw new GrusError(`--set ${text} is no assignment`, { advice: 'Write --set NAME=EXPRESSION.' });
  return [...before, `${name} = (${expression})`];
}
