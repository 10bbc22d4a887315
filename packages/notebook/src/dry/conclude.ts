// From what happened in the copy to what the rung says: a crash, a proof that there is none, or why it is neither.
import { type Evidence, exceptionText, type Finding, type Reason, type RungResult, textOf } from '@grus/core';
import { type DryCell, type DryRunResult, strengths } from '@grus/kernel';

type Copy = Extract<DryRunResult, { status: 'ok' }>;
type Raised = Extract<DryCell, { status: 'raised' }>;

/** A twin has what the cell names, not the inner state of libraries. */
const twinConfidence = 0.97;
/** Rounds that were left out could have crashed earlier, or changed what the analysis of the code does not see. */
const clippedConfidence = 0.95;

/** The conclusion about one cell of those that the copy was given. */
export function conclude(result: DryRunResult, index: number, source: string): RungResult {
  if (result.status === 'refused') return unknown({ code: 'copy-refused', because: result.reason });
  const cell = result.cells.find((told) => told.cell === index);
  if (cell === undefined) return unknown(unreached(result, index));
  switch (cell.status) {
    case 'no-verdict':
      return unknown({ code: 'no-verdict', because: cell.reason });
    case 'finished':
      return cell.doubt === null
        ? {
            outcome: 'ok',
            confidence: result.twin === null ? 1 : twinConfidence,
            evidence: [evidenceOf(result, `the whole cell finished in ${duration(cell.cell_ms)}`)],
            explanation: `The whole cell finished in ${stage(result)}.`,
          }
        : unknown({ code: 'finished-doubtfully', doubt: cell.doubt });
    case 'raised':
      return cell.doubt === null
        ? { outcome: 'crash', findings: [findingOf(result, cell, source)] }
        : unknown({ code: 'raised-doubtfully', error: cell.type, doubt: cell.doubt });
  }
}

/** Where it ran; an isolation that is weaker than the strongest, or that leaves something open here, is named with what it leaves. */
function stage({ twin, isolation }: Copy): string {
  const where = twin === null ? 'an isolated copy of the kernel' : 'an isolated twin of the kernel';
  if (isolation === null) return where;
  const weaker = isolation.strength === strengths[0] ? 'the isolation' : 'the weaker isolation';
  const open =
    isolation.not_covered.length > 0 ? `, which does not cover ${isolation.not_covered.join(', ')}` : '';
  return isolation.strength === strengths[0] && open === ''
    ? where
    : `${where} (under ${weaker} ${isolation.strength}${open})`;
}

function unknown(reason: Reason): RungResult {
  return { outcome: 'unknown', reason };
}

function unreached(copy: Copy, index: number): Reason {
  switch (copy.ended) {
    case 'time':
      return { code: 'dry-time-spent', ms: copy.total_ms, where: stuckAt(copy), ahead: ahead(copy, index) };
    case 'user':
      return { code: 'gave-way' };
    case 'died':
      return { code: 'copy-died', signal: copy.signal };
    case 'failed':
      return { code: 'not-prepared', what: copy.twin ? 'twin' : 'copy', because: copy.reason };
    case 'done':
      return { code: 'earlier-unfinished' };
    case 'flood':
      return { code: 'copy-wrote-result' };
  }
}

/** Where the copy was when its time ran out. */
function stuckAt({ where: [innermost] }: Copy): string | null {
  return innermost
    ? `${innermost.function}, ${innermost.file.split('/').at(-1)} line ${innermost.line}`
    : null;
}

/** What the copy met that was sent ahead with its loops cut short. */
function ahead({ rehearsed }: Copy, index: number): Reason | null {
  const cell = rehearsed.find((told) => told.cell === index);
  if (cell?.status === 'finished') return { code: 'ahead-finished' };
  if (cell?.status !== 'raised') return null;
  return { code: 'ahead-raised', error: cell.type, line: String(cell.line ?? '?'), doubt: cell.doubt };
}

function findingOf(copy: Copy, cell: Raised, source: string): Finding {
  const line = cell.line ?? cell.call_line ?? 1;
  const text = source.split('\n')[line - 1] ?? '';
  const cause = cell.chain[0];
  const caused = cause ? `, which came from ${firstLine(exceptionText(cause))}` : '';
  return {
    check: 'dry-run/exception',
    exception: { type: cell.type, message: cell.message },
    place: {
      line,
      column: text.length - text.trimStart().length,
      endLine: line,
      endColumn: Math.max(1, text.trimEnd().length),
    },
    confidence: copy.twin !== null ? twinConfidence : cell.clipped.length > 0 ? clippedConfidence : 1,
    evidence: [
      evidenceOf(copy, `${firstLine(exceptionText(cell))} after ${duration(cell.cell_ms)}${caused}`),
      ...clippingOf(cell),
    ],
    explanation: `The cell was run in ${stage(copy)} and raised ${cell.type} in line ${line}${insideOf(cell)}.`,
    remedy: `Change line ${line}, or what it works on, and check again: the exception is the real one.`,
  };
}

/** The line of the function that failed, where an earlier cell defines it: the one to change may be either. */
function insideOf({ inside }: Raised): string {
  if (inside === null) return '';
  const home = inside.cell === null ? 'an earlier cell' : `cell [${inside.cell}]`;
  return `, in line ${inside.line} of ${home}, inside \`${inside.function}\``;
}

function clippingOf({ clipped, skipped_ms: skipped, variations }: Raised): Evidence[] {
  if (clipped.length === 0) return [];
  const cuts = clipped.map(({ what, line, done, of }) => {
    const whole = of === null ? '' : ` of ${of}`;
    return what === 'loop'
      ? `the loop in line ${line} after ${done}${whole} rounds`
      : `${what} in line ${line} to ${done}${whole}`;
  });
  const saved = skipped >= 1000 ? `, about ${duration(skipped)} earlier than in the whole run` : '';
  return [
    {
      fact: `cut short: ${cuts.join(', ')}${saved}`,
      source:
        variations === 0
          ? 'the exception does not depend on what was left out: the code between was followed'
          : `the exception came again in ${variations} copies, each with other numbers in the place of those that training made`,
    },
  ];
}

function evidenceOf(copy: Copy, fact: string): Evidence {
  const { isolation } = copy;
  const how = isolation ? `${isolation.strength}: ${isolation.detail}` : 'isolated';
  const where = copy.twin
    ? `fresh process with ${copy.twin.objects} objects of the kernel${sampleOf(copy.twin.sampled)}, because ${textOf(copy.twin.reason)}`
    : 'copy';
  return { fact, source: `ran in an isolated ${where} (${how})` };
}

function sampleOf(names: readonly string[]): string {
  return names.length === 0 ? '' : ` (sampled rows of ${names.join(', ')})`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!.slice(0, 300);
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
