// Sums up the walks: false alarms among the cells that ran, and what became of the other predictions.
import { checks } from '@grus/notebook';
import {
  confusionOf,
  type Interval,
  type Measures,
  measuresOf,
  quantile,
  ratio,
  wilsonInterval,
} from '../statistics/index.js';
import type { CellResult, NotebookResult } from './results.js';

export interface FalseAlarmScore extends Measures {
  readonly notebooks: number;
  /** Cells that were judged and then ran to their end. */
  readonly ran: number;
  readonly false_alarms_per_1000: number | null;
  /** 95 %, in false alarms per 1,000 cells that ran. */
  readonly false_alarms_interval: Interval | null;
  /** Predicted crashes that came true, and those of them with another exception or on another line. */
  readonly came_true: number;
  readonly wrong_exception: number;
  readonly wrong_line: number;
  readonly packages: Readonly<
    Record<string, { readonly notebooks: number; readonly ran: number; readonly false_alarms: number }>
  >;
  readonly checks: Readonly<Record<string, { readonly false_alarms: number; readonly came_true: number }>>;
  /** Notebooks whose walk ended early, with the reason. */
  readonly problems: Readonly<Record<string, string>>;
  readonly ms: { readonly median: number | null; readonly p95: number | null };
}

export interface FalseAlarmPrediction {
  /** `PACKAGE-VERSION/PATH#CELL`. */
  readonly instance: string;
  readonly method: 'contracts';
  readonly outcome: 'crash' | 'unknown';
  readonly crashes: boolean;
  readonly ms: number;
  /** Of a predicted crash: the verdict's fields and what really happened. */
  readonly [field: string]: unknown;
}

export function scoreOf(results: readonly NotebookResult[]): FalseAlarmScore {
  const cells = results.flatMap((result) => result.cells);
  const ran = cells.filter(({ crash }) => crash === null);
  const alarms = ran.filter(isPredicted);
  const hits = cells.filter((cell) => cell.crash !== null && isPredicted(cell));
  const interval = wilsonInterval(alarms.length, ran.length);
  const times = cells.map(({ ms }) => ms);
  return {
    ...measuresOf(
      confusionOf(cells.map((cell) => ({ actual: cell.crash !== null, predicted: isPredicted(cell) }))),
    ),
    notebooks: results.length,
    ran: ran.length,
    false_alarms_per_1000: perThousand(ratio(alarms.length, ran.length)),
    false_alarms_interval: interval === null ? null : [interval[0] * 1000, interval[1] * 1000],
    came_true: hits.length,
    wrong_exception: hits.filter(({ crash, prediction }) => crash!.exception !== prediction!.exception?.type)
      .length,
    wrong_line: hits.filter(
      ({ crash, prediction }) => ![crash!.line, crash!.callLine].includes(prediction!.line),
    ).length,
    packages: packagesOf(results),
    checks: checksOf(cells),
    problems: Object.fromEntries(
      results.flatMap(({ notebook, problem }) => (problem === null ? [] : [[notebook, problem] as const])),
    ),
    ms: { median: quantile(times, 0.5), p95: quantile(times, 0.95) },
  };
}

/** The text of measured.json: every check that took part, one in a line, with what became of its predictions. */
export function measuredChecks({
  methods: { contracts },
}: {
  methods: { contracts: FalseAlarmScore };
}): string {
  const { notebooks, n: cells, ran } = contracts;
  const silent = { false_alarms: 0, came_true: 0 };
  const counts = checks
    .map(({ id }) => [id, contracts.checks[id] ?? silent] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify({ notebooks, cells, ran, checks: Object.fromEntries(counts) }, null, 2);
  return `${text.replace(/\{\s+("false_alarms": \d+),\s+("came_true": \d+)\s+\}/g, '{ $1, $2 }')}\n`;
}

export function predictionsOf(results: readonly NotebookResult[]): FalseAlarmPrediction[] {
  return results.flatMap(({ notebook, cells }) =>
    cells.map(({ cell, crash, prediction, ms }) => ({
      instance: `${notebook}#${cell}`,
      method: 'contracts' as const,
      outcome: 'unknown' as const,
      ...(prediction === null ? {} : { ...prediction, really: crash }),
      crashes: crash !== null,
      ms,
    })),
  );
}

function isPredicted({ prediction }: CellResult): boolean {
  return prediction !== null;
}

function perThousand(share: number | null): number | null {
  return share === null ? null : Math.round(share * 1e5) / 100;
}

function packagesOf(results: readonly NotebookResult[]): FalseAlarmScore['packages'] {
  const packages: Record<string, { notebooks: number; ran: number; false_alarms: number }> = {};
  for (const { notebook, cells } of results) {
    const name = notebook.slice(0, notebook.indexOf('/'));
    packages[name] ??= { notebooks: 0, ran: 0, false_alarms: 0 };
    packages[name].notebooks += 1;
    const ran = cells.filter(({ crash }) => crash === null);
    packages[name].ran += ran.length;
    packages[name].false_alarms += ran.filter(isPredicted).length;
  }
  return packages;
}

function checksOf(cells: readonly CellResult[]): FalseAlarmScore['checks'] {
  const checks: Record<string, { false_alarms: number; came_true: number }> = {};
  for (const { crash, prediction } of cells) {
    if (prediction === null) continue;
    const check = prediction.check ?? 'none';
    checks[check] ??= { false_alarms: 0, came_true: 0 };
    checks[check][crash === null ? 'false_alarms' : 'came_true'] += 1;
  }
  return Object.fromEntries(Object.entries(checks).sort(([a], [b]) => (a < b ? -1 : 1)));
}
