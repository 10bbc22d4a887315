// Text that went through other hands: quoted by a mail program, wrapped by a browser or a terminal, indented as a whole, with the escape
// characters of its colours lost. Put back as the program printed it, line numbers kept.
import type { FileRecord } from '../collect/file-record.js';
import type { Parser } from '../reader.js';

/** Beyond this nobody pasted it. */
export const mostPasted = 256 * 1024;
/** No message is longer. */
const mostJoined = 200;

interface Wrapping {
  readonly width: number;
  /** A terminal breaks inside of words, everything else between them. */
  readonly insideWords: boolean;
}

export interface Repairs {
  readonly quoted: boolean;
  readonly indent: number;
  /** How lines were broken; null when they were not. */
  readonly wrapping: Wrapping | null;
  readonly bareColours: boolean;
}

const quoteMark = /^(?:> ?)+/;
const bareColour = /\[(?:\d{1,3}(?:;\d{1,3})*)?m/g;

/** What has to be put right, or null when the text is as it was printed. */
export function repairsFor(text: string): Repairs | null {
  const bareColours = !text.includes('\u001b') && /\[(?:0|39|22)m/.test(text);
  const lines = text.split(/\r?\n/);
  const filled = lines.filter((line) => line.trim() !== '');
  const quoted =
    filled.length > 0 &&
    filled.filter((line) => /^>/.test(line)).length >= 0.8 * filled.length &&
    !isPrompt(filled);
  const bare = lines.map((line) => withoutMarks(line, quoted, bareColours));
  const indent = commonIndent(bare);
  const wrapping = wrappingOf(bare.map((line) => line.slice(indent)));
  if (!quoted && indent === 0 && wrapping === null && !bareColours) return null;
  return { quoted, indent, wrapping, bareColours };
}

export function describeRepairs({ quoted, indent, wrapping, bareColours }: Repairs): string[] {
  return [
    ...(quoted ? ['quotation marks at the line starts taken off'] : []),
    ...(indent > 0 ? [`the indentation of ${indent} columns taken off`] : []),
    ...(wrapping ? [`lines that were wrapped at ${wrapping.width} columns joined again`] : []),
    ...(bareColours ? ['the rests of colour codes taken off'] : []),
  ];
}

/** Python's prompt begins with the same sign. */
function isPrompt(lines: readonly string[]): boolean {
  return lines.some((line) => line.startsWith('>>> '));
}

function withoutMarks(line: string, quoted: boolean, bareColours: boolean): string {
  const unquoted = quoted ? line.replace(quoteMark, '') : line;
  return bareColours ? unquoted.replace(bareColour, '') : unquoted;
}

/** Spaces before every line: a block that was set in as a whole. Two columns may be a program's own. */
function commonIndent(lines: readonly string[]): number {
  const filled = lines.filter((line) => line.trim() !== '');
  if (filled.length < 2) return 0;
  const least = Math.min(...filled.map((line) => line.length - line.trimStart().length));
  return least >= 2 ? least : 0;
}

/** The head of a line that nobody wrapped: of a stack, of a log, of a table, of an error. */
const startsAnew =
  /^(?:[Ff]ile "|Traceback|\[?\d{4}[-/]\d\d|\[?\d{1,2}:\d\d|[\w.]*[A-Z]\w*(?:Error|Exception|Warning|Interrupt)\b|[Ee]poch\b|EPOCH\b|[Ss]tep\b|[Ii]ter|\{|\[(?!-?\d+(?:, ?-?\d+)*\](?!<))|\d+%|>>>|During handling|The above exception|\((?:\d+\)|[\w ]*pid=|\w+\))|<|-{3}|={3}|\*{2}|[|\u2500-\u257f]|(?:INFO|WARN|ERROR|DEBUG|I|W|E)\b|(?:Aborted|Killed|Terminated|Segmentation fault|Bus error)\b|\w+(?:\.\w+)*: )/;

/** What a terminal, a mail program or a page is wide. */
const usualWidths: ReadonlySet<number> = new Set([72, 76, 78, 79, 80, 90, 100, 110, 120, 132, 140, 150, 160]);
const complains =
  /error|exception|warning|file "|assert|fail|fatal|invalid|cannot|could not|unable|expected/i;

/** Wrapped when enough lines are filled up to one width and go on in the next. */
function wrappingOf(lines: readonly string[]): Wrapping | null {
  const width = Math.max(...lines.map((line) => line.length));
  if (width < 40 || width > 200) return null;
  const templates = new Map<string, number>();
  for (const line of lines) templates.set(templateOf(line), (templates.get(templateOf(line)) ?? 0) + 1);
  const filled = lines.filter((line) => line.trim() !== '').length;
  const joined = lines.filter(
    (line, at) => goesOn(line, lines[at + 1], width) && templates.get(templateOf(lines[at + 1]!)) === 1,
  );
  if (joined.length < Math.max(1, 0.1 * filled)) return null;
  const isExact = joined.every((line) => line.length === width);
  const insideWords = isExact && (joined.length >= 2 || usualWidths.has(width));
  // Two short lines prove nothing, unless the first is an error's and the second begins no sentence.
  const isOne = (line: string): boolean =>
    complains.test(line) && !/^[A-Z]/.test(lines[lines.indexOf(line) + 1]!);
  return joined.length > 1 || insideWords || isOne(joined[0]!) ? { width, insideWords } : null;
}

function templateOf(line: string): string {
  return line.slice(0, 16).replace(/\d+/g, '#');
}

/** The line is so full that the next word would not have fitted, and the next line does not begin something of its own. */
function goesOn(line: string, next: string | undefined, width: number): boolean {
  // A piece is no longer than the width; what is longer was not wrapped, and is not worth a look.
  if (next === undefined || next === '' || next.length > width || startsAnew.test(next)) return false;
  // A terminal breaks before a space as well as anywhere else.
  if (/^\s/.test(next)) return line.length === width && /^ \S/.test(next);
  const word = /^\S+/.exec(next)![0];
  return line.length >= 0.4 * width && line.length + (/\s$/.test(line) ? 0 : 1) + word.length > width;
}

/** Hands repaired lines on, one by one, with the numbers they had. */
export class PastedText implements Parser {
  private rest = '';
  private lastPiece = '';
  private held: { text: string; lines: number } | null = null;
  private readonly decoder = new TextDecoder('utf-8');

  constructor(
    private readonly inner: Parser & { skipLines(count: number): void },
    private readonly repairs: Repairs,
    record: FileRecord,
  ) {
    for (const text of describeRepairs(repairs)) record.note('repaired', text, -1);
  }

  write(chunk: Buffer): void {
    const lines = (this.rest + this.decoder.decode(chunk, { stream: true })).split('\n');
    this.rest = lines.pop()!;
    for (const line of lines) this.take(line.replace(/\r$/, ''));
    if (this.rest.length > mostPasted) {
      this.take(this.rest);
      this.rest = '';
    }
  }

  end(): void {
    if (this.rest !== '') this.take(this.rest);
    this.release();
    this.inner.end();
  }

  private take(raw: string): void {
    const { quoted, indent, bareColours, wrapping } = this.repairs;
    const bare = withoutMarks(raw, quoted, bareColours);
    const line = bare.slice(Math.min(indent, bare.length - bare.trimStart().length));
    const { held } = this;
    if (held && wrapping && held.lines < mostJoined && goesOn(this.lastPiece, line, wrapping.width)) {
      const joined = wrapping.insideWords ? held.text + line : `${held.text.trimEnd()} ${line}`;
      this.held = { text: joined, lines: held.lines + 1 };
    } else {
      this.release();
      this.held = { text: line, lines: 1 };
    }
    this.lastPiece = line;
  }

  private release(): void {
    if (this.held === null) return;
    this.inner.write(Buffer.from(`${this.held.text}\n`));
    this.inner.skipLines(this.held.lines - 1);
    this.held = null;
  }
}
