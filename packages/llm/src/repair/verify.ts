// A model's proposal, verified like any other edit.
import { type CheckOptions, type CheckTarget, type VerifiedFix, verifyEdit } from '@grus/notebook';
import type { Fix } from '../question/answer.js';
import { editOf } from './apply.js';

export async function verifyFix(
  target: CheckTarget,
  fix: Fix,
  options: CheckOptions,
  proven: boolean,
): Promise<VerifiedFix | null> {
  const edit = editOf(target.source, fix);
  return edit === null ? null : verifyEdit(target, edit, options, proven);
}
