// The JunoBench report for a terminal: detection, detection with diagnosis, comparisons, breakdowns, the judge.
import type { MethodReport } from '../junobench/measure.js';
import type { JunobenchReport } from '../junobench/run.js';
import { ablation, modelJudge, savings, validation } from './junobench-model.js';
import { type DrawTable, probability, range, renderTable, share } from './table.js';

export interface ReportSection {
  readonly title: string;
  /** The drawn table. */
  readonly body: string;
}

export function renderJunobench(report: JunobenchReport): string {
  const sections = junobenchSections(report, renderTable).map(({ title, body }) => `${title}\n${body}`);
  return `JunoBench: ${report.data}\n\n${sections.join('\n\n')}\n`;
}

/** Everything the report says, in order, with tables as the caller draws them. */
export function junobenchSections(report: JunobenchReport, draw: DrawTable): ReportSection[] {
  const methods = Object.entries(report.methods);
  const section = (title: string, body: string): ReportSection => ({ title, body });
  return [
    section('Detection: will the cell crash?', detection(draw, methods)),
    section('Detection and diagnosis: and was the cause named?', diagnosis(draw, methods)),
    section(
      'Recorded models: how much single runs differ, and how often a model is asked',
      models(draw, methods),
    ),
    section(
      'What asking takes, for 100 checks (tokens by estimate, without thinking; list prices)',
      asking(draw, methods),
    ),
    section('What the ladder saves, for 100 checks, beside asking every time', savings(draw, report)),
    section('What each category of runtime information is worth to the model', ablation(draw, report)),
    section(
      'The hybrid on data that had no part in choosing its rule (chosen anew in every fold)',
      validation(draw, report),
    ),
    section(
      'Against each recorded model: only this method right / only the model right (exact McNemar p)',
      comparisons(draw, methods),
    ),
    ...(['library_group', 'root_cause', 'crash_type'] as const).map((by) =>
      section(`Accuracy by ${by.replace('_', ' ')}`, breakdown(draw, methods, by)),
    ),
    section(
      'Agreement of the structured judge with the published verdicts (Cohen kappa)',
      judge(draw, report, methods),
    ),
    section('The judge that is a model, asked in both orders', modelJudge(draw, report)),
  ].filter(({ body }) => body !== '');
}

type Methods = readonly (readonly [string, JunobenchReport['methods'][string]])[];

function detection(draw: DrawTable, methods: Methods): string {
  return draw(
    [
      'method',
      'n',
      'accuracy',
      '95 %',
      'precision',
      'recall',
      'F1',
      '95 %',
      'false alarms',
      'abstained',
      'ms median',
      'ms p95',
    ],
    methods.map(([name, method]) => [
      name,
      String(method.n),
      share(method.accuracy),
      range(method.intervals.accuracy),
      share(method.precision),
      share(method.recall),
      share(method.f1),
      range(method.intervals.f1),
      String(method.false_alarms),
      String(method.abstentions),
      milliseconds(method.ms?.median),
      milliseconds(method.ms?.p95),
    ]),
  );
}

function milliseconds(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : value.toFixed(1);
}

function diagnosis(draw: DrawTable, methods: Methods): string {
  return draw(
    ['method', 'accuracy', 'precision', 'recall', 'F1', 'of detected'],
    methods.map(([name, { diagnosis: measures, diagnosis_rate: rate }]) => [
      name,
      share(measures.accuracy),
      share(measures.precision),
      share(measures.recall),
      share(measures.f1),
      share(rate),
    ]),
  );
}

function models(draw: DrawTable, methods: Methods): string {
  const asking = methods.filter(([, method]) => method.asked_model !== null);
  if (asking.length === 0) return '';
  return draw(
    ['method', 'asked', 'of', 'lowest run', 'highest run', 'deviation'],
    asking.map(([name, { asked_model: asked, n, runs }]) => [
      name,
      String(asked),
      String(n),
      share(runs === null ? null : Math.min(...runs.accuracy)),
      share(runs === null ? null : Math.max(...runs.accuracy)),
      share(runs === null ? null : runs.deviation),
    ]),
  );
}

function asking(draw: DrawTable, methods: Methods): string {
  const rows = methods.flatMap(([name, method]) => (method.asking ? [{ name, ...method.asking }] : []));
  if (rows.length === 0) return '';
  return draw(
    ['method', 'never asked', 'answers', 'tokens in', 'tokens out', 'US dollars'],
    rows.map((row) => [
      row.name,
      share(row.never_asked),
      String(row.answers_per_100),
      String(row.input_tokens_per_100),
      String(row.output_tokens_per_100),
      row.usd_per_100 === null ? '–' : row.usd_per_100.toFixed(3),
    ]),
  );
}

function comparisons(draw: DrawTable, methods: Methods): string {
  const rivals = [...new Set(methods.flatMap(([, { mcnemar }]) => Object.keys(mcnemar)))];
  if (rivals.length === 0) return '';
  return draw(
    ['method', ...rivals],
    methods.map(([name, { mcnemar }]) => [
      name,
      ...rivals.map((rival) => {
        const test = mcnemar[rival];
        return test === undefined ? '–' : `${test.onlyFirst}/${test.onlySecond} (${probability(test.p)})`;
      }),
    ]),
  );
}

function breakdown(draw: DrawTable, methods: Methods, by: keyof MethodReport['by']): string {
  const groups = [...new Set(methods.flatMap(([, method]) => Object.keys(method.by[by])))].sort();
  return draw(
    [by.replace('_', ' '), 'n', ...methods.map(([name]) => name)],
    groups.map((group) => [
      group,
      String(methods[0]?.[1].by[by][group]?.n ?? 0),
      ...methods.map(([, method]) => share(method.by[by][group]?.accuracy ?? null)),
    ]),
  );
}

function judge(draw: DrawTable, report: JunobenchReport, methods: Methods): string {
  if (report.judge === null) return '';
  const rows = methods.flatMap(([name, method]) =>
    method.judge === null ? [] : [{ name, agreement: method.judge }],
  );
  return draw(
    ['answers of', 'kappa', 'n', 'kappa, detected crashes', 'n'],
    [...rows, { name: 'all together', agreement: report.judge.overall }].map(({ name, agreement }) => [
      name,
      share(agreement.kappa),
      String(agreement.n),
      share(agreement.kappa_detected_crashes),
      String(agreement.n_detected_crashes),
    ]),
  );
}
