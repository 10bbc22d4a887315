// What the lines of Python tracebacks look like: frames, exceptions, what links them, in the layouts of Python, IPython and rich.
import type { Frame, RaisedException } from '../../../record/exception.js';

export const header = 'Traceback (most recent call last)';
/** The class that IPython names before the frames. */
export const announcedClass =
  /^([A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Iteration|Exit|Warning))\s{2,}Traceback \(/;
/** Shown as a piece of information: text that a model wrote, a document that was read. */
export const quoted = /\b(?:INFO|DEBUG)\b.*\S\s+Traceback \(most recent call last\)/;
/** Of an error that nobody can catch, as in `__del__`, Python says that it is ignored, and goes on. */
export const ignoredNext = /^\s*Exception ignored (?:in|on)/;
export const processHeader = /^Process \S*?-?(\d+)?(?::\d+)*:$/;
export const processFailed = /^-- Process (\d+) terminated with the following (?:error|exception)/;
export const caughtInWorker =
  /^Caught (\S+) in (DataLoader worker process|pin memory thread for device|replica) ?(\d+)?/;
export const looksLikeLog =
  /^(?:\[?\d{4}-\d\d-\d\d|\d\d\/\d\d \d\d:|\{'|wandb:|\[W\d|\[E\d|\[I\d|W\d{4} |E\d{4} |I\d{4} |iter(?:ation)? \d|step \d|epoch \d|\s*\d+%\||INFO\b|WARNING\b|ERROR\b|DEBUG\b|srun:|slurmstepd:|-{70,}$)/i;

const pythonFrame = /^\s*File "(.+?)", line (\d+)(?:, in (.+))?$/;
const frames: readonly RegExp[] = [
  pythonFrame,
  /^\s*File (\S+?):(\d+),? in (.+?)(?:\(.*)?$/,
  /^\s*(Cell In ?\[\d+\]), line (\d+)()/,
  /^\s*(\S+\.py):(\d+) in (\S+)/,
];

export function frameIn(text: string): Frame | null {
  for (const pattern of frames) {
    const [found, file, line, name] = pattern.exec(text) ?? [];
    if (found !== undefined)
      return { file: file!, line: Number(line), function: name || '<module>', code: null };
  }
  return null;
}

/** Whether the piece begins inside of a traceback, whose first line was cut off. */
export function isCutFrame(text: string): boolean {
  return /^(?:\s+File "|File ".*, in \S)/.test(text) && pythonFrame.test(text);
}

/** A source line, or what is drawn around one. */
export function belongsToFrame(text: string): boolean {
  return text === '' || /^[\s^~|]/.test(text) || /^[-=]{3,}>? ?\d* /.test(text) || /^[╭╰─]/.test(text);
}

/** What links the exception above to the one below. */
export function linkIn(text: string): RaisedException['link'] {
  if (text.startsWith('The above exception was the direct cause of')) return 'cause';
  return text.startsWith('During handling of the above exception') ? 'context' : null;
}

export interface Raised {
  readonly type: string;
  readonly message: string;
}

const exceptionLine = /^([A-Za-z_][\w.]*)(?:: ?(.*))?$/s;
const namesException = /^[\w.]*(?:Error|Exception|Interrupt|Iteration|Exit|Warning)\b/;

/** The name says of itself that it is an error. */
export function isNamedError(text: string): boolean {
  return namesException.test(text);
}

/** The exception that a line below frames tells. Other output runs through them: before the first frame only what is called an error is one. */
export function raisedBelow(text: string, hasFrames: boolean): Raised | null {
  const raised = exceptionLine.exec(text);
  if (!raised || looksLikeLog.test(text)) return null;
  const isOne = hasFrames ? isClass(raised[1]!) : isNamedError(text);
  return isOne ? { type: raised[1]!, message: raised[2] ?? '' } : null;
}

/** Classes begin with a capital; the few that do not are named after what a module fails with. */
function isClass(name: string): boolean {
  const last = name.slice(name.lastIndexOf('.') + 1);
  return (
    /^_?[A-Z]/.test(last) || (name.includes('.') && /^(?:\w*error|timeout|\w*fault|\w*abort)$/.test(last))
  );
}

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
const bareRemote = /^((?:multiprocessing\.pool|concurrent\.futures\.process)\._?RemoteTraceback): ?()$/;

/** The exception that a line tells without any frames before it. */
export function raisedAlone(text: string): Raised | null {
  const raised = bareException.exec(text) ?? bareRemote.exec(text);
  return raised && { type: raised[1]!, message: raised[2] ?? '' };
}

/** How a pool hands on what its worker raised. */
export function isRemote(type: string | null): boolean {
  return type !== null && /(?:^|\.)_?RemoteTraceback$/.test(type);
}

export function isOfLauncher(type: string): boolean {
  return /(?:^|\.)(?:ChildFailedError|ProcessExitedException|CalledProcessError)$/.test(type);
}

/** A whole traceback inside of a quoted value, as structured logs hold it; null for every other line. */
export function inOneLine(text: string): string[] | null {
  const from = text.indexOf(header);
  const newLine = String.raw`:\n`;
  if (from < 0 || !text.startsWith(newLine, from + header.length)) return null;
  const value = text.slice(from).replace(/(?<!\\)"[\s,}\]]*$/, '');
  return value.split(newLine.slice(1)).map((part) => part.replaceAll(String.raw`\"`, '"'));
}

/** Takes the frames off that rich and exception groups draw around lines. */
export function unbox(text: string): string {
  if (/^[│┃]/.test(text)) return ` ${text.replace(/^[│┃]\s?/, '').replace(/\s*[│┃]\s*$/, '')}`;
  if (/^\s+[|+] /.test(text) || /^\s+\+-+ /.test(text)) return text.replace(/^\s+(?:\| ?|\+ )/, '');
  return text;
}
