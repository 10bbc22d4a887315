// What the flags of `grus check` mean for the ladder.
import type { CheckOptions } from '@grus/notebook';
import type { CheckFlags } from '../options/check.js';
import { dryOptions } from './dry.js';
import { withModel } from './model.js';

/** Asked for one cell, the whole ladder is climbed; on a walk each cell is run anyway, right after its check. */
export function checkOptions(flags: CheckFlags, asked: 'one-cell' | 'walk'): Promise<CheckOptions> {
  const limits = flags.budget === undefined ? {} : { budgetMs: flags.budget };
  const dry = dryOptions(flags, asked === 'one-cell' ? 'always' : 'auto');
  return withModel({ ...limits, preview: flags.preview ?? false, dry }, flags);
}
