/**
 * # The outputs become all alike, or one player of two has won
 *
 * ## What
 * The loss of one of two players goes to nothing, or is nothing where the log begins, while that of the other grows and stays high; or that of the
 * discriminator is exactly zero from some point on; the distance between embeddings falls by
 * orders of magnitude while the loss stays; the KL term of an autoencoder is next to nothing beside its reconstruction; the loss of a margin
 * stands at that margin.
 *
 * ## Why
 * A discriminator that is never wrong gives the generator no direction; its samples stay bad, or all alike. Embeddings at one point pay the
 * margin and no more; a latent code that says nothing costs nothing.
 *
 * ## Example
 * d_loss 1.39 to 0.02, g_loss 0.7 to 6 within the first third of the run. Triplet loss 0.52 to 0.50, mean distance 0.9 to 0.0001.
 *
 * ## Stays silent
 * While both losses stay near what a fair guess gives (about 0.69 for each part), for a dip that passes, for distances that fall
 * with their loss, and for a KL term that was always 0: it is not weighed yet.
 */
import { type Curve, finiteValues, toCurve } from '../../features/curve.js';
import { median, monotonicity } from '../../features/robust.js';
import { numberSetting } from '../../features/task.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { defineDetector, type Observation } from '../define.js';
import { citePoint } from '../shared/cite.js';
import { ranLongEnough } from '../shared/learning.js';
import { findLine } from '../shared/match.js';

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
    if (!judge || !maker)
      return [...drawnTogether(view), ...saysNothing(view), ...paysTheMargin(view)].slice(0, 1);
    const judged = halves(judge);
    const made = halves(maker);
    // Few points prove it only by orders of magnitude.
    const [less, more] = judge.finite.length < 10 ? [0.05, 5] : [0.35, 1.5];
    const won =
      judge.finite.length >= 5 &&
      judged.late < less * judged.first &&
      judged.late > 0 &&
      made.late > more * made.first &&
      made.late > 1.5;
    if (
      !won &&
      !(dominates(judge, maker) && hasPlayed(judge)) &&
      !dominates(maker, judge) &&
      !isNothing(judge)
    )
      return [];
    return [
      {
        strength: 0.78,
        onset:
          judge.steps[judge.finite.find((index) => judge.values[index]! < 0.35 * judged.first)!] ??
          judge.steps[0]!,
        evidence: [
          citePoint(
            judge,
            judge.finite.at(-1)!,
            judged.late < judged.first
              ? `${judge.name} fell from ${figure(judged.first)} to ${figure(judged.late)}`
              : `${judge.name} is ${figure(judged.late)}`,
          ),
          citePoint(
            maker,
            maker.finite.at(-1)!,
            made.late > made.first
              ? `while ${maker.name} rose from ${figure(made.first)} to ${figure(made.late)}`
              : `while ${maker.name} is ${figure(made.late)}`,
          ),
        ],
      },
    ];
  },
});

/** In nats: wrong in less than one answer of fifty, and right in as few; of a row or two, in one of five hundred. */
const neverWrong = { rows: 4, more: 0.02, few: 0.002 };
const neverPasses = { more: 4, few: 30 };

/**
 * Wherever the log begins: from its second half on one player is all but never wrong, and the other, which has not got better, all but always.
 * Critics whose losses are distances go below zero or stay of the other's own size.
 */
function dominates(winner: Curve, loser: Curve): boolean {
  const [won, lost] = [finiteValues(winner), finiteValues(loser)];
  const half = (values: readonly number[]): readonly number[] => values.slice(Math.floor(values.length / 2));
  const size = Math.min(won.length, lost.length) < neverWrong.rows ? 'few' : 'more';
  const right = half(won).filter((value) => value < neverWrong[size]).length;
  return (
    Math.min(...won) >= 0 &&
    right >= 0.8 * half(won).length &&
    median(half(won)) < neverWrong[size] &&
    median(half(lost)) > neverPasses[size] &&
    median(half(lost)) >= lost[0]!
  );
}

/** Once above zero, and for the last fifth of many points nothing as far as it was printed: nobody tells the maker how to get better. */
function isNothing(judge: Curve): boolean {
  const values = finiteValues(judge);
  const end = values.slice(-Math.floor(values.length / 5));
  return end.length >= 10 && values[0]! > 0 && end.every((value) => value === 0);
}

/** Many judges come in late: until then they lose nothing. */
function hasPlayed(judge: Curve): boolean {
  return finiteValues(judge).some((value) => value > 0);
}

function lossOf(view: RunView, name: RegExp): Curve | null {
  return (
    view
      .curves('loss')
      .find(({ series, finite }) => name.test(series.subject ?? series.rawName) && finite.length > 0) ?? null
  );
}

function halves(curve: Curve): { readonly first: number; readonly late: number } {
  const values = finiteValues(curve);
  return { first: values[0]!, late: median(values.slice(Math.floor(values.length / 2))) };
}

const apart =
  /(^|[^a-z])dist(ances?)?$|(^|[^a-z])(z|emb\w*|feat\w*|latents?|repr\w*|outputs?|proj\w*)[ _/.-]?(std|var(iance)?|spread)$/i;

/** What keeps outputs apart fell at every point, a thousandfold in all, and the loss has hardly moved; or it fell a hundredfold soon and stayed there. */
function drawnTogether(view: RunView): Observation[] {
  const loss = view.curve('loss', 'train');
  const losses = loss ? finiteValues(loss) : [];
  if (losses.length < 4) return [];
  const still = losses.at(-1)! >= 0.8 * losses[0]!;
  for (const series of view.record.series) {
    if (series.metric !== 'other' || !apart.test(series.rawName)) continue;
    const curve = toCurve(series);
    const values = finiteValues(curve);
    const falls = values.every((value, at) => value > 0 && (at === 0 || value < values[at - 1]!));
    const gone = still && falls && values.at(-1)! <= 1e-3 * values[0]!;
    const later = values.slice(Math.floor(values.length / 2));
    const stays = values.length >= 10 && values[0]! > 0 && Math.max(...later) < 0.01 * values[0]!;
    if (values.length < 4 || !(gone || stays)) continue;
    return [
      {
        strength: 0.74,
        onset: curve.steps[curve.finite[1]!]!,
        evidence: [
          citePoint(
            curve,
            curve.finite.at(-1)!,
            `${curve.name} fell from ${figure(values[0]!)} to ${figure(values.at(-1)!)}`,
          ),
          citePoint(loss!, loss!.finite.at(-1)!, `while ${loss!.name} is ${figure(losses.at(-1)!)}`),
        ],
      },
    ];
  }
  return [];
}

const divergenceTerm = /(^|[^a-z])kl(d|_?div\w*)?(_?loss)?$/i;
const reconstruction = /(^|[^a-z])(recon\w*|rec|r)(_?loss)?$/i;
/** What is left of a likelihood beside a KL term is a reconstruction where the log speaks of an autoencoder or its bound. */
const likelihood = /(^|[^a-z])(nll|neg_?log_?likelihood)$/i;
const autoencoder = /\belbo\b|vae\b|variational/i;

/**
 * The KL term of an autoencoder is a hundred-thousandth of its reconstruction, or fell to nothing from a hundred times that, or is gone for
 * most of the run and nothing is rebuilt better since: the latent code holds nothing of what was encoded.
 */
function saysNothing(view: RunView): Observation[] {
  const last = (name: RegExp): Curve | undefined => {
    const series = view.record.series.find(
      ({ metric, split, rawName }) =>
        split === 'train' &&
        (metric === 'kl' || metric === 'loss' || metric === 'other') &&
        name.test(rawName),
    );
    const curve = series && toCurve(series);
    return curve && curve.finite.length > 0 ? curve : undefined;
  };
  const code = last(divergenceTerm);
  if (!code || view.task.loss === 'reinforcement') return [];
  const terms = finiteValues(code);
  const rebuilt =
    last(reconstruction) ??
    (findLine(view, autoencoder) || isGoneAtOnce(terms)
      ? (last(likelihood) ?? view.curve('loss', 'train'))
      : null);
  if (!rebuilt || rebuilt.series === code.series || rebuilt.finite.length === 0 || findLine(view, imitation))
    return [];
  const costs = finiteValues(rebuilt);
  const cost = costs.at(-1)!;
  const information = Math.max(...terms.slice(isGoneAtOnce(terms) ? -2 : -3));
  // Always 0, it is not weighed yet.
  if (Math.max(...terms) <= 0 || (information > 1e-5 * cost && !goneForLong(terms, costs))) return [];
  if (terms.at(-1)! <= 0 && !(terms.length >= 5 && Math.max(...terms.slice(0, 2)) > 1e-3 * cost)) return [];
  const at = code.finite.at(-1)!;
  return [
    {
      strength: 0.68,
      onset: code.steps[at]!,
      evidence: [
        citePoint(code, at, `${code.name} is ${figure(information)} beside ${rebuilt.name} ${figure(cost)}`),
      ],
    },
  ];
}

/** One model taught by another is meant to come as near to it as it can. */
const imitation = /distil|teacher|student/i;

/** Ten points at most, from something to exactly nothing, and never again anything: what is learned falls more and more slowly. */
function isGoneAtOnce(terms: readonly number[]): boolean {
  const from = terms.findIndex((term) => Math.abs(term) < 1e-4 * terms[0]!);
  return (
    terms.length >= 5 &&
    terms[0]! > 0 &&
    from > 0 &&
    from <= 10 &&
    terms.length - from >= 2 &&
    terms.slice(from).every((term) => term < 1e-4 * terms[0]!)
  );
}

/** What the log says of its margin; the soft one costs the logarithm of 2 where all is alike. */
const saidMargin = /\bmargin\b\s*(?:of|is|[:=])?\s*(\d+(?:\.\d+)?)\b/i;
const marginLoss = /triplet|contrastive|siamese|metric.?learning|embedding/i;

/** The loss of a margin stands at that margin: near and far are equally far apart, so all embeddings are one. */
function paysTheMargin(view: RunView): Observation[] {
  const loss = view.curve('loss', 'train');
  const values = loss ? finiteValues(loss) : [];
  // The first batches pay it too.
  if (!loss || values.length < 4 || !ranLongEnough(view) || !findLine(view, marginLoss)) return [];
  const said =
    numberSetting(view.record, 'margin') ??
    Number(saidMargin.exec(findLine(view, saidMargin)?.text ?? '')?.[1] ?? Number.NaN);
  if (!(said > 0) || values.some((value) => Math.abs(value / said - 1) > 0.02)) return [];
  return [
    {
      strength: 0.7,
      onset: loss.steps[loss.finite[0]!]!,
      evidence: [
        citePoint(
          loss,
          loss.finite.at(-1)!,
          `${loss.name} stands at its margin of ${figure(said)}: near and far are equally far apart`,
        ),
      ],
    },
  ];
}

/** From the first fifth on a thousandth of what is rebuilt, ever less of it, and the reconstruction has not moved since. */
function goneForLong(terms: readonly number[], costs: readonly number[]): boolean {
  if (terms.length < 15 || terms.length !== costs.length) return false;
  const from = Math.floor(terms.length / 5);
  const later = terms.slice(from);
  return (
    later.every((term, at) => term >= 0 && term < 1e-3 * costs[from + at]!) &&
    Math.max(...terms.slice(0, from)) > 100 * median(later.slice(-3)) &&
    monotonicity(later) < -0.5 &&
    Math.abs(costs[from]! - costs.at(-1)!) < 0.02 * Math.abs(costs.at(-1)!)
  );
}
