// Whom a report is of that names a machine, or nobody.
import type { RunView } from '../features/view.js';
import type { DeviceMessage } from '../record/run-record.js';
import { busOf } from '../record/seat.js';
import { isConsequence } from './consequence.js';
import { mayOwn, ownerOf } from './reported.js';

/**
 * Whose device the first of the reports is of that tells so; else of whom on the only host that the `certain` ones are of. Where they name
 * a device that nobody is known to have, the first of many would be a guess.
 */
export function ownerAmong(
  view: RunView,
  reports: readonly DeviceMessage[],
  certain: readonly DeviceMessage[] = reports,
): number | null {
  for (const message of reports) {
    const owner = ownerOf(view.record, message);
    if (owner !== null) return owner;
  }
  return suspectAmong(
    view,
    certain.map((message) => mayOwn(view.record, message)),
    !certain.some(namesDevice),
  );
}

/** Whether a report is of one device of its host, and not of the host. */
export function namesDevice({ text }: { readonly text: string }): boolean {
  return /^GPU \d+: /.test(text) || busOf(text) !== null;
}

/** The process that a line names by its number. */
export function processOf(text: string): string | null {
  return /\b(?:process|pid|task)(?: id)?[ =:]{1,2}(\d{2,8})\b/i.exec(text)?.[1] ?? null;
}

/** Of the ranks of one host: the one that failed by itself, else the one that complains of nobody, else the first where any will do. */
export function suspectAmong(
  { failures }: RunView,
  told: readonly (readonly number[])[],
  anyWillDo = true,
): number | null {
  const ranks = [...new Set(told.flat())].sort((a, b) => a - b);
  if (ranks.length === 0 || told.some((here) => here.length !== ranks.length)) return null;
  const own = new Set(failures.filter((failure) => !isConsequence(failure)).map(({ rank }) => rank));
  const complaining = new Set(failures.map(({ rank }) => rank));
  const [failed, ...others] = ranks.filter((rank) => own.has(rank));
  if (failed !== undefined && others.length === 0) return failed;
  const [silent, ...more] = complaining.size === 0 ? [] : ranks.filter((rank) => !complaining.has(rank));
  if (silent !== undefined && more.length === 0) return silent;
  return anyWillDo || ranks.length === 1 ? ranks[0]! : null;
}
