// Remedies when the numbers of the optimisation went wrong.
import { figure } from '../detectors/shared/cite.js';
import { act, avoid, knowsBf16, type RemedyEntry } from './define.js';

const lowerRate = act(
  ({ learningRate, optimizer }) =>
    learningRate === null
      ? 'Lower the learning rate by a factor of ten.'
      : `Lower the learning rate from ${figure(learningRate)} to about ${figure(Math.min(learningRate / 10, /adam|lion/i.test(optimizer ?? '') ? 1e-3 : 0.1))}.`,
  'Steps overshoot.',
);
const clip = act(
  'Clip gradients at norm 1.0.',
  'Nothing bounds a step now.',
  ({ clipping }) => clipping === null || clipping === 0,
);
const clipOn = avoid(
  'Adding gradient clipping.',
  ({ clipping }) => `It is on already (norm ${clipping}).`,
  ({ clipping }) => clipping !== null && clipping > 0,
);
const warmup = act(
  'Warm the learning rate up over the first few hundred steps.',
  'The first steps of an adaptive optimizer are its least certain.',
  ({ warmup: steps }) => steps === null || steps === 0,
);
const resumeBefore = act(
  'Resume from the last checkpoint before the onset.',
  'Weights after it are spoiled.',
);
const toBf16 = act(
  'Use bf16 instead of fp16.',
  'It has the range of full precision.',
  (facts) => facts.precision === 'fp16' && knowsBf16(facts) !== false,
);
const noBf16 = avoid(
  'Switching to bf16.',
  ({ device }) => `${device ?? 'This device'} does not compute in it.`,
  (facts) => facts.precision === 'fp16' && knowsBf16(facts) === false,
);

export const optimizationRemedies = {
  learning_rate_too_high: [lowerRate, warmup, clip, clipOn, resumeBefore],
  gradient_explosion: [
    clip,
    clipOn,
    lowerRate,
    act(
      'Look at the batch at the onset: one outlier sample can do it.',
      'Norms leave their level at one step.',
    ),
    resumeBefore,
  ],
  divergence: [
    lowerRate,
    clip,
    resumeBefore,
    avoid('Training longer.', 'The loss does not come back by itself.'),
  ],
  divergence_after_schedule: [
    act(
      'Restore the optimizer and scheduler state when resuming, and raise the rate gradually.',
      'The rate jumped where the weights bear only the smaller one.',
    ),
    resumeBefore,
    avoid('Lowering the learning rate for the whole run.', 'It was well before the change.'),
  ],
  precision_overflow: [
    toBf16,
    noBf16,
    act(
      'Keep the overflowing part (softmax, norms, losses) in full precision.',
      'fp16 ends at 65,504.',
      ({ precision }) => precision === 'fp16',
    ),
    avoid('Lowering the learning rate.', 'The values overflow in a healthy model too.'),
  ],
  loss_scale_collapse: [
    toBf16,
    noBf16,
    act(
      'Find the first NaN (torch.autograd.set_detect_anomaly) instead of lowering the minimum scale.',
      'Gradients overflow at any scale: they are NaN already.',
    ),
    avoid('Raising the initial loss scale or the scale window.', 'The scaler searches by itself.'),
  ],
  unstable_operation: [
    act(
      'Guard the operation: log(x + eps), clamp before sqrt and division, losses from logits (log_softmax, BCEWithLogits).',
      'It breaks at the edge of its domain.',
    ),
    act(
      'Run a few steps under torch.autograd.set_detect_anomaly(True).',
      'It names the function whose backward made the NaN.',
    ),
    avoid('Lowering the learning rate.', 'Nothing grew before the NaN.'),
    avoid('Clipping gradients.', 'A NaN cannot be clipped.'),
  ],
  gradient_vanishing: [
    act(
      'Use residual connections, normalisation and non-saturating activations; check the initialisation.',
      'The signal dies on its way back.',
    ),
    avoid('Raising the learning rate.', 'It multiplies almost nothing.'),
  ],
  dead_units: [
    act(
      'Use LeakyReLU or GELU, a smaller learning rate and a standard initialisation; start again.',
      'Dead units have no gradient and do not come back.',
    ),
    avoid('Training longer.', 'There is no gradient to learn from.'),
  ],
  oscillation: [
    lowerRate,
    act('Lower the momentum or decay the rate.', 'Steps jump across the valley.'),
    avoid('Training longer at the same rate.', 'The swings keep their height.'),
  ],
  plateau: [
    act(
      'Overfit a single batch first.',
      'If that fails, model or loss are wrong, not the data or the schedule.',
    ),
    act(
      ({ learningRate }) =>
        `Try the learning rate${learningRate === null ? '' : ` (now ${figure(learningRate)})`} a factor of ten up and down.`,
      'The cheapest experiment that tells the cases apart.',
    ),
  ],
  learning_rate_too_low: [
    act(
      ({ learningRate, optimizer }) =>
        `Raise the learning rate${learningRate === null ? '' : ` from ${figure(learningRate)}`} to about ${/sgd/i.test(optimizer ?? '') ? '0.01' : '3e-4'}.`,
      'Updates are too small to matter.',
    ),
    act(
      'Check the schedule: warm-up longer than the run, or decay to zero too early.',
      'The peak counts, not the setting.',
    ),
    avoid('Training longer.', 'It would take orders of magnitude more steps.'),
  ],
  overfit: [
    act(
      'Stop at the best validation loss and keep that checkpoint.',
      'Everything after it made validation worse.',
    ),
    act(
      'Regularise: dropout, weight decay, augmentation, or a smaller model; or get more data.',
      'Capacity exceeds what the data carries.',
    ),
    avoid('Training longer or raising the learning rate.', 'Training is not the bottleneck.'),
  ],
  train_eval_gap: [
    act(
      'Check model.eval(), preprocessing and the origin of the validation data; evaluate on a piece of the training set.',
      'If that is bad too, the evaluation itself is wrong.',
    ),
    avoid('Regularising.', 'Validation never followed, so nothing was lost by learning by heart.'),
  ],
} satisfies Record<string, readonly RemedyEntry[]>;
