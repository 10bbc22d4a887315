// The parts of the JunoBench report that are about asking a model: what each category of information is worth, what the
// ladder saves, how the hybrid does on data it was not chosen on, and the judge that is a model.
import { ablationMethods } from '../junobench/methods/names.js';
import type { JunobenchReport } from '../junobench/run.js';
import type { FoldedScore, RuleScore } from '../junobench/validation/cross-validate.js';
import { type DrawTable, share } from './table.js';

/** The configured model with everything, and what is lost without each category. */
export function ablation(draw: DrawTable, { methods }: JunobenchReport): string {
  const whole = methods['live'];
  const rows = ablationMethods.flatMap((name) => (methods[name] ? [{ name, ...methods[name] }] : []));
  if (whole === undefined || rows.length < 2) return '';
  return draw(
    ['the model is told', 'accuracy', 'difference', 'precision', 'recall', 'F1', 'diagnosed'],
    rows.map((row) => [
      toldBy(row.name),
      share(row.accuracy),
      row.name === 'live' ? '' : difference(row.accuracy, whole.accuracy),
      share(row.precision),
      share(row.recall),
      share(row.f1),
      share(row.diagnosis.accuracy),
    ]),
  );
}

function toldBy(method: string): string {
  if (method === 'live') return 'code and all runtime information';
  return method === 'live:code' ? 'code alone' : `all but ${method.replace('live:-', '')}`;
}

function difference(value: number | null, whole: number | null): string {
  if (value === null || whole === null) return '–';
  return `${value < whole ? '−' : '+'}${share(Math.abs(value - whole))}`;
}

export function savings(draw: DrawTable, { savings: saved }: JunobenchReport): string {
  const rows = Object.entries(saved);
  if (rows.length === 0) return '';
  const dollars = (usd: number | null) => (usd === null ? '–' : usd.toFixed(3));
  return draw(
    ['method', 'never asked', 'tokens', 'every time', 'saved', 'US dollars', 'every time'],
    rows.map(([name, row]) => [
      name,
      share(row.never_asked),
      String(row.tokens_per_100),
      String(row.tokens_per_100_every_time),
      share(row.saved),
      dollars(row.usd_per_100),
      dollars(row.usd_per_100_every_time),
    ]),
  );
}

export function validation(
  draw: DrawTable,
  { cross_validation: validated, left_out: left }: JunobenchReport,
): string {
  const rows = Object.entries(validated).flatMap(([name, scores]) => [
    scoreRow(`${name}, rule of the product, in-sample`, scores.in_sample, ''),
    foldRow(`${name}, rule chosen without the pair`, scores.by_pair),
    foldRow(`${name}, rule chosen without the library group`, scores.by_library_group),
    ...(scores.by_model ? [foldRow(`${name}, rule chosen on the other models`, scores.by_model)] : []),
  ]);
  if (left)
    rows.push(
      scoreRow(
        'contracts, without the checks that only the library group called for',
        left,
        `${left.in_one_case.length} of ${left.checks} checks spoke in one case`,
      ),
    );
  return rows.length === 0 ? '' : draw(['how', 'n', 'accuracy', 'false alarms', 'rules chosen'], rows);
}

function foldRow(how: string, score: FoldedScore): string[] {
  const chosen = Object.entries(score.chosen).map(([rule, times]) => `${rule} (${times})`);
  return scoreRow(how, score, chosen.join('; '));
}

function scoreRow(how: string, { n, accuracy, false_alarms: alarms }: RuleScore, chosen: string): string[] {
  return [how, String(n), share(accuracy), String(alarms), chosen];
}

export function modelJudge(draw: DrawTable, { model_judge: judge }: JunobenchReport): string {
  if (judge === null) return '';
  const signed = (value: number | null) =>
    value === null ? '–' : `${value < 0 ? '−' : '+'}${share(Math.abs(value))}`;
  return draw(
    ['what', judge.model],
    [
      ['explanations judged in both orders', String(judge.n)],
      ['answers that could not be read', String(judge.unreadable)],
      ['both orders say the same', share(judge.orders_agree)],
      ['kappa of the two orders', share(judge.orders_kappa)],
      ["same cause, expert's explanation first", share(judge.same_expert_first)],
      ["same cause, expert's explanation second", share(judge.same_expert_second)],
      ['bias of place', signed(judge.position_bias)],
      [
        `kappa with the published verdicts (${judge.n_published}, where both orders agree)`,
        share(judge.kappa_published),
      ],
      ['kappa with the structured judge', share(judge.kappa_structured)],
    ],
  );
}
