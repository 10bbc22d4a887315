// Whom a report is of that names a machine, or nobody.
import type { RunView } from '../features/view.js';
import type { DeviceMessage } from '../record/run-record.js';
import { isConsequence } from './consequence.js';
import { mayOwn, ownerOf } from './reported.js';

/** Whose device the first of the reports is of that tells so; else of whom on the only host that the `certain` ones are of. */
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
  );
}

/** Of the ranks of one host: the one that failed by itself, else the one that complains of nobody, else the first. */
export function suspectAmong({ failures }: RunView, told: readonly (readonly number[])[]): number | null {
  const ranks = [...new Set(told.flat())].sort((a, b) => a - b);
  if (ranks.length === 0 || told.some((here) => here.length !== ranks.length)) return null;
  const own = new Set(failures.filter((failure) => !isConsequence(failure)).map(({ rank }) => rank));
  const complaining = new Set(failures.map(({ rank }) => rank));
  const [failed, ...others] = ranks.filter((rank) => own.has(rank));
  if (failed !== undefined && others.length === 0) return failed;
  const [silent, ...more] = complaining.size === 0 ? [] : ranks.filter((rank) => !complaining.has(rank));
  return silent !== undefined && more.length === 0 ? silent : ranks[0]!;
}
