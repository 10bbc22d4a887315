// A proposed fix is worth offering only when the ladder agrees: the edited copy of the cell is judged by the same
// deterministic rungs, and no longer crashes.
import type { Edit, Verdict } from '@grus/core';
import { type CheckOptions, type CheckTarget, checkCell } from '@grus/notebook';
import type { Fix } from '../question/answer.js';
import { cleanText } from '../question/clean.js';
import { applyFix, editOf } from './apply.js';

export interface VerifiedFix {
  readonly edit: Edit;
  readonly source: string;
  /** `ran`: the edited cell finished in a copy of the kernel. `gone`: the proven crash is no longer found. */
  readonly proof: 'ran' | 'gone';
}

/**
 * The fix when it is verified, else null. A crash that only a model predicts counts as gone when the edited cell really
 * finished in a dry run; one that a deterministic rung has proven, when that rung finds nothing any more.
 */
export async function verifyFix(
  target: CheckTarget,
  fix: Fix,
  options: CheckOptions,
  proven: boolean,
): Promise<VerifiedFix | null> {
  const source = applyFix(target.source, fix);
  if (source === null) return null;
  const { last: _last, ...deterministic } = options;
  const dry =
    options.dry && options.dry.policy !== 'never' ? { ...options.dry, policy: 'always' as const } : undefined;
  const verdict = await checkCell({ ...target, source }, { ...deterministic, ...(dry ? { dry } : {}) });
  const proof = proofOf(verdict, proven);
  if (proof === null) return null;
  const lines =
    fix.firstLine === fix.lastLine ? `line ${fix.firstLine}` : `lines ${fix.firstLine}–${fix.lastLine}`;
  const title = `Replace ${lines} by: ${cleanText(fix.replacement, 200)}`;
  return { edit: editOf(target.source, fix, title), source, proof };
}

function proofOf(verdict: Verdict, proven: boolean): VerifiedFix['proof'] | null {
  if (verdict.outcome === 'ok' && verdict.rung === 'dry run') return 'ran';
  return proven && verdict.outcome === 'unknown' && !verdict.rungs.some(failed) ? 'gone' : null;
}

/** A rung that could not work proves nothing. */
function failed({ abstained_because: why }: Verdict['rungs'][number]): boolean {
  return why !== null && /rung failed|could not be read|is suppressed|is not Python/.test(why);
}
