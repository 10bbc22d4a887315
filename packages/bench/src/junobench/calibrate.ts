// How much the agreement of recorded votes is worth: polls of several sizes over every recorded model, on the instances
// that names and contracts leave open, and how often they were right. `grus llm calibrate` writes the table.
import { type CalibrationRow, ModelFailure, poll, recordedModel } from '@grus/llm';
import { Junobench } from './data/load.js';
import { ladderPrediction } from './methods/ladder.js';
import { modelOfFolder, questionOf } from './methods/question.js';

/** Votes asked at most, and how many must agree. */
const sizes = [
  [1, 1],
  [3, 2],
  [3, 3],
  [5, 3],
  [5, 4],
  [5, 5],
] as const;

export interface Calibration {
  readonly models: readonly string[];
  /** Instances that the deterministic rungs left open. */
  readonly open: number;
  readonly rows: readonly CalibrationRow[];
}

export async function calibrateVotes(data: string): Promise<Calibration> {
  const bench = Junobench.load(data);
  const models = bench.models();
  const counts = new Map<string, { n: number; right: number }>();
  let open = 0;
  for (const instance of bench.instances) {
    const { outcome } = await ladderPrediction(bench.text(instance), ['names', 'contracts']);
    if (outcome !== 'unknown') continue;
    open++;
    const question = questionOf(bench, instance, 'code+runtime');
    for (const model of models) {
      const replay = recordedModel(bench.answersFolder(model, 'code+runtime'));
      const seen = new Set<string>();
      for (const [votes, agreement] of sizes) {
        const result = await poll(replay, question, { votes, agreement }).catch((error: unknown) => {
          if (ModelFailure.is(error)) return null;
          throw error;
        });
        if (result === null || result.outcome === 'split') continue;
        const agreeing = result.outcome === 'crash' ? result.crash.length : result.ok.length;
        const key = `${modelOfFolder(model)} ${result.outcome} ${agreeing} ${result.asked}`;
        // The same answers can end two polls alike; they count once.
        if (seen.has(key)) continue;
        seen.add(key);
        const known = counts.get(key) ?? { n: 0, right: 0 };
        known.n++;
        if ((result.outcome === 'crash') === instance.crashes) known.right++;
        counts.set(key, known);
      }
    }
  }
  return { models, open, rows: rowsOf(counts) };
}

function rowsOf(counts: ReadonlyMap<string, { n: number; right: number }>): CalibrationRow[] {
  const rows = [...counts].map(([key, count]): CalibrationRow => {
    const [model = '', outcome, agreeing, asked] = key.split(' ');
    return {
      model,
      outcome: outcome as 'crash' | 'ok',
      agreeing: Number(agreeing),
      asked: Number(asked),
      ...count,
    };
  });
  const order = ({ model, outcome, asked, agreeing }: CalibrationRow) =>
    `${model} ${outcome} ${String(asked).padStart(3)} ${String(agreeing).padStart(3)}`;
  return rows.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}
