// Errors that a rank dealt with: it went on afterwards, in whichever of its files. Such an error ended nothing.
import type { Exit, RunRecord, Traceback } from '../record/run-record.js';
import { completionMarker } from './ending.js';

/** Where the stack of a process begins. An error that somebody caught and logged begins further in. */
const outermost = /^(?:<module>|_run_module_as_main|_run_code|_bootstrap|_bootstrap_inner|spawn_main)$/;

export function wasDealtWith(record: RunRecord, traceback: Traceback): boolean {
  const { rank } = traceback;
  if (rank === null) return false;
  const { step } = traceback.again ?? traceback;
  if (step === null) return wasCaught(traceback) && cameToItsEnd(record, rank, traceback);
  if (lastStepOf(record, rank) <= step + 5) return false;
  if (record.tracebacks.some((other) => other.rank === rank && other.order > traceback.order)) return true;
  // Output that is held back comes out after the error: steps alone do not tell when somebody knows of a death.
  if (record.exits.some((exit) => fell(exit, rank))) return false;
  return wasCaught(traceback) || record.tracebacks.every((other) => other.rank === rank);
}

function wasCaught({ chain, worker }: Traceback): boolean {
  return (
    worker === null &&
    chain.every(({ frames: [frame] }) => frame !== undefined && !outermost.test(frame.function))
  );
}

/** Without a step beside the error, only the end of a run that nobody complains of tells. */
function cameToItsEnd(record: RunRecord, rank: number, traceback: Traceback): boolean {
  const isQuiet =
    record.exits.every(({ reason }) => reason === 'completed' || reason === 'running') &&
    record.tracebacks.every((other) => other.rank === rank && other.at.file === traceback.at.file);
  return (
    isQuiet &&
    record.text.lines.some(
      (line) =>
        line.rank === rank &&
        line.at.file !== traceback.at.file &&
        line.text.length < 400 &&
        completionMarker.test(line.text),
    )
  );
}

function lastStepOf(record: RunRecord, rank: number): number {
  let last = -1;
  for (const series of record.series)
    if (series.rank === rank && series.hasSteps)
      for (const step of series.steps) if (step > last) last = step;
  return last;
}

/** A launcher that ends the others sends SIGTERM: whoever got it had lived until then. */
function fell({ rank, reason, signal }: Exit, of: number): boolean {
  return rank === of && reason !== 'completed' && reason !== 'running' && signal !== 'SIGTERM';
}
