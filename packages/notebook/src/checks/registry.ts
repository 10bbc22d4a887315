// The table of all checks. Its order decides which one speaks where two see the same crash at one place: names first, then
// by id, and last those that only know that something is refused. A check is in preview until it took part in a run of
// `bench false-alarms` and raised none; that run writes measured.json.
import { all } from '../generated/checks.js';
import type { Check } from './define-check.js';
import measured from './measured.json' with { type: 'json' };

const counts: Readonly<Record<string, { readonly false_alarms: number } | undefined>> = measured.checks;

export const checks: readonly Check[] = [
  ...all.filter((check) => !check.general),
  ...all.filter((check) => check.general),
];

export function checkById(id: string): Check | undefined {
  return checks.find((check) => check.id === id);
}

/** Its false alarms were not counted yet, or it raised some: it speaks only when asked to. */
export function isPreview(check: Check): boolean {
  return counts[check.id]?.false_alarms !== 0;
}
