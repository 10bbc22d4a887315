// Reads Python tracebacks line by line: chains, worker processes that re-raise, IPython and rich layouts. One
// parser per rank, because ranks write through each other.
import type { RaisedException, Traceback } from '../../../record/exception.js';
import type { FileRecord } from '../../collect/file-record.js';
import type { DecodedLine } from '../context.js';
import { isHeading } from '../ranks/headings.js';
import { OpenException } from './open-exception.js';
import {
  announcedClass,
  belongsToFrame,
  caughtInWorker,
  frameIn,
  header,
  ignoredNext,
  inOneLine,
  isCutFrame,
  isOfLauncher,
  isRemote,
  linkIn,
  looksLikeLog,
  processFailed,
  processHeader,
  quoted,
  raisedAlone,
  raisedBelow,
  unbox,
} from './traceback-lines.js';

/** As many lines of other output may stand between its frames. */
const maxStray = 30;

export class TracebackParser {
  private chain: RaisedException[] = [];
  /** Exceptions that wrap the one being read: they come after it in the chain. */
  private wrappers: RaisedException[] = [];
  private current: OpenException | null = null;
  private phase: 'idle' | 'frames' | 'message' | 'between' = 'idle';
  private link: RaisedException['link'] = null;
  private started: DecodedLine | null = null;
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
      this.record.traceback({
        chain: chain.map((raised, index) => (index === 0 ? { ...raised, link: null } : raised)),
        at: this.record.at(started.line),
        rank: started.rank ?? this.spawned,
        worker: this.worker,
        time: started.time,
        step: started.step,
        launcher: chain.length === 1 && isOfLauncher(chain[0]!.qualifiedType),
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
    const { current } = this;
    const isNested =
      this.phase === 'message' &&
      current !== null &&
      (text.startsWith('Original Traceback') || current.message.some((part) => processFailed.test(part)));
    if (isNested) {
      this.noteWorker(current.message);
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
      if (process) this.worker = { kind: 'process', id: optionalNumber(process[1]) };
    }
    this.current = new OpenException(line.line, this.link, announcedClass.exec(text)?.[1]);
    this.link = null;
    this.phase = 'frames';
    this.stray = 0;
  }

  private isRemoteWrapper(): boolean {
    return this.current !== null && isRemote(this.current.type);
  }

  /** Whose error a wrapper hands on. */
  private noteWorker(message: readonly string[]): void {
    const caught = caughtInWorker.exec(message[0] ?? '');
    const failed = message.map((part) => processFailed.exec(part)).find((match) => match !== null);
    if (caught) {
      const kind = caught[2]!.startsWith('DataLoader') ? 'dataloader' : 'process';
      this.worker = { kind, id: optionalNumber(caught[3]) };
    } else if (failed) {
      this.spawned = Number(failed[1]);
      this.worker = { kind: 'process', id: this.spawned };
    }
  }

  private readFrame(text: string, line: DecodedLine): boolean {
    const current = this.current!;
    const frame = frameIn(text);
    if (frame !== null) {
      current.addFrame(frame, text);
      return true;
    }
    current.noteRaise(text);
    if (belongsToFrame(text)) {
      current.addSource(text);
      return true;
    }
    if (current.addFlatSource(text)) return true;
    const raised = raisedBelow(text, current.frames.length > 0);
    if (raised !== null) {
      current.raise(raised, line.line);
      this.phase = 'message';
      return true;
    }
    if (++this.stray > maxStray) this.finish();
    return false;
  }

  private readMessage(text: string, line: DecodedLine): boolean {
    const current = this.current!;
    const link = linkIn(text);
    if (link !== null) {
      this.link = link;
      this.closeCurrent();
      this.phase = 'between';
      return true;
    }
    if (text.trim() === '') {
      const last = current.message.at(-1) ?? null;
      const goesOn = last === '' || (last !== null && processFailed.test(last)) || this.isRemoteWrapper();
      if (!goesOn) this.phase = 'between';
      return true;
    }
    if (text.startsWith('"""') && this.isRemoteWrapper()) return true;
    if (looksLikeLog.test(text) || isHeading(text) || current.isLong) {
      this.finish();
      return this.read(text, line);
    }
    current.addMessage(text);
    return true;
  }

  private readBetween(text: string, line: DecodedLine): boolean {
    if (text.trim() === '' || text.startsWith('"""')) return true;
    const link = linkIn(text);
    if (link !== null) {
      this.link = link;
      return true;
    }
    if (processFailed.test(text) && this.current !== null) {
      this.current.addMessage(text);
      this.phase = 'message';
      return true;
    }
    this.finish();
    return this.read(text, line);
  }

  private readBare(text: string, line: DecodedLine): boolean {
    if (isCutFrame(text)) {
      this.begin(text, line);
      return this.readFrame(text, line);
    }
    const raised = raisedAlone(text);
    if (raised === null) return false;
    this.started = line;
    this.ignored = ignoredNext.test(this.lastLine);
    this.current = new OpenException(line.line);
    this.current.raise(raised, line.line);
    this.phase = 'message';
    return true;
  }

  private take(): RaisedException | null {
    const { current } = this;
    this.current = null;
    return current?.close((line) => this.record.at(line)) ?? null;
  }

  private closeCurrent(): void {
    const raised = this.take();
    if (raised !== null) this.chain.push(raised);
  }
}

function optionalNumber(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}
