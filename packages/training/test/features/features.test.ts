// Features are numbers with a definition; what a run did not record is missing, never zero.
import { describe, expect, it } from 'vitest';
import { departure, movementOf } from '../../src/features/curve.js';
import { extractFeatures, featureTable } from '../../src/features/extract.js';
import {
  autocorrelation,
  median,
  monotonicity,
  noise,
  robustSlope,
  spread,
} from '../../src/features/robust.js';
import { viewOf } from '../../src/features/view.js';
import { rows, runOf, wobble } from '../run-files.js';

describe('the feature vector', () => {
  it('has one value per feature, NaN where the run is silent', async () => {
    const vector = extractFeatures(await runOf({ 'metrics.jsonl': rows(40, (s) => ({ loss: 2 / s })) }));
    expect(vector.names).toEqual(featureTable.map((feature) => feature.name));
    expect(new Set(vector.names).size).toBe(vector.names.length);
    expect(vector.get('gradient_norm_peak')).toBeUndefined();
    expect(vector.values[vector.names.indexOf('memory_growth')]).toBeNaN();
    expect(vector.get('nonfinite_fraction')).toBe(0);
    expect(vector.get('loss_change')).toBeLessThan(-1);
  });

  it('measures against the run itself', async () => {
    const grown = (scale: number) =>
      runOf({
        'metrics.jsonl': rows(60, (s) => ({
          loss: scale * 2,
          grad_norm: scale * (s < 50 ? 1 + 0.1 * wobble(s) : 40),
        })),
      });
    const small = extractFeatures(await grown(1)).get('gradient_norm_peak')!;
    const large = extractFeatures(await grown(1e4)).get('gradient_norm_peak')!;
    expect(small).toBeCloseTo(Math.log(40), 0);
    expect(large).toBeCloseTo(small, 6);
  });

  it('reads settings as numbers that compare across optimizers', async () => {
    const position = async (optimizer: string, lr: number) =>
      extractFeatures(
        await runOf({ 'train.log': `Namespace(lr=${lr}, optimizer='${optimizer}')\nstep 1: loss=2.0\n` }),
      ).get('learning_rate_position')!;
    expect(await position('adamw', 0.1)).toBeGreaterThan(1);
    expect(await position('sgd', 0.1)).toBeLessThan(1);
  });
});

describe('robust statistics', () => {
  it('are not moved by a few wild points', () => {
    const values = Array.from({ length: 101 }, (_, i) => 5 + wobble(i));
    const wild = values.map((value, i) => (i % 25 === 0 ? 1e9 : value));
    expect(median(wild)).toBeCloseTo(median(values), 0);
    expect(spread(wild)).toBeLessThan(2 * spread(values));
    expect(noise(wild)).toBeLessThan(2 * noise(values));
  });

  it('know a trend, a rhythm and noise', () => {
    const line = Array.from({ length: 200 }, (_, i) => 3 - 0.02 * i + 0.05 * wobble(i));
    expect(robustSlope(line)).toBeCloseTo(-0.02, 2);
    expect(monotonicity(line)).toBeLessThan(-0.9);
    const alternating = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? 1 : -1));
    expect(autocorrelation(alternating, 1)).toBeLessThan(-0.9);
    const random = Array.from({ length: 400 }, (_, i) => wobble(i));
    expect(Math.abs(autocorrelation(random, 1))).toBeLessThan(0.2);
  });
});

describe('curves', () => {
  it('find where a value left its level for good, and forgive a spike', async () => {
    const record = await runOf({
      'metrics.jsonl': rows(100, (s) => ({
        loss: 2 - s / 100,
        grad_norm: s < 70 ? 1 + 0.1 * wobble(s) : 30,
        update_ratio: s === 50 ? 1 : 0.001,
      })),
    });
    const view = viewOf(record);
    expect(departure(view.curve('grad_norm')!, { direction: 'up', minRatio: 8 })?.step).toBe(70);
    expect(departure(view.curve('update_ratio')!, { direction: 'up', minRatio: 8 })).toBeNull();
    expect(movementOf(view.curve('loss')!)?.improvement).toBeGreaterThan(0.4);
  });
});

describe('the ending', () => {
  const raised = [
    'Traceback (most recent call last):',
    '  File "/srv/tune/run.py", line 21, in guarded',
    '    task(config)',
    '  File "/srv/tune/model.py", line 8, in forward',
    '    assert moved',
    'AssertionError: the prompt stayed as it was',
    'closing the tracker',
  ].join('\n');

  it.each([
    ['of no epochs ends no training: what is raised behind it does', 'epochs=0', 'failed'],
    ['of no steps neither', 'steps=0', 'failed'],
    ['of some: what somebody caught behind it ended nothing', 'epochs=30', 'completed'],
  ])('%s', async (_name, reached, kind) => {
    const end = `\`Trainer.fit\` stopped: \`max_${reached}\` reached.`;
    const view = viewOf(await runOf({ 'train.log': `epoch 0 loss 1.5\n${end}\n${raised}\n` }));
    expect(view.ending.kind).toBe(kind);
  });

  it('is that of the program where a launcher says so before an error behind the end of training', async () => {
    const endingWith = async (said: string) =>
      viewOf(await runOf({ 'train.log': `epoch 0 loss 1.5\nTraining finished.\n${said}\n${raised}\n` }))
        .ending.kind;
    expect(await endingWith('Error while running the script with plan=wide')).toBe('failed');
    expect(await endingWith('Error while uploading the run')).toBe('completed');
  });
});
