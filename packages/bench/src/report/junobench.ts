// The JunoBench report for a terminal: detection, detection with diagnosis, comparisons, breakdowns, the judge.
import type { MethodReport } from '../junobench/measure.js';
import type { JunobenchReport } from '../junobench/run.js';
import { probability, range, renderTable, share } from './table.js';

export function renderJunobench(report: JunobenchReport): string {
  const methods = Object.entries(report.methods);
  const sections = [
    section('Detection: will the cell crash?', detection(methods)),
    section('Detection and diagnosis: and was the cause named?', diagnosis(methods)),
    section('Recorded models: how much single runs differ, and how often a model is asked', models(methods)),
    section(
      'What asking takes, for 100 checks (tokens by estimate, without thinking; list prices)',
      asking(methods),
    ),
    section(
      'Against each recorded model: only this method right / only the model right (exact McNemar p)',
      comparisons(methods),
    ),
    ...(['library_group', 'root_cause', 'crash_type'] as const).map((by) =>
      section(`Accuracy by ${by.replace('_', ' ')}`, breakdown(methods, by)),
    ),
    section(
      'Agreement of the structured judge with the published verdicts (Cohen kappa)',
      judge(report, methods),
    ),
  ];
  return `JunoBench: ${report.data}\n\n${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

type Methods = readonly (readonly [string, JunobenchReport['methods'][string]])[];

function section(title: string, table: string): string {
  return table === '' ? '' : `${title}\n${table}`;
}

function detection(methods: Methods): string {
  return renderTable(
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

function diagnosis(methods: Methods): string {
  return renderTable(
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

function models(methods: Methods): string {
  const asking = methods.filter(([, method]) => method.asked_model !== null);
  if (asking.length === 0) return '';
  return renderTable(
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

function asking(methods: Methods): string {
  const rows = methods.flatMap(([name, method]) => (method.asking ? [{ name, ...method.asking }] : []));
  if (rows.length === 0) return '';
  return renderTable(
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

function comparisons(methods: Methods): string {
  const rivals = [...new Set(methods.flatMap(([, { mcnemar }]) => Object.keys(mcnemar)))];
  if (rivals.length === 0) return '';
  return renderTable(
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

function breakdown(methods: Methods, by: keyof MethodReport['by']): string {
  const groups = [...new Set(methods.flatMap(([, method]) => Object.keys(method.by[by])))].sort();
  return renderTable(
    [by.replace('_', ' '), 'n', ...methods.map(([name]) => name)],
    groups.map((group) => [
      group,
      String(methods[0]?.[1].by[by][group]?.n ?? 0),
      ...methods.map(([, method]) => share(method.by[by][group]?.accuracy ?? null)),
    ]),
  );
}

function judge(report: JunobenchReport, methods: Methods): string {
  if (report.judge === null) return '';
  const rows = methods.flatMap(([name, method]) =>
    method.judge === null ? [] : [{ name, agreement: method.judge }],
  );
  return renderTable(
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
