// What an error of a run complains of: a message the catalogue knows, else its words, its class and the place that raised it.
import { causeOf } from '../causes/table.js';
import { isConsequence } from '../ranks/lost/consequence.js';
import type { Frame } from '../record/run-record.js';
import { knownMessage } from './catalogue.js';
import type { Complaint } from './complaints.js';
import { saidOf } from './said.js';
import { wordsOf } from './words.js';

interface Raised {
  readonly type: string;
  readonly message: string;
  readonly frames: readonly Frame[];
  readonly follows?: boolean;
}

export interface JudgedMessage extends Complaint {
  /** The library's file that raises the message, where the catalogue knows it. */
  readonly from: string | null;
}

/** A message that the catalogue knows justifies its sub-cause this far at most: the words are a library's, the reason may be another. */
const known = 0.84;
/** Words that justify a sub-cause this far need nobody who knows the message. */
const plain = 0.78;

/** Values that a check found to be NaN: whoever made them is at fault, not who found them. */
const foundNaN =
  /(?:got|found|invalid values?|but|tensor had).{0,80}\bnan\b|\bparameter \w+ .{0,300}(?:has|found) invalid values/is;

/** NaN of a table's column or target: that is what the data holds, not what a step made. */
const heldByData =
  /\bcat_features?\b|\bnans?\b(?: values)?.{0,40}\b(?:for|in|of)\b (?:the )?\w* ?(?:targets?|labels?|features?|columns?|data ?sets?)\b/i;

/** Python's own words for slips of the pen: they name attributes and names, whatever these mean. */
const slips =
  /^(?:(?:AttributeError|NameError|UnboundLocalError|SyntaxError|IndentationError|TabError|RecursionError):|ZeroDivisionError: .{0,30}\b(?:division|modulo|zero|power)\b)/;

/** A check found values that are no numbers: an earlier step made them, not the line that complains. */
export function tellsOfNaN({ message }: Pick<Raised, 'message'>): boolean {
  return foundNaN.test(message) && !heldByData.test(message);
}

/** Whoever writes a file is refused a place for it; nothing is said of data that was read. */
const writes = /^(?:to_|save|write|dump)/;

export function judgeMessage(failure: Raised): JudgedMessage | null {
  const judged = judge(failure);
  const ofData = judged !== null && causeOf(judged.subcause).category === 'data_pipeline';
  return ofData && failure.frames.some((frame) => writes.test(frame.function))
    ? { ...judged, subcause: 'code_error' }
    : judged;
}

function judge(failure: Raised): JudgedMessage | null {
  // Whoever stops a program complains of nothing, wherever it stood.
  if (failure.type === 'KeyboardInterrupt') return null;
  // What the communication says of sizes and ends is of messages between ranks, not of data.
  if (isConsequence(failure)) return null;
  const [, second] = wordsOf(failure.message);
  // A key by itself says nothing; a library's sentence about keys does.
  if (failure.type === 'KeyError' && second === undefined) return null;
  if (slips.test(`${failure.type}: ${failure.message}`) || tellsOfNaN(failure)) return null;
  const text = withoutPaths(messageOf(failure));
  const place = placeOf(failure);
  const said = saidOf({ exception: failure.type, place, text });
  const found = knownMessage(text);
  if (found === null) return said === null ? null : { ...said, from: null };
  // The catalogue knows where a message comes from; the run's own frames, and plain words, know better what it was raised about.
  const knowsBetter = said !== null && (failure.frames.length > 0 || said.certainty >= plain);
  if (knowsBetter) return { ...said, from: found.place };
  return { subcause: found.subcause, certainty: known * found.likeness, from: found.place };
}

/** Folders are named after anything; of a path only the kind of file speaks. */
function withoutPaths(text: string): string {
  // A new line that was written as two characters is no part of a path.
  return text
    .replace(/\\n(?=\s|[A-Z]|$)/g, '\n')
    .replace(/[\w.~:-]*(?:[/\\][\w.@+-]+)+[/\\]?/g, (path) => `{}${/\.\w{1,10}$/.exec(path)?.[0] ?? ''}`);
}

/** An assertion without words speaks through its own line. */
function messageOf(failure: Raised): string {
  const [first = ''] = failure.message.split('\n\n', 1);
  // A sentence that its library wrote over several lines is one.
  if (first.trim() !== '') return first.replace(/\n[ \t]*(?=[a-z])/g, ' ').slice(0, 600);
  const frame = failure.frames.at(-1);
  return frame?.marked ?? frame?.code ?? '';
}

function placeOf(failure: Raised): string {
  return failure.frames
    .slice(-2)
    .map((frame) => `${frame.file} ${frame.function}`)
    .join(' ');
}
