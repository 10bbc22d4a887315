// A verdict for people: what will happen, the source line with a caret, the evidence, the remedy.
import { exceptionText, type Place, type Reason, textOf, type Verdict, visible, visibleIn } from '@grus/core';
import { pages } from '../generated/pages.js';
import type { Style } from '../terminal/style.js';
import { labelled } from '../terminal/wrap.js';

export interface VerdictView {
  readonly verdict: Verdict;
  /** "cell 6", "cell.py": what was judged. */
  readonly subject: string;
  readonly source: string;
  /** Say which rung decided, and how long it took. Default true. */
  readonly timed?: boolean;
}

export function renderVerdict({ source, timed = true, ...view }: VerdictView, style: Style): string {
  // What cells, data and messages say is shown, never sent to the terminal.
  const { verdict, subject } = visibleIn(view);
  const timing = timed ? ` ${timingOf(verdict, style)}` : '';
  switch (verdict.outcome) {
    case 'crash':
      return renderCrash(verdict, subject, source, timing, style);
    case 'ok':
      return [
        `${style.green('✓')} ${style.bold(subject)} ${verdict.rung === 'execution' ? 'ran' : 'will run'}. ${verdict.explanation}${timing}`,
        // Under which isolation the copy ran, among others.
        ...verdict.evidence.map(({ fact, source: where }) =>
          style.dim(labelled('  seen  ', `${fact} (${where})`, style.width)),
        ),
      ].join('\n');
    case 'unknown':
      return [
        `${style.green('·')} ${style.bold(subject)}: no certain crash found.${timing}`,
        ...reservations(verdict).map((reason) => style.dim(labelled('  note  ', reason, style.width))),
      ].join('\n');
  }
}

function renderCrash(
  verdict: Verdict,
  subject: string,
  source: string,
  timing: string,
  style: Style,
): string {
  const { exception } = verdict;
  const what = exception ? exceptionText(exception).replace(/\n/g, '\n        ') : 'an exception';
  const blocks = [`${style.red('✗')} ${style.bold(`${subject} would crash`)}: ${style.red(what)}${timing}`];
  const place = verdict.findings[0]?.place;
  if (place) blocks.push(excerpt(source, place, style));
  blocks.push(labelled('  why   ', verdict.explanation, style.width));
  for (const { fact, source: where } of verdict.evidence) {
    blocks.push(labelled('  seen  ', `${fact} (${where})`, style.width));
  }
  if (verdict.remedy) blocks.push(labelled('  do    ', verdict.remedy, style.width));
  const check = verdict.findings[0]?.check;
  if (pages.some((page) => page.id === check)) blocks.push(style.dim(`  more  grus explain ${check}`));
  return blocks.join('\n');
}

/** The offending line, cut to the terminal, with carets below the offending range. */
function excerpt(source: string, place: Place, style: Style): string {
  const written = source.split('\n')[place.line - 1] ?? '';
  // Escapes make a line longer.
  const column = visible(written.slice(0, place.column)).length;
  const line = visible(written);
  const gutter = String(place.line).padStart(4);
  const room = Math.max(10, style.width - 8);
  const start = column > room - 20 ? Math.max(0, column - 20) : 0;
  const shown = line.slice(start, start + room);
  const end = place.endLine === place.line ? visible(written.slice(0, place.endColumn)).length : line.length;
  const from = Math.min(column - start, shown.length);
  const width = Math.max(1, Math.min(end - start, shown.length) - from);
  return [
    `${style.dim(`${gutter} │`)} ${shown}`,
    `${style.dim('     │')} ${' '.repeat(from)}${style.red('^'.repeat(width))}`,
  ].join('\n');
}

/** Why a rung that found nothing may have missed something: a budget spent, a check suppressed, a kernel out of reach. */
function reservations(verdict: Verdict): string[] {
  const reasons = verdict.rungs.flatMap(({ reason }) => reservationsOf(reason));
  return [...new Set(reasons.map(textOf))];
}

function reservationsOf(reason: Reason | null): readonly Reason[] {
  if (reason === null) return [];
  return reason.code === 'nothing-certain' ? reason.reservations : [reason];
}

function timingOf(verdict: Verdict, style: Style): string {
  const by = verdict.rung ? `${verdict.rung}, ` : '';
  return style.dim(`(${by}${Math.round(verdict.ms)} ms)`);
}
