// What the flags of `grus check` mean for the ladder.
import type { CheckOptions } from '@grus/notebook';
import type { CheckFlags } from '../options/check.js';
import { dryOptions } from './dry.js';
import { withModel } from './model.js';
import type { Settled } from './settled.js';

export type SettledFlags = CheckFlags & Settled;

/** Asked for one cell, the whole ladder is climbed; on a walk each cell is run anyway, right after its check. */
export function checkOptions(flags: SettledFlags, asked: 'one-cell' | 'walk'): Promise<CheckOptions> {
  const limits = flags.budget === undefined ? {} : { budgetMs: flags.budget };
  const dry = dryOptions(flags, asked === 'one-cell' ? 'always' : 'auto');
  const { preview = false, silenced = [] } = flags;
  return withModel({ ...limits, preview, silenced, dry }, flags);
}
