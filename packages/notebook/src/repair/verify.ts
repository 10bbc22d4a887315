// A proposed edit is worth offering only when the ladder agrees: the edited copy of the cell is judged by the same
// deterministic rungs, with a dry run where one is allowed, and no longer crashes.
import type { Edit, Reason, Verdict } from '@grus/core';
import { type CheckOptions, type CheckTarget, checkCell } from '../ladder/check-cell.js';
import { applyEdit } from './apply.js';
import { keepsTheWork } from './keeps.js';

export interface VerifiedFix {
  readonly edit: Edit;
  /** The whole cell with the edit. */
  readonly source: string;
  /** `ran`: the edited cell finished in a copy of the kernel. `gone`: the proven crash is no longer found. */
  readonly proof: 'ran' | 'gone';
}

/**
 * The fix when it is verified, else null. A crash that only a model predicts counts as gone when the edited cell really
 * finished in a dry run; one that a deterministic rung has proven, when that rung finds nothing any more.
 */
export async function verifyEdit(
  target: CheckTarget,
  edit: Edit,
  options: CheckOptions,
  proven: boolean,
): Promise<VerifiedFix | null> {
  const source = applyEdit(target.source, edit);
  if (source === null || !keepsTheWork(target.source, source)) return null;
  const { last: _last, strict: _strict, ...deterministic } = options;
  const dry =
    options.dry && options.dry.policy !== 'never' ? { ...options.dry, policy: 'always' as const } : undefined;
  const verdict = await checkCell({ ...target, source }, { ...deterministic, ...(dry ? { dry } : {}) });
  const proof = proofOf(verdict, proven);
  return proof === null ? null : { edit, source, proof };
}

function proofOf(verdict: Verdict, proven: boolean): VerifiedFix['proof'] | null {
  if (verdict.outcome === 'ok' && verdict.rung === 'dry run') return 'ran';
  return proven && verdict.outcome === 'unknown' && !verdict.rungs.some(failed) ? 'gone' : null;
}

/** A rung that could not work proves nothing. */
function failed({ reason }: Verdict['rungs'][number]): boolean {
  return reason !== null && (idle.has(reason.code) || hidesFindings(reason));
}

const idle: ReadonlySet<Reason['code']> = new Set(['rung-failed', 'kernel-unread', 'not-python']);

function hidesFindings(reason: Reason): boolean {
  return reason.code === 'nothing-certain' && reason.reservations.some(({ code }) => code === 'suppressed');
}
