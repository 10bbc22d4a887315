// From what happened in the copy to what the rung says: a crash, a proof that there is none, or why it is neither.
import type { Evidence, Finding, RungResult } from '@grus/core';
import type { DryCell, DryRunResult } from '@grus/kernel';

type Copy = Extract<DryRunResult, { status: 'ok' }>;
type Raised = Extract<DryCell, { status: 'raised' }>;

/** A twin has what the cell names, not the inner state of libraries. */
const twinConfidence = 0.97;
/** Rounds that were left out could have crashed earlier, or changed what the analysis of the code does not see. */
const clippedConfidence = 0.95;

/** The conclusion about one cell of those that the copy was given. */
export function conclude(result: DryRunResult, index: number, source: string): RungResult {
  if (result.status === 'refused') return unknown(`the kernel was not copied: ${result.because}`);
  const cell = result.cells.find((told) => told.cell === index);
  if (cell === undefined) return unknown(unreached(result, index));
  switch (cell.status) {
    case 'no-verdict':
      return unknown(`the copy gave no verdict: ${cell.because}`);
    case 'finished':
      return cell.doubt === null
        ? {
            outcome: 'ok',
            confidence: result.twin === null ? 1 : twinConfidence,
            evidence: [evidenceOf(result, `the whole cell finished in ${duration(cell.cell_ms)}`)],
            explanation: `The whole cell finished in ${stage(result)}.`,
          }
        : unknown(`it finished in the copy, but ${cell.doubt}`);
    case 'raised':
      return cell.doubt === null
        ? { outcome: 'crash', findings: [findingOf(result, cell, source)] }
        : unknown(`${cell.type} in the copy is inconclusive: ${cell.doubt}`);
  }
}

function stage(copy: Copy): string {
  return copy.twin === null ? 'an isolated copy of the kernel' : 'an isolated twin of the kernel';
}

function unknown(because: string): RungResult {
  return { outcome: 'unknown', because };
}

function unreached(copy: Copy, index: number): string {
  switch (copy.ended) {
    case 'time':
      return `the cell did not end within the budget of the dry run (${duration(copy.total_ms)}${stuckAt(copy)})${ahead(copy, index)}`;
    case 'user':
      return 'the dry run gave way to a cell that was started meanwhile';
    case 'died':
      return `the copy died${copy.signal ? ` of ${copy.signal}` : ''} before the cell ended`;
    case 'failed':
      return `${copy.twin ? 'the twin' : 'the copy'} could not be prepared: ${copy.because}`;
    case 'done':
      return 'an earlier cell did not finish in the copy';
    default:
      return copy.ended;
  }
}

/** Where the copy was when its time ran out, innermost first. */
function stuckAt({ where }: Copy): string {
  const frame = /File ".*?([^/"]+)", line (\d+) in (.+)/.exec(where[0] ?? '');
  return frame ? `; it was in ${frame[3]}, ${frame[1]} line ${frame[2]}` : '';
}

/** What the copy met that was sent ahead with its loops cut short. */
function ahead({ rehearsed }: Copy, index: number): string {
  const cell = rehearsed.find((told) => told.cell === index);
  if (cell?.status === 'finished') return '; with its loops cut short it finished';
  if (cell?.status !== 'raised') return '';
  return `; with its loops cut short it raised ${cell.type} in line ${cell.line ?? '?'}, but ${cell.doubt}`;
}

function findingOf(copy: Copy, cell: Raised, source: string): Finding {
  const line = cell.line ?? cell.call_line ?? 1;
  const text = source.split('\n')[line - 1] ?? '';
  const cause = cell.chain[0];
  const caused = cause ? `, which came from ${cause.type}: ${firstLine(cause.message)}` : '';
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
      evidenceOf(copy, `${cell.type}: ${firstLine(cell.message)} after ${duration(cell.cell_ms)}${caused}`),
      ...clippingOf(cell),
    ],
    explanation: `The cell was run in ${stage(copy)} and raised ${cell.type} in line ${line}.`,
    remedy: `Change line ${line}, or what it works on, and check again: the exception is the real one.`,
  };
}

function clippingOf({ clipped, skipped_ms: skipped }: Raised): Evidence[] {
  if (clipped.length === 0) return [];
  const cuts = clipped.map(({ what, line, done, of }) =>
    what === 'loop'
      ? `the loop in line ${line} after ${done} of ${of} rounds`
      : `${what} in line ${line} to ${done} of ${of}`,
  );
  const saved = skipped >= 1000 ? `, about ${duration(skipped)} earlier than in the whole run` : '';
  return [
    {
      fact: `cut short: ${cuts.join(', ')}${saved}`,
      source: 'the exception does not depend on what was left out: the code between was followed',
    },
  ];
}

function evidenceOf(copy: Copy, fact: string): Evidence {
  const { isolation } = copy;
  const how = isolation ? `${isolation.strength}: ${isolation.detail}` : 'isolated';
  const where = copy.twin
    ? `fresh process with ${copy.twin.objects} objects of the kernel${sampleOf(copy.twin.sampled)}, because ${copy.twin.because}`
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
