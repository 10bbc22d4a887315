// A model's proposal as an edit of the cell: whole lines, with the indent that they had, and with what was not told to the
// model back in its place.
import type { ProposedEdit } from '@grus/core';
import type { Fix } from '../question/answer.js';
import { cleanText } from '../question/clean.js';
import type { Withheld } from '../question/code/show.js';

/** Null when the proposal names lines that the cell does not have, or speaks of something that nobody told it. */
export function editOf(
  source: string,
  { firstLine, lastLine, replacement }: Fix,
  withheld: readonly Withheld[] = [],
): ProposedEdit | null {
  const lines = source.replace(/\r\n?/g, '\n').split('\n');
  if (firstLine < 1 || lastLine < firstLine || lastLine > lines.length) return null;
  const whole = restored(replacement, firstLine, lastLine, withheld);
  if (whole === null) return null;
  const before = lines.slice(firstLine - 1, lastLine);
  const fresh = withIndent(whole.replace(/\r\n?/g, '\n').replace(/\n$/, ''), before[0] ?? '');
  const where = firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine}–${lastLine}`;
  return {
    place: { line: firstLine, column: 0, endLine: lastLine, endColumn: before.at(-1)?.length ?? 0 },
    replacement: fresh,
    title: `Replace ${where} by: ${cleanText(replacement, 200)}`,
    origin: 'model',
    ran: false,
  };
}

const standIn = /<(?:str|bytes|label) [^<>]{1,40}>|<(?:number|format|command|argument|magic)>|\bname_\d+\b/g;

/** Stand-ins become what they stand for: first those of the edited lines in their order, then any of the cell. */
function restored(
  replacement: string,
  firstLine: number,
  lastLine: number,
  withheld: readonly Withheld[],
): string | null {
  const near = withheld.filter(({ line }) => line >= firstLine && line <= lastLine);
  const used = new Set<Withheld>();
  let lost = false;
  const whole = replacement.replace(standIn, (shown) => {
    const entry =
      near.find((candidate) => candidate.shown === shown && !used.has(candidate)) ??
      [...near, ...withheld].find((candidate) => candidate.shown === shown);
    if (entry === undefined) {
      lost ||= !shown.startsWith('name_');
      return shown;
    }
    used.add(entry);
    return entry.original;
  });
  return lost ? null : whole;
}

/** Models often drop the indent that all lines of a block share. */
function withIndent(replacement: string, first: string): string {
  const indent = /^\s*/.exec(first)![0];
  const flush = /^\S/.test(replacement);
  return indent !== '' && flush ? replacement.replace(/^(?=.)/gm, indent) : replacement;
}
