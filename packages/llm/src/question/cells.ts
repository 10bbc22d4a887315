// The code of the question: the executed cells in the order in which they ran, and the target cell with its line numbers.
import type { Snapshot } from '@grus/kernel/snapshot';
import type { CellHistory } from '@grus/notebook';
import { stripComments } from './strip.js';
import { estimateTokens } from './tokens.js';

/** Sources in execution order: as the session remembers them, or as the notebook was run. */
export function executedCells(snapshot: Snapshot | null, cells: readonly CellHistory[]): string[] {
  if (snapshot?.cells?.length) return snapshot.cells.map(({ source }) => source);
  return cells
    .filter((cell) => cell.status !== 'not-run')
    .sort((a, b) => (a.executionCount ?? 0) - (b.executionCount ?? 0))
    .map(({ source }) => source);
}

/** The cells as text; those that have least to do with the target give way first when they do not fit. */
export function renderCells(sources: readonly string[], target: string, tokens: number): string {
  const wanted = new Set(target.match(/[^\W\d]\w*/gu) ?? []);
  const blocks = sources.map((source, index) => {
    const code = stripComments(source)
      .replace(/\n{2,}/g, '\n')
      .trim();
    const words = new Set(code.match(/[^\W\d]\w*/gu) ?? []);
    const shared = [...wanted].filter((word) => words.has(word)).length;
    const text = `# cell ${index + 1}\n${code}`;
    return { index, text, shared, tokens: estimateTokens(text) + 1 };
  });
  const kept = new Set<number>();
  let left = tokens;
  for (const block of [...blocks].sort((a, b) => b.shared - a.shared || b.index - a.index)) {
    if (block.tokens > left) continue;
    left -= block.tokens;
    kept.add(block.index);
  }
  return blocks
    .map(({ index, text }) => (kept.has(index) ? text : `# cell ${index + 1} is left out for length`))
    .join('\n');
}

export function renderTarget(source: string, tokens: number): string {
  const lines = stripComments(source)
    .split('\n')
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
