// Stacks that Python's faulthandler prints into a log: threads one after the other, the main one last, innermost frame first.
import type { StackFrame } from '../../../record/stack.js';
import type { FileRecord } from '../../collect/file-record.js';
import type { DecodedLine } from '../context.js';

/** A process that was asked where it stands. */
const asked = /^Timeout \(\d+:\d\d:\d\d/;
/** A process that tells where it died: nothing stands there any more. */
const died = /^Fatal Python error: /;
const thread = /^(?:Current thread|Thread) 0x[0-9a-f]+ (?:\[[^\]]*\] )?\(most recent call first\):/;
const frame = /^\s+File "(.+?)", line (\d+) in (.+)$/;
const mostFrames = 100;

export class StackLines {
  /** The thread being read, per rank. */
  private readonly open = new Map<number | null, { frames: StackFrame[]; line: number }>();
  private readonly dead = new Set<number | null>();
  /** Processes that say no rank are told apart by their headings, or by the current thread, which is the last of its process. */
  private turn = 0;
  private wasCurrent = false;

  constructor(private readonly record: FileRecord) {}

  /** True when the line belongs to a stack. */
  feed({ text, line, rank }: DecodedLine): boolean {
    if (died.test(text)) this.dead.add(rank);
    if (asked.test(text)) {
      this.dead.delete(rank);
      this.turn++;
    }
    if (thread.test(text)) {
      if (this.wasCurrent) this.turn++;
      this.wasCurrent = text.startsWith('Current');
      this.open.set(rank, { frames: [], line });
      return true;
    }
    const found = this.open.get(rank);
    if (found === undefined) return false;
    const match = frame.exec(text);
    if (match === null) {
      this.open.delete(rank);
      return false;
    }
    if (found.frames.length < mostFrames)
      found.frames.push({ file: match[1]!, line: Number(match[2]), function: match[3]! });
    // A later thread of the same process, or a later stack, takes its place.
    if (found.frames.length === 1 && !this.dead.has(rank))
      this.record.stack(
        { rank, pid: null, frames: found.frames, at: this.record.at(found.line) },
        rank === null ? this.turn : 0,
      );
    return true;
  }
}
