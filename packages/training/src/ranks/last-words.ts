// What the first rank said last: "evaluating", "saving checkpoint". Where it says no more, and every rank that complains waited for
// somebody, this is what it did meanwhile.
import type { RunView } from '../features/view.js';
import type { TextLine } from '../record/run-record.js';
import { isConsequence } from './consequence.js';

export interface LastWords {
  readonly line: TextLine;
  readonly work: 'checkpoint' | 'own';
}

/** Begun, not done: "saved checkpoint" or "evaluation finished" is no work that lasts. */
const saving = /\b(?:saving|writing|dumping|uploading)\b/i;
/**
 * "evaluating ...", "INFO - main - building index of 41 files": what is told begins with it. To wait or to begin is no work.
 */
const working =
  /^(?:.{0,160}?(?:[\]:|"=]|\s-|\b(?:INFO|DEBUG|WARNING))\s*)?\W*(?!(?:train|start|wait|join|init\w*|resum|us|sett|load|do|be|noth|str)ing\b)[a-z]{2,}ing\b(?! (?:finished|done|completed?)\b)/i;

const ofStack = /^\s*File "|^(?:Current )?[Tt]hread 0x|^Timeout \(\d/;

/** Null unless rank 0 has no error and no signal of its own, and its last line names work that it began. */
export function lastWordsOfFirst({ record, failures, lines }: RunView): LastWords | null {
  if (!failures.some(isConsequence) || failures.some(({ rank }) => rank === 0)) return null;
  const line = lines.findLast(({ rank, text }) => rank === 0 && text.trim() !== '' && !ofStack.test(text));
  if (line === undefined || line.text.length > 300) return null;
  const work = saving.test(line.text) ? 'checkpoint' : working.test(line.text) ? 'own' : null;
  // Numbers that came after it, or another rank with the same words, are no work of rank 0 alone.
  const wentOn = record.series.some((series) => {
    const last = series.rank === 0 && series.length > 0 ? series.where(series.length - 1) : null;
    return last !== null && last.file === line.at.file && (last.line ?? 0) > (line.at.line ?? 0);
  });
  const alike = lines.some(({ rank, text }) => rank !== null && rank !== 0 && text === line.text);
  return work === null || wentOn || alike ? null : { line, work };
}
