// Runs that somebody stopped, and curves that turned without losing much: named, but no failure. Beside each stands the failure it resembles.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { headline } from '../../src/diagnose/report.js';
import { logOf } from '../readers/run-of.js';
import { wobble } from '../run-files.js';

const judge = async (lines: readonly string[]) => diagnoseRecord(await logOf(`${lines.join('\n')}\n`));
const count = (length: number, line: (at: number) => string) => Array.from({ length }, (_, at) => line(at));
const raised = (error: string) => [
  'Traceback (most recent call last):',
  '  File "train.py", line 125, in <module>',
  '    main()',
  error,
];
const falling = count(
  40,
  (at) => `step ${at * 10} loss ${(0.4 + 2 * Math.exp(-at / 8) + 0.02 * wobble(at)).toFixed(4)}`,
);

describe('a run stopped by hand', () => {
  it('is named, and not called a failure', async () => {
    const stopped = await judge([...falling, ...raised('KeyboardInterrupt')]);
    expect(stopped).toMatchObject({
      outcome: 'unknown',
      category: 'memory_hardware',
      subcause: 'terminated',
    });
    expect(headline(stopped)).toMatch(/^Noticed: Somebody or something outside ended the run/);
    const signal = 'torch.distributed.elastic.multiprocessing.api.SignalException: Process 7 got signal: 2';
    expect(await judge([...falling, ...raised(signal)])).toMatchObject({ outcome: 'unknown' });
  });

  it('is not named where training has not begun', async () => {
    const early = ['reading the settings', ...raised('KeyboardInterrupt')];
    expect(await judge(early)).toMatchObject({ outcome: 'unknown', category: 'unknown' });
    const bar = '  1%|1         | 210/50000 [00:14<55:10, 15.04it/s]';
    expect(await judge([bar, ...raised('KeyboardInterrupt')])).toMatchObject({ subcause: 'terminated' });
    const inside = raised(
      '  File "train.py", line 80, in train_one_epoch\n    batch.cuda()\nKeyboardInterrupt',
    );
    expect(await judge(inside)).toMatchObject({ subcause: 'terminated' });
  });

  it('is not what a scheduler did, nor an error of its own', async () => {
    const signal = 'torch.distributed.elastic.multiprocessing.api.SignalException: Process 7 got signal: 15';
    expect(await judge([...falling, ...raised(signal)])).toMatchObject({
      outcome: 'failed',
      subcause: 'terminated',
    });
    const cancelled = 'slurmstepd: error: *** JOB 42 ON n1 CANCELLED AT 2024-01-01T00:00:00 ***';
    expect(await judge([...falling, cancelled])).toMatchObject({ outcome: 'failed', subcause: 'terminated' });
    const broken = await judge([...falling, ...raised("NameError: name 'los' is not defined")]);
    expect(broken).toMatchObject({ outcome: 'failed', subcause: 'code_error' });
  });

  it('comes after what its curve shows', async () => {
    const lost = count(
      40,
      (at) => `step ${at * 10} loss ${at < 20 ? 2.1 - 0.05 * at : (9 + 3 * at).toFixed(2)}`,
    );
    expect(await judge([...lost, ...raised('KeyboardInterrupt')])).toMatchObject({
      category: 'optimization',
    });
  });
});

describe('validation that turned', () => {
  const log = (last: number) =>
    count(21, (at) => {
      const held = at < 5 ? 6 - 0.8 * at : 2.8 + ((last - 2.8) * (at - 4)) / 16;
      return `step ${at * 250}: train loss ${(6 * Math.exp(-at / 7)).toFixed(4)}, val loss ${held.toFixed(4)}`;
    });

  it('and kept most of its gain is worth a word; one that lost it has failed', async () => {
    expect(await judge(log(3.5))).toMatchObject({ outcome: 'unknown', subcause: 'overfit' });
    expect(await judge(log(5.5))).toMatchObject({ outcome: 'degraded', subcause: 'overfit' });
  });

  it('and lost more than it had gained has failed; a slight rise is none', async () => {
    const row = (held: number) => (at: number) =>
      `epoch: ${at + 1}/20 | train loss: ${(1.2 + 1.7 * Math.exp(-at / 4)).toFixed(3)} | valid loss: ${(held * at + 2.2 - 0.03 * Number(at === 1)).toFixed(3)}`;
    expect(await judge(count(20, row(0.03)))).toMatchObject({ outcome: 'degraded', subcause: 'overfit' });
    expect(await judge(count(20, row(0.009)))).not.toMatchObject({ outcome: 'degraded' });
    expect(await judge(count(20, row(-0.009)))).not.toMatchObject({ outcome: 'degraded' });
  });
});

describe('a loss that the first steps threw up', () => {
  it('stays there; a sum that is printed on the way only rises', async () => {
    const thrown = [7.1, 156, 154, 138, 75, 64, 65, 66, 77, 68, 74, 77];
    const steps = (losses: readonly number[]) =>
      losses.map((loss, at) => `{"step": ${at * 5}, "loss": ${loss}}`);
    expect(await judge(steps(thrown))).toMatchObject({ category: 'optimization' });
    const summed = thrown.map((_, at) => 7 + 40 * at - at * at);
    expect(await judge(steps(summed))).not.toMatchObject({ subcause: 'learning_rate_too_high' });
  });
});

describe('a loss that breaks', () => {
  const steps = (from: number, well: number) => [
    ...count(
      well,
      (at) => `Step ${from + at} [0.87 sec/step, loss=${(0.088 + 0.0005 * wobble(at)).toFixed(5)}]`,
    ),
    `Step ${from + 8} [0.88 sec/step, loss=nan]`,
    `Step ${from + 9} [0.88 sec/step, loss=nan]`,
  ];

  it('after losses that were numbers is mostly not the fault of its data; without any it may be', async () => {
    expect(await judge(steps(113_790, 8))).toMatchObject({ category: 'optimization' });
    expect(await judge(steps(120, 8))).toMatchObject({ category: 'optimization' });
    expect(await judge(steps(120, 0))).not.toMatchObject({ category: 'optimization' });
  });
});

describe('an accuracy of zero', () => {
  const log = (score: string) =>
    count(
      8,
      (at) => `Epoch 2, ${50 * at}/725; acc: ${score}; ppl: ${(12 - 0.4 * at).toFixed(2)}; 55 s elapsed`,
    );

  it('beside a model that hesitates between few words is counted wrongly', async () => {
    expect(await judge(log('0.00'))).toMatchObject({ category: 'model_software' });
    expect(await judge(log('41.20'))).not.toMatchObject({ category: 'model_software' });
  });
});
