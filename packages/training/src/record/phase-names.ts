// What the names of the times of a step say: which part of the step it is, and in which unit.
import type { Series } from './series.js';

const isTime = /time|duration|latency|^t_|(?:^|[\s_./-])(?:ms|msec|us|s|secs?|seconds?)(?:$|_)/i;
/** Where a rank works alone, and where it meets the others. */
const alone = /data|load|fetch|batch|forward|fwd|compute/i;
const together = /backward|bwd|sync|comm|reduce|gather|wait|barrier/i;
const communication = /(?:^|[\W_])(?:sync|comm|(?:all_?)?reduce|(?:all_?)?gather|barrier|nccl)/i;
const data = /data|load|fetch|batch_|input|read/i;

/** Parts of a step that are nothing else: "fwd_bwd", "allreduce". */
const part = '(?:fwd|forward|bwd|backward|comp(?:ute)?|comm|all_?reduce|all_?gather)';
/** Beside others they are parts of a step as well: "load", "sync". */
const partBeside = '(?:sync|reduce|gather|barrier|wait|data|load(?:er|ing)?|fetch|opt(?:im(?:izer)?)?)';
const onlyParts = new RegExp(`^(?:${part}(?:$|[_./-](?=[a-z])))+$`, 'i');
const onlyPhases = new RegExp(`^(?:(?:${part}|${partBeside})(?:$|[_./-](?=[a-z])))+$`, 'i');

/** Whether a name says nothing but what is done in a step, also without a sign behind it. */
export function isPhaseName(name: string): boolean {
  return onlyParts.test(name) || (onlyPhases.test(name) && /[_./-]/.test(name));
}

export function isTimeName(name: string): boolean {
  return isTime.test(name);
}

/** By its unit or name; a number that is not whole beside the name of a part of a step is the time it took. */
export function isTimed({ unit, rawName, values }: Pick<Series, 'unit' | 'rawName' | 'values'>): boolean {
  return (
    unit === 'seconds' ||
    isTimeName(rawName) ||
    (onlyPhases.test(rawName) && values.some((value) => !Number.isInteger(value)))
  );
}

/** Whether ranks do nothing but communicate in a phase of this name. */
export function communicates(name: string): boolean {
  return communication.test(name);
}

/** Whether a rank works alone in a phase of this name. */
export function worksAlone(name: string): boolean {
  return alone.test(name) && !together.test(name);
}

/** Whether one waits in the second phase for what another does in the first: of two ranks only the names tell. */
export function mayTrade(own: string, shared: string): boolean {
  return alone.test(own) && together.test(shared);
}

/** Whether a rank waits for its data in a phase of this name. */
export function readsData(name: string): boolean {
  return data.test(name);
}

/** Whether ranks meet in a phase of this name, whatever else they do in it. One that holds the forward pass too is all of their work. */
export function meets(name: string): boolean {
  return together.test(name) && !alone.test(name);
}

/** Whether a phase of this name is the whole step. */
export function isWhole(name: string): boolean {
  return /^(?:step|iter(?:ation)?|total)[_ ]?(?:time|ms|s|seconds)?$/i.test(name);
}

export function secondsIn({ unit, rawName }: Series): number {
  if (unit === 'seconds') return 1;
  return /ms(?:ec)?$/i.test(rawName) ? 1e-3 : /us(?:ec)?$/i.test(rawName) ? 1e-6 : 1;
}
