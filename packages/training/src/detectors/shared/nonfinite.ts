// A loss that became NaN or infinite and stayed so, and the most likely origin: growth under a learning rate, half
// precision, the data, or an unstable operation. Isolated values that heal are no failure.

import { type Curve, finiteValues, firstNonFinite } from '../../features/curve.js';
import { nonFiniteText } from '../../features/nonfinite-text.js';
import { once } from '../../features/once.js';
import { median } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import type { Split } from '../../record/run-record.js';
import type { RunEvidence } from '../define.js';
import { citeLine, citePoint } from './cite.js';
import { countedMissing, dirtyInput, knownClean, saidDirty, warnedOfTargets } from './dirty-inputs.js';
import { citeRate, learningRateExcess } from './divergence.js';
import { findFailure, findLine } from './match.js';

export type Origin = 'growth' | 'precision' | 'data' | 'operation';

export interface NonFinite {
  readonly step: number;
  /** At the very first logged point: no update had been made. */
  readonly immediate: boolean;
  readonly scores: Readonly<Record<Origin, number>>;
  readonly evidence: readonly RunEvidence[];
  readonly reasons: Readonly<Record<Origin, readonly RunEvidence[]>>;
  /** How many finite losses of training are on record before it. */
  readonly before: number;
}

export const nonFiniteOf = once(read);

function read(view: RunView): NonFinite | null {
  const broken = losses(view)
    .map(brokenCurve)
    .filter((entry) => entry !== null);
  const failure = findFailure(view, nonFiniteText);
  const gradient =
    view
      .curves('grad_norm')
      .map(brokenCurve)
      .find((entry) => entry !== null) ?? null;
  // What passes in one curve hides nothing of what stays in another; a word said of a loss is no curve beside those that are.
  const curves = broken.filter(({ curve }) => curve.length > 1);
  if (curves.length > 0) broken.splice(0, broken.length, ...curves);
  broken.sort((a, b) => a.step - b.step);
  const stays = broken.filter(({ persistent }) => persistent);
  const loss = stays.find(({ curve }) => curve.series.split === 'train') ?? stays[0] ?? broken[0] ?? null;
  if (!loss && !failure && !(gradient?.persistent && isLost(view, gradient))) return null;
  const main = loss ?? gradient;
  if (main && !main.persistent && !failure) return null;
  const step = main?.step ?? failure?.step ?? view.record.lastStep ?? 0;
  const evidence: RunEvidence[] = [];
  if (main)
    evidence.push(
      citePoint(
        main.curve,
        main.index,
        `${main.curve.name} is ${main.curve.values[main.index]} from step ${main.step} on${main.masked ? ' (logged as a stand-in value)' : ''}`,
      ),
    );
  if (failure)
    evidence.push({ fact: failure.text.split('\n', 1)[0]!, file: failure.at.file, line: failure.at.line! });
  const immediate = main !== null && main.index === 0 && main.step <= 1;
  const { scores, reasons } = weigh(view, main?.curve ?? null, main?.index ?? -1, step, immediate);
  return { step, immediate, scores, evidence, reasons, before: finiteBefore(view, main, step) };
}

/** What training told before: by the order of the lines where they are of one file, for a count may begin anew in each epoch. */
function finiteBefore(view: RunView, main: Broken | null, step: number): number {
  const own = main?.curve.series.split === 'train' ? main : null;
  const at = own?.curve.where(own.index);
  const counts = losses(view, 'train').map((curve) => {
    if (own && curve.series === own.curve.series)
      return curve.finite.filter((index) => index < own.index).length;
    return curve.finite.filter((index) => {
      const place = curve.where(index);
      return at?.line && place.line && at.file === place.file
        ? place.line < at.line
        : curve.steps[index]! < step;
    }).length;
  });
  return own || !main || main.curve.series.metric === 'grad_norm' ? Math.max(0, ...counts) : 0;
}

/** What training lowers; a perplexity is the exponential of a loss that is not told. */
function losses(view: RunView, split?: Split): readonly Curve[] {
  const told = view.curves('loss', split);
  return told.length > 0 ? told : view.curves('perplexity', split);
}

interface Broken {
  readonly curve: Curve;
  readonly index: number;
  readonly step: number;
  readonly persistent: boolean;
  readonly masked: boolean;
}

/** Nothing that training lost was a number since its gradient was none, or exactly 0 each time. */
function isLost(view: RunView, { step }: Broken): boolean {
  return losses(view, 'train').every((curve) =>
    curve.finite.every(
      (at) => curve.steps[at]! < step || (curve.steps[at]! > step && curve.values[at] === 0),
    ),
  );
}

function brokenCurve(curve: Curve): Broken | null {
  let index = firstNonFinite(curve);
  if (index < 0) return null;
  const lost = curve.length - curve.finite.length;
  const endsBroken = !Number.isFinite(curve.values.at(-1)!);
  if (endsBroken) {
    index = curve.length - 1;
    while (index > 0 && !Number.isFinite(curve.values[index - 1]!)) index -= 1;
  }
  const run = curve.length - index;
  const persistent = (endsBroken && (run >= 2 || curve.length < 12)) || lost >= 0.2 * curve.length;
  return { curve, index, step: curve.steps[index]!, persistent, masked: curve.series.masked.size > 0 };
}

function weigh(view: RunView, curve: Curve | null, index: number, step: number, immediate: boolean) {
  const reasons: Record<Origin, RunEvidence[]> = { growth: [], precision: [], data: [], operation: [] };
  const scores: Record<Origin, number> = { growth: 0, precision: 0, data: 0, operation: 0 };
  const add = (origin: Origin, weight: number, evidence: RunEvidence | null): void => {
    scores[origin] = 1 - (1 - scores[origin]) * (1 - weight);
    if (evidence) reasons[origin].push(evidence);
  };
  const loss = view.curve('loss');
  const before = curve !== null && curve.series === loss?.series ? index : null;
  for (const grown of [growthBefore(loss, step, before), growthBefore(view.curve('grad_norm'), step, null)])
    if (grown && !immediate) add('growth', grown.weight, grown.evidence);
  const warmed = roseWithRate(view, step);
  if (warmed && scores.growth < 0.6) add('growth', 0.8, warmed);
  const giant = immediate ? null : giantGradient(view, step);
  if (giant) add('growth', 0.7, giant);
  const excess = learningRateExcess(view);
  // A first point may be the mean of a whole epoch: a rate beyond all use explains it too.
  if (excess && excess.factor > (immediate ? 3 : 1)) add('growth', excess.factor > 5 ? 0.8 : 0.6, null);
  const wild = excess && view.task.optimizer === 'unknown' && excess.rate >= wildRate ? excess.rate : null;
  if (wild !== null && scores.growth < 0.6) add('growth', 0.78, citeRate(view, wild)[0] ?? null);
  const waiting = rateWaits(view);
  if (waiting) add('precision', 0.7, waiting);
  const scaled = view.curve('loss_scale');
  const scales = scaled ? finiteValues(scaled) : [];
  if (scaled && scales.length >= 2 && scales.at(-1)! < Math.max(...scales) / 16)
    add(
      'precision',
      0.8,
      citePoint(scaled, scaled.finite.at(-1)!, `the loss scale fell to ${figure(scales.at(-1)!)}`),
    );
  const overflow = findLine(view, /overflow(!| detected)|gradient overflow|skipping step/i);
  if (overflow) add('precision', 0.7, citeLine(overflow));
  if (view.task.precision === 'fp16') add('precision', 0.6, null);
  const dirty = dirtyInput(view, step);
  if (dirty) add('data', 0.93, dirty);
  const missing = saidDirty(view) ?? countedMissing(view);
  if (missing) add('data', 0.9, citeLine(missing));
  const warned = warnedOfTargets(view);
  if (warned) add('data', 0.75, citeLine(warned));
  const anomaly = findLine(view, /Function '?(\w+)'? returned nan values/);
  if (anomaly && !handsOn(anomaly.text)) add('operation', 0.85, citeLine(anomaly));
  const infinite = curve && index > 0 && Math.abs(curve.values[index]!) === Number.POSITIVE_INFINITY;
  const noGrowth = scores.growth < 0.3;
  if (infinite && noGrowth)
    add(
      'operation',
      0.6,
      citePoint(curve, index, `${curve.name} became infinite at once, without growing first`),
    );
  const gradientFirst = gradientBrokeFirst(view, step);
  if (gradientFirst && noGrowth) add('operation', 0.65, gradientFirst);
  const alive =
    before !== null && before > 0 && noGrowth && !missing && !warned && gradientGoesOn(view, loss!);
  if (alive) add('operation', 0.8, alive);
  const sudden = noGrowth && scores.precision < 0.5 && !alive;
  if (sudden) {
    const clean = knownClean(view);
    // Logged closely, with gradients that were well: a rate or an explosion would have shown, one bad batch would not.
    const early = index > 0 && index <= 2 && step <= 6;
    const atZero = curve !== null && nearZero(curve, index);
    // An infinite gradient before it was not well.
    const norms = view.curve('grad_norm')?.values ?? [];
    const wasWell = !norms.slice(0, index).some((norm) => !Number.isFinite(norm));
    const close = wasWell && closelyLogged(view, curve, index);
    if (!clean) add('data', early || atZero ? 0.4 : close ? 0.66 : immediate ? 0.5 : 0.45, null);
    // Broken from the first step on, it may be the data, the precision, the weights that were loaded, or an operation.
    const undecided = clean && (immediate || curve === null || curve.series.masked.has(0));
    add('operation', undecided ? 0.5 : clean ? 0.68 : close && (early || atZero) ? 0.66 : 0.4, null);
  }
  return { scores, reasons };
}

/** Most optimizers take a hundredth of this; plain steps that are averaged over thousands of rows alone take more. */
const wildRate = 0.2;

/** Batches that a schedule leaves out at most before it begins. */
const fewWaits = 3;

/**
 * A schedule that warms up stays at exactly 0, while losses are logged, and goes on after that: it steps with the optimizer, whose steps the loss
 * scaler of half precision left out.
 */
function rateWaits(view: RunView): RunEvidence | null {
  const rate = view.curve('learning_rate');
  const values = rate ? finiteValues(rate) : [];
  const waits = values.findIndex((value) => value > 0);
  // Of a rate that is printed with few digits the smallest are 0 too.
  if (!rate || waits < fewWaits || values.at(-1)! <= values[waits]! || values[waits]! >= 1e-4) return null;
  return citePoint(
    rate,
    rate.finite[waits - 1]!,
    `${rate.name} had been exactly 0 for ${waits} rows: these steps were left out`,
  );
}

/** Functions whose derivative has no value somewhere. The others only hand on the NaN that they were given. */
const singular =
  /log|sqrt|div|pow|exp|norm|acos|asin|atan2|reciprocal|std|var|cdist|dist|svd|eig|qr|cholesky|inverse|det|solve|prod|tan|erfinv|angle|sinc/i;

/** Autograd's check names a function that cannot make a NaN by itself. */
export function handsOn(text: string): boolean {
  const name = /Function '?(\w+?)(?:Backward\d*)?'? returned nan values/i.exec(text)?.[1];
  return name !== undefined && !singular.test(name);
}

/** The loss had fallen to a small part of what it was and broke at its lowest: a logarithm or a root at zero. */
function nearZero(curve: Curve, index: number): boolean {
  const before = curve.values.slice(0, index).filter(Number.isFinite);
  if (before.length < 8) return false;
  const last = median(before.slice(-3));
  return last > 0 && last < 0.2 * median(before.slice(0, 3)) && last < 1.3 * Math.min(...before);
}

/** The last finite loss lies a few steps before the first broken one, and gradient norms were recorded: nothing grew unseen. */
function closelyLogged(view: RunView, curve: Curve | null, index: number): boolean {
  const norms = view.curve('grad_norm');
  if (!curve || index <= 0 || !norms || curve.series.masked.size > 0) return false;
  const gap = curve.steps[index]! - curve.steps[index - 1]!;
  return gap <= Math.max(5, 0.03 * (view.record.lastStep ?? 0));
}

/** The loss rose as the rate was warmed up, and never came back to where it began. */
function roseWithRate(view: RunView, step: number): RunEvidence | null {
  const rate = view.curve('learning_rate');
  const loss = view.curve('loss');
  const before = loss?.finite.filter((index) => loss.steps[index]! < step) ?? [];
  if (!rate || !loss || before.length < 5) return null;
  const rateAt = new Map(rate.finite.map((index) => [rate.steps[index]!, rate.values[index]!]));
  const rates = before.map((index) => rateAt.get(loss.steps[index]!) ?? 0);
  const peak = rates.indexOf(Math.max(...rates));
  const first = loss.values[before[0]!]!;
  if (peak < 1 || rates[0]! <= 0 || rates[peak]! < 1.5 * rates[0]!) return null;
  if (!before.slice(peak).every((index) => loss.values[index]! > 1.2 * first)) return null;
  return citePoint(
    loss,
    before[peak]!,
    `${loss.name} rose from ${figure(first)} as the learning rate rose to ${figure(rates[peak]!)}, and never came back`,
  );
}

/** How much a curve grew over its early level just before `step`, or before one of its own points where steps do not count it. */
function growthBefore(
  curve: Curve | null,
  step: number,
  point: number | null,
): { weight: number; evidence: RunEvidence } | null {
  if (!curve) return null;
  const before = curve.finite.filter(
    (index) => (point === null ? curve.steps[index]! < step : index < point) && curve.values[index]! > 0,
  );
  if (before.length < 2) return null;
  const values = before.map((index) => curve.values[index]!);
  const early =
    values.length >= 6
      ? median(values.slice(0, Math.ceil(values.length / 2)))
      : Math.min(values[0]!, values[1]!);
  const last = Math.max(...values.slice(-3));
  const ratio = last / early;
  const before5 = values.slice(0, -5);
  const known = before5.length >= 5 ? Math.max(...before5) : 0;
  // Norms of small batches wander; growth goes beyond all that was seen before.
  if (ratio < 3 || (ratio < 8 && last < 1.5 * known)) return null;
  return {
    weight: ratio > 30 ? 0.92 : ratio > 8 ? 0.8 : 0.55,
    evidence: citePoint(
      curve,
      before.at(-1)!,
      `${curve.name} had grown ${figure(ratio)} times over its early level`,
    ),
  };
}

/** The last finite loss and gradient lie many orders below what full precision holds, and the learning rate is usual. */
export function brokeWithinFullPrecision(view: RunView, step: number): boolean {
  const excess = learningRateExcess(view);
  if (view.task.precision !== 'fp16' || (excess !== null && excess.factor > 0.9)) return false;
  return (['loss', 'grad_norm'] as const).every((metric) => {
    const curve = view.curve(metric);
    const last = curve?.finite.findLast((index) => curve.steps[index]! < step);
    return !curve || last === undefined || Math.abs(curve.values[last]!) < 1e5;
  });
}

/** The last finite gradient is out of all proportion to its loss: the explosion came before a second point could show growth. */
export function giantGradient(view: RunView, step: number): RunEvidence | null {
  const norms = view.curve('grad_norm');
  const loss = view.curve('loss');
  const last = norms?.finite.findLast((index) => norms.steps[index]! < step);
  if (!norms || !loss || last === undefined) return null;
  const at = loss.finite.findLast((index) => loss.steps[index]! <= norms.steps[last]!);
  const level = at === undefined ? 1 : Math.max(1, Math.abs(loss.values[at]!));
  return norms.values[last]! > Math.min(1000 * level, 1e6)
    ? citePoint(norms, last, `${norms.name} is ${figure(norms.values[last]!)} at a loss of ${figure(level)}`)
    : null;
}

/** The gradient broke while the loss of the same step was still finite: the derivative is at fault, not the value. */
/**
 * The gradient is a number in the very steps whose loss is none, ever another one: so are inputs and weights, and one term of the loss is not.
 * Where another loss stays a number, the gradient may be of that.
 */
function gradientGoesOn(view: RunView, broken: Curve): RunEvidence | null {
  const gradient = view.curve('grad_norm');
  const others = losses(view).filter(({ series }) => series !== broken.series);
  const counted = view.record.series.some(
    ({ rawName, values }) => /nan|missing|invalid/i.test(rawName) && values.some((value) => value > 0),
  );
  if (
    !gradient ||
    counted ||
    broken.series.split !== 'train' ||
    others.some(({ finite }) => finite.length > broken.finite.length)
  )
    return null;
  const lost = new Set(broken.steps.filter((_, index) => !Number.isFinite(broken.values[index]!)));
  const alive = gradient.finite.filter(
    (index) => lost.has(gradient.steps[index]!) && gradient.values[index]! > 0,
  );
  return new Set(alive.map((index) => gradient.values[index]!)).size >= 3
    ? citePoint(gradient, alive.at(-1)!, `${gradient.name} is a number where ${broken.name} is none`)
    : null;
}

function gradientBrokeFirst(view: RunView, step: number): RunEvidence | null {
  const gradient = view.curve('grad_norm');
  const loss = view.curve('loss');
  if (!gradient || !loss) return null;
  const index = firstNonFinite(gradient);
  // Broken from the first point on, nobody saw which was first.
  if (index < 1 || gradient.steps[index]! >= step) return null;
  const alive = loss.finite.some((at) => loss.steps[at] === gradient.steps[index]);
  return alive
    ? citePoint(
        gradient,
        index,
        `${gradient.name} broke at step ${gradient.steps[index]} while the loss was finite`,
      )
    : null;
}
