// Keeps of a text what a diagnosis reads: head, tail and notable lines, with repeated ones counted rather than
// kept. Bounded whatever the text.
import type { LineReason, TextLine } from '../../record/text.js';

const headLines = 120;
const tailLines = 400;
const notableFirst = 1500;
const notableLast = 1000;
const perTemplate = 40;
const maxTemplates = 5000;
export const maxLineText = 4000;

export interface KeptLine {
  readonly text: string;
  readonly line: number;
  readonly rank: number | null;
  readonly time: number | null;
  readonly step: number | null;
  readonly stream: 'stdout' | 'stderr' | null;
}

export class TextKeeper {
  lines = 0;
  bytes = 0;
  private readonly head: KeptLine[] = [];
  private tail: KeptLine[] = [];
  private readonly first: KeptLine[] = [];
  private last: KeptLine[] = [];
  private readonly templates = new Map<string, number>();

  get wantsHead(): boolean {
    return this.head.length < headLines;
  }

  get tailSize(): number {
    return tailLines;
  }

  addHead(line: KeptLine): void {
    if (this.wantsHead) this.head.push(line);
  }

  /** The last lines of what was read so far; older ones fall out. */
  addTail(lines: readonly KeptLine[]): void {
    this.tail =
      lines.length >= tailLines ? lines.slice(-tailLines) : [...this.tail, ...lines].slice(-tailLines);
  }

  /** How many lines like this one came before; those after the first few are counted, not kept. */
  addNotable(line: KeptLine, always = false): number {
    const before = this.countAlike(line.text);
    if (!always && before >= perTemplate) return before;
    if (this.first.length < notableFirst) this.first.push(line);
    else {
      this.last.push(line);
      if (this.last.length > notableLast * 2) this.last = this.last.slice(-notableLast);
    }
    return before;
  }

  private countAlike(text: string): number {
    const template = text.slice(0, 200).replace(/\d+/g, '#');
    const count = this.templates.get(template) ?? 0;
    if (count > 0 || this.templates.size < maxTemplates) this.templates.set(template, count + 1);
    return count;
  }

  finish(file: string): TextLine[] {
    const byLine = new Map<number, TextLine>();
    const add = (lines: readonly KeptLine[], reason: LineReason): void => {
      for (const { text, line, rank, time, step, stream } of lines) {
        const before = byLine.get(line);
        if (before !== undefined && (before.text === text || before.reason === 'notable')) continue;
        byLine.set(line, { text, at: { file, line }, rank, time, step, stream, reason });
      }
    };
    add(this.first, 'notable');
    add(this.last.slice(-notableLast), 'notable');
    add(this.head, 'head');
    add(this.tail, 'tail');
    return [...byLine.values()].sort((a, b) => a.at.line! - b.at.line!);
  }
}
