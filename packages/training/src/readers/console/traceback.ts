// Reads Python tracebacks line by line: chains, worker processes that re-raise, IPython and rich layouts. One
// parser per rank, because ranks write through each other.

import type { Frame, RaisedException, Traceback } from '../../record/exception.js';
import type { FileRecord } from '../collect/file-record.js';
import { isAdvice } from './advice.js';
import type { DecodedLine } from './context.js';
import { isHeading } from './headings.js';

const header = 'Traceback (most recent call last)';
/** Shown as a piece of information: text that a model wrote, a document that was read. */
const announcedClass =
  /^([A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Iteration|Exit|Warning))\s{2,}Traceback \(/;
/** A numbered line of source, and the one of them that raises. */
const sourceLine = /^(?:-+> ?|\s+)\d+ (.*)$/;
const raisesHere = /^-+> ?\d+ .*\braise\s+[\w.]+\((.*)$/;
const quoted = /\b(?:INFO|DEBUG)\b.*\S\s+Traceback \(most recent call last\)/;
const frameLine = /^\s*File "(.+?)", line (\d+)(?:, in (.+))?$/;
const otherFrames: readonly RegExp[] = [
  /^\s*File (\S+?):(\d+),? in (.+?)(?:\(.*)?$/,
  /^\s*(Cell In ?\[\d+\]), line (\d+)()/,
  /^\s*(\S+\.py):(\d+) in (\S+)/,
];
const exceptionLine = /^([A-Za-z_][\w.]*)(?:: ?(.*))?$/s;
/** Classes of a library's own, which need not be called errors: their module is of errors, or their name says what went wrong. */
const ofLibrary = [
  String.raw`(?:_?errors?|_?exceptions?|errors_impl)\.[A-Z](?!\w*Warning)\w*`,
  String.raw`(?:[A-Z]\w*)?(?:NotFound|Bad\w*File|Invalid\w*|Fail(?:ed|ure)?|Fault|Missing|Un(?:known|registered|recognized)\w*|Unsupported\w*|Mismatch|Conflict|Denied|Refused|Rejected|Forbidden|Unavailable|Exceeded|Timeout|Exhausted|Required|Needed|NotMet|NotInstalled|OutOf\w+|Deprecated(?!\w*Warning)\w*|Aborted|Cancelled|Died|Lost|Fatal)`,
  '[a-z]*error|Bdb[A-Z]\\w*',
].join('|');
const bareException = new RegExp(
  String.raw`^((?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Iteration)|(?:[a-z_]\w*\.)+(?:${ofLibrary}))(?:: ?(.*)|(?<=\..*))$`,
  's',
);
const namesException = /^[\w.]*(?:Error|Exception|Interrupt|Iteration|Exit|Warning)\b/;
const causeMarker = /^The above exception was the direct cause of/;
const contextMarker = /^During handling of the above exception/;
const caughtInWorker =
  /^Caught (\S+) in (DataLoader worker process|pin memory thread for device|replica) ?(\d+)?/;
const processFailed = /^-- Process (\d+) terminated with the following (?:error|exception)/;
/** Of an error that nobody can catch, as in `__del__`, Python says that it is ignored, and goes on. */
export const ignoredNext = /^\s*Exception ignored (?:in|on)/;
const processHeader = /^Process \S*?-?(\d+)?(?::\d+)*:$/;
const looksLikeLog =
  /^(?:\[?\d{4}-\d\d-\d\d|\d\d\/\d\d \d\d:|\{'|wandb:|\[W\d|\[E\d|\[I\d|W\d{4} |E\d{4} |I\d{4} |iter(?:ation)? \d|step \d|epoch \d|\s*\d+%\||INFO\b|WARNING\b|ERROR\b|DEBUG\b|srun:|slurmstepd:|-{70,}$)/i;
const launcherTypes = /(?:^|\.)(?:ChildFailedError|ProcessExitedException|CalledProcessError)$/;
const maxFrames = 200;
const maxMessage = 8000;
const maxMessageLines = 200;
const maxStray = 30;

interface Open {
  frames: Frame[];
  type: string | null;
  message: string[];
  messageLength: number;
  line: number;
  link: RaisedException['link'];
  /** The class that IPython names before the frames. */
  announced: string | null;
  /** What the source raises, as far as it is shown: all that is left where the text ends before the error itself. */
  shown: string[] | null;
}

export class TracebackParser {
  private chain: RaisedException[] = [];
  /** Exceptions that wrap the one being read: they come after it in the chain. */
  private wrappers: RaisedException[] = [];
  private current: Open | null = null;
  private phase: 'idle' | 'frames' | 'message' | 'between' = 'idle';
  private link: RaisedException['link'] = null;
  private started: DecodedLine | null = null;
  /** A page or a mail took the indentation away: source lines begin where exceptions do. */
  private flat = false;
  /** The source line of the last frame, with its indentation. */
  private codeLine = '';
  private worker: Traceback['worker'] = null;
  /** The process of `torch.multiprocessing.spawn` that raised it: its number is its rank. */
  private spawned: number | null = null;
  private ignored = false;
  private stray = 0;
  private lastLine = '';

  constructor(private readonly record: FileRecord) {}

  get active(): boolean {
    return this.phase !== 'idle';
  }

  /** True when the line belongs to a traceback. */
  feed(line: DecodedLine): boolean {
    const parts = inOneLine(line.text);
    if (parts !== null) {
      for (const part of parts) this.read(part, line);
      this.finish();
      return true;
    }
    const text = unbox(line.text);
    const belongs = this.read(text, line);
    if (text.trim() !== '') this.lastLine = text;
    return belongs;
  }

  finish(): void {
    this.closeCurrent();
    const chain = [...this.chain, ...this.wrappers.reverse()];
    const { started } = this;
    if (chain.length > 0 && started !== null) {
      const last = chain.at(-1)!;
      this.record.traceback({
        chain: chain.map((raised, index) => (index === 0 ? { ...raised, link: null } : raised)),
        at: this.record.at(started.line),
        rank: started.rank ?? this.spawned,
        worker: this.worker,
        time: started.time,
        step: started.step,
        launcher: chain.length === 1 && launcherTypes.test(last.qualifiedType),
        ignored: this.ignored,
        count: 1,
      });
    }
    this.chain = [];
    this.wrappers = [];
    this.phase = 'idle';
    this.link = null;
    this.started = null;
    this.worker = null;
    this.spawned = null;
    this.ignored = false;
    this.stray = 0;
  }

  private read(text: string, line: DecodedLine): boolean {
    if (text.includes(header)) {
      this.begin(text, line);
      if (quoted.test(text)) this.ignored = true;
      return true;
    }
    switch (this.phase) {
      case 'frames':
        return this.readFrame(text, line);
      case 'message':
        return this.readMessage(text, line);
      case 'between':
        return this.readBetween(text, line);
      case 'idle':
        return this.readBare(text, line);
    }
  }

  private begin(text: string, line: DecodedLine): void {
    const nested =
      this.phase === 'message' &&
      this.current !== null &&
      (text.startsWith('Original Traceback') ||
        this.current.message.some((part) => processFailed.test(part)));
    if (nested) {
      this.noteWorker(this.current!);
      const wrapper = this.take();
      if (wrapper !== null) this.wrappers.push({ ...wrapper, link: 'cause' });
    } else if (this.isRemoteWrapper()) {
      this.worker ??= { kind: 'process', id: null };
      this.current = null;
    } else if (this.phase === 'between' && this.link !== null) {
      this.closeCurrent();
    } else {
      this.finish();
    }
    if (this.started === null) {
      this.started = line;
      this.ignored = ignoredNext.test(this.lastLine);
      const process = processHeader.exec(this.lastLine);
      if (process)
        this.worker = { kind: 'process', id: process[1] === undefined ? null : Number(process[1]) };
    }
    this.current = {
      frames: [],
      type: null,
      message: [],
      messageLength: 0,
      line: line.line,
      link: this.link,
      announced: announcedClass.exec(text)?.[1] ?? null,
      shown: null,
    };
    this.link = null;
    this.phase = 'frames';
    this.stray = 0;
  }

  private isRemoteWrapper(): boolean {
    return this.current !== null && /(?:^|\.)_?RemoteTraceback$/.test(this.current.type ?? '');
  }

  private noteWorker(wrapper: Open): void {
    const caught = caughtInWorker.exec(wrapper.message[0] ?? '');
    const failed = wrapper.message.map((part) => processFailed.exec(part)).find((match) => match !== null);
    if (caught) {
      this.worker = {
        kind: caught[2]!.startsWith('DataLoader') ? 'dataloader' : 'process',
        id: caught[3] === undefined ? null : Number(caught[3]),
      };
    } else if (failed) {
      this.spawned = Number(failed[1]);
      this.worker = { kind: 'process', id: this.spawned };
    }
  }

  private readFrame(text: string, line: DecodedLine): boolean {
    const current = this.current!;
    const match =
      frameLine.exec(text) ?? otherFrames.map((pattern) => pattern.exec(text)).find((found) => found);
    if (match) {
      this.flat = text.startsWith('File "');
      if (current.frames.length >= maxFrames) current.frames.splice(maxFrames / 2, 1);
      current.frames.push({
        file: match[1]!,
        line: Number(match[2]),
        function: match[3] || '<module>',
        code: null,
      });
      return true;
    }
    this.noteSource(current, text);
    if (text === '' || /^[\s^~|]/.test(text) || /^[-=]{3,}>? ?\d* /.test(text) || /^[╭╰─]/.test(text)) {
      const frame = current.frames.at(-1);
      const code = text.trim();
      if (frame && frame.code !== null && /^[\^~]+$/.test(code)) {
        const marked = markedPart(this.codeLine, text);
        if (marked !== null) current.frames[current.frames.length - 1] = { ...frame, marked };
      } else if (frame && frame.code === null && code !== '' && !/^[\^~]+$/.test(code)) {
        this.codeLine = text;
        current.frames[current.frames.length - 1] = { ...frame, code: code.slice(0, 300) };
      }
      return true;
    }
    const bare = current.frames.at(-1);
    if (this.flat && bare?.code === null && !namesException.test(text)) {
      current.frames[current.frames.length - 1] = { ...bare, code: text.slice(0, 300) };
      return true;
    }
    const raised = exceptionLine.exec(text);
    // Other output runs through it: before the first frame only a name that says of itself that it is an error is one.
    const isNamed = current.frames.length === 0 ? namesException.test(text) : isClass(raised?.[1] ?? '');
    if (raised && isNamed && !looksLikeLog.test(text)) {
      current.type = raised[1]!;
      current.line = line.line;
      this.phase = 'message';
      this.addMessage(raised[2] ?? '');
      return true;
    }
    if (++this.stray > maxStray) this.finish();
    return false;
  }

  private noteSource(current: Open, text: string): void {
    const raises = raisesHere.exec(text);
    if (raises) current.shown = [raises[1]!];
    else if (current.shown !== null && current.shown.length < 12)
      current.shown.push(sourceLine.exec(text)?.[1] ?? '');
  }

  private readMessage(text: string, line: DecodedLine): boolean {
    const current = this.current!;
    if (causeMarker.test(text) || contextMarker.test(text)) {
      this.link = causeMarker.test(text) ? 'cause' : 'context';
      this.closeCurrent();
      this.phase = 'between';
      return true;
    }
    if (text.trim() === '') {
      if (
        processFailed.test(current.message.at(-1) ?? '') ||
        current.message.at(-1) === '' ||
        this.isRemoteWrapper()
      ) {
        return true;
      }
      this.phase = 'between';
      return true;
    }
    if (text.startsWith('"""') && this.isRemoteWrapper()) return true;
    if (looksLikeLog.test(text) || isHeading(text) || current.message.length >= maxMessageLines) {
      this.finish();
      return this.read(text, line);
    }
    this.addMessage(text);
    return true;
  }

  private readBetween(text: string, line: DecodedLine): boolean {
    if (text.trim() === '' || text.startsWith('"""')) return true;
    if (causeMarker.test(text) || contextMarker.test(text)) {
      this.link = causeMarker.test(text) ? 'cause' : 'context';
      return true;
    }
    if (processFailed.test(text) && this.current !== null) {
      this.addMessage(text);
      this.phase = 'message';
      return true;
    }
    this.finish();
    return this.read(text, line);
  }

  private readBare(text: string, line: DecodedLine): boolean {
    // The piece begins inside of a traceback, whose first line was cut off.
    if (/^(?:\s+File "|File ".*, in \S)/.test(text) && frameLine.test(text)) {
      this.begin(text, line);
      return this.readFrame(text, line);
    }
    const match =
      bareException.exec(text) ??
      /^((?:multiprocessing\.pool|concurrent\.futures\.process)\._?RemoteTraceback): ?()$/.exec(text);
    if (match === null) return false;
    this.started = line;
    this.ignored = ignoredNext.test(this.lastLine);
    this.current = {
      frames: [],
      type: match[1]!,
      message: [],
      messageLength: 0,
      line: line.line,
      link: null,
      announced: null,
      shown: null,
    };
    this.phase = 'message';
    this.addMessage(match[2] ?? '');
    return true;
  }

  private addMessage(text: string): void {
    const current = this.current!;
    if (isAdvice(text) || current.messageLength > maxMessage) return;
    const part = text.slice(0, maxMessage);
    current.message.push(part);
    current.messageLength += part.length;
  }

  private take(): RaisedException | null {
    const { current } = this;
    this.current = null;
    if (current === null) return null;
    if (current.type === null && current.announced !== null) {
      current.type = current.announced;
      current.message = [literalsIn(current.shown?.join(' ') ?? '')];
    }
    if (current.type === null) return null;
    return {
      type: current.type.slice(current.type.lastIndexOf('.') + 1),
      qualifiedType: current.type,
      message: current.message.join('\n').trim(),
      frames: current.frames,
      at: this.record.at(current.line),
      link: current.link,
    };
  }

  private closeCurrent(): void {
    const raised = this.take();
    if (raised !== null) this.chain.push(raised);
  }
}

/** A whole traceback inside of a quoted value, as structured logs hold it; null for every other line. */
function inOneLine(text: string): string[] | null {
  const from = text.indexOf(header);
  const newLine = String.raw`:\n`;
  if (from < 0 || !text.startsWith(newLine, from + header.length)) return null;
  const value = text.slice(from).replace(/(?<!\\)"[\s,}\]]*$/, '');
  return value.split(newLine.slice(1)).map((part) => part.replaceAll(String.raw`\"`, '"'));
}

/** The words of a call, as its source writes them. */
function literalsIn(source: string): string {
  return [...source.matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/g)]
    .map(([, double, single]) => (double ?? single ?? '').replaceAll('\\n', ' '))
    .join('')
    .trim();
}

/** Classes begin with a capital; the few that do not are named after what a module fails with. */
function isClass(name: string): boolean {
  const last = name.slice(name.lastIndexOf('.') + 1);
  return (
    /^_?[A-Z]/.test(last) || (name.includes('.') && /^(?:\w*error|timeout|\w*fault|\w*abort)$/.test(last))
  );
}

/** Takes the frames off that rich and exception groups draw around lines. */
function unbox(text: string): string {
  if (/^[│┃]/.test(text)) return ` ${text.replace(/^[│┃]\s?/, '').replace(/\s*[│┃]\s*$/, '')}`;
  if (/^\s+[|+] /.test(text) || /^\s+\+-+ /.test(text)) return text.replace(/^\s+(?:\| ?|\+ )/, '');
  return text;
}

/** The part of a source line that Python underlined as the one that raised; null when it marks next to nothing. */
function markedPart(codeLine: string, markers: string): string | null {
  const from = markers.search(/[\^~]/);
  const part = codeLine.slice(from, markers.trimEnd().length).trim();
  return part.length >= 3 && part !== codeLine.trim() ? part.slice(0, 300) : null;
}
