// What a change breaks and repairs, for people and for a pull request. The other formats show what it breaks alone, as
// they show crashes.
import { exceptionText, visible } from '@grus/core';
import { blameText } from '../pipeline/blame.js';
import { brought, type Comparison } from '../pipeline/compare.js';
import type { JudgedCell, Summary } from '../pipeline/report.js';
import { renderVerdict } from '../render/verdict.js';
import { plainStyle, type Style } from '../terminal/style.js';
import { labelled } from '../terminal/wrap.js';
import { markdownReport } from './markdown.js';

export function textOfComparison({ before, after, blames, ...found }: Comparison, style: Style): string {
  const path = visible(after.path);
  const line = (mark: string, { cell, verdict }: JudgedCell, what: string) =>
    `${mark} ${style.bold(`${path} cell ${cell.number}`)} ${what}: ${visible(verdict.exception ? exceptionText(verdict.exception) : 'an exception').split('\n')[0]}`;
  const problems = [before, after].flatMap(({ path: name, problem }) =>
    problem === null ? [] : [`${style.red('!')} ${visible(`${name} could not be checked: ${problem}`)}`],
  );
  return [
    ...found.breaks.map(({ cell, verdict }) =>
      [
        renderVerdict({ verdict, subject: `${path} cell ${cell.number}`, source: cell.source }, style),
        ...(blames.get(cell.number) ?? []).map((blame) =>
          labelled('  since ', visible(blameText(blame)), style.width),
        ),
      ].join('\n'),
    ),
    ...found.uncovers.map((one) => line(style.red('?'), one, 'would crash, and was not judged before')),
    ...found.still.map((one) => line('·', one, 'would crash as before')),
    ...found.repairs.map((one) => line(style.green('✓'), one, 'is repaired; it crashed with')),
    ...problems,
  ]
    .map((text) => `${text}\n`)
    .join('');
}

export function textOfComparisons(comparisons: readonly Comparison[], ms: number, style: Style): string {
  const count = (of: 'breaks' | 'uncovers' | 'still' | 'repairs') =>
    comparisons.reduce((sum, one) => sum + one[of].length, 0);
  const parts = [
    count('breaks') > 0 && style.red(`${count('breaks')} broken`),
    count('uncovers') > 0 && `${count('uncovers')} not judged before`,
    count('still') > 0 && `${count('still')} as before`,
    count('repairs') > 0 && style.green(`${count('repairs')} repaired`),
  ].filter((part) => part !== false);
  return `${style.bold(parts.length === 0 ? 'nothing broken, nothing repaired' : parts.join(', '))} ${style.dim(`(${(ms / 1000).toFixed(1)} s)`)}\n`;
}

/** A pull request is told what breaks, in a table, and the rest below it. */
export function markdownOfComparisons(comparisons: readonly Comparison[], summary: Summary): string {
  const rest = comparisons
    .map((one) => textOfComparison({ ...one, breaks: [] }, plainStyle))
    .join('')
    .trimEnd();
  const fence = '`'.repeat(Math.max(3, ...[...rest.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const told = rest === '' ? '' : `\n${fence}text\n${rest}\n${fence}\n`;
  return `${markdownReport(comparisons.map(brought), summary)}${told}`;
}
