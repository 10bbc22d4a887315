// From the agreement of the votes to a confidence: how often recorded polls with that agreement were right, on the
// questions that the deterministic rungs had left open.
import type { CalibrationRow } from './calibration-row.js';
import { calibrationRows } from './calibration-table.js';

type Count = Pick<CalibrationRow, 'agreeing' | 'asked' | 'n' | 'right'>;

/** For a model that was measured its own rows decide, for any other those of all models together. */
export function confidenceAt(
  model: string,
  outcome: 'crash' | 'ok',
  agreeing: number,
  asked: number,
  table: readonly CalibrationRow[] = calibrationRows,
): number {
  const rows = table.filter((row) => row.outcome === outcome);
  const own = rows.filter((row) => bareName(model) === row.model);
  const counts = own.length > 0 ? own : together(rows);
  const exact = counts.find((row) => row.agreeing === agreeing && row.asked === asked);
  if (exact) return smoothed(exact);
  // An agreement that was never measured counts as the nearest one that is no stronger.
  const [weaker] = counts
    .filter((row) => row.agreeing / row.asked <= agreeing / asked && row.asked <= asked)
    .sort((a, b) => b.agreeing / b.asked - a.agreeing / a.asked || b.asked - a.asked);
  return smoothed(weaker ?? { n: 0, right: 0 });
}

/** A share from few cases is drawn towards one half: one case more on either side. */
function smoothed({ n, right }: { readonly n: number; readonly right: number }): number {
  return Math.round(((right + 1) / (n + 2)) * 1000) / 1000;
}

/** "openai:gpt-5" without its provider. */
function bareName(model: string): string {
  return model.slice(model.indexOf(':') + 1).toLowerCase();
}

function together(rows: readonly CalibrationRow[]): Count[] {
  const counts = new Map<string, Count>();
  for (const { agreeing, asked, n, right } of rows) {
    const key = `${agreeing}/${asked}`;
    const known = counts.get(key) ?? { agreeing, asked, n: 0, right: 0 };
    counts.set(key, { agreeing, asked, n: known.n + n, right: known.right + right });
  }
  return [...counts.values()];
}
