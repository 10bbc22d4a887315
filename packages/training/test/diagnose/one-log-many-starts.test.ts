// A file that a program writes to again and again, and lines that are easily taken for something else. Each healthy log stands beside the
// failing one that it resembles.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { curve, logOf } from '../readers/run-of.js';
import { wobble } from '../run-files.js';

const judge = async (lines: readonly string[]) => diagnoseRecord(await logOf(`${lines.join('\n')}\n`));
const count = (length: number, line: (at: number) => string) => Array.from({ length }, (_, at) => line(at));
const falling = (at: number): string => (0.4 + 2 * Math.exp(-at / 40) + 0.02 * wobble(at)).toFixed(4);
const padded = 'mem 1756Mb lr 0.0010 eta 0:12:44 images seen so far without a pause';

describe('an error in the middle of a log', () => {
  const error = [
    'Traceback (most recent call last):',
    '  File "train.py", line 31, in <module>',
    '    rows = open(path)',
    "FileNotFoundError: [Errno 2] No such file or directory: 'data/rows.csv'",
  ];
  const steps = (length: number) => count(length, (at) => `step ${at} loss ${falling(at)} ${padded}`);
  const opening = ['reading the settings of the run', 'building the model'];

  it('is over where more was measured behind it than a process holds back', async () => {
    const said = await judge([...opening, ...error, ...opening, ...steps(200)]);
    expect(said.outcome).not.toBe('failed');
    expect(said.category).not.toBe('data_pipeline');
  });

  it('ended the run where only the rest of its output comes out behind it', async () => {
    expect(await judge([...opening, ...error, ...opening, ...steps(40)])).toMatchObject({
      outcome: 'failed',
      subcause: 'missing_data',
    });
  });

  it('ended the run where the last start fails too', async () => {
    expect(await judge([...error, ...steps(200), ...error])).toMatchObject({ subcause: 'missing_data' });
  });

  it('takes what the device said with it', async () => {
    const full =
      'RuntimeError: CUDA out of memory. Tried to allocate 2.92 GiB (GPU 0; 4.00 GiB total capacity; 53.00 MiB already allocated; 2.82 GiB free; 64.00 MiB reserved in total by PyTorch)';
    const refused = ['Traceback (most recent call last):', '  File "train.py", line 40, in <module>', full];
    expect((await judge([...refused, ...refused, ...steps(200)])).category).not.toBe('memory_hardware');
    expect(await judge([...steps(200), ...refused])).toMatchObject({ category: 'memory_hardware' });
  });

  it('of the device alone is over where a later start trains', async () => {
    const full =
      'CUDA out of memory. Tried to allocate 1.40 GiB (GPU 0; 11.00 GiB total capacity; 2.90 GiB already allocated; 70.00 MiB free; 3.00 GiB reserved in total by PyTorch)';
    const again = [...opening, full, ...opening];
    expect(await judge([...again, ...steps(60)])).not.toMatchObject({ category: 'memory_hardware' });
    expect(await judge([...again, ...steps(60), full])).toMatchObject({ subcause: 'gpu_other_process' });
  });
});

describe('several writers in one log', () => {
  const told = (name: string, epoch: number, loss: number, score: number): string =>
    `run ${name} | Epoch: ${epoch} | Train Loss: ${loss.toFixed(4)} | Val Loss: ${loss.toFixed(4)} | Val Acc: ${score.toFixed(4)}`;
  const [good, poor] = [(at: number) => 0.5 * Math.exp(-at / 20), (at: number) => 0.69 + 0.001 * wobble(at)];

  it('are no curve that swings', async () => {
    const turns = count(30, (at) => [
      told('a', at + 40, good(at), 0.98),
      told('b', at + 1, poor(at), 0.5),
    ]).flat();
    expect((await judge(turns)).category).not.toBe('optimization');
  });

  it('are not one run that swings', async () => {
    const swings = count(60, (at) => told('a', at + 1, at % 2 ? 0.7 : good(at), at % 2 ? 0.5 : 0.98));
    expect(await judge(swings)).toMatchObject({ category: 'optimization' });
  });
});

describe('a first row of one step', () => {
  const rows = (first: number, level: number) => [
    `step 47700 | loss ${first} | grad 0.075`,
    ...count(
      80,
      (at) => `step ${47710 + 10 * at} | loss ${(level + 0.4 * wobble(at)).toFixed(4)} | grad 0.75`,
    ),
  ];

  it('is not what the sums behind it have left', async () => {
    expect((await judge(rows(1.41, 14))).category).not.toBe('optimization');
  });

  it('is no level that was left, whatever it is', async () => {
    expect((await judge(rows(1.41, 42))).category).not.toBe('optimization');
  });
});

describe('silence between two starts', () => {
  const at = (second: number) => new Date(Date.UTC(2024, 0, 2, 10, 0, second)).toISOString().slice(0, 19);
  const line = (second: number, text: string) => `[INFO] ${at(second).replace('T', ' ')}: ${text}`;
  const steps = count(30, (step) => line(2 * step, `step ${step} loss ${falling(step)}`));
  const opening = (second: number) => line(second, "settings: {'rate': 0.1, 'epochs': 100}");

  it('is no standstill', async () => {
    expect(await judge([opening(0), ...steps, opening(40_000)])).not.toMatchObject({ subcause: 'hang' });
  });

  it('is one where something else is told at its end', async () => {
    expect(await judge([opening(0), ...steps, line(40_000, 'the watch has seen nothing new')])).toMatchObject(
      { subcause: 'hang' },
    );
  });
});

describe('lines that say apart what they are about', () => {
  const epochs = (held: (epoch: number) => number) =>
    count(30, (at) => at).flatMap((epoch) => [
      `[Epoch: ${epoch}] Train acc: 0.${70 + Math.min(epoch, 20)} | loss: ${(2 + 4 / (1 + epoch)).toFixed(3)}`,
      `[Epoch: ${epoch}] Valid acc: 0.${60 + Math.min(epoch, 20)} | loss: ${held(epoch).toFixed(3)}`,
    ]);

  it('give the loss behind a held-out score to the held-out data', async () => {
    const record = await logOf(epochs((epoch) => 4 + 4 / (1 + epoch)).join('\n'));
    expect(curve(record, 'loss').length).toBe(30);
    expect(curve(record, 'loss', { split: 'eval' }).length).toBe(30);
    expect((await diagnoseRecord(record)).subcause).not.toBe('oscillation');
  });

  it('leave a loss alone that never stands behind a score of training', async () => {
    const record = await logOf(count(10, (at) => `step ${at} val_acc: 0.5${at} loss: 1.${at}`).join('\n'));
    expect(curve(record, 'loss').length).toBe(10);
  });

  it('say so behind the time of the line as well', async () => {
    const batches = (epoch: number) => [
      ...count(
        10,
        (at) => `2024-05-06 09:4${epoch}:0${at},872 Epoch[${epoch}/9], Step[${at}/10], Avg Loss: 0.3${at}`,
      ),
      ...count(10, (at) => `2024-05-06 09:4${epoch}:3${at},872 Val Step[${at}/10], Avg Loss: 1.3${at}`),
    ];
    const record = await logOf(count(6, (at) => batches(at).join('\n')).join('\n'));
    expect(Math.max(...curve(record, 'loss').values)).toBeLessThan(1);
    expect(curve(record, 'loss', { split: 'eval' }).length).toBe(60);
  });

  it('take no score without a name for the loss that is told before it', async () => {
    const rising = count(
      30,
      (at) => `Finished epoch ${at}: cost ${falling(10 * at)}, train: 0.${20 + 2 * at}, val 0.${15 + 2 * at}`,
    );
    expect((await judge(rising)).category).not.toBe('optimization');
    const record = await logOf(count(10, (at) => `step ${at} loss 1.${at} val 2.${at}`).join('\n'));
    expect(curve(record, 'loss', { split: 'eval' }).length).toBe(10);
  });
});

describe('two losses under one name', () => {
  const level = (at: number) => 0.02 + 0.001 * wobble(at);
  it('do not swing where each epoch tells both', async () => {
    const log = count(60, (at) => at).flatMap((at) => [
      `epoch:${at}/60\tSeg loss:${level(at).toFixed(5)}`,
      `Mixed:\tSeg loss:${(2 * level(at + 100)).toFixed(5)}`,
    ]);
    expect((await judge(log)).subcause).not.toBe('oscillation');
  });

  it('swing where one loss takes both levels in turn', async () => {
    const log = count(
      120,
      (at) => `epoch:${at}/120\tSeg loss:${((1 + (at % 2)) * (2 + 50 * level(at))).toFixed(5)}`,
    );
    expect(await judge(log)).toMatchObject({ subcause: 'oscillation' });
  });
});

describe('a curve that did not begin where the record does', () => {
  const rows = (trained: (at: number) => string, held: (at: number) => string) =>
    count(30, (at) => [`Epoch ${at}/29`, `train Loss: ${trained(at)}`, `val Loss: ${held(at)}`]).flat();

  it('has no beginner to compare with: training was good in its first epoch', async () => {
    const log = rows(
      (at) => `${(0.15 / (1 + 0.3 * at)).toFixed(4)} Acc: 0.9${Math.min(3 + at, 9)}`,
      (at) => `${(0.76 + 0.1 * Math.abs(wobble(at))).toFixed(4)} Acc: 0.7${5 + (at % 4)}`,
    );
    expect((await judge(log)).subcause).not.toBe('train_eval_gap');
  });

  it('is far apart where training learned from nothing and validation did not', async () => {
    const log = rows(
      (at) => (0.1 + 2.2 * Math.exp(-at / 4)).toFixed(4),
      (at) => (6 + 0.3 * wobble(at)).toFixed(4),
    );
    expect(await judge(log)).toMatchObject({ subcause: 'train_eval_gap' });
  });

  it('is none of its own: an exact zero beside a perfect score is a zero', async () => {
    const log = (accuracy: string) =>
      count(40, (at) =>
        at < 30
          ? `step ${at} loss: ${(at < 27 ? 0.01 + 1 / (1 + at) : 3).toFixed(4)} accuracy: 0.99`
          : `step ${at} loss: 0.0000 accuracy: ${accuracy}`,
      );
    expect((await logOf(log('1.0000').join('\n'))).notes.map(({ kind }) => kind)).not.toContain('masked_nan');
    expect((await logOf(log('0.1000').join('\n'))).notes.map(({ kind }) => kind)).toContain('masked_nan');
  });
});

describe('a time that never falls', () => {
  const log = (name: string, time: (at: number) => number) =>
    count(60, (at) => `{"epoch": 0, "step": ${5 * at}, "loss": ${falling(at)}, "${name}": ${time(at)}}`);

  it('is a clock', async () => {
    expect((await judge(log('time', (at) => 4 + 3 * at))).subcause).not.toBe('slowdown');
  });

  it('is that of steps which become slower where its name says so', async () => {
    expect(await judge(log('step_time', (at) => 4 + 3 * at))).toMatchObject({ subcause: 'slowdown' });
  });
});

describe('a warning that no device is there', () => {
  const warned =
    'WARNING (backend.cuda): device gpu is not available (error: no CUDA-capable device is detected)';
  const steps = count(60, (at) => `step ${at} loss ${falling(at)}`);

  it('ends nothing', async () => {
    expect((await judge([warned, ...steps])).subcause).not.toBe('device_fault');
  });

  it('is a fault where the run ends by it', async () => {
    expect(
      await judge([
        ...steps,
        'Traceback (most recent call last):',
        '  File "train.py", line 3, in <module>',
        'RuntimeError: no CUDA-capable device is detected',
      ]),
    ).toMatchObject({ subcause: 'device_fault' });
  });
});

describe('held-out losses of very few rows', () => {
  const rows = (held: (at: number) => number) =>
    count(36, (at) => `Epoch ${at} loss: ${(0.6 - 0.012 * at).toFixed(4)} val_loss: ${held(at).toFixed(4)}`);

  it('come back to their best now and then: noise', async () => {
    const noisy = (at: number) =>
      at < 24 ? 0.65 - 0.01 * at : at % 3 === 0 ? 0.15 : 0.4 + 0.25 * wobble(at);
    expect((await judge(rows((at) => (at === 25 ? 0.1 : noisy(at))))).subcause).not.toBe('overfit');
  });

  it('are lost where they only rise', async () => {
    expect(await judge(rows((at) => (at < 12 ? 0.65 - 0.03 * at : 0.3 + 0.03 * (at - 12))))).toMatchObject({
      subcause: 'overfit',
    });
  });
});

describe('episodes that are counted anew', () => {
  const training = (top: number) =>
    count(
      60,
      (at) => `INFO:root:Episode ${10 * at} | Avg Reward: ${((top * at) / 60 + wobble(at)).toFixed(2)}`,
    );

  it('belong to another training', async () => {
    expect((await judge([...training(100_000), ...training(150)])).category).not.toBe('optimization');
  });

  it('are one where the count goes on and the reward is lost', async () => {
    const lost = count(
      60,
      (at) => `INFO:root:Episode ${600 + 10 * at} | Avg Reward: ${(5 + wobble(at)).toFixed(2)}`,
    );
    expect((await judge([...training(1000), ...lost])).outcome).toBe('degraded');
  });
});
