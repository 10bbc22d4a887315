// An exception of a traceback as far as it has been read: its frames with their source, then its class and message.
import type { Frame, RaisedException } from '../../../record/exception.js';
import type { Where } from '../../../record/where.js';
import { isAdvice } from './advice.js';
import { isNamedError, type Raised } from './traceback-lines.js';

const maxFrames = 200;
const maxMessage = 8000;
const maxMessageLines = 200;
const maxShown = 12;
const maxCode = 300;

/** A numbered line of source, and the one of them that raises. */
const sourceLine = /^(?:-+> ?|\s+)\d+ (.*)$/;
const raisesHere = /^-+> ?\d+ .*\braise\s+[\w.]+\((.*)$/;
const markers = /^[\^~]+$/;

export class OpenException {
  readonly frames: Frame[] = [];
  readonly message: string[] = [];
  type: string | null = null;
  private messageLength = 0;
  /** A page or a mail took the indentation away: source lines begin where exceptions do. */
  private isFlat = false;
  /** The source line of the last frame, with its indentation. */
  private codeLine = '';
  /** What the source raises, as far as it is shown: all that is left where the text ends before the error itself. */
  private shown: string[] | null = null;

  /** `announced`: the class that is named before the frames. */
  constructor(
    private line: number,
    private readonly link: RaisedException['link'] = null,
    private readonly announced: string | null = null,
  ) {}

  get isLong(): boolean {
    return this.message.length >= maxMessageLines;
  }

  addFrame(frame: Frame, text: string): void {
    this.isFlat = text.startsWith('File "');
    if (this.frames.length >= maxFrames) this.frames.splice(maxFrames / 2, 1);
    this.frames.push(frame);
  }

  /** What the call that raises says, over the numbered lines of its source. */
  noteRaise(text: string): void {
    const raises = raisesHere.exec(text);
    if (raises) this.shown = [raises[1]!];
    else if (this.shown !== null && this.shown.length < maxShown)
      this.shown.push(sourceLine.exec(text)?.[1] ?? '');
  }

  /** The source of the last frame, or what Python underlines of it. */
  addSource(text: string): void {
    const frame = this.frames.at(-1);
    const code = text.trim();
    if (frame === undefined) return;
    if (!markers.test(code)) {
      if (frame.code !== null || code === '') return;
      this.codeLine = text;
      this.completeFrame({ ...frame, code: code.slice(0, maxCode) });
    } else if (frame.code !== null) {
      const marked = markedPart(this.codeLine, text);
      if (marked !== null) this.completeFrame({ ...frame, marked });
    }
  }

  /** True when the line is source without its indentation. */
  addFlatSource(text: string): boolean {
    const frame = this.frames.at(-1);
    if (!this.isFlat || frame?.code !== null || isNamedError(text)) return false;
    this.completeFrame({ ...frame, code: text.slice(0, maxCode) });
    return true;
  }

  raise({ type, message }: Raised, line: number): void {
    this.type = type;
    this.line = line;
    this.addMessage(message);
  }

  addMessage(text: string): void {
    if (isAdvice(text) || this.messageLength > maxMessage) return;
    const part = text.slice(0, maxMessage);
    this.message.push(part);
    this.messageLength += part.length;
  }

  /** Null when its class was never read. */
  close(at: (line: number) => Where): RaisedException | null {
    const type = this.type ?? this.announced;
    if (type === null) return null;
    const message = this.type === null ? literalsIn(this.shown?.join(' ') ?? '') : this.message.join('\n');
    return {
      type: type.slice(type.lastIndexOf('.') + 1),
      qualifiedType: type,
      message: message.trim(),
      frames: this.frames,
      at: at(this.line),
      link: this.link,
    };
  }

  private completeFrame(frame: Frame): void {
    this.frames[this.frames.length - 1] = frame;
  }
}

/** The words of a call, as its source writes them. */
function literalsIn(source: string): string {
  return [...source.matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/g)]
    .map(([, double, single]) => (double ?? single ?? '').replaceAll('\\n', ' '))
    .join('');
}

/** The part of a source line that Python underlined as the one that raised; null when it marks next to nothing. */
function markedPart(codeLine: string, underlines: string): string | null {
  const from = underlines.search(/[\^~]/);
  const part = codeLine.slice(from, underlines.trimEnd().length).trim();
  return part.length >= 3 && part !== codeLine.trim() ? part.slice(0, maxCode) : null;
}
