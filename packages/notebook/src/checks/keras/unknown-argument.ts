/**
 * # An argument that a layer or optimizer of Keras does not take
 *
 * ## What
 * A layer or optimizer is made with a keyword that the installed Keras does not know: `lr` for `learning_rate`, a misspelt
 * option.
 *
 * ## Why it crashes
 * The constructor takes `**kwargs` for its base class, which raises `ValueError` for what it does not know.
 *
 * ## Example
 * ```python state
 * from tensorflow import keras
 * ```
 * ```python cell
 * keras.optimizers.Adam(lr=0.01)
 * ```
 *
 * ## Fix
 * `learning_rate` in place of `lr`; a `LearningRateSchedule` in place of `decay` with a rate.
 * ```python fixed
 * keras.optimizers.Adam(learning_rate=0.01)
 * ```
 *
 * ## When it stays silent
 * For layers that it does not list, and for layers whose signature is not known.
 */
import { nearest } from '@grus/core';
import { defineCheck } from '../define-check.js';
import { atLeast } from '../versions.js';

const layers =
  /^keras\.layers\.(Dense|Conv[123]D(Transpose)?|SeparableConv[12]D|Dropout|Flatten|(Batch|Layer)Normalization|(Global)?(Max|Average)Pooling[123]D|Embedding|LSTM|GRU|SimpleRNN|Activation|Reshape|ReLU|LeakyReLU|GaussianNoise|Concatenate|RepeatVector|UpSampling[12]D|ZeroPadding2D|MultiHeadAttention)$/;
const optimizers = /^keras\.optimizers\.(Adam|SGD|RMSprop|Adagrad|Adamax|Nadam|AdamW|Adadelta)$/;
/** What the base classes take beyond the signature. */
const ofBases = {
  layer:
    'name dtype trainable autocast activity_regularizer input_shape input_dim batch_size batch_input_shape batch_shape input_length implementation zero_output_for_mask rms_scaling alpha'.split(
      ' ',
    ),
  optimizer:
    'name weight_decay clipnorm clipvalue global_clipnorm use_ema ema_momentum ema_overwrite_frequency loss_scale_factor gradient_accumulation_steps decay jit_compile learning_rate'.split(
      ' ',
    ),
};

/** What any of the optimizers takes: where the signature is not at hand, a word beyond these is none of theirs. */
const ofOptimizers =
  'beta_1 beta_2 epsilon amsgrad momentum nesterov rho centered initial_accumulator_value'.split(' ');

export default defineCheck({
  id: 'keras/unknown-argument',
  title: 'An argument that a layer or optimizer of Keras does not take',
  rung: 'contracts',
  libraries: ['keras', 'tensorflow'],
  on: {
    call(event, context) {
      const { target, args, callee } = event;
      const kind = layers.test(target ?? '')
        ? 'layer'
        : optimizers.test(target ?? '')
          ? 'optimizer'
          : undefined;
      if (
        !kind ||
        target === null ||
        !args.complete ||
        (!callee.fact.signature && kind === 'layer') ||
        !atLeast(context, 'keras', [3, 0])
      )
        return;
      const own = callee.fact.signature?.map(({ name }) => name) ?? ofOptimizers;
      const known = [...own, ...ofBases[kind]];
      const wrong = [...args.keywords.keys()].find((keyword) => !known.includes(keyword));
      if (wrong === undefined) return;
      const name = target.split('.').at(-1)!;
      const near = wrong === 'lr' ? ['learning_rate'] : nearest(wrong, known);
      context.report({
        exception: 'ValueError',
        message:
          kind === 'optimizer'
            ? `Argument(s) not recognized: {'${wrong}': …}`
            : `Unrecognized keyword arguments passed to ${name}: {'${wrong}': …}`,
        evidence: [{ fact: `${name} takes no '${wrong}'`, source: context.source(callee) }],
        explanation: `\`${context.text(event.node.func)}(…)\` raises ValueError: ${name} takes no '${wrong}'.`,
        remedy:
          near.length > 0
            ? `Did you mean ${near.map((word) => `'${word}'`).join(' or ')}?`
            : `Leave '${wrong}' out.`,
      });
    },
  },
});
