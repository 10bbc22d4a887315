// Runs whose own record shows that the rows they are evaluated on were trained on, each beside a healthy twin. What shows it for certain is
// told, what only makes it likely takes the word "healthy" away, and an easy task that is really solved is never called a failure.
import { describe, expect, it, test } from 'vitest';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { logOf, runOf } from '../readers/run-of.js';

const judge = async (lines: readonly string[]) => diagnoseRecord(await logOf(`${lines.join('\n')}\n`));
const wobble = (at: number) => ((at * Math.SQRT2) % 1) - 0.5;

/** A classifier that learns: ten classes, `gap` times as much lost on held-out rows, `epochs` passes. */
const course = (gap: number, epochs: number, accuracy = 0.93) =>
  Array.from({ length: epochs }, (_, at) => {
    const left = 2.1 * Math.exp(-(8 * at) / epochs);
    const [train, held] = [0.2 + left, gap * (0.2 + left) * (1 + 0.004 * wobble(at))];
    const score = accuracy - (0.8 * left) / 2.1 + 0.004 * wobble(at + 1);
    return `Epoch ${at + 1}/${epochs} loss=${train.toFixed(4)} acc=${(score + 0.01).toFixed(4)} val_loss=${held.toFixed(4)} val_acc=${score.toFixed(4)}`;
  });
const settings = (train: string, held: string, more = '') =>
  `config: {'train_file': '${train}', 'validation_file': '${held}', 'num_classes': 10, 'lr': 0.001${more}}`;
const done = 'Training complete.';

describe('one source for both parts', () => {
  it('is told from settings, unless something divides the file', async () => {
    const log = (head: string) => [head, ...course(1.2, 12), done];
    expect(await judge(log(settings('data/all.csv', 'data/all.csv')))).toMatchObject({ subcause: 'leakage' });
    for (const head of [
      settings('data/train.csv', 'data/val.csv'),
      settings('data/all.csv', 'data/all.csv', ", 'val_fraction': 0.2"),
      settings('data', 'data'),
    ])
      expect((await judge(log(head))).category).toBe('healthy');
  });

  it('is told from lines that count the same rows in the same place', async () => {
    const log = (held: string) => [
      'num_classes=10',
      'Loaded 50,000 training samples from /data/birds/all.npz',
      held,
      ...course(1.2, 12),
      done,
    ];
    expect(await judge(log('Loaded 50,000 validation samples from /data/birds/all.npz'))).toMatchObject({
      category: 'data_pipeline',
      subcause: 'leakage',
    });
    for (const held of [
      'Loaded 5,000 validation samples from /data/birds/all.npz',
      'Loaded 50,000 validation samples from /data/birds/val.npz',
    ])
      expect((await judge(log(held))).category).toBe('healthy');
  });
});

test('rows that the log counts in both parts are told, and rows that were taken out or of which there are none are not', async () => {
  const log = (line: string) => ['num_classes=10', line, ...course(1.2, 12), done];
  expect(await judge(log('overlap between train and test: 1,204 of 5,000 images'))).toMatchObject({
    subcause: 'leakage',
  });
  expect((await judge(log('3 duplicates of train rows found in val'))).category).toBe('unknown');
  for (const line of [
    'overlap between train and test: 0 of 5,000 images',
    'removed 1,204 duplicates that were in train and test',
  ])
    expect((await judge(log(line))).category).toBe('healthy');
});

test('held-out data that is known as well as training after many passes proves nothing; with a gap, or after few, it does', async () => {
  const log = (lines: readonly string[]) => ['num_classes=10', ...lines, done];
  expect((await judge(log(course(0.97, 40)))).category).toBe('unknown');
  expect((await judge(log(course(1.2, 40)))).category).toBe('healthy');
  expect((await judge(log(course(0.97, 8)))).category).toBe('healthy');
});

test('losses of both parts that are the same to the last digit prove nothing', async () => {
  expect(
    (
      await judge([
        'num_classes=10',
        ...course(1, 8).map((line) =>
          line.replace(/val_loss=\S+/, `val_loss=${/loss=(\S+)/.exec(line)![1]}`),
        ),
        done,
      ])
    ).category,
  ).toBe('unknown');
});

test('a test that is far below a perfect validation tells what leaked, one that is near it does not', async () => {
  const log = (reached: number, held = 0.998) => [
    ...Array.from({ length: 8 }, (_, at) => `step ${at} train_acc: 0.999${at} val_acc: ${held}${at}`),
    `step 8 test_acc: ${reached}`,
  ];
  expect(await judge(log(0.58))).toMatchObject({ subcause: 'leakage' });
  // Training may know a little more.
  expect(await judge(log(0.58, 0.963))).toMatchObject({ subcause: 'leakage' });
  expect((await judge(log(0.58, 0.91))).category).not.toBe('data_pipeline');
  expect((await judge(log(0.97))).category).not.toBe('data_pipeline');
});

test('an easy task that is solved is no failure', async () => {
  expect(['healthy', 'unknown']).toContain(
    (await judge(['num_classes=10', ...course(1.3, 12, 0.992), done])).category,
  );
});

test('training rows that are evaluated as well, and score what held-out ones do in every digit, are the same rows', async () => {
  const log = (apart: number) =>
    Array.from({ length: 10 }, (_, at) => {
      const loss = 0.3 + 1.5 * Math.exp(-at / 3);
      const [held, score] = [loss + apart * (1 + wobble(at)), 0.9 - 0.3 * loss];
      const of = (part: string, value: number, right: number) =>
        `{"step": ${at}, "${part}_loss": ${value}, "${part}_accuracy": ${right}}`;
      return `${of('train', loss, score)}\n${of('val', held, score - apart)}`;
    });
  const verdict = async (apart: number) => {
    const rows = await runOf({ 'metrics.jsonl': `${log(apart).join('\n')}\n` });
    return diagnoseRecord(rows);
  };
  expect(await verdict(0)).toMatchObject({ category: 'data_pipeline', subcause: 'leakage' });
  expect((await verdict(0.02)).subcause).not.toBe('leakage');
});
