// A proposed edit is worth offering only when the ladder agrees: the edited copy of the cell is judged by the same
// deterministic rungs and no longer crashes. An edit of a rule of Grus is also run in a copy where dry runs are allowed. An
// edit that a model wrote is only read, unless somebody asked to have it run; and then never before the crash itself was.
import type { Edit, ProposedEdit, Reason, Verdict } from '@grus/core';
import { type CheckOptions, type CheckTarget, checkCell } from '../ladder/check-cell.js';
import { applyEdit } from './apply.js';
import { keepsTheWork } from './keeps.js';

export interface VerifiedFix {
  readonly edit: Edit | ProposedEdit;
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
  return judgeEdited(target, edit, mayRun(options) ? running(options) : reading(options), proven);
}

export interface ProposalOptions {
  /** How the cell itself was judged. */
  readonly check: CheckOptions;
  /** Whether a deterministic rung has proven the crash. */
  readonly proven: boolean;
  /** Somebody asked to have what the model wrote run in a copy. */
  readonly run: boolean;
}

/** Verifies what a model wrote. With `run`, call `tryCrash` first. */
export async function verifyProposal(
  target: CheckTarget,
  proposal: ProposedEdit,
  { check, proven, run }: ProposalOptions,
): Promise<VerifiedFix | null> {
  const options = run && mayRun(check) ? strictest(check) : reading(check);
  return judgeEdited(target, proposal, options, proven);
}

/** Runs the cell as it is under the strictest isolation, before anything that is to replace it. */
export function tryCrash(target: CheckTarget, check: CheckOptions): Promise<Verdict> {
  const { last: _last, strict: _strict, ...options } = mayRun(check) ? strictest(check) : reading(check);
  return checkCell(target, { ...options, rungs: ['dry run'] });
}

async function judgeEdited(
  target: CheckTarget,
  edit: Edit | ProposedEdit,
  options: CheckOptions,
  proven: boolean,
): Promise<VerifiedFix | null> {
  const source = applyEdit(target.source, edit);
  if (source === null || !keepsTheWork(target.source, source)) return null;
  const { last: _last, strict: _strict, ...deterministic } = options;
  const verdict = await checkCell({ ...target, source }, deterministic);
  const proof = proofOf(verdict, proven);
  return proof === null ? null : { edit, source, proof };
}

function mayRun({ dry }: CheckOptions): boolean {
  return dry !== undefined && dry.policy !== 'never';
}

function running(options: CheckOptions): CheckOptions {
  return { ...options, dry: { ...options.dry, policy: 'always' } };
}

function strictest(options: CheckOptions): CheckOptions {
  const { dry } = running(options);
  return { ...options, inquiryMs: 0, dry: { ...dry!, isolation: 'auto', requireIsolation: 'namespaces' } };
}

/** Names and live objects are read; no copy is made, neither to run the cell nor to ask libraries. */
function reading({ dry: _dry, ...options }: CheckOptions): CheckOptions {
  return { ...options, inquiryMs: 0 };
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
