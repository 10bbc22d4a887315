// A model's proposal, verified: by reading, or, where somebody asked for that, by running it in a copy.
import { type CheckTarget, type ProposalOptions, type VerifiedFix, verifyProposal } from '@grus/notebook';
import type { Fix } from '../question/answer.js';
import type { Withheld } from '../question/code/show.js';
import { editOf } from './apply.js';

export async function verifyFix(
  target: CheckTarget,
  fix: Fix,
  options: ProposalOptions,
  withheld: readonly Withheld[] = [],
): Promise<VerifiedFix | null> {
  const edit = editOf(target.source, fix, withheld);
  return edit === null ? null : verifyProposal(target, edit, options);
}
