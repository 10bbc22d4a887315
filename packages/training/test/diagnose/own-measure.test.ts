// What a run measures beside its loss, under whichever name and in whichever unit: it says what the loss alone would say wrongly.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { curve, logOf } from '../readers/run-of.js';
import { wobble } from '../run-files.js';

const judge = async (lines: readonly string[]) => diagnoseRecord(await logOf(`${lines.join('\n')}\n`));
const count = (length: number, line: (at: number) => string) => Array.from({ length }, (_, at) => line(at));
const failing = ['optimization', 'data_pipeline', 'model_software', 'memory_hardware'];
const f = (value: number): string => value.toFixed(4);

describe('a held-out loss that rises by a sixth', () => {
  const epochs = (dice: (at: number) => number) =>
    count(
      40,
      (at) =>
        `Epoch ${at} train_loss ${f(0.4 * 0.94 ** at)} val_loss ${f((at < 10 ? 0.6 * 0.85 ** at : 0.13) + 0.0006 * Math.max(0, at - 10))} val_dice=${f(dice(at))}`,
    );
  const learned = (at: number) => 0.78 - 0.7 * 0.7 ** at;

  it('is no failure while what it measures beside it is kept', async () => {
    const said = await judge(epochs((at) => learned(at) + 0.002 * wobble(at)));
    expect(failing).not.toContain(said.category);
  });

  it('is overfitting where that is lost as well', async () => {
    const said = await judge(epochs((at) => learned(at) - 0.006 * Math.max(0, at - 10)));
    expect(said).toMatchObject({ subcause: 'overfit' });
  });
});

describe('a training loss next to nothing', () => {
  const steps = (held: (at: number) => number) =>
    count(12, (at) => `step ${at * 200}: train loss ${f(9 * 0.5 ** at)}, val loss ${f(held(at))}`);

  it('leaves held-out data where it is while that keeps what it gained', async () => {
    expect((await judge(steps((at) => 0.86 + 8 * 0.5 ** at + 0.01 * wobble(at)))).category).not.toBe(
      'optimization',
    );
    expect(await judge(steps((at) => 4.6 + 0.3 * wobble(at)))).toMatchObject({
      subcause: 'overfit',
    });
  });
});

describe('what is held out', () => {
  const epochs = (score: (at: number) => number, loss = (at: number) => 3.6 - 0.04 * at) =>
    count(
      24,
      (at) =>
        `Epoch ${at} train_loss ${f(3.9 * 0.85 ** at)} train_acc ${f(1 - 0.8 * 0.85 ** at)} val_loss ${f(loss(at))} val_acc ${f(score(at))}`,
    );

  it('is no other model while it rises with training, however far behind', async () => {
    const said = await judge(epochs((at) => 0.2 + 0.01 * at));
    expect(failing).not.toContain(said.category);
  });

  it('is left behind where it stands still since the middle at less than half', async () => {
    const said = await judge(
      epochs(
        (at) => 0.12 + 0.01 * Math.min(at, 8) + 0.03 * wobble(at),
        (at) => 3.6 + 0.8 * wobble(at),
      ),
    );
    expect(said).toMatchObject({ category: 'optimization' });
  });

  it('says nothing by a loss in another unit while its answers are as right as those of training', async () => {
    const lines = count(
      60,
      (at) =>
        `Epoch ${at} train_loss ${f(0.6 * 0.96 ** at)} train_acc ${f(0.97 - 0.3 * 0.9 ** at)} val_loss ${f(11 - 4 * (1 - 0.85 ** at) + 0.05 * at)} val_acc ${f(0.89 - 0.12 * 0.8 ** at)}`,
    );
    expect(failing).not.toContain((await judge(lines)).category);
  });

  it('is no loss where it begins at a tenth of that of training', async () => {
    const lines = count(
      17,
      (at) =>
        `Iteration ${at * 100} loss = ${f(0.28 + 2 * 0.4 ** at)} * 1 eval = ${f(0.94 - 0.83 * 0.4 ** at)}`,
    );
    expect(failing).not.toContain((await judge(lines)).category);
  });
});

describe('training that has nothing left to lose', () => {
  const log = (held: (at: number) => number) =>
    count(
      14,
      (at) =>
        `[${20000 * (at + 1)}/300000] Train loss: ${(at === 0 ? 0.3 : 0.00001).toFixed(5)}, Valid loss: ${f(held(at))}`,
    );

  it('overfits where held-out data only gets worse since the record began', async () => {
    expect(await judge(log((at) => 1.5 + 0.02 * at))).toMatchObject({ subcause: 'overfit' });
  });

  it('does not where held-out data stands', async () => {
    const said = await judge(log((at) => 0.02 + 0.001 * wobble(at)));
    expect(said).not.toMatchObject({ subcause: 'overfit' });
  });
});

describe('a score in every digit the same', () => {
  const epochs = (recall: (at: number) => number) =>
    count(
      20,
      (at) => `Epoch ${at} Loss: ${f(0.0124 + 0.0002 * wobble(at))} Anomaly Recall: ${f(recall(at))}`,
    );

  it('is a model that answers one thing', async () => {
    expect(await judge(epochs((at) => (at === 0 ? 0.3 : 0)))).toMatchObject({ subcause: 'plateau' });
  });

  it('is left open where the loss does not tell that weights move', async () => {
    expect(failing).not.toContain((await judge(epochs(() => 0.12))).category);
  });

  it('is none where it moves', async () => {
    const said = await judge(epochs((at) => 0.1 + 0.02 * wobble(at)));
    expect(failing).not.toContain(said.category);
  });
});

it('a stop by hand is not the reason where the curves show one', async () => {
  const lines = (held: (at: number) => number) => [
    ...count(20, (at) => `Epoch ${at} train_loss ${f(2 * 0.8 ** at)} val_loss ${f(held(at))}`),
    'Traceback (most recent call last):',
    '  File "train.py", line 9, in <module>',
    '    step()',
    'KeyboardInterrupt',
  ];
  expect(await judge(lines((at) => (at < 5 ? 2 - 0.2 * at : 1 + 0.2 * (at - 4))))).toMatchObject({
    category: 'optimization',
  });
  expect(await judge(lines((at) => 0.5 + 1.5 * 0.8 ** at))).toMatchObject({ subcause: 'terminated' });
});

it('a counter is read where no blank is left before its number', async () => {
  const record = await logOf(
    count(12, (at) => `E${String(at + 95).padStart(3)}/500 | Loss:${f(2 - at / 10)}`).join('\n'),
  );
  expect([...curve(record, 'loss').steps]).toEqual(count(12, String).map((at) => Number(at) + 95));
});

describe('an error', () => {
  const raised = (call: string, name: string, message: string) => [
    'Traceback (most recent call last):',
    '  File "/home/me/train.py", line 61, in <module>',
    `    ${call}`,
    `  File "/usr/lib/python3/site-packages/pandas/io/formats/csvs.py", line 251, in ${name}`,
    '    with get_handle(',
    '  File "/usr/lib/python3/site-packages/pandas/io/common.py", line 616, in check_parent_directory',
    '    raise OSError(text)',
    `OSError: ${message}`,
  ];

  it('of writing is not of the data that was read', async () => {
    const said = await judge(
      raised("frame.to_csv('out/a.csv')", 'save', "Cannot save file into a non-existent directory: 'out'"),
    );
    expect(said).toMatchObject({ category: 'model_software' });
  });

  it.each([
    ["UnpickleError: Path '/data/batches/data_batch_40' does not exist.", 'data_pipeline'],
    ["RuntimeError: can't alloc", 'memory_hardware'],
    ['FatalError: `Termination signal` is detected by the operating system.', 'memory_hardware'],
  ])('is told by its words: %s', async (line, category) => {
    expect(await judge(['epoch 1 loss 0.5', line])).toMatchObject({ category });
  });
});
