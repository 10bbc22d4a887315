// One instance of the benchmark as its text file holds it: executed cells, recorded runtime information, target cell.
import { readPprint } from '../pprint/read.js';
import type { PyValue } from '../pprint/value.js';

export interface InstanceText {
  readonly executed: readonly string[];
  readonly runtime: PyValue;
  readonly target: string;
}

const runtimeHeading = /^# Current relevent runtime information:[ \t]*\n/m;
const targetHeading = /^# Target Cell:[ \t]*\n/m;
const cellHeading = /^## Cell \d+:[ \t]*\n/m;

/** Splits the text at its headings; null when it has no target cell. */
export function readInstance(text: string): InstanceText | null {
  const plain = text.replace(/\r\n?/g, '\n');
  const parts = plain.split(targetHeading);
  const target = parts.pop();
  if (target === undefined || parts.length === 0) return null;
  const [before = '', runtime] = parts.join('# Target Cell:\n').split(runtimeHeading);
  const [, ...cells] = before.split(cellHeading);
  return {
    executed: cells.map(trimBlankLines),
    runtime: runtime === undefined ? null : readPprint(runtime),
    target: trimBlankLines(target),
  };
}

function trimBlankLines(source: string): string {
  return source.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
}
