// Steps that change the weights and gain nothing, and what looks like them: each failure beside the run in which something is learned, or
// in which nothing moves.
import { describe, expect, it } from 'vitest';
import { examine } from '../../src/detectors/examine.js';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import type { RunRecord } from '../../src/record/run-record.js';
import { rows, runOf, wobble } from '../run-files.js';

type Values = Record<string, number>;

/** Sixty rows of training, with an evaluation at every tenth. */
function run(train: (step: number) => Values, held: (index: number) => Values = () => ({}), more = '') {
  const metrics = rows(60, (s) => ({ ...train(s), ...(s % 10 === 0 ? held(s / 10 - 1) : {}) }));
  const settings = `Namespace(lr=0.01, optimizer='sgd', batch_size=32${more})`;
  return runOf({ 'metrics.jsonl': metrics, 'train.log': `${settings}\nTraining finished.\n` });
}

const strengthOf = (record: RunRecord, subcause: string): number =>
  examine(record).symptoms.find((symptom) => symptom.subcause === subcause)?.strength ?? 0;

describe('gradients of a whole body', () => {
  const errors = (norm: (step: number) => number, left = (_step: number): number => 1) =>
    run(
      (s) => ({ loss: 1.2 * left(s) + 0.2 * wobble(s), grad_norm: norm(s) }),
      (i) => ({ val_loss: 1.18 * left(10 * i) + 0.002 * wobble(i) }),
    );

  it('that change while neither loss gets better have nothing to follow', async () => {
    const grows = await errors((s) => 3 + 0.05 * s + 0.3 * wobble(s + 1));
    expect(diagnoseRecord(grows)).toMatchObject({ category: 'data_pipeline', subcause: 'chance_level' });
  });

  it('prove no weight that moves where they are the same all along', async () => {
    const same = await errors((s) => 3 + 0.3 * wobble(s + 1));
    expect(strengthOf(same, 'chance_level')).toBeLessThan(0.6);
  });

  it('are none where they are no more than that of a bias', async () => {
    const bias = await errors((s) => 0.1 + 0.001 * s);
    expect(strengthOf(bias, 'chance_level')).toBeLessThan(0.6);
  });

  it('do not fail while a loss or a score gets better', async () => {
    const norm = (s: number): number => 3 + 0.05 * s + 0.3 * wobble(s + 1);
    const falls = await errors(norm, (s) => Math.exp(-s / 60));
    expect(strengthOf(falls, 'chance_level')).toBe(0);
    const scores = await run(
      (s) => ({ loss: 2.3 - 0.003 * s, accuracy: 0.1 + 0.006 * s, grad_norm: norm(s) }),
      (i) => ({ val_loss: 2.28 - 0.08 * i }),
      ', num_classes=10',
    );
    expect(strengthOf(scores, 'chance_level')).toBe(0);
  });
});

describe('evaluation', () => {
  const apart = (held: (index: number) => number) =>
    run(
      (s) => ({ loss: 0.4 + 1.4 * Math.exp(-s / 15) }),
      (i) => ({ val_loss: held(i) }),
    );

  it('that is many times worse than training ever was, and gets worse, is of another mode or scale', async () => {
    expect(diagnoseRecord(await apart((i) => 14 + 6 * i))).toMatchObject({ subcause: 'train_eval_gap' });
    // A sum in the place of a mean falls as training does.
    expect(strengthOf(await apart((i) => 30 - 3 * i), 'train_eval_gap')).toBe(0);
  });

  it('that gets better all along says that batches differ, where their losses take turns', async () => {
    const turns = (held: (index: number) => number) =>
      run(
        (s) => ({ loss: 0.9 + (s % 2 ? 0.3 : -0.3) + 0.02 * wobble(s) }),
        (i) => ({ val_loss: held(i) }),
      );
    expect(strengthOf(await turns((i) => 1 + 0.01 * wobble(i)), 'oscillation')).toBeGreaterThan(0.6);
    expect(strengthOf(await turns((i) => 1.1 - 0.06 * i), 'oscillation')).toBe(0);
  });

  it('that is worse than training at its beginning, not than two classes, shows no model', async () => {
    const words = (held: (index: number) => number) =>
      run(
        (s) => ({ loss: 4.1 - 0.015 * s, accuracy: 0.03 + 0.007 * s, grad_norm: 0.3 }),
        (i) => ({ val_loss: held(i) }),
      );
    expect(strengthOf(await words((i) => 4 - 0.15 * i), 'chance_level')).toBe(0);
    expect(strengthOf(await words((i) => 9 - 0.1 * i), 'chance_level')).toBeGreaterThan(0);
  });
});
