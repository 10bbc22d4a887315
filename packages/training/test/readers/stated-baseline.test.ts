// What a run says of its labels: read in many wordings, and taken for a measure of answers that never change.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/diagnose/diagnose.js';
import { readRun } from '../../src/readers/index.js';
import { temporaryRun } from './run-of.js';

const rows = (of: (epoch: number) => string, count = 9): string =>
  Array.from({ length: count }, (_, at) => `${of(at + 1)}\n`).join('');

async function recordOf(head: string) {
  const text = `${head}\n${rows((epoch) => `epoch ${epoch} | loss ${(2 / epoch).toFixed(4)} | val accuracy 0.5${epoch}`)}`;
  return readRun(join(temporaryRun({ 'train.log': text }), 'train.log'));
}

async function said(head: string, metric: string): Promise<number | undefined> {
  return (await recordOf(head)).series.find((series) => series.metric === metric)?.values[0];
}

describe('a run says', () => {
  it.each([
    ['class counts: [300, 100]', 0.75],
    ['label distribution {"cat": 30, "dog": 10}', 0.75],
    ['label counts: Counter({0: 600, 1: 150, 2: 50})', 0.75],
    ['train class counts: [500, 500]\nval class counts: [150, 50]', 0.75],
    ['class shares: (0.25, 0.75)', 0.75],
    ['target balance train [900, 100] test [150, 50]', 0.75],
    ['majority baseline accuracy = 0.75', 0.75],
    ['most frequent class: 75.0%', 0.75],
  ])('how often its most frequent label occurs: %s', async (line, share) => {
    expect(await said(line, 'majority_share')).toBeCloseTo(share, 6);
  });

  it.each([
    'class weights: [0.25, 0.75]',
    'pixels per class: [900, 100]',
    'flip chance 0.5, crop chance 0.1',
    'Counter({2: 6600, 3: 2400})',
    'predicted class counts: [660, 340]',
    'client 0 class counts: [610, 12, 0, 88]',
    'after oversampling, class counts: [9000, 9000]',
    'class counts: [9000, 1000]\nlabel counts: [500, 500]',
    'baseline accuracy of the last release: 0.91',
    'epoch 3 majority accuracy 0.75',
    'random seed 10',
    'majority vote accuracy 0.91 of 5 models',
    'dummy batch loss 2.31',
    "Counter({'the': 60, 'a': 15})",
  ])('nothing of the kind: %s', async (line) => {
    const record = await recordOf(line);
    expect(
      record.series.map(({ metric }) => metric).filter((metric) => /majority|constant|variance/.test(metric)),
    ).toEqual([]);
  });
});

describe('beside what it says', () => {
  const judged = async (text: string) => diagnose(join(temporaryRun({ 'train.log': text }), 'train.log'));
  const counts = 'class counts train: [6800, 160]  val: [1950, 50]\n';

  it('answers that are the most frequent label every time are none', async () => {
    const text =
      counts +
      rows((epoch) => `epoch ${epoch} | loss ${(0.1 + 0.1 / epoch).toFixed(4)} | val accuracy 0.9750`);
    expect(await judged(text)).toMatchObject({
      outcome: 'degraded',
      category: 'data_pipeline',
      subcause: 'degenerate_labels',
    });
  });

  it('weighted classes may be right less often: the rare one is found at that price', async () => {
    const text =
      counts +
      rows(
        (epoch) =>
          `epoch ${epoch} | loss ${(0.3 + 0.3 / epoch).toFixed(4)} | val accuracy ${(0.78 + 0.006 * epoch).toFixed(4)}`,
      );
    expect((await judged(text)).outcome).not.toBe('degraded');
  });

  it.each([
    [
      'nearly all one label, ranked well',
      'class counts: [28400, 50]',
      (at: number) => `val_acc ${(0.975 + 0.0004 * at).toFixed(4)} val_auc 0.97`,
    ],
    [
      'a mean over classes',
      'class counts: [600, 250, 150]',
      (at: number) => `val_macro_f1 ${(0.3 + 0.055 * at).toFixed(3)}`,
    ],
    [
      'other rows than the score is of',
      'class counts: [660, 340]',
      (at: number) => `val_acc ${(0.5 + 0.015 * at).toFixed(3)}`,
    ],
  ])('a healthy run is not called failing: %s', async (_, line, score) => {
    const text = `${line}\n${rows((epoch) => `epoch ${epoch} loss ${(0.4 + 0.3 / epoch).toFixed(4)} val_loss ${(0.45 + 0.3 / epoch).toFixed(4)} ${score(epoch)}`)}Training complete\n`;
    expect((await judged(text)).outcome).not.toMatch(/degraded|failed/);
  });

  it('no share that other rows may have proves health', async () => {
    const text = `class counts: [5000, 5000]\n${rows((epoch) => `epoch ${epoch} loss ${(0.35 + 0.3 / epoch).toFixed(4)} val_loss ${(0.36 + 0.3 / epoch).toFixed(4)} val_acc 0.900${epoch % 2}`)}Training complete\n`;
    expect((await judged(text)).outcome).not.toBe('healthy');
  });
});
