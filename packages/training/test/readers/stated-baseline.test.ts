// What a run says of its labels, and of the answer that never changes: read in many wordings, and taken for a measure of what was learned.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/diagnose/diagnose.js';
import { readRun } from '../../src/readers/index.js';
import { setting } from '../../src/record/run-record.js';
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
    ['Counter({0: 600, 1: 150, 2: 50})', 0.75],
    ['class shares: (0.25, 0.75)', 0.75],
    ['target balance train [900, 100] test [150, 50]', 0.75],
    ['majority baseline accuracy = 0.75', 0.75],
    ['most frequent class: 75.0%', 0.75],
    ['always-negative acc 0.75', 0.75],
  ])('how often its most frequent label occurs: %s', async (line, share) => {
    expect(await said(line, 'majority_share')).toBeCloseTo(share, 6);
  });

  it.each([
    ['predicting the mean: rmse 2.0', 'target_variance', 4],
    ['mean baseline MSE=4.0', 'target_variance', 4],
    ['unigram entropy 2.81 nats', 'constant_loss', 2.81],
  ])('what its best constant answer loses: %s', async (line, metric, value) => {
    expect(await said(line, metric)).toBeCloseTo(value, 6);
  });

  it.each([
    ['contrastive, chance loss ln(64) = 4.159', 64],
    ['chance level: 0.1', 10],
    ['random guessing 25%', 4],
    ['nearest neighbour accuracy 0.91 (chance 0.125)', 8],
  ])('among how many answers guessing chooses: %s', async (line, classes) => {
    expect(setting(await recordOf(line), 'num_classes')?.value).toBe(classes);
  });

  it.each([
    'class weights: [0.25, 0.75]',
    'pixels per class: [900, 100]',
    'flip chance 0.5, crop chance 0.1',
    'constant lr 0.001, then cosine',
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
    expect(setting(record, 'num_classes')).toBeNull();
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
});
