// From the agreement of the votes to a confidence: how often recorded polls with that agreement were right, on the
// questions that the deterministic rungs had left open.
import { calibrationRows } from './calibration-table.js';

export interface CalibrationRow {
  readonly outcome: 'crash' | 'ok';
  /** So many of the answers asked for agreed. */
  readonly agreeing: number;
  readonly asked: number;
  /** Polls that ended so, and how many of them were right. */
  readonly n: number;
  readonly right: number;
}

/** A share from few cases is drawn towards one half: one case more on either side. */
function confidenceOf({ n, right }: { readonly n: number; readonly right: number }): number {
  return Math.round(((right + 1) / (n + 2)) * 1000) / 1000;
}

export function confidenceAt(
  outcome: 'crash' | 'ok',
  agreeing: number,
  asked: number,
  rows: readonly CalibrationRow[] = calibrationRows,
): number {
  const same = rows.filter((row) => row.outcome === outcome);
  const exact = same.find((row) => row.agreeing === agreeing && row.asked === asked);
  if (exact) return confidenceOf(exact);
  // An agreement that was never measured counts as the nearest one that is no stronger.
  const weaker = same
    .filter((row) => row.agreeing / row.asked <= agreeing / asked && row.asked <= asked)
    .sort((a, b) => b.agreeing / b.asked - a.agreeing / a.asked || b.asked - a.asked)[0];
  return confidenceOf(weaker ?? { n: 0, right: 0 });
}
