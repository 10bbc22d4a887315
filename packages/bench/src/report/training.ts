// The tables of the training benchmark, drawn for a terminal or a page by the same code.
import { price } from '../training/measures/cost.js';
import type { TrainingReport } from '../training/run.js';
import { study, studyAccuracy } from '../training/study.js';
import { type DrawTable, probability, range, renderTable, share } from './table.js';

export interface Section {
  readonly title: string;
  readonly body: string;
  readonly note?: string;
}

export function renderTraining(report: TrainingReport): string {
  return trainingSections(report, renderTable)
    .map(({ title, body, note }) => `${title}\n\n${body}${note ? `\n\n${note}` : ''}`)
    .join('\n\n\n');
}

export function trainingSections(report: TrainingReport, draw: DrawTable): Section[] {
  return [
    accuracy(report, draw),
    abstention(report, draw),
    categories(report, draw),
    comparisons(report, draw),
    leftOut(report, draw),
    ablations(report, draw),
    importance(report, draw),
    ...lead(report, draw),
    misses(report, draw),
  ].filter(({ body }) => body !== '');
}

function accuracy(
  { methods, runs, groups, folds, counts, seeds, resamples, skipped }: TrainingReport,
  draw: DrawTable,
): Section {
  const spread = Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
  return {
    title: `Accuracy on ${runs} runs of ${groups} scripts (${spread})`,
    body: draw(
      [
        'method',
        'accuracy',
        '95 % interval',
        'failing runs',
        'study',
        'macro F1',
        'sub-cause',
        'false alarms',
        'ms a run',
      ],
      Object.entries(methods).map(([name, entry]) => [
        name,
        share(entry.accuracy),
        range(entry.interval),
        share(entry.accuracy_failing),
        share(studyAccuracy[name] ?? null),
        share(entry.f1),
        share(entry.subcause_accuracy),
        String(entry.false_alarms),
        (entry.cost.milliseconds ?? 0).toFixed(0),
      ]),
    ),
    note: [
      folds === 0
        ? 'Learned models are those that come with Grus: none of these runs was seen in making them, unless they are its own scenarios.'
        : `Grouped stratified ${folds}-fold cross-validation, settings chosen inside of each training part by three grouped folds; rules and tree are not fitted.`,
      `Intervals: ${resamples} bootstrap samples of whole scripts. Seeds: ${JSON.stringify(seeds)}. A silent method answers "unknown".`,
      `The study's figures are of its own ${study.scenarios} failing scenarios.`,
      ...Object.entries(skipped).map(
        ([name, why]) =>
          `${name}: skipped, ${why}. The study: ${Object.entries(study.llm)
            .map(([model, value]) => `${model} ${share(value)}`)
            .join(', ')}.`,
      ),
    ].join('\n'),
  };
}

function abstention({ methods }: TrainingReport, draw: DrawTable): Section {
  return {
    title: 'Abstention, calibration and cost',
    body: draw(
      [
        'method',
        'coverage',
        'accuracy of commits',
        'silent on decidable',
        'area under risk',
        'ECE',
        'Brier',
        `${price.currency} a run`,
      ],
      Object.entries(methods).map(([name, entry]) => [
        name,
        share(entry.selective.coverage),
        share(entry.selective.accuracy),
        share(entry.abstention_on_decidable),
        share(entry.selective.area),
        share(entry.calibration.ece),
        share(entry.calibration.brier),
        (entry.cost.per_run ?? 0).toFixed(2),
      ]),
    ),
    note:
      `The study's improved rules: ${share(study.tree.selective_accuracy)} of commits right, ${share(study.tree.abstention)} silent. ` +
      `Cost: a person takes ${price.hours_per_diagnosis} h at ${price.person_per_hour} ${price.currency} where a method is silent, and ${price.hours_per_diagnosis + price.hours_lost_by_a_wrong_answer} h where it is wrong; without any method every run costs ${(price.hours_per_diagnosis * price.person_per_hour).toFixed(2)}.`,
  };
}

function categories({ methods }: TrainingReport, draw: DrawTable): Section {
  const names = Object.keys(Object.values(methods)[0]?.classes ?? {});
  return {
    title: 'Precision / recall / F1 by category',
    body: draw(
      ['method', ...names],
      Object.entries(methods).map(([name, { classes }]) => [
        name,
        ...names.map((label) => {
          const { precision, recall, f1 } = classes[label]!;
          return `${share(precision)} ${share(recall)} ${share(f1)}`;
        }),
      ]),
    ),
  };
}

function comparisons({ comparisons: pairs }: TrainingReport, draw: DrawTable): Section {
  return {
    title: "Methods in pairs (McNemar's exact test, Holm's correction; Cohen's d of paired differences)",
    body: draw(
      ['pair', 'only first', 'only second', 'p', 'p corrected', 'd'],
      pairs.map((pair) => [
        `${pair.first} – ${pair.second}`,
        String(pair.only_first),
        String(pair.only_second),
        probability(pair.p),
        probability(pair.p_corrected),
        pair.cohens_d === null ? '–' : pair.cohens_d.toFixed(2),
      ]),
    ),
  };
}

function leftOut({ left_out: rows }: TrainingReport, draw: DrawTable): Section {
  return {
    title: 'Left out of training altogether',
    body: byMethod(
      ['left out', 'runs'],
      rows.map(({ dimension, value, n, accuracy: found }) => [[`${dimension} ${value}`, String(n)], found]),
      draw,
    ),
    note: `The study's rules fell to ${share(study.rules_on_sgd)} on SGD. Values with fewer than five runs are left away.`,
  };
}

function ablations({ ablations: rows }: TrainingReport, draw: DrawTable): Section {
  return {
    title: 'What each kind of evidence is worth alone (grouped cross-validation)',
    body: byMethod(
      ['columns', 'number'],
      rows.map(({ columns, count, accuracy: found }) => [[columns, String(count)], found]),
      draw,
    ),
  };
}

/** One line per row, one column of accuracies per method; nothing where nothing was measured. */
function byMethod(
  headings: readonly string[],
  rows: readonly (readonly [cells: readonly string[], accuracy: Readonly<Record<string, number | null>>])[],
  draw: DrawTable,
): string {
  const names = Object.keys(rows[0]?.[1] ?? {});
  return rows.length === 0
    ? ''
    : draw(
        [...headings, ...names],
        rows.map(([cells, found]) => [...cells, ...names.map((name) => share(found[name] ?? null))]),
      );
}

function importance({ importance: rows }: TrainingReport, draw: DrawTable): Section {
  return {
    title:
      'Loss of accuracy when a family is shuffled among runs (explainable boosting, unseen runs, ten repeats)',
    body:
      rows.length === 0
        ? ''
        : draw(
            ['family', 'columns', 'loss'],
            rows.map(({ family, columns, drop }) => [family, String(columns), drop.toFixed(3)]),
          ),
  };
}

function lead({ lead: found }: TrainingReport, draw: DrawTable): Section[] {
  if (found === null) return [];
  return [
    {
      title: 'Warnings ahead of the failure',
      body: draw(
        ['steps ahead', 'failures', 'warned', 'precision', 'category right by then', 'study'],
        found.leads.map((row) => [
          String(row.steps_ahead),
          String(row.failures),
          share(row.warned),
          share(row.precision),
          share(row.accuracy),
          row.steps_ahead === 100 ? share(study.ahead_100) : '–',
        ]),
      ),
      note: `${found.false_warnings.length} false warnings in ${found.healthy_steps} healthy steps: ${(found.false_per_1000_steps ?? 0).toFixed(3)} per 1,000.${found.false_warnings.map(({ instance, warning, step }) => `\n  ${instance}: ${warning} at step ${step}`).join('')}`,
    },
    {
      title: 'By warning',
      body: draw(
        ['warning', 'given', 'precision', 'median lead'],
        found.warnings.map((row) => [
          row.warning,
          String(row.warnings),
          share(row.precision),
          row.median_lead_steps === null ? '–' : String(Math.round(row.median_lead_steps)),
        ]),
      ),
    },
    {
      title: 'By failure, among runs that failed at step 60 or later',
      body: draw(
        ['sub-cause', 'runs', 'warned', 'under way 50 steps ahead', 'warned 50 steps ahead'],
        found.kinds.map((row) => [
          row.subcause,
          String(row.runs),
          String(row.warned),
          String(row.under_way_50_ahead),
          String(row.warned_50_ahead),
        ]),
      ),
      note: [
        'Under way: by then a curve that can tell had left its level, by hindsight. Without a warning so early:',
        ...found.kinds.flatMap(({ subcause, missed }) =>
          missed.map(
            ({ instance, failed_at, showed }) =>
              `${instance} (${subcause}, failed at ${failed_at}): ${showed}`,
          ),
        ),
      ].join('\n  '),
    },
  ];
}

function misses({ predictions }: TrainingReport, draw: DrawTable): Section {
  const wrong = predictions.filter(({ method, correct }) => method === 'hybrid' && !correct);
  return {
    title: `What the hybrid misses (${wrong.length})`,
    body: draw(
      ['run', 'is', 'answered', 'confidence'],
      wrong.map((row) => [
        row.instance,
        `${row.actual}/${row.actual_subcause ?? '–'}`,
        row.abstained ? 'silent' : `${row.category}/${row.subcause ?? '–'}`,
        share(row.confidence),
      ]),
    ),
  };
}
