// Causes: the numbers of the optimisation went wrong.

import { figure } from '../record/figures.js';
import { inCategory } from './define.js';
import { act, avoid, knowsBf16 } from './remedy.js';

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

export const optimization = inCategory('optimization', {
  learning_rate_too_high: {
    title: 'The learning rate is too high',
    group: 'large_steps',
    actor: 'tuner',
    effect: 'ruins',
    announced: 'loss',
    label: 'the rate is what was wrong: the loss leaves at once, or stays where the first steps threw it',
    apart: {
      gradient_explosion: 'the rate is usual, and depth, recurrence or missing clipping let the norms grow',
      nan_in_data: 'the inputs hold NaN before the first bad step',
      divergence: 'nothing recorded says that the rate is high',
    },
    experiment: 'Run a hundred steps at a hundredth of the rate.',
    remedies: [lowerRate, warmup, clip, clipOn, resumeBefore],
  },
  learning_rate_too_low: {
    title: 'The learning rate is too low',
    group: 'small_steps',
    actor: 'tuner',
    effect: 'spoils',
    label: 'the loss barely moves at a rate far below what its optimizer usually takes',
    apart: {
      frozen_parameters: 'the gradient norm is zero',
      foreign_parameters: 'gradients flow at a usual rate and no weight moves',
      plateau: 'the rate is usual',
    },
    experiment: 'Run a hundred steps at a hundred times the rate.',
    remedies: [
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
  },
  gradient_explosion: {
    title: 'Gradients explode',
    group: 'instability',
    actor: 'tuner',
    effect: 'ruins',
    announced: 'loss',
    label: 'depth, recurrence, initialisation or missing clipping; the norms show it',
    apart: {
      learning_rate_too_high: 'the rate is plainly wrong',
    },
    remedies: [
      clip,
      clipOn,
      lowerRate,
      act(
        'Look at the batch at the onset: one outlier sample can do it.',
        'Norms leave their level at one step.',
      ),
      resumeBefore,
    ],
  },
  gradient_vanishing: {
    title: 'Gradients vanish',
    group: 'no_gradient',
    actor: 'author',
    effect: 'spoils',
    label: 'norms are almost zero from the start, or die on their way to the first layers',
    apart: {
      frozen_parameters: 'the norm is exactly zero or missing',
      dead_units: 'the norm was usual first and fell with the activations',
    },
    experiment: 'Print the gradient norm of the first and of the last layer once.',
    remedies: [
      act(
        'Use residual connections, normalisation and non-saturating activations; check the initialisation.',
        'The signal dies on its way back.',
      ),
      avoid('Raising the learning rate.', 'It multiplies almost nothing.'),
    ],
  },
  divergence: {
    title: 'The loss diverges',
    group: 'instability',
    actor: 'tuner',
    effect: 'ruins',
    announced: 'loss',
    label: 'the loss leaves for good, and nothing is plainly wrong',
    apart: {
      learning_rate_too_high: 'the rate is far above the usual',
      divergence_after_schedule: 'it leaves right after the rate changed',
      overfit: 'only the validation loss rises',
    },
    remedies: [
      lowerRate,
      clip,
      resumeBefore,
      avoid('Training longer.', 'The loss does not come back by itself.'),
    ],
  },
  divergence_after_schedule: {
    title: 'The loss diverges after the learning rate changed',
    group: 'large_steps',
    actor: 'tuner',
    effect: 'ruins',
    announced: 'loss',
    label: 'the loss leaves right after the learning rate changed',
    apart: {
      divergence: 'the rate did not change before',
    },
    remedies: [
      act(
        'Restore the optimizer and scheduler state when resuming, and raise the rate gradually.',
        'The rate jumped where the weights bear only the smaller one.',
      ),
      resumeBefore,
      avoid('Lowering the learning rate for the whole run.', 'It was well before the change.'),
    ],
  },
  precision_overflow: {
    title: 'Half precision overflows',
    group: 'half_precision',
    actor: 'tuner',
    effect: 'ruins',
    label: 'half precision leaves its range: NaN or infinity under fp16 that full precision would not make',
    apart: {
      learning_rate_too_high: 'the loss grew for steps before it broke',
      unstable_operation: 'it breaks in full precision too',
    },
    remedies: [
      toBf16,
      noBf16,
      act(
        'Keep the overflowing part (softmax, norms, losses) in full precision.',
        'fp16 ends at 65,504.',
        ({ precision }) => precision === 'fp16',
      ),
      avoid('Lowering the learning rate.', 'The values overflow in a healthy model too.'),
    ],
  },
  loss_scale_collapse: {
    title: 'The loss scale collapsed',
    group: 'half_precision',
    actor: 'tuner',
    effect: 'ruins',
    label: 'the loss scaler halves its scale until it gives up',
    apart: {
      precision_overflow: 'there is no scaler, or its scale holds',
    },
    remedies: [
      toBf16,
      noBf16,
      act(
        'Find the first NaN (torch.autograd.set_detect_anomaly) instead of lowering the minimum scale.',
        'Gradients overflow at any scale: they are NaN already.',
      ),
      avoid('Raising the initial loss scale or the scale window.', 'The scaler searches by itself.'),
    ],
  },
  unstable_operation: {
    title: 'A numerically unstable operation makes NaN',
    group: 'operation',
    actor: 'author',
    effect: 'ruins',
    label: 'log of zero, division by zero, square root at zero: NaN at once, with nothing growing before',
    apart: {
      nan_in_data: 'the inputs hold NaN',
      precision_overflow: 'only half precision breaks',
      learning_rate_too_high: 'the loss or the norms grew before',
    },
    remedies: [
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
  },
  dead_units: {
    title: 'Most units are dead',
    group: 'no_gradient',
    actor: 'tuner',
    effect: 'spoils',
    label: 'most activations are zero and stay zero',
    apart: {
      gradient_vanishing: 'activations live, and the gradient dies between layers',
    },
    experiment: 'Print the share of zeros behind each activation once.',
    remedies: [
      act(
        'Use LeakyReLU or GELU, a smaller learning rate and a standard initialisation; start again.',
        'Dead units have no gradient and do not come back.',
      ),
      avoid('Training longer.', 'There is no gradient to learn from.'),
    ],
  },
  oscillation: {
    title: 'The loss oscillates instead of falling',
    group: 'instability',
    actor: 'tuner',
    effect: 'spoils',
    label: 'the loss swings around one level with a rhythm instead of falling',
    apart: {
      plateau: 'the loss stands still',
      divergence: 'the swings grow',
    },
    remedies: [
      lowerRate,
      act('Lower the momentum or decay the rate.', 'Steps jump across the valley.'),
      avoid('Training longer at the same rate.', 'The swings keep their height.'),
    ],
  },
  plateau: {
    title: 'The run stopped improving far from its goal',
    group: 'no_gradient',
    actor: 'tuner',
    effect: 'spoils',
    label: 'the loss or the reward stands still far from its goal, and nothing recorded says why',
    apart: {
      chance_level: 'it stands at the level of guessing',
      learning_rate_too_low: 'the rate is far below the usual',
      gradient_vanishing: 'the norms are almost zero',
    },
    experiment:
      'Overfit one batch: if even that fails, the fault is in model, loss or optimizer and not in the data.',
    remedies: [
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
  },
  weight_decay_too_high: {
    title: 'Weight decay pulls the weights to nothing',
    group: 'small_steps',
    actor: 'tuner',
    effect: 'spoils',
    label: 'the settings decay the weights faster than anything can be learned',
    apart: {
      learning_rate_too_low: 'the rate is what is far off',
      plateau: 'the decay is usual, or not recorded',
    },
    remedies: [
      act(
        'Set the weight decay to 0.01 (AdamW) or 1e-4 (SGD, Adam), and none for biases and norms.',
        'What each step learns is taken away again.',
      ),
      avoid('Training longer.', 'The weights are at their balance with the decay already.'),
    ],
  },
  policy_collapse: {
    title: 'The policy collapsed to one answer',
    group: 'instability',
    actor: 'tuner',
    effect: 'spoils',
    label: 'the entropy of a policy goes to nothing while its reward does not rise',
    apart: {
      wrong_objective: 'the reward falls below where it began',
      learning_rate_too_high: 'the loss leaves as well',
    },
    remedies: [
      lowerRate,
      act(
        'Add or raise the bonus for entropy, and limit the step of the policy.',
        'What is never tried is never learned.',
      ),
      avoid('Training longer.', 'A certain policy tries nothing else.'),
    ],
  },
  mode_collapse: {
    title: 'The outputs become all alike, or one player of two has won',
    group: 'instability',
    actor: 'tuner',
    effect: 'spoils',
    label:
      'the loss of the discriminator goes to nothing while that of the generator grows and stays; or what keeps outputs apart, a distance or the information in a latent code, goes to nothing while the loss stays',
    apart: {
      divergence: 'both losses leave',
    },
    remedies: [
      act(
        'Weaken the discriminator: a lower rate, fewer steps, smoothed labels, a penalty on its gradient.',
        'A judge that is never wrong gives no direction.',
      ),
      act(
        'Look at samples, and count how many kinds there are.',
        'Losses of two players do not say how good they are.',
      ),
      act(
        'Of distances and latent codes: lower the rate, choose easier negatives at first, weigh the term that pulls to one point less.',
        'A model that answers alike to everything pays only the margin or the reconstruction, and no gradient leads out.',
      ),
    ],
  },
  overfit: {
    title: 'The model overfits',
    group: 'generalisation',
    actor: 'tuner',
    effect: 'spoils',
    label: 'training goes on improving while validation turns and becomes worse',
    apart: {
      train_eval_gap: 'validation never followed',
      shuffled_labels: 'validation never rises above chance',
    },
    experiment: 'Evaluate on a batch that was trained on.',
    remedies: [
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
  },
  train_eval_gap: {
    title: 'Validation never follows training',
    group: 'generalisation',
    actor: 'author',
    effect: 'spoils',
    label: 'training learns, validation never follows',
    apart: {
      overfit: 'validation followed first',
      shuffled_labels: 'validation stays at chance and the labels are known to be wrong',
    },
    experiment:
      'Evaluate on a batch that was trained on, in both modes: if that is bad too, the evaluation is wrong.',
    remedies: [
      act(
        'Check model.eval(), preprocessing and the origin of the validation data; evaluate on a piece of the training set.',
        'If that is bad too, the evaluation itself is wrong.',
      ),
      avoid('Regularising.', 'Validation never followed, so nothing was lost by learning by heart.'),
    ],
  },
});
