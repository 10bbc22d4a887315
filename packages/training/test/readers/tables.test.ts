// Rows of numbers in less usual places: tables printed to a console, tables under another name, arrays, rounds of boosted trees, and
// words between rows.
import { describe, expect, test } from 'vitest';
import { curve, logOf, runOf } from './run-of.js';

describe('columns of ranks', () => {
  const table = (names: string) => `step,${names}\n0,1.5,2.5\n10,1.25,2.25\n`;

  test('are one quantity of each', async () => {
    const run = await runOf({
      'times.csv': table('r0_step_s,r1_step_s'),
      'losses.csv': table('rank0/loss,rank1/loss'),
    });
    expect(run.series.map(({ rank, rawName }) => [rank, rawName])).toEqual(
      expect.arrayContaining([
        [0, 'step_s'],
        [1, 'step_s'],
        [0, 'loss'],
        [1, 'loss'],
      ]),
    );
  });

  test('begin with the first, and name what they hold', async () => {
    const run = await runOf({ 'a.csv': table('r1_score,r2_score'), 'b.csv': table('r0,r1') });
    expect(run.series.every(({ rank }) => rank === null)).toBe(true);
  });
});

describe('tables in consoles', () => {
  test('names once, then rows of numbers', async () => {
    const run = await logOf(
      [
        'epoch    train_loss    valid_loss  accuracy  time',
        '-----  ------------  ------------  --------  -----',
        '    1        2.5000        2.6000    0.2500  00:12',
        'saved model.pt',
        '    2        1.2500           nan    0.5000  00:12',
      ].join('\n'),
    );
    expect([...curve(run, 'loss').values]).toEqual([2.5, 1.25]);
    expect([...curve(run, 'loss').steps]).toEqual([1, 2]);
    expect([...curve(run, 'loss', { split: 'eval' }).values]).toEqual([2.6, Number.NaN]);
    expect(curve(run, 'accuracy').where(1)).toEqual({ file: 'train.log', line: 5 });
  });

  test('a header that comes again, and a counter with its total', async () => {
    const epoch = (n: number) =>
      `  Epoch   GPU_mem   box_loss   Instances\n   ${n}/9        0G      ${n}.5         64`;
    const run = await logOf([1, 2, 3].map(epoch).join('\n'));
    expect([...curve(run, 'loss').values]).toEqual([1.5, 2.5, 3.5]);
    expect(run.plannedSteps).toBe(9);
  });

  test('a table between tracebacks that the loop dealt with', async () => {
    const skipped =
      'Traceback (most recent call last):\n  File "/app/reader.py", line 41, in read\n    picture = open(path)\nOSError: cannot read 117.jpg\nskipping 117.jpg\n';
    const row = (n: number) => `           ${n}        1.6125       0.22687\n`;
    const run = await logOf(
      `${skipped}       epoch          loss      val_loss\n${row(1)}${row(2)}${skipped}${row(3)}`,
    );
    expect([...curve(run, 'loss').values]).toEqual([1.6125, 1.6125, 1.6125]);
  });

  test('rows with as many numbers more as there are losses and scores: the same of held-out data', async () => {
    const run = await logOf(
      'epoch  loss  accuracy  lr\n1  2.5  0.25  0.1\n2  1.5  0.5  0.1  1.75  0.4\n3  1.2  0.6  0.1  9\n',
    );
    expect([...curve(run, 'loss').values]).toEqual([2.5, 1.5, 1.2]);
    expect([...curve(run, 'loss', { split: 'eval' }).values]).toEqual([1.75]);
    expect([...curve(run, 'accuracy', { split: 'eval' }).values]).toEqual([0.4]);
  });

  test('sentences and rows without a header are no table', async () => {
    const run = await logOf('Epoch  starts now  with loss  unknown\n1  2.5  3.5\n2  2.4  3.1\n');
    expect(run.series).toEqual([]);
  });

  test('rounds of boosted trees', async () => {
    const run = await logOf(
      '[0]\ttrain-logloss:0.60000\tvalid-logloss:0.65000\n[1]\ttrain-logloss:0.50000\tvalid-logloss:0.58000\n',
    );
    expect([...curve(run, 'loss').steps]).toEqual([0, 1]);
    expect([...curve(run, 'loss', { split: 'eval' }).values]).toEqual([0.65, 0.58]);
    const named = await logOf("[5]\tvalid_0's l2: 0.25\n[10]\tvalid_0's l2: 0.125\n");
    expect([...curve(named, 'error_metric', { split: 'eval' }).steps]).toEqual([5, 10]);
  });

  test('steps of a long log count on after its kinds of lines are known', async () => {
    const epoch = (n: number) =>
      `Epoch ${n}/90\n8/8 - 0s - 35ms/step - loss: ${(9 / n).toFixed(4)} - val_loss: 1.5`;
    const run = await logOf(Array.from({ length: 90 }, (_, i) => epoch(i + 1)).join('\n'));
    expect([...curve(run, 'loss').steps]).toEqual(Array.from({ length: 90 }, (_, i) => 8 * (i + 1)));
    expect(run.restarts).toEqual([]);
  });

  test('a line that counts and tells its loss is a point, whatever setting it repeats', async () => {
    const run = await logOf(
      '[0/200] loss=2.5 learning_rate=0.1 dtype=fp16\n[4/200] loss=1.5 learning_rate=0.1 dtype=fp16\n',
    );
    expect([...curve(run, 'loss').values]).toEqual([2.5, 1.5]);
    expect([...curve(run, 'learning_rate').steps]).toEqual([0, 4]);
  });
});

describe('files of rows', () => {
  test('a table under another name', async () => {
    const run = await runOf({
      'training.log': 'epoch,accuracy,loss,val_loss\n0,0.5,2.5,2.6\n1,0.75,1.5,nan\n',
    });
    expect([...curve(run, 'loss').values]).toEqual([2.5, 1.5]);
    expect(curve(run, 'loss', { split: 'eval' }).values[1]).toBeNaN();
  });

  test('a table under another name with dates, and names that calls made', async () => {
    const run = await logOf(
      'epoch,train_acc,out_tensor([1.]),train_loss,timestamp\n1,0.5,0.1,2.5,2024-01-02 10:00:01\n2,0.6,0.2,1.5,2024-01-02 10:01:01\n',
    );
    expect([...curve(run, 'loss').values]).toEqual([2.5, 1.5]);
    expect([...curve(run, 'accuracy').values]).toEqual([0.5, 0.6]);
  });

  test('a table under another name whose rows are numbered without a name', async () => {
    for (const separator of [',', ';']) {
      const rows = [
        ['', 'Loss', 'ValLoss'],
        ['0', '2.5', '2.6'],
        ['1', '1.5', '1.7'],
      ];
      const run = await logOf(rows.map((row) => row.join(separator)).join('\n'));
      expect([...curve(run, 'loss').values]).toEqual([2.5, 1.5]);
      expect([...curve(run, 'loss', { split: 'eval' }).values]).toEqual([2.6, 1.7]);
    }
  });

  test('an array of rows, on one line or many', async () => {
    const rows = [
      { step: 0, train: { loss: 2.5 }, lr: 0.1 },
      { step: 5, train: { loss: Number.NaN }, lr: 0.1 },
    ];
    const run = await runOf({ 'log.json': JSON.stringify(rows).replace('null', 'NaN') });
    expect([...curve(run, 'loss').values]).toEqual([2.5, Number.NaN]);
    expect([...curve(run, 'loss').steps]).toEqual([0, 5]);
    const spread = await runOf({ 'log.json': JSON.stringify(rows.slice(0, 1), null, 1) });
    expect(curve(spread, 'loss').where(0)).toMatchObject({ file: 'log.json' });
    const cut = await runOf({ 'log.json': JSON.stringify(rows.slice(0, 1)).slice(0, -1) });
    expect(cut.notes).toMatchObject([{ kind: 'truncated' }]);
  });

  test('the traceback between JSON lines, and the steps under a name of their own', async () => {
    const run = await runOf({
      'worker.log': [
        '{"current_steps": 1, "total_steps": 9, "loss": 2.5}',
        '{"current_steps": 2, "total_steps": 9, "loss": 2.4}',
        'Traceback (most recent call last):',
        '  File "train.py", line 7, in <module>',
        '    step()',
        'EOFError: Compressed file ended before the end-of-stream marker was reached',
        '',
      ].join('\n'),
    });
    expect([...curve(run, 'loss').steps]).toEqual([1, 2]);
    expect(run.plannedSteps).toBe(9);
    expect(run.tracebacks[0]).toMatchObject({ step: 2, chain: [{ type: 'EOFError', at: { line: 6 } }] });
    expect(run.notes).toEqual([]);
  });
});

describe('headers parted by one blank', () => {
  const rows = [2.5, 2, 1.5, 1.25];

  test.each([
    ['epoch train_loss val_loss acc', (loss: number, at: number) => `${at} ${loss} 3 0.5`],
    ['Iter Loss LR', (loss: number, at: number) => `${at} ${loss} 0.001`],
    ['# step lr loss sec', (loss: number, at: number) => `${at}\t0.001\t${loss}\t1.5`],
  ])('%s', async (header, row) => {
    const run = await logOf(['starting', header, ...rows.map(row)].join('\n'));
    expect([...curve(run, 'loss', { split: 'train' }).values]).toEqual(rows);
    expect(run.series.every(({ rawName }) => !rawName.startsWith('column'))).toBe(true);
  });

  test('are no sentence', async () => {
    const run = await logOf(
      ['epoch loss improved', '12 files', ...rows.map((loss, at) => `epoch ${at} loss ${loss}`)].join('\n'),
    );
    expect(run.series.map(({ length }) => length)).toEqual([4]);
  });
});

test('scores of classes stand below a bar, whatever the table of batches calls its columns', async () => {
  const turn = (at: number) => [
    '  Epoch    mem     box_up     cls_up     dfl_up    Size',
    `  ${at}/4     1.5G      ${4 / at}      2.5      1.5     320: 100%|####| 9/9 [00:02<00:00,  6.1it/s]`,
    '         Class     Images      Box(P          mAP50      mAP95): 100%|####| 3/3 [00:00<00:00, 21.1it/s]',
    `           all        40        0.5        ${at / 8}        0.1`,
  ];
  const run = await logOf([1, 2, 3, 4].flatMap(turn).join('\n'));
  const of = (name: string) => [...run.series.find(({ rawName }) => rawName === name)!.values];
  expect(of('val mAP50')).toEqual([0.125, 0.25, 0.375, 0.5]);
  expect(of('box_up loss')).toEqual([4, 2, 4 / 3, 1]);
});

test('scores of classes whose names are parted by single blanks', async () => {
  const turn = (at: number) => [
    '               Class     Images          P     mAP@.5 mAP@.5:.95: 100%|####| 3/3 [00:00<00:00, 2.1it/s]',
    `                 all         40        0.5      ${at / 8}       0.1`,
  ];
  const run = await logOf([1, 2, 3, 4].flatMap(turn).join('\n'));
  const scores = run.series.find(({ rawName }) => rawName === 'val mAP@.5')!;
  expect([...scores.values]).toEqual([0.125, 0.25, 0.375, 0.5]);
});

describe('rows of a data frame', () => {
  const rows = [0.9, 0.7, 0.6, 0.5].map((loss, at) => [at, loss, loss + 0.25]);

  test.each<[string, string, string]>([
    ['as a file of it', ',loss,val_loss', ','],
    ['as it is printed', '   loss  val_loss', '  '],
  ])('%s: their count has no name', async (_name, header, between) => {
    const run = await logOf(['done', '', header, ...rows.map((row) => row.join(between))].join('\n'));
    expect([...curve(run, 'loss', { split: 'train' }).values]).toEqual([0.9, 0.7, 0.6, 0.5]);
    expect([...curve(run, 'loss', { split: 'eval' }).values]).toEqual([1.15, 0.95, 0.85, 0.75]);
  });
});

test('blank lines that a bar left behind end no table', async () => {
  const rows = [0.5, 0.25, 0.125].map((loss, at) => `${'\n'.repeat(60)}    ${at}        ${loss}     0.5`);
  const run = await logOf(['epoch      valid_loss  accuracy', ...rows].join('\n'));
  expect([...curve(run, 'loss', { split: 'eval' }).values]).toEqual([0.5, 0.25, 0.125]);
});
