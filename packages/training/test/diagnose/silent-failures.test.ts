// Failures without a message, each beside the run that looks much like it and must not be called the same.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { rows, runOf, wobble } from '../run-files.js';

type Values = Record<string, number>;
const every = 20;

/** A run of 300 steps that is evaluated every 20; `train` is asked at each step, `held` at each evaluation with its number from 0 to 14. */
async function judge(train: (step: number) => Values, held: (index: number) => Values, classes?: number) {
  const settings = `Namespace(lr=0.001, optimizer='adamw', batch_size=32${classes ? `, num_classes=${classes}` : ''})\n`;
  const metrics = rows(300, (s) => ({ ...train(s), ...(s % every === 0 ? held(s / every - 1) : {}) }));
  return diagnoseRecord(
    await runOf({ 'metrics.jsonl': metrics, 'train.log': `${settings}Training finished.\n` }),
  );
}

const flows = (s: number): Values => ({ grad_norm: 2 + 0.3 * wobble(s) });
const flat = (s: number): Values => ({ loss: 1 + 0.05 * wobble(s), ...flows(s) });

describe('what is named', () => {
  it.each<[string, string, string, (s: number) => Values, (i: number) => Values, number?]>([
    [
      'noise learned by heart',
      'data_pipeline',
      'shuffled_labels',
      (s) => ({ loss: 115 - 0.1 * s + wobble(s), grad_norm: 20 + 0.2 * s }),
      (i) => ({ val_loss: 117 + 1.5 * i }),
    ],
    [
      'one answer for all, now this class and now that',
      'data_pipeline',
      'chance_level',
      (s) => ({ loss: 2.1 + 0.05 * wobble(s), ...flows(s) }),
      (i) => ({ val_loss: 2.13 + 0.005 * wobble(i), val_accuracy: i % 3 === 0 ? 0.235 : 0.19 }),
    ],
    [
      'weights that move and gain nothing',
      'data_pipeline',
      'chance_level',
      flat,
      (i) => ({ val_loss: 1.02 + 0.06 * wobble(i) }),
    ],
    [
      'outputs of another size than the classes need',
      'optimization',
      'gradient_explosion',
      (s) => ({ loss: 8 + 22 * Math.exp(-s / 100) + wobble(s), grad_norm: 20 + wobble(s) }),
      (i) => ({ val_loss: 30 - i, val_accuracy: 0.2 + 0.01 * i }),
      4,
    ],
    [
      'a rate that is gone at once, at the share of the most frequent class',
      'optimization',
      'learning_rate_too_low',
      (s) => ({
        loss: 0.44 + 0.02 * wobble(s),
        accuracy: 0.9 + 0.04 * wobble(s + 3),
        lr: 0.003 * 0.1 ** (s / 2),
      }),
      (i) => ({ val_loss: 0.44 + 0.004 * wobble(i), val_accuracy: 0.91 + 0.01 * wobble(i + 5) }),
    ],
    [
      'evaluation far above guessing from the first to the last, while training is perfect',
      'optimization',
      'train_eval_gap',
      (s) => ({ loss: 0.001 + 0.6 * Math.exp(-s / 40) }),
      (i) => ({ val_loss: i < 2 ? 2.6 - 0.6 * i : 2 + 0.2 * i, val_accuracy: 0.58 + 0.002 * i }),
      3,
    ],
    [
      'held-out data that is right far less often than guessing, while training learns',
      'data_pipeline',
      'shuffled_labels',
      (s) => ({ loss: 0.6 + 1.2 * Math.exp(-s / 60), ...flows(s) }),
      (i) => ({ val_loss: 1.8 + 0.02 * i, val_accuracy: 0.02 - 0.001 * i }),
      6,
    ],
    [
      'one answer for all, and a gradient of nothing but the output bias',
      'data_pipeline',
      'chance_level',
      (s) => ({ loss: 1.6 + 0.02 * wobble(s), grad_norm: 0.16 + 0.02 * wobble(s + 1) }),
      (i) => ({ val_loss: 1.59 + 0.002 * wobble(i), val_accuracy: 0.3 }),
      5,
    ],
    [
      'training known by heart, held-out data far from good',
      'optimization',
      'train_eval_gap',
      (s) => ({ loss: 0.0005 + 2.4 * Math.exp(-s / 8) }),
      (i) => ({ val_loss: 1.86 + 0.35 * Math.exp(-i), val_accuracy: 0.36 - 0.24 * Math.exp(-i) }),
      10,
    ],
  ])('%s', async (_name, category, subcause, train, held, classes) => {
    expect(await judge(train, held, classes)).toMatchObject({ category, subcause });
  });
});

describe('what is not', () => {
  it.each<[string, (s: number) => Values, (i: number) => Values, number?]>([
    [
      'held-out data that gets better as well',
      (s) => ({ loss: 115 - 0.1 * s + wobble(s), grad_norm: 20 + 0.2 * s }),
      (i) => ({ val_loss: 117 - 1.5 * i }),
    ],
    [
      'a score of many values at the same level',
      (s) => ({ loss: 2.1 - 0.002 * s, ...flows(s) }),
      (i) => ({ val_loss: 2.1 - 0.03 * i, val_accuracy: 0.19 + 0.013 * i }),
    ],
    [
      'a flat loss whose held-out score is good',
      flat,
      (i) => ({ val_loss: 1.02 + 0.06 * wobble(i), val_r2: 0.8 }),
    ],
    [
      'a loss that begins high and ends below guessing',
      (s) => ({ loss: 0.4 + 22 * Math.exp(-s / 30), grad_norm: 2 }),
      (i) => ({ val_loss: 0.6 + 20 * Math.exp(-i / 1.5), val_accuracy: 0.3 + 0.035 * i }),
      4,
    ],
    [
      'answers that differ from input to input, with a gradient of nothing but the output bias: frozen layers look like that',
      (s) => ({ loss: 1.6 + 0.02 * wobble(s), grad_norm: 0.16 + 0.02 * wobble(s + 1) }),
      (i) => ({ val_loss: 1.59 + 0.002 * wobble(i), val_accuracy: 0.2 + 0.02 * wobble(i + 2) }),
      5,
    ],
    [
      'training known by heart, and held-out data that answers most',
      (s) => ({ loss: 0.0005 + 2.4 * Math.exp(-s / 8) }),
      (i) => ({ val_loss: 0.3 + 0.9 * Math.exp(-i), val_accuracy: 0.92 - 0.5 * Math.exp(-i) }),
      10,
    ],
  ])('%s', async (_name, train, held, classes) => {
    expect((await judge(train, held, classes)).subcause).toBeNull();
  });

  it('one of several causes that leave the same record: only an output bias learns', async () => {
    const diagnosis = await judge(
      (s) => ({
        loss: 0.28 + 0.3 * Math.exp(-s / 60) + 0.02 * wobble(s),
        grad_norm: 0.05 + 0.01 * wobble(s),
      }),
      (i) => ({ val_loss: 0.279 + 0.12 * Math.exp(-i / 4), val_accuracy: 0.94 }),
    );
    expect(diagnosis).toMatchObject({ category: 'unknown', abstained: true });
    const named = diagnosis.hypotheses.map(({ subcause }) => subcause);
    expect(named).toEqual(expect.arrayContaining(['frozen_parameters', 'chance_level']));
    expect(diagnosis.remedies.map(({ kind }) => kind)).toContain('collect');
  });
});

describe('a few lines and what was asked for', () => {
  const few = async (settings: string, lines: readonly Values[]) =>
    diagnoseRecord(
      await runOf({
        'metrics.jsonl': rows(lines.length, (s) => lines[s - 1]!),
        'train.log': `Namespace(${settings})\nTraining finished.\n`,
      }),
    );

  it.each<[string, string | null, string, Values[]]>([
    [
      'a rate two hundred times what Adam bears',
      'learning_rate_too_high',
      "lr=2.0, optimizer='adam'",
      [8070, 3997, 2242, 1532].map((loss) => ({ loss, val_loss: 0.7 * loss })),
    ],
    [
      'a high rate that learned all the same',
      null,
      "lr=0.3, optimizer='adam'",
      [5.1e8, 6.3e7, 1.1e7, 2.2e6, 6.9e5, 5.6e5].map((loss) => ({ loss })),
    ],
    [
      'the same lines at a usual rate',
      null,
      "lr=0.002, optimizer='adam'",
      [8070, 3997, 2242, 1532].map((loss) => ({ loss, val_loss: 0.7 * loss })),
    ],
    [
      'a momentum that adds up hundreds of steps',
      'learning_rate_too_high',
      "lr=0.3, optimizer='sgd', momentum=0.9962",
      [1.33, 1.76].map((loss) => ({ loss, val_loss: loss + 0.5 })),
    ],
    [
      'a decay that outweighs the loss',
      'weight_decay_too_high',
      "lr=0.003, optimizer='adam', weight_decay=3.2",
      [4.8, 4.3].map((loss) => ({ loss })),
    ],
    [
      'a gradient of 0 in every line',
      'frozen_parameters',
      "lr=0.003, optimizer='adam'",
      [1.14, 1.15, 1.13].map((loss) => ({ loss, grad_norm: 0, lr: 0.003 })),
    ],
    [
      'a gradient of 0 at its goal',
      null,
      "lr=0.003, optimizer='adam'",
      [0.001, 0.001, 0.001].map((loss) => ({ loss, grad_norm: 0, lr: 0.003 })),
    ],
    [
      'a cross entropy below zero',
      'wrong_objective',
      "lr=0.003, optimizer='adam'",
      [-3.46, -3.99].map((ce_loss) => ({ ce_loss })),
    ],
    [
      'a likelihood below zero',
      null,
      "lr=0.003, optimizer='adam'",
      [-3.46, -3.99].map((nll_loss) => ({ nll_loss })),
    ],
  ])('%s', async (_name, subcause, settings, lines) => {
    expect((await few(settings, lines)).subcause).toBe(subcause);
  });
});

describe('healthy', () => {
  const train = (s: number): Values => ({ loss: 0.3 + Math.exp(-s / 40) });
  it.each<[string, number, string]>([
    ['is not said of held-out rows that lose a tenth of what training loses', 0.03, 'unknown'],
    ['is said where they lose two thirds of it', 0.2, 'healthy'],
  ])('%s', async (_name, end, outcome) => {
    const diagnosis = await judge(train, (i) => ({
      val_loss: end + Math.exp(-i),
      val_r2: 0.95 - Math.exp(-i),
    }));
    expect(diagnosis.outcome).toBe(outcome);
  });

  it.each<[string, number, string]>([
    ['is not said of a score that never rose, with a loss just below that of its share', 0.204, 'unknown'],
    ['is said where the loss is far below it', 0.1, 'healthy'],
  ])('%s', async (_name, end, outcome) => {
    const diagnosis = await judge(
      (s) => ({ loss: end + 0.6 * Math.exp(-s / 40) }),
      (i) => ({ val_loss: end + 0.15 * Math.exp(-i), val_accuracy: 0.94 - 0.003 * (i % 3) }),
    );
    expect(diagnosis.outcome).toBe(outcome);
  });

  it.each<[string, number, string]>([
    ['is not said of a score that is better than guessing and far from good', 0.42, 'unknown'],
    ['is said of a good one', 0.85, 'healthy'],
  ])('%s', async (_name, end, outcome) => {
    const diagnosis = await judge(
      (s) => ({ loss: 1.9 * (1 - end) + 1.2 * Math.exp(-s / 40) }),
      (i) => ({
        val_loss: 2 * (1 - end) + Math.exp(-i / 2),
        val_accuracy: end - (end - 0.15) * Math.exp(-i / 2) + 0.003 * wobble(i),
      }),
      10,
    );
    expect(diagnosis.outcome).toBe(outcome);
  });
});
