// Forms of logs that say less than a name and a number at a time: boxes among other lines, columns that count, a part of the data that is
// named once for a whole line, scores that are told at length.
import { describe, expect, test } from 'vitest';
import { curve, logOf, runOf } from './run-of.js';

const box = (step: number, reward: number, part = 'rollout') =>
  [
    '---------------------------------',
    `| ${part}/           |          |`,
    `|    mean_reward     | ${reward}      |`,
    '| time/              |          |',
    `|    total_timesteps | ${step}     |`,
    '---------------------------------',
  ].join('\n');

describe('boxes', () => {
  test('go on behind lines of another kind, and say of which part their rows are', async () => {
    const turns = Array.from({ length: 12 }, (_, at) =>
      [box(1000 * (at + 1), at), `saved policy_${at}.zip`, box(1000 * (at + 1), -at, 'eval')].join('\n'),
    );
    const run = await logOf(turns.join('\n'));
    expect([...curve(run, 'reward').values]).toEqual(Array.from({ length: 12 }, (_, at) => at));
    expect(curve(run, 'reward').steps.at(-1)).toBe(12_000);
    expect(curve(run, 'reward', { split: 'eval' }).values.at(-1)).toBe(-11);
  });
});

describe('columns that count', () => {
  const table = async (header: string, row: (at: number) => string) =>
    runOf({
      'progress.csv': [header, ...Array.from({ length: 6 }, (_, at) => row(at))].join('\n'),
    });

  test('under the name of a group', async () => {
    const run = await table('rollout/ep_rew_mean,time/total_timesteps', (at) => `${at},${2048 * (at + 1)}`);
    expect(curve(run, 'reward').steps.at(-1)).toBe(6 * 2048);
  });

  test('not where they only say how long something was', async () => {
    const lengths = [50, 7, 50, 12, 50, 5];
    const run = await table(
      'episode,total_reward,steps',
      (at) => `${at + 1},${lengths[at]! / 10},${lengths[at]}`,
    );
    expect([...curve(run, 'reward').steps]).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('a part of the data named for a whole line', () => {
  test.each([
    ['TEST in epoch3, loss = 2.5, acc = 41.5%', 'test'],
    ['[2031-02-03 10:00:01,052][__main__][INFO] - Test, Round 349: Loss=2.5, Accuracy=0.415', 'test'],
    ["| epoch 003 | valid on 'held' subset | loss 2.5 | ppl 5.66 | num_updates 900", 'eval'],
  ] as const)('%s', async (line, split) => {
    const run = await logOf(`TRAIN in epoch 3, step 600, loss = 0.5\n${line}\n`);
    expect([...curve(run, 'loss', { split }).values]).toEqual([2.5]);
  });

  test('an epoch in brackets is no rank', async () => {
    const lines = [1, 2, 3].flatMap((epoch) =>
      [0, 50, 100].map((step) => `[${epoch}/70] Step: ${step}/150, Training Loss: ${5 - epoch}.`),
    );
    const run = await logOf(lines.join('\n'));
    expect(curve(run, 'loss').rank).toBeNull();
    expect(curve(run, 'loss').length).toBe(9);
  });
});

test('scores of detectors of objects, which are told at length', async () => {
  const summary = (score: number) =>
    [
      ` Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = ${score.toFixed(3)}`,
      ' Average Precision  (AP) @[ IoU=0.50      | area=   all | maxDets=100 ] = 0.500',
      ' Average Precision  (AP) @[ IoU=0.50:0.95 | area= small | maxDets=100 ] = -1.000',
      ' Average Recall     (AR) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = 0.900',
    ].join('\n');
  const run = await logOf([0.1, 0.2, 0.3].map(summary).join('\n'));
  const found = run.series.filter(({ rawName }) => rawName === 'val mAP');
  expect(found.map(({ split, values }) => [split, ...values])).toEqual([['eval', 0.1, 0.2, 0.3]]);
});

describe('a number before its name', () => {
  test.each([
    ['Epoch 1 @ 12:10 AM : 0.5 C.E. Loss, 97.5% Accuracy', 0.5, 0.975],
    ['[1] 0.5 loss 0.975 accuracy', 0.5, 0.975],
    ['Epoch 1 (0.5 train loss and 97.5 % train acc)', 0.5, 0.975],
    ['Epoch: 1, 0.5 loss, 97.5% accuracy', 0.5, 0.975],
    ['epoch 1 nan loss, 10% accuracy', Number.NaN, 0.1],
  ])('%s', async (line, loss, accuracy) => {
    const run = await logOf([1, 2, 3].map((at) => line.replace('1', String(at))).join('\n'));
    expect([...curve(run, 'loss').values]).toEqual([loss, loss, loss]);
    expect(curve(run, 'accuracy').values[0]).toBeCloseTo(accuracy);
  });

  test.each([
    'epoch 1 loss 0.5 accuracy',
    'Round 1 with weight 0.75 loss',
    'Epoch 1: 3 epochs without better loss',
    'process 1 ended with exit code 4 error',
  ])('not in "%s"', async (line) => {
    const run = await logOf([1, 2, 3].map((at) => line.replace('1', String(at))).join('\n'));
    const values = run.series
      .filter(({ metric }) => metric === 'loss' || metric === 'accuracy')
      .flatMap((series) => [...series.values]);
    expect(values.every((value) => value === 0.5)).toBe(true);
  });
});
