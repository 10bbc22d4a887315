// Errors that a rank dealt with: it went on afterwards, in whichever of its files. Such an error ended nothing.
import { isConsequence } from '../ranks/lost/consequence.js';
import { lastStepOf } from '../ranks/present/presence.js';
import { resumed } from '../readers/collect/last-attempt.js';
import type { Exit, Frame, RunRecord, TextLine, Traceback, Where } from '../record/run-record.js';
import { completionMarker, rankDone } from './completion-marker.js';
import { isWarning, lastTimeBefore, type Often, saysFurther, skips } from './said-again.js';

/** Where the stack of a process begins. An error that somebody caught and logged begins further in. */
const outermost = /^(?:<module>|_run_module_as_main|_run_code|_bootstrap|_bootstrap_inner|spawn_main)$/;

export function wasDealtWith(record: RunRecord, traceback: Traceback): boolean {
  const { rank } = traceback;
  if (wasSkipped(record, traceback)) return true;
  if (rank === null) return false;
  if (wasTakenUp(record, traceback)) return true;
  const { step } = traceback.again ?? traceback;
  const isHarmless =
    (wasCaught(traceback) || wasWarnedOf(record, traceback) || tellsItSkips(record, traceback)) &&
    isQuiet(record);
  // The ranks go on together or not at all: where one came to its end, so did one that tells nothing of its steps.
  if (isHarmless && lastStepOf(record, rank) === null && record.text.lines.some(isEnd)) return true;
  if (isQuiet(record) && goesOnInWords(record, traceback)) return true;
  const wentOn = isHarmless && countsBehind(record, rank, traceback.at);
  // In one file a line's place tells more than its step, which an epoch begins anew.
  const wasMeant = wasCaught(traceback) || tellsItSkips(record, traceback);
  if (wentOn && (wasMeant || wasTriedAgain(record, rank, traceback.at))) return true;
  if (step === null) return isHarmless && saysItsEnd(record, rank, traceback.at);
  const further = (lastStepOf(record, rank) ?? -1) - step;
  if (further <= 5) return isHarmless && (further > 0 || saysItsEnd(record, rank, traceback.at));
  if (record.tracebacks.some((other) => other.rank === rank && other.order > traceback.order)) return true;
  // Output that is held back comes out after the error: steps alone do not tell when somebody knows of a death.
  if (record.exits.some((exit) => fell(exit, rank))) return false;
  return wasCaught(traceback) || record.tracebacks.every((other) => other.rank === rank);
}

/** How many points stand before an error and behind it where a run was started again. */
const [fewestBefore, fewestBehind] = [2, 5];

/**
 * Behind the error its rank says that it goes on from what was saved, and it does: its steps go on, or, where those of another rank did so, it
 * comes to its end or all it had was that it lost another.
 */
function wasTakenUp(record: RunRecord, traceback: Traceback): boolean {
  const told = resumedBehind(record, traceback);
  if (told === null) return false;
  if (stepsGoOn(record, traceback, told)) return true;
  const isOver = traceback.chain.every(isConsequence) || saysItsEnd(record, traceback.rank!, told);
  return (
    isOver &&
    record.tracebacks.some((other) => {
      const line = resumedBehind(record, other);
      return line !== null && stepsGoOn(record, other, line);
    })
  );
}

function resumedBehind({ text }: RunRecord, { rank, at: { file, line = 0 } }: Traceback): Where | null {
  const told = text.lines.find(
    (entry) =>
      entry.rank === rank &&
      entry.at.file === file &&
      (entry.at.line ?? 0) > line &&
      entry.text.length < 300 &&
      resumed.test(entry.text),
  );
  return told?.at ?? null;
}

/** Steps stand before the error, which they do not where output was held back until the end, and behind the words. */
function stepsGoOn({ series }: RunRecord, { at }: Traceback, told: Where): boolean {
  const isIn = ({ file, line = 0 }: Where, from: number, to: number): boolean =>
    file === at.file && line > from && line < to;
  return series.some(
    (points) =>
      points.length >= fewestBefore + fewestBehind &&
      isIn(points.where(fewestBefore - 1), 0, at.line ?? 0) &&
      isIn(points.where(points.length - fewestBehind), told.line ?? 0, Number.POSITIVE_INFINITY),
  );
}

export function wasCaught({ chain, worker }: Traceback): boolean {
  return worker === null && chain.every(({ frames }) => frames.length > 0 && !beginsOutermost(frames));
}

/** A logger prints its own line before the error that it tells of; of what ends a process it does not warn. */
function wasWarnedOf({ text }: RunRecord, { at: { file, line = 0 } }: Traceback): boolean {
  return text.lines.some(
    (entry) => entry.at.file === file && entry.at.line === line - 1 && /\bWARN(?:ING)?\b/.test(entry.text),
  );
}

/** Nobody stood above it to catch it: it ended its process. */
export function beginsOutermost([frame]: readonly Frame[]): boolean {
  return frame !== undefined && outermost.test(frame.function);
}

/** Nobody died, and nobody complains of another. */
function isQuiet({ exits, tracebacks }: RunRecord): boolean {
  return (
    exits.every(({ reason }) => reason === 'completed' || reason === 'running') &&
    !tracebacks.some(({ chain }) => chain.some(isConsequence))
  );
}

const triedAgain = /\bretry(?:ing)?\b|\btry(?:ing)? again\b|\battempt \d+ ?(?:\/|of) ?\d+/i;

/** The rank's numbers go on behind the error, in its own file. */
function countsBehind({ series }: RunRecord, of: number, { file, line: raised = 0 }: Where): boolean {
  return series.some((curve) => {
    const later = curve.rank === of && curve.length > 2 ? curve.where(curve.length - 3) : null;
    return later !== null && later.file === file && (later.line ?? 0) > raised;
  });
}

/** The line before the error announces another attempt. */
function wasTriedAgain({ text }: RunRecord, of: number, { file, line: raised = 0 }: Where): boolean {
  return text.lines.some(({ rank, at, text: said }) => {
    const before = at.file === file ? raised - (at.line ?? raised) : 0;
    return rank === of && before > 0 && before <= 80 && triedAgain.test(said);
  });
}

/** Without a step behind the error, only the rank's last word tells: behind the error, or in another of its files. */
function saysItsEnd({ text }: RunRecord, of: number, { file, line: raised = 0 }: Where): boolean {
  const behind = text.lines.filter(
    (line) => line.rank === of && (line.at.file !== file || (line.at.line ?? 0) > raised),
  );
  const last = behind.at(-1);
  return behind.some(isEnd) || (last !== undefined && last.text.length < 400 && rankDone.test(last.text));
}

function isEnd({ text }: TextLine): boolean {
  return text.length < 400 && completionMarker.test(text);
}

/** A program warned of it by itself, and behind that says again what it had said twice before, with a number that it had not reached yet. */
export function wasPassedOver(record: RunRecord, { file, line = 0 }: Where): boolean {
  const told = record.text.lines.find(({ at }) => at.file === file && at.line === line);
  return told !== undefined && isWarning(told.text) && saysFurther(record, told.rank, { file, line });
}

/** The same behind an error, by the rank's own clock: what was held back comes out behind the error and is older. */
function goesOnInWords(record: RunRecord, { rank, at }: Traceback): boolean {
  const since = lastTimeBefore(record, rank, at);
  return since !== null && saysFurther(record, rank, at, since);
}

/** Lines without a clock may have been held back: more of them must come. */
const [timed, untimed]: readonly [Often, Often] = [
  { before: 1, behind: 1 },
  { before: 1, behind: 2 },
];

/** The program says in the line before an error that it passed over what raised it, and its rank goes on: what it ended by is another error. */
function wasSkipped(record: RunRecord, traceback: Traceback): boolean {
  if (!tellsItSkips(record, traceback)) return false;
  if (!isQuiet(record) && !endedOtherwise(record, traceback)) return false;
  const since = lastTimeBefore(record, traceback.rank, traceback.at);
  return saysFurther(record, traceback.rank, traceback.at, since, since === null ? untimed : timed);
}

/** Its line is the last before the error that is of the same log, and of the same rank. */
function tellsItSkips({ text }: RunRecord, traceback: Traceback): boolean {
  const { file, line = 0 } = traceback.at;
  const before = text.lines.find((entry) => entry.at.file === file && entry.at.line === line - 1);
  if (before?.rank !== traceback.rank || before.text.length >= 400 || !skips.test(before.text)) return false;
  // What began in the program itself was caught only if a logger tells of it.
  return wasCaught(traceback) || ofLogger.test(before.text);
}

/** The line that a logger prints above an error that it was handed. */
const ofLogger = /^.{0,80}\b(?:ERROR|WARN(?:ING)?|CRITICAL|EXCEPTION)\b/;

/** Somebody raised an error of another kind, which ended something, or died. */
function endedOtherwise(record: RunRecord, traceback: Traceback): boolean {
  return (
    record.exits.some((exit) => exit.rank !== null && fell(exit, exit.rank)) ||
    record.tracebacks.some(
      (other) =>
        !other.chain.some(isConsequence) &&
        other.chain[0]!.type !== traceback.chain[0]!.type &&
        !tellsItSkips(record, other),
    )
  );
}

/** A launcher that ends the others sends SIGTERM: whoever got it had lived until then. */
function fell({ rank, reason, signal }: Exit, of: number): boolean {
  return rank === of && reason !== 'completed' && reason !== 'running' && signal !== 'SIGTERM';
}
