// The run's errors in the order they happened: first cause of each chain first, launchers and advice left out.
import { knownMessage } from '../messages/catalogue.js';
import { judgeMessage } from '../messages/judge.js';
import { exceptionOf } from '../messages/sentences.js';
import { statusOf } from '../messages/statuses.js';
import { wordsOf } from '../messages/words.js';
import { isConsequence } from '../ranks/lost/consequence.js';
import { ignoredNext } from '../readers/console/failures/traceback-lines.js';
import {
  earliestTracebacks,
  type Frame,
  type RaisedException,
  type RunRecord,
  type TextLine,
  type Where,
} from '../record/run-record.js';
import { wasCaught, wasDealtWith } from './dealt-with.js';
import { complaintIn, messagesIn, passedOver, tellsAnEnd, wentOnAfter } from './pasted.js';

export interface Failure {
  /** Class name without module; empty for an error that was only a line of text. */
  readonly type: string;
  readonly message: string;
  /** "Type: message", what patterns are matched against. */
  readonly text: string;
  readonly frames: readonly Frame[];
  readonly at: Where;
  readonly rank: number | null;
  readonly step: number | null;
  readonly worker: boolean;
  /** 0 for the first cause of its chain. */
  readonly depth: number;
  /** Raised while an error was dealt with that only tells of another rank. */
  readonly follows: boolean;
  /** The stack begins inside of the program: somebody caught and printed it. */
  readonly caught: boolean;
  /** How often the same was raised by whoever it is of. */
  readonly count: number;
  /** 0 for the first failure of the run: the candidate for the root. */
  readonly order: number;
}

/** What libraries print beside an error to be helpful. It names causes that may not apply: never evidence. */
const advice =
  /CUDA_LAUNCH_BLOCKING|TORCH_USE_CUDA_DSA|CUDA kernel errors might be asynchronously|max_split_size_mb|PYTORCH_(CUDA_)?ALLOC_CONF|expandable_segments|documentation for Memory Management|NaN or Inf found in input tensor|[Tt]o enable traceback see|Set(ting)? `?TORCH_(SHOW|NCCL|DISTRIBUTED)|may be caused by|(?:common|possible|potential) (?:root )?(?:causes|reasons)|You can make a clean|consider (using|reducing|setting)|for debugging consider/;

export function isAdvice(text: string): boolean {
  return advice.test(text);
}

/** One value of a configuration that is printed over many lines: `nccl_timeout_minutes=None),`, `"max_retries": 3,`. It tells of nothing that happened. */
const printedSetting =
  /^\s*(["']?)[A-Za-z_][\w.]*\1 ?[=:] ?(?:None|null|[Tt]rue|[Ff]alse|-?\d[\d.e+-]*|'[^']*'|"[^"]*")\)*,$/;

export function isPrintedSetting(text: string): boolean {
  return printedSetting.test(text);
}

/** An error line that no traceback carries: "RuntimeError: ..." in a log that was cut or that printed the message alone. */
const errorLine =
  /^(?:#\s*)?(?:\[?(?:ERROR|FATAL|CRITICAL)\]?[:\s-]+)?((?:[A-Za-z_]\w*\.)*((?:[A-Z]\w*)?(?:Error|Exception|Interrupt|Exit)))(?: \([^()]{1,60}\)| (?:occurred|happened|raised)[^:]{0,40})? ?: (.+)$/;

/** An error that says of itself that the reason was printed before it. */
const pointsBack =
  /\b(?:check|see|read|look at|refer to)\b.{0,40}\babove\b|\babove for (?:more |the )?(?:details|causes?|reasons?|errors?)\b/i;

const launcherTypes = new Set([
  'ChildFailedError',
  'CalledProcessError',
  'ProcessRaisedException',
  'ProcessExitedException',
  'SystemExit',
]);

export function failuresOf(record: RunRecord): Failure[] {
  const failures: Omit<Failure, 'order'>[] = [];
  const tracebacks = earliestTracebacks(record);
  for (const traceback of tracebacks.filter((raised) => !wasDealtWith(record, raised))) {
    const telling = traceback.chain.filter((raised) => !isPlumbing(raised));
    (telling.length > 0 ? telling : traceback.chain).forEach((raised, depth) => {
      const message = raised.message.replace(tensorOptions, 'TensorOptions');
      failures.push({
        type: raised.type,
        message,
        text: `${raised.type}: ${withoutAdvice(message)}${continuation(record, raised)}`,
        frames: raised.frames,
        at: raised.at,
        rank: traceback.rank,
        step: traceback.step,
        worker: traceback.worker !== null,
        depth,
        follows: telling.slice(0, depth).some(isConsequence),
        caught: wasCaught(traceback),
        count: traceback.count,
      });
    });
  }
  // The lines of an error that was dealt with tell nothing else.
  if (failures.length === 0 && tracebacks.length > 0) return [];
  const onlyPoint = failures.every(({ message }) => pointsBack.test(message));
  const lines = onlyPoint ? withoutIgnored(record.text.lines) : [];
  if (onlyPoint)
    failures.unshift(
      ...bareErrors(
        lines,
        (line) => tellsAnEnd(record, line),
        (line) => wentOnAfter(record, line),
      ),
    );
  else if (failures.every((failure) => isConsequence(failure)))
    failures.unshift(...loggedErrors(record, failures));
  if (failures.every(({ message }) => pointsBack.test(message)))
    failures.unshift(...statusLines(record, lines));
  if (failures.length === 0)
    failures.push(
      ...knownLines(lines.filter((line) => !(tellsAnEnd(record, line) || wentOnAfter(record, line)))),
    );
  if (failures.length === 0 && isFragment(record)) {
    const said = complaintIn(record);
    if (said) failures.push(fromLine(said.line, said.exception, said.message));
  }
  return ownFirst(failures).map((failure, order) => ({ ...failure, order }));
}

/** What a fragment without any error holds, as if each line were one's message. */
export function suspectsOf(record: RunRecord): Failure[] {
  const raised = earliestTracebacks(record);
  const isOver = raised.length > 0 && raised.every((traceback) => wasDealtWith(record, traceback));
  if (isOver || !isFragment(record)) return [];
  return messagesIn(record)
    .filter(({ message }) => !isPrintedSetting(message))
    .map(({ line, message }) => ({ ...fromLine(line, '', message), order: 0 }));
}

/** Where several ranks failed, or hosts in files of their own, an error of a rank's own comes before those that only tell of another rank, whatever the clocks say. */
function ownFirst(failures: readonly Omit<Failure, 'order'>[]): readonly Omit<Failure, 'order'>[] {
  if (new Set(failures.map(({ rank, at }) => rank ?? at.file)).size < 2) return failures;
  const own = failures.filter((failure) => !isConsequence(failure));
  if (own.length === 0) return failures;
  // What somebody caught and printed ended nothing while another error did.
  const [fatal, caught] = [own.filter((failure) => !failure.caught), own.filter((failure) => failure.caught)];
  return [...fatal, ...caught, ...failures.filter(isConsequence)];
}

function ofTensorFlow({ qualifiedType, message, frames }: RaisedException): boolean {
  return (
    /^(?:tensorflow|keras)\.|^Graph execution error/m.test(`${qualifiedType}\n${message}`) ||
    frames.some((frame) => /keras|tensorflow/.test(frame.file))
  );
}

/** TensorFlow and Keras put empty lines and a stack into their messages; what they mean stands behind. */
function continuation(record: RunRecord, raised: RaisedException): string {
  const from = raised.at.line;
  if (from === undefined || !ofTensorFlow(raised)) return '';
  const following = record.text.lines.filter(
    (line) =>
      line.at.file === raised.at.file &&
      line.at.line !== undefined &&
      line.at.line > from &&
      line.at.line <= from + 300,
  );
  const end = following.findIndex((line) => /^Traceback \(most recent/.test(line.text));
  return (end < 0 ? following : following.slice(0, end))
    .filter((line) => !/^\s*File "|^\s*$/.test(line.text))
    .slice(-12)
    .map((line) => `\n${line.text}`)
    .join('');
}

/** A pipe between processes that broke off: the wire noticed first, and the exception that follows says why. */
function isPlumbing(raised: RaisedException): boolean {
  return (
    /^(Empty|EOFError|BrokenPipeError|ConnectionResetError|ConnectionRefusedError)$/.test(raised.type) &&
    /multiprocessing|queue/.test(raised.frames.at(-1)?.file ?? '')
  );
}

/** The options of a tensor, as libraries print them beside its shape: they say nothing of the model. */
const tensorOptions = /\bTensorOptions\((?:[^()]|\([^()]*\))*\)/g;

function withoutAdvice(message: string): string {
  return message
    .split('\n')
    .filter((line, index) => index === 0 || !isAdvice(line))
    .join('\n');
}

/** An error that other languages, other processes and C++ libraries print: its class anywhere in the line, or words of their own. */
const elsewhere: readonly RegExp[] = [
  /(?:^|[\s\]:>('"])(?:[A-Za-z_]\w*\.)*([A-Z]\w*(?:Error|Exception)): (.+)$/,
  /()\bCheck failed: (.+)$/,
  /^\s*()what\(\)(?::| ->)\s+(.+)$/,
  /^()(?:Error|ERROR)(?: in [^:]{1,200})? ?: ?(.+)$/,
  /^()(?:Exception|Error|Failure) (?:while|during|when|in) [^:]{1,60}(?::\d+)?: (.+)$/i,
  /()\berror=\d+ : (.+)$/,
  /^libc\+\+abi(?:\.dylib)?: terminating (?:due to|with) uncaught exception of type (?:[\w:]+::)?(\w+): (.+)$/,
  /^(?:\S*\/)?()(?:lua(?:jit|[\d.]+)?|qlua|th): (.+)$/,
];

/** A program says in its own words that it failed, and then what Python said. */
const inOwnWords =
  /()\b(?:error|exception|failed|failure|crashed)(?: (?:with|due to|because of|during|while|when|in|on|at|of)\b[^:]{0,60})?: (.+)$/i;

/** What a library of C++ raised, with the place in its source, printed by the logger of the program that caught it. */
const logged =
  /^.{0,160}?()\b(?:ERROR|CRITICAL|FATAL)\b.{0,160}?(\[(?=[^\s\]]*\/)[^\s\]]{1,300}\.(?:cc|cpp|cu|hpp|h):\d+\] .{8,})$/;

/** What a program says itself, which may have dealt with it. */
const spoken = [logged, inOwnWords];

function bareErrors(
  lines: readonly TextLine[],
  isEnd: (line: TextLine) => boolean,
  wentOn: (line: TextLine) => boolean,
): Omit<Failure, 'order'>[] {
  const found: Omit<Failure, 'order'>[] = [];
  for (const patterns of [[errorLine], elsewhere, spoken]) {
    for (const [index, line] of lines.entries()) {
      if (found.length >= 20) break;
      if (isAdvice(line.text) || line.text.length > 4000) continue;
      const match = firstMatch(patterns, line.text.trim());
      if (!match || (patterns[0] !== errorLine && (passedOver.test(line.text) || isEnd(line)))) continue;
      const [message, type] = [match.at(-1)!, match.at(-2) ?? ''];
      if (launcherTypes.has(type)) continue;
      const failure = fromLine(line, type, withNext(message, lines[index + 1]));
      const isSaid = failure.type !== '' || atLevel.test(line.text) || judgeMessage(failure) !== null;
      if (patterns === spoken && (!isSaid || wentOn(line))) continue;
      found.push(failure);
    }
    if (found.length > 0) break;
  }
  return found;
}

/** An error by the level of its log alone: "2026-11-06 18:42:50 ERROR data: cannot read shard 7". */
const atLevel = /^(?:.{0,80}?[\s[|(])?()(?:ERROR|CRITICAL|FATAL)\b[\])|:\s-]+(.{8,})$/;

/** Said of others, or of an end that somebody else brought about. */
const ofOthers =
  /\btim(?:ed|e)[ -]?out|\bwait|\bpeers?\b|\babort|\bshut|\bterminat|\bsignal|\bexit|\bkill|\b(?:other|remote) (?:rank|worker|process|node)|\bheartbeat|\bretry|\battempt \d/i;

/**
 * Where every error only tells of other ranks: what a rank logged before it met one of these, and did not go on after. Its words must say
 * what went wrong, or carry the class or number of an error.
 */
function loggedErrors(record: RunRecord, lost: readonly Omit<Failure, 'order'>[]): Omit<Failure, 'order'>[] {
  const isLater = ({ file, line = 0 }: Where, than: Where): boolean =>
    file === than.file && line > (than.line ?? Number.POSITIVE_INFINITY);
  const found: Omit<Failure, 'order'>[] = [];
  const all = record.text.lines;
  for (const line of all.some(({ text }) => ignoredNext.test(text)) ? withoutIgnored(all) : all) {
    const { at, text } = line;
    if (text.length > 1000 || !complains.test(text)) continue;
    if (found.length >= 20 || isAdvice(text) || passedOver.test(text)) continue;
    const match = firstMatch([errorLine, ...elsewhere, atLevel], text.trim());
    if (!match) continue;
    const failure = fromLine(line, match.at(-2) ?? '', match.at(-1)!);
    const { rank } = failure;
    if (rank === null) continue;
    if (launcherTypes.has(failure.type) || isConsequence(failure)) continue;
    const isTold = line.rank !== null && failure.type === '';
    if (isTold && (ofOthers.test(text) || !(errno.test(text) || judgeMessage(failure)))) continue;
    const isBehind = lost.some(
      (other) => other.rank === rank && (isLater(at, other.at) || other.message.startsWith(failure.message)),
    );
    const wentOn = record.series.some(
      (curve) => curve.rank === rank && curve.length > 0 && isLater(curve.where(curve.length - 1), at),
    );
    if (!isBehind && !wentOn) found.push(failure);
  }
  return found;
}

const complains =
  /error|exception|fatal|critical|fail|fault|invalid|missing|denied|exceeded|exhausted|what\(\)/i;
const errno = /\[?\b[Ee]rrno[ =:]?-?\d+/;

/** Without the errors of which Python says before that they are ignored, with or without their frames. */
function withoutIgnored(lines: readonly TextLine[]): TextLine[] {
  const ignoring = new Set<string>();
  return lines.filter(({ text, rank, at }) => {
    const speaker = `${rank} ${at.file}`;
    const isIgnored = ignoring.has(speaker);
    if (ignoredNext.test(text)) ignoring.add(speaker);
    else if (!/^\s|^Traceback/.test(text)) ignoring.delete(speaker);
    return !isIgnored;
  });
}

function firstMatch(patterns: readonly RegExp[], text: string): RegExpExecArray | null {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match) return match;
  }
  return null;
}

/** What R and narrow windows put on the next line belongs to the message. */
function withNext(message: string, next: TextLine | undefined): string {
  return /[\s:]$|^[^.]{60,}[^.!?]$/.test(message) && next && /^\s*[a-z]/.test(next.text)
    ? `${message} ${next.text.trim()}`
    : message;
}

function fromLine(line: TextLine, told: string, message: string): Omit<Failure, 'order'> {
  const type = told || exceptionOf(message);
  return {
    type,
    message,
    text: type === '' ? message : `${type}: ${message}`,
    frames: [],
    at: line.at,
    rank: line.rank ?? (ofOthers.test(message) ? null : subjectOf(message)),
    step: line.step,
    worker: false,
    depth: 0,
    follows: false,
    caught: false,
    count: 1,
  };
}

/** The rank that an error is said of: "health: rank 45, device 5: result differs". */
function subjectOf(message: string): number | null {
  const found = /^(?:[\w.]+: ?)?\W*(?:global )?rank[ :=#]{0,2}(\d{1,5})\b(?![.,/-]\d)/i.exec(message);
  return found && Number(found[1]);
}

/** Few lines and no curve: what a person pastes is what they ask about. */
function isFragment(record: RunRecord): boolean {
  return record.text.lines.length <= 40 && record.series.every((series) => series.length < 3);
}

/** The first line that names a status with which a driver, a device library or a system refuses. */
function statusLines(record: RunRecord, lines: readonly TextLine[]): Omit<Failure, 'order'>[] {
  const line = lines.find(
    (entry) =>
      entry.text.length < 2000 &&
      !isAdvice(entry.text) &&
      !passedOver.test(entry.text) &&
      statusOf(entry.text) !== null &&
      !wentOnAfter(record, entry),
  );
  return line ? [fromLine(line, '', line.text.trim())] : [];
}

/** Lines without any frame that a library is known to raise, alone or with the line after them. */
function knownLines(lines: readonly TextLine[]): Omit<Failure, 'order'>[] {
  for (const [index, line] of lines.entries()) {
    if (line.text.length < 20 || isAdvice(line.text) || passedOver.test(line.text)) continue;
    const following = lines[index + 1]?.text ?? '';
    const next = passedOver.test(following) ? '' : following;
    for (const text of next === '' ? [line.text] : [line.text, `${line.text.trim()} ${next.trim()}`]) {
      const known = passedOver.test(text) ? null : knownMessage(text);
      if (known && known.likeness >= 0.9 && isMostOf(known.template, line.text))
        return [fromLine(line, '', text.trim())];
    }
  }
  return [];
}

/** A few words may stand in any sentence: a short message is known by being most of what is said. */
function isMostOf(template: string, text: string): boolean {
  const { length } = wordsOf(template);
  return length >= 6 || length >= 0.75 * wordsOf(text).length;
}
