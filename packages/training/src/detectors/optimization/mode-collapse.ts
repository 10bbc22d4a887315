/**
 * # One player of two has won
 *
 * ## What
 * The loss of the discriminator goes to nothing while that of the generator grows and stays high.
 *
 * ## Why
 * A discriminator that is never wrong gives the generator no direction; its samples stay bad, or all alike.
 *
 * ## Example
 * d_loss 1.39 to 0.02, g_loss 0.7 to 6 within the first third of the run.
 *
 * ## Stays silent
 * While both losses stay near what a fair guess gives (about 0.69 for each part), and for a dip that passes.
 */
import { type Curve, finiteValues } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { defineDetector } from '../define.js';
import { citePoint } from '../shared/cite.js';

const discriminator = /(^|[^a-z])(d|disc|discriminator|critic)($|[^a-z])/i;
const generator = /(^|[^a-z])(g|gen|generator)($|[^a-z])/i;

export const modeCollapse = defineDetector({
  id: 'optimization/mode-collapse',
  subcause: 'mode_collapse',
  role: 'root',
  signal: 'curve',
  needs: ['loss'],
  detect: (_record, _features, { view }) => {
    const judge = lossOf(view, discriminator);
    const maker = lossOf(view, generator);
    if (!judge || !maker) return [];
    const judged = halves(judge);
    const made = halves(maker);
    // Few points prove it only by orders of magnitude.
    const [less, more] = judge.finite.length < 10 ? [0.05, 5] : [0.35, 1.5];
    const won =
      judged.late < less * judged.first &&
      judged.late > 0 &&
      made.late > more * made.first &&
      made.late > 1.5;
    if (!won) return [];
    return [
      {
        strength: 0.78,
        onset: judge.steps[judge.finite.find((index) => judge.values[index]! < 0.35 * judged.first)!] ?? null,
        evidence: [
          citePoint(
            judge,
            judge.finite.at(-1)!,
            `${judge.name} fell from ${figure(judged.first)} to ${figure(judged.late)}`,
          ),
          citePoint(
            maker,
            maker.finite.at(-1)!,
            `while ${maker.name} rose from ${figure(made.first)} to ${figure(made.late)}`,
          ),
        ],
      },
    ];
  },
});

function lossOf(view: RunView, name: RegExp): Curve | null {
  return view.curves('loss').find((curve) => name.test(curve.name) && curve.finite.length >= 5) ?? null;
}

function halves(curve: Curve): { readonly first: number; readonly late: number } {
  const values = finiteValues(curve);
  return { first: values[0]!, late: median(values.slice(Math.floor(values.length / 2))) };
}
