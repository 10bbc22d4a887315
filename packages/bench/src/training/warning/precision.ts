// The table that `grus watch` quotes: how often each warning was right on the recorded scenarios, and how early.
import type { PrecisionTable } from '@grus/training';
import { examineCases } from '../data/examined.js';
import { loadCases } from '../data/load.js';
import { warningRows } from './lead.js';
import { replay } from './replay.js';

export async function measurePrecision(
  data: string,
  progress?: (text: string) => void,
): Promise<PrecisionTable> {
  const cases = await examineCases(loadCases(data), (done, total, id) =>
    progress?.(`reading ${done} of ${total}: ${id}`),
  );
  const runs = cases.map((entry, index) => {
    progress?.(`watching ${index} of ${cases.length}: ${entry.id}`);
    return replay(entry);
  });
  return Object.fromEntries(
    warningRows(runs).map(({ warning, warnings, precision, median_lead_steps }) => [
      warning,
      {
        precision: Number(precision.toPrecision(3)),
        warnings,
        median_lead_steps: median_lead_steps === null ? null : Math.round(median_lead_steps),
      },
    ]),
  );
}
