// The work of `grus check --fix`: an edit that avoids a certain crash, offered only when the edited copy of the cell was
// judged free of it. An edit that a check itself knows needs no model, and is tried in a copy. What a model wrote is read;
// it is run with --verify-fix alone.
import { type ProposedEdit, type Reason, textOf, type Verdict } from '@grus/core';
import { applyEdit, type CheckOptions, type CheckTarget, type VerifiedFix, verifyEdit } from '@grus/notebook';
import type { ModelFlags } from './model.js';

export interface OfferedFix extends VerifiedFix {
  /** The id of the check that knows it, or the model that proposed it. */
  readonly by: string;
}

export interface FixAnswer {
  readonly fix: OfferedFix | null;
  /** Why there is none; null with a fix. */
  readonly fix_because: string | null;
}

export async function findFix(
  target: CheckTarget,
  verdict: Verdict,
  options: CheckOptions,
  flags: ModelFlags,
): Promise<FixAnswer> {
  const [finding] = verdict.findings;
  if (verdict.outcome !== 'crash' || finding === undefined) return none({ code: 'no-crash-to-fix' });
  if (finding.edit) {
    const known = await verifyEdit(target, finding.edit, options, true);
    if (known !== null) return { fix: { ...known, by: finding.check }, fix_because: null };
  }
  if (verdict.rung === 'llm') return ofOpinion(target, finding.proposed, verdict);
  const model = flags.model ?? process.env['GRUS_MODEL'];
  if (!model || model === 'none') return none({ code: 'no-model-for-fix' });
  const { llmSettings, openModel, proposeFix } = await import('@grus/llm');
  const settings = llmSettings(flags)!;
  const cancel = new AbortController();
  const interrupt = () => cancel.abort();
  process.once('SIGINT', interrupt);
  try {
    const open = await openModel(settings, flags.record === undefined ? {} : { record: flags.record });
    const { fix, reason } = await proposeFix(target, verdict, {
      settings,
      open,
      check: options,
      run: flags.verifyFix ?? false,
      signal: cancel.signal,
    });
    return fix === null ? none(reason) : { fix: { ...fix, by: open().name }, fix_because: null };
  } finally {
    process.off('SIGINT', interrupt);
  }
}

/** The crash is an opinion: only an edited cell that really ran is worth something. */
function ofOpinion(target: CheckTarget, proposed: ProposedEdit | undefined, verdict: Verdict): FixAnswer {
  const source = proposed?.ran ? applyEdit(target.source, proposed) : null;
  if (proposed === undefined || source === null) return none({ code: 'opinion-unverified' });
  const by = verdict.evidence[0]?.source ?? 'model';
  return { fix: { edit: proposed, source, proof: 'ran', by }, fix_because: null };
}

function none(reason: Reason): FixAnswer {
  return { fix: null, fix_because: textOf(reason) };
}
