// The code of the question: the executed cells in the order in which they ran, and the target cell with its line numbers.
import type { Disclosure } from '@grus/core';
import type { Snapshot } from '@grus/kernel/snapshot';
import type { CellHistory } from '@grus/notebook';
import { type ShownCode, showCode } from './code/show.js';
import { estimateTokens } from './tokens.js';

/** Sources in execution order: as the session remembers them, or as the notebook was run. */
export function executedCells(snapshot: Snapshot | null, cells: readonly CellHistory[]): string[] {
  if (snapshot?.cells?.length) return snapshot.cells.map(({ source }) => source);
  return cells
    .filter((cell) => cell.status !== 'not-run')
    .sort((a, b) => (a.executionCount ?? 0) - (b.executionCount ?? 0))
    .map(({ source }) => source);
}

/** No line of code is longer than this: pictures and keys in literals say nothing about a crash. */
const longestLine = 1_000;

/** What the code may show besides its structure. */
export interface CodeView {
  readonly disclosure: Disclosure;
  /** Keys of live dicts. */
  readonly keys: ReadonlySet<string>;
}

export function shownCell(source: string, { disclosure, keys }: CodeView): ShownCode {
  const { lines, withheld } = showCode(source, disclosure, keys);
  return {
    withheld,
    lines: lines.map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}… (cut)` : line)),
  };
}

/** The cells as text; those that have least to do with the target give way first when they do not fit. */
export function renderCells(
  sources: readonly string[],
  target: string,
  tokens: number,
  view: CodeView,
): string {
  const wanted = wordsOf(target);
  const blocks = sources.map((source, index) => {
    const code = shownCell(source, view)
      .lines.filter((line) => line.trim() !== '')
      .join('\n');
    const words = wordsOf(source);
    const shared = [...wanted].filter((word) => words.has(word)).length;
    const text = `# cell ${index + 1}\n${code}`;
    return { index, text, shared, tokens: estimateTokens(text) + 1 };
  });
  const kept = new Set<number>();
  let left = tokens;
  for (const block of [...blocks].sort((a, b) => b.shared - a.shared || b.index - a.index)) {
    // Room for the line that says what is missing before it.
    if (block.tokens + gapTokens > left) continue;
    left -= block.tokens + gapTokens;
    kept.add(block.index);
  }
  const lines: string[] = [];
  let gap = 0;
  for (const { index, text } of [...blocks, { index: blocks.length, text: '' }]) {
    if (index < blocks.length && !kept.has(index)) {
      gap++;
      continue;
    }
    if (gap > 0) lines.push(gapLine(index - gap + 1, index));
    gap = 0;
    if (text !== '') lines.push(text);
  }
  return lines.join('\n');
}

const gapTokens = estimateTokens(gapLine(1000, 1001));

function gapLine(first: number, last: number): string {
  return first === last
    ? `# cell ${first} is left out for length`
    : `# cells ${first} to ${last} are left out for length`;
}

function wordsOf(code: string): Set<string> {
  return new Set(code.match(/[^\W\d]\w*/gu) ?? []);
}

export function renderTarget(code: readonly string[], tokens: number): string {
  const lines = code
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '');
  const shown: string[] = [];
  let left = tokens;
  for (const { line, number } of lines) {
    const text = `${number}| ${line}`;
    left -= estimateTokens(text) + 1;
    if (left < 0) return [...shown, '(the rest is left out for length)'].join('\n');
    shown.push(text);
  }
  return shown.join('\n');
}
