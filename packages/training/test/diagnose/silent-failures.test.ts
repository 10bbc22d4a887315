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
      'optimization',
      'plateau',
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
});
