// Does a scenario still fail as recorded? Compares two accounts of it, with room for what a machine may change.
import type { Account } from './account.js';
import type { ScenarioEntry } from './entry.js';

/** One line for each difference that matters; empty when the run still does what was recorded. */
export function differences(entry: ScenarioEntry, recorded: Account, fresh: Account): string[] {
  const found: string[] = [];
  const differ = (what: string, before: unknown, now: unknown): void => {
    if (before !== now) found.push(`${what}: recorded ${before ?? 'none'}, now ${now ?? 'none'}`);
  };
  differ('ended', ending(recorded.exitCode), ending(fresh.exitCode));
  differ('exception', recorded.exception, fresh.exception);
  if (!near(recorded.lastStep, fresh.lastStep)) differ('last step', recorded.lastStep, fresh.lastStep);
  const onset = fresh.diagnosis.onset_step;
  if (entry.onset_step != null && onset !== null && recorded.diagnosis.onset_step !== null)
    if (!near(recorded.diagnosis.onset_step, onset)) differ('onset', recorded.diagnosis.onset_step, onset);
  differ('category', recorded.diagnosis.category, fresh.diagnosis.category);
  return found;
}

/** Codes above 128 are a shell's way to report a signal, negative ones Python's. */
function ending(code: number): string {
  if (code === 0) return 'well';
  if (code < 0) return `by signal ${-code}`;
  return code > 128 && code < 160 ? `by signal ${code - 128}` : 'with an error';
}

/** Within a tenth, at least 5 steps: a stop from outside or a limit does not fall on the same step twice. */
function near(before: number | null, now: number | null): boolean {
  if (before === null || now === null) return before === now;
  return Math.abs(before - now) <= Math.max(5, 0.1 * before);
}
