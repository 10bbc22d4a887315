// How the loss, the gradients and the metrics moved. Ratios are in natural logarithms unless said otherwise.
import { finiteValues, firstNonFinite, healthyWindow, movementOf } from './curve.js';
import { defineFeature, type Feature, known } from './define.js';
import { autocorrelation, clamp, median, monotonicity, noise, robustSlope } from './robust.js';
import type { RunView } from './view.js';

const limit = 50;
const logRatio = (over: number, under: number): number | undefined =>
  over > 0 && under > 0 ? clamp(Math.log(over / under), -limit, limit) : undefined;

const lossMovement = (view: RunView) => {
  const curve = view.curve('loss');
  return curve ? movementOf(curve) : null;
};

export const dynamicsFeatures: readonly Feature[] = [
  defineFeature('dynamics', 'loss_trend', {
    study: true,
    definition:
      'Theil-Sen slope of the training loss over the last half of the run, times the points in it, over the absolute median of the half. Negative while it learns.',
    compute: (view) => {
      const curve = view.curve('loss');
      if (!curve || curve.finite.length < 6) return undefined;
      const values = finiteValues(curve);
      const half = values.slice(Math.floor(values.length / 2));
      return known(
        clamp((robustSlope(half) * half.length) / (Math.abs(median(half)) + 1e-12), -limit, limit),
      );
    },
  }),
  defineFeature('dynamics', 'loss_volatility', {
    study: true,
    definition: 'Noise of the training loss (spread of first differences) over its absolute median.',
    compute: (view) => {
      const curve = view.curve('loss');
      if (!curve) return undefined;
      const values = finiteValues(curve);
      return known(clamp(noise(values) / (Math.abs(median(values)) + 1e-12), 0, limit));
    },
  }),
  defineFeature('dynamics', 'loss_change', {
    study: true,
    definition: 'Log of the last over the first training loss (medians of 5 % of the points at each end).',
    compute: (view) => {
      const movement = lossMovement(view);
      return movement ? logRatio(movement.end, movement.start) : undefined;
    },
  }),
  defineFeature('dynamics', 'loss_rise_from_best', {
    study: true,
    definition: 'Log of the last over the best smoothed training loss: 0 for a run that ends at its best.',
    compute: (view) => {
      const movement = lossMovement(view);
      return movement ? logRatio(movement.end, movement.best) : undefined;
    },
  }),
  defineFeature('dynamics', 'nonfinite_fraction', {
    study: true,
    definition:
      'Share of logged training losses and gradient norms that are NaN or infinite, masked ones included.',
    compute: (view) => {
      const curves = [...view.curves('loss', 'train'), ...view.curves('grad_norm')];
      const total = curves.reduce((sum, curve) => sum + curve.length, 0);
      const finite = curves.reduce((sum, curve) => sum + curve.finite.length, 0);
      return total === 0 ? undefined : 1 - finite / total;
    },
  }),
  defineFeature('dynamics', 'gradient_norm_peak', {
    study: true,
    definition: 'Log of the largest gradient norm over the median of its healthy (early) window.',
    compute: (view) => {
      const curve = view.curve('grad_norm');
      if (!curve) return undefined;
      const values = finiteValues(curve);
      const window = healthyWindow(values);
      return window?.log ? clamp(Math.log(Math.max(...values)) - window.centre, -limit, limit) : undefined;
    },
  }),
  defineFeature('dynamics', 'gradient_norm_level', {
    study: true,
    definition: 'Log10 of the median gradient norm of the last fifth of the run.',
    compute: (view) => {
      const curve = view.curve('grad_norm');
      if (!curve) return undefined;
      const values = finiteValues(curve);
      const last = median(values.slice(-Math.max(1, Math.floor(values.length / 5))));
      return last >= 0 ? known(Math.log10(Math.max(last, 1e-30))) : undefined;
    },
  }),
  defineFeature('dynamics', 'perplexity_level', {
    study: true,
    group: 'perplexity',
    definition:
      'Natural log of the last perplexity (validation before training; of the loss of a language model without one).',
    compute: (view) => {
      const curve = view.curve('perplexity', 'eval') ?? view.curve('perplexity');
      if (curve) {
        const values = finiteValues(curve);
        return values.length === 0 ? undefined : known(Math.log(Math.max(median(values.slice(-3)), 1e-9)));
      }
      if (view.task.loss !== 'language_model') return undefined;
      return known(lossMovement(view)?.end);
    },
  }),
  defineFeature('dynamics', 'loss_significance', {
    definition: 'Fall of the training loss over its noise, as sign(x)·log(1+|x|).',
    compute: (view) => {
      const movement = lossMovement(view);
      if (!movement) return undefined;
      return Math.sign(movement.significance) * Math.log1p(Math.min(Math.abs(movement.significance), 1e9));
    },
  }),
  defineFeature('dynamics', 'loss_over_chance', {
    group: 'perplexity',
    definition:
      'Last training loss over the natural log of the number of classes or words: 1 is guessing, above 1 is worse than guessing.',
    compute: (view) => {
      const movement = lossMovement(view);
      const outcomes = view.task.outcomes;
      if (!movement || outcomes === null || outcomes < 2) return undefined;
      return clamp(movement.end / Math.log(outcomes), -limit, limit);
    },
  }),
  defineFeature('dynamics', 'nonfinite_onset', {
    definition:
      'Where the first NaN or infinite training loss stands, as a share of the run: 0 is the first point.',
    compute: (view) => {
      const curve = view.curve('loss');
      const index = curve ? firstNonFinite(curve) : -1;
      return curve && index >= 0 ? index / Math.max(1, curve.length - 1) : undefined;
    },
  }),
  defineFeature('dynamics', 'loss_alternation', {
    definition:
      'Autocorrelation at lag 1 of the last half of the training loss: near -1 alternates, near 0 is noise.',
    compute: (view) => {
      const curve = view.curve('loss');
      if (!curve || curve.finite.length < 12) return undefined;
      const values = finiteValues(curve);
      return known(autocorrelation(values.slice(Math.floor(values.length / 2)), 1));
    },
  }),
  defineFeature('dynamics', 'eval_rise_from_best', {
    definition: 'Log of the last over the best validation loss.',
    compute: (view) => {
      const curve = view.curve('loss', 'eval');
      const movement = curve ? movementOf(curve) : null;
      return movement ? logRatio(movement.end, movement.best) : undefined;
    },
  }),
  defineFeature('dynamics', 'eval_train_gap', {
    definition: 'Log of the last validation over the last training loss.',
    compute: (view) => {
      const curve = view.curve('loss', 'eval');
      const evaluated = curve ? finiteValues(curve).at(-1) : undefined;
      const trained = lossMovement(view)?.end;
      return evaluated !== undefined && trained !== undefined ? logRatio(evaluated, trained) : undefined;
    },
  }),
  defineFeature('dynamics', 'accuracy_level', {
    definition: 'Last accuracy (validation before training), between 0 and 1.',
    compute: (view) => {
      const curve = view.curve('accuracy', 'eval') ?? view.curve('accuracy');
      return curve ? finiteValues(curve).at(-1) : undefined;
    },
  }),
  defineFeature('dynamics', 'learning_rate_jump', {
    definition:
      'Log of the largest rise of the learning rate from one logged point to the next after the first tenth.',
    compute: (view) => {
      const curve = view.curve('learning_rate');
      if (!curve) return undefined;
      const values = finiteValues(curve).filter((value) => value > 0);
      if (values.length < 3) return undefined;
      const from = Math.max(1, Math.floor(values.length / 10));
      const jumps = values.slice(from).map((value, index) => Math.log(value / values[from + index - 1]!));
      return known(Math.max(...jumps));
    },
  }),
  defineFeature('dynamics', 'gradient_norm_direction', {
    definition: "Kendall's tau of the gradient norm against time, from -1 to 1.",
    compute: (view) => {
      const curve = view.curve('grad_norm');
      return curve && curve.finite.length >= 5 ? known(monotonicity(finiteValues(curve))) : undefined;
    },
  }),
  defineFeature('dynamics', 'loss_scale_fall', {
    definition: 'Log2 of the largest over the last loss scale: halvings since its peak.',
    compute: (view) => {
      const curve = view.curve('loss_scale');
      const values = curve ? finiteValues(curve).filter((value) => value > 0) : [];
      return values.length < 2 ? undefined : Math.log2(Math.max(...values) / values.at(-1)!);
    },
  }),
];
