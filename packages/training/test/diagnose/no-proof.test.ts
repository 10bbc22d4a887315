// What looks like a failure or like proof of health, and is neither.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { runOf, wobble } from '../run-files.js';

const log = (lines: readonly string[]) => runOf({ 'train.log': `${lines.join('\n')}\n` });
const count = (n: number, line: (at: number) => string): string[] =>
  Array.from({ length: n }, (_, at) => line(at));

describe('a run that stops itself', () => {
  const epochs = count(
    9,
    (at) =>
      `Epoch ${at + 1}/50 - loss: ${(0.68 * 0.72 ** at).toFixed(4)} - acc: ${(0.8 + 0.02 * at).toFixed(3)} - val_loss: ${
        [0.612, 0.43, 0.321, 0.349, 0.371, 0.413, 0.452, 0.552, 0.574][at]
      } - val_acc: ${[0.848, 0.873, 0.89, 0.875, 0.868, 0.877, 0.868, 0.87, 0.878][at]}`,
  );

  it.each([
    'Monitored metric val_loss did not improve in the last 6 records. Best score: 0.321. Signaling Trainer to stop.',
    'Epoch 9: early stopping',
    'Early stopping triggered',
    'Early stopping, best iteration is:',
    'Stopped by overfitting detector  (6 iterations wait)',
  ])('does not overfit: %s', async (words) => {
    expect((await diagnosed([...epochs, words])).outcome).not.toBe('degraded');
  });

  it.each(['', 'early stopping patience: 20', 'Metric val_loss improved. New best score: 0.321'])(
    'does where nothing stopped it: %j',
    async (words) => {
      expect((await diagnosed([words, ...epochs])).outcome).toBe('degraded');
    },
  );

  const diagnosed = async (lines: readonly string[]) => diagnoseRecord(await log(lines));
});

describe('a loss that fell', () => {
  const course = (head: string) =>
    log([
      head,
      ...count(21, (at) => {
        const loss = 4 + 5.6 * Math.exp(-at / 7);
        return JSON.stringify({
          step: 10 * at,
          train_loss: loss + 0.1,
          eval_loss: loss,
          eval_ppl: Math.exp(loss),
        });
      }),
    ]);

  it('does not show what guessing gets where weights had been trained before', async () => {
    const tuned = diagnoseRecord(await course('Loading weights of base model; learning_rate=2e-5'));
    expect(tuned.outcome).not.toBe('healthy');
  });

  it('does where they had not', async () => {
    const begun = diagnoseRecord(await course('model: gru\nlearning_rate=0.003'));
    expect(begun.outcome).toBe('healthy');
  });
});

describe('a score that stands still', () => {
  const evaluations = (level: number, grows: number) =>
    log(
      count(
        60,
        (at) =>
          `epoch ${at + 1}: val_accuracy ${(level - 0.4 * Math.exp(-at / 5) + grows * at + 0.002 * wobble(at)).toFixed(3)}`,
      ),
    );

  it('proves health only where it is good', async () => {
    expect(diagnoseRecord(await evaluations(0.66, 0)).outcome).not.toBe('healthy');
    expect(diagnoseRecord(await evaluations(0.86, 0)).outcome).toBe('healthy');
  });

  it('or while it still rises', async () => {
    expect(diagnoseRecord(await evaluations(0.6, 0.0015)).outcome).toBe('healthy');
  });
});

describe('a loss that is NaN at once', () => {
  const broken = (head: string) =>
    log([
      head,
      ...count(60, (at) =>
        JSON.stringify(
          at < 20
            ? { step: at, loss: 1.6 - 0.01 * at + 0.02 * wobble(at), grad_norm: 1.9 + 0.1 * wobble(at) }
            : { step: at, loss: Number.NaN, grad_norm: Number.NaN },
        ).replaceAll('null', 'NaN'),
      ),
    ]);

  it.each(['inputs finite: True', 'np.isfinite(X).all() = True'])(
    'is not of its inputs where those were looked at: %s',
    async (words) => {
      expect(diagnoseRecord(await broken(words)).category).not.toBe('data_pipeline');
    },
  );

  it.each(['inputs finite: False', 'learning_rate: 0.001'])(
    'may be where they were not: %s',
    async (words) => {
      expect(diagnoseRecord(await broken(words)).category).toBe('data_pipeline');
    },
  );
});

it('a loss that is NaN while the gradient stays a number has one bad term', async () => {
  const course = (gradient: (at: number) => number) =>
    log(
      count(60, (at) => {
        const loss = at < 20 ? 40 - at : Number.NaN;
        return `step ${at} recon_loss: ${loss} kl: ${(0.1 * at).toFixed(3)} grad_norm: ${gradient(at)}`;
      }),
    );
  const alive = diagnoseRecord(await course((at) => 5 + wobble(at)));
  expect(alive).toMatchObject({ subcause: 'unstable_operation' });
  expect(alive.evidence.map(({ fact }) => fact).join()).toContain('is a number where');
  const gone = diagnoseRecord(await course((at) => (at < 20 ? 5 + wobble(at) : Number.NaN)));
  expect(gone.subcause).not.toBe('unstable_operation');
});

it('an error that nobody caught was not skipped, whatever the line before it says', async () => {
  const course = (frame: string, raised: string) =>
    log([
      'epoch 1 loss 2.00',
      'epoch 2 loss 1.50',
      'skipped 3 unused columns',
      'Traceback (most recent call last):',
      `  File "t.py", line 3, in ${frame}`,
      '    main()',
      raised,
      'uploaded 1 files',
      'uploaded 2 files',
    ]);
  const raised =
    'RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!';
  expect(diagnoseRecord(await course('<module>', raised))).toMatchObject({ subcause: 'device_mismatch' });
});

it('a held-out loss that is never a number says nothing of what training lowers', async () => {
  const run = await log(
    count(
      8,
      (at) =>
        `{"epoch": ${at}, "train_loss": ${2 / (1 + at)}, "val_loss": NaN, "grad_norm": ${0.7 + at / 100}}`,
    ),
  );
  expect(diagnoseRecord(run).subcause).not.toBe('unstable_operation');
});
