// What a library that keeps count of its tensors prints when they do not come together: "Missing ranks:", and below it each rank with the
// tensors that it did not hand in. Where two sides miss each other's, the smaller side went another way.
import type { RunView } from '../features/view.js';
import type { TextLine } from '../record/run-record.js';

export interface Stalled {
  readonly rank: number;
  readonly line: TextLine;
  /** Whether others miss something as well: then the rank went on, and did not stop. */
  readonly wentOn: boolean;
}

const heading = /\bMissing ranks:\s*$/;
const row = /^(\d{1,5}): \[([^\]]+)/;
const mostRows = 4096;

export function stalledIn({ lines }: RunView): Stalled | null {
  const at = lines.findLastIndex(({ text }) => text.length < 1000 && heading.test(text));
  if (at < 0) return null;
  const sides = new Map<string, { readonly rank: number; readonly line: TextLine }[]>();
  for (const line of lines.slice(at + 1, at + mostRows)) {
    const found = row.exec(line.text);
    if (found === null || line.at.file !== lines[at]!.at.file) break;
    const side = sides.get(found[2]!) ?? [];
    sides.set(found[2]!, side);
    side.push({ rank: Number(found[1]), line });
  }
  const [least, next] = [...sides.values()].sort((a, b) => a.length - b.length);
  if (least === undefined || least.length > 1 || next?.length === 1) return null;
  return { ...least[0]!, wentOn: next !== undefined };
}
