// Rows that say in a word of which part of the data they are, or what they measure; and JSON documents of every shape.
import { describe, expect, test } from 'vitest';
import { curve, runOf } from './run-of.js';

type Row = Readonly<Record<string, unknown>>;
const lines = (rows: readonly Row[]) => `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;
const train = [2.5, 2, 1.5, 1.25];
const held = [2.6, 1.75];

async function curves(name: string, content: string): Promise<readonly number[][]> {
  const run = await runOf({ [name]: content });
  return [[...curve(run, 'loss').values], [...curve(run, 'loss', { split: 'eval' }).values]];
}

/** Two rows of training, then one of held-out data, twice. */
function told(
  field: string,
  ofTrain: string,
  ofHeld: string,
  wrap = (loss: number): Row => ({ loss }),
): Row[] {
  return held.flatMap((value, epoch) => [
    ...[0, 1].map((at) => ({ [field]: ofTrain, step: epoch * 2 + at, ...wrap(train[epoch * 2 + at]!) })),
    { [field]: ofHeld, step: epoch * 2 + 2, ...wrap(value) },
  ]);
}

describe('a word for the part of the data', () => {
  test.each([
    ['split', 'train', 'val'],
    ['phase', 'training', 'validation'],
    ['event', 'train_step', 'eval_end'],
    ['mode', 'fit', 'validate'],
    ['t', 'train', 'dev'],
    ['subset', 'tr', 'va'],
  ])('%s: %s, %s', async (field, ofTrain, ofHeld) => {
    expect(await curves('metrics.jsonl', lines(told(field, ofTrain, ofHeld)))).toEqual([train, held]);
  });

  test('beside numbers that stand deeper, and in tables', async () => {
    const deep = told('phase', 'train', 'eval', (loss) => ({ metrics: { loss } }));
    expect(await curves('metrics.jsonl', lines(deep))).toEqual([train, held]);
    const cells = told('split', 'train', 'valid').map(
      (row) => `${row['split']},${row['step']},${row['loss']}`,
    );
    expect(await curves('metrics.csv', `split,step,loss\n${cells.join('\n')}\n`)).toEqual([train, held]);
  });

  test('a name that says more keeps it, and what never changes is the name of something else', async () => {
    const rows = train.map((loss, step) => ({ dataset: 'dev-clean', stage: 'val', step, train_loss: loss }));
    const run = await runOf({ 'metrics.jsonl': lines(rows) });
    expect([...curve(run, 'loss').values]).toEqual(train);
    const other = train.map((loss, step) => ({ dataset: 'dev-clean', host: 'test', step, loss }));
    expect([...curve(await runOf({ 'metrics.jsonl': lines(other) }), 'loss').values]).toEqual(train);
  });
});

test('a word that every object of JavaScript knows is no part of the data', async () => {
  const rows = train.map((loss, step) => ({ type: 'constructor', step, loss, constructor_loss: loss }));
  const run = await runOf({ 'metrics.jsonl': lines(rows) });
  expect(run.series.map(({ rawName, metric, split }) => [rawName, metric, split])).toEqual([
    ['constructor_loss', 'loss', 'train'],
    ['loss', 'loss', 'train'],
  ]);
});

describe('a word for what is measured', () => {
  const long = [
    ...train.map((value, step) => ({ metric: 'train_loss', value, step })),
    ...held.map((value, step) => ({ metric: 'val_loss', value, step })),
  ];

  test('in JSON lines and tables', async () => {
    expect(await curves('metrics.jsonl', lines(long))).toEqual([train, held]);
    const cells = long.map(({ metric, value, step }) => `${step},${metric},${value}`);
    expect(await curves('metrics.csv', `step,metric,value\n${cells.join('\n')}\n`)).toEqual([train, held]);
  });

  test('with the part in a word of its own', async () => {
    const cells = long.map(({ metric, value, step }) => `${step},${metric.split('_')[0]},loss,${value}`);
    expect(await curves('metrics.csv', `epoch,split,metric,value\n${cells.join('\n')}\n`)).toEqual([
      train,
      held,
    ]);
  });
});

describe('JSON documents', () => {
  const epochs = held.map((loss, epoch) => ({ epoch, train_loss: train[epoch * 2]!, val_loss: loss }));
  const ofTrain = [train[0]!, train[2]!];

  test.each<[string, unknown]>([
    ['rows', epochs],
    ['rows below a key', { history: epochs }],
    ['rows deeper', { run: { id: 'x' }, fit: { log: epochs } }],
    ['lists by name', { train_loss: ofTrain, val_loss: held }],
    ['lists below the parts', { train: { loss: ofTrain }, val: { loss: held } }],
    ['parts below the name', { losses: { train: ofTrain, val: held } }],
    [
      'rows below the parts',
      {
        train: ofTrain.map((loss, epoch) => ({ epoch, loss })),
        val: held.map((loss, epoch) => ({ epoch, loss })),
      },
    ],
    ['an object for each epoch', { epoch_0: epochs[0], epoch_1: epochs[1] }],
    [
      'points',
      { train_loss: ofTrain.map((loss, at) => [at, loss]), val_loss: held.map((loss, at) => [at, loss]) },
    ],
  ])('%s', async (_, document) => {
    for (const indent of [0, 2])
      expect(await curves('results.json', JSON.stringify(document, null, indent))).toEqual([ofTrain, held]);
  });

  test('settings stand beside them', async () => {
    const config = { lr: 0.1, betas: [0.9, 0.999], blocks: [{ width: 64 }, { width: 32 }] };
    const run = await runOf({ 'results.json': JSON.stringify({ config, seed: 7, history: epochs }) });
    const settings = new Map(run.settings.map(({ key, value }) => [key, value]));
    expect(settings.get('config.lr')).toBe(0.1);
    expect(settings.get('config.betas')).toBe('0.9, 0.999');
    expect(settings.get('seed')).toBe(7);
    expect(run.series.map(({ metric }) => metric)).toEqual(['loss', 'loss']);
  });

  test('a file of settings stays one, whatever it lists', async () => {
    const run = await runOf({
      'config.json': JSON.stringify({
        loss: 'mse',
        loss_weights: [1, 0.5, 0.25],
        milestones: [30, 60, 90],
        learning_rate: [0.1, 0.01, 0.001],
        layers: [{ units: 64 }, { units: 10 }],
        accuracy_goals: { 0: 'low', 1: 'high' },
      }),
    });
    expect(run.series).toEqual([]);
    expect(run.settings.length).toBeGreaterThan(4);
  });

  test('NaN in it, and an end in the middle', async () => {
    const run = await runOf({ 'history.json': '{"loss": [2.5, NaN, 1.5], "val_loss": [2.6, 1.7' });
    expect([...curve(run, 'loss').values]).toEqual([2.5, Number.NaN, 1.5]);
    expect(run.notes.map(({ kind }) => kind)).toContain('truncated');
  });
});

test('remarks above a table', async () => {
  const table = 'epoch,train_loss,val_loss\n0,2.5,2.6\n1,1.5,1.75\n';
  for (const above of ['# run 12, lr=0.1\n# on cn07\n', '#\n', ''])
    expect(await curves('log.csv', above + table)).toEqual([[2.5, 1.5], held]);
  expect(await curves('log.csv', `# ${table}`)).toEqual([[2.5, 1.5], held]);
});

describe('an epoch as a whole', () => {
  const batches = [3, 2, 1.5, 1];
  const row = (at: number): Row => ({ event: 'iteration', iteration: at, loss: batches[at] });

  test.each([
    ['by its counter', (epoch: number): Row => ({ epoch, loss: 2.25, val_loss: 2.5 })],
    [
      'in a word',
      (epoch: number): Row => ({ event: 'epoch_end', iteration: 2 * epoch, loss: 2.25, val_loss: 2.5 }),
    ],
    ['below a key', (epoch: number): Row => ({ type: 'epoch', step: 2 * epoch, loss: 2.25, val_loss: 2.5 })],
  ])('told %s is no batch', async (_name, whole) => {
    const run = await runOf({ 'log.jsonl': lines([row(0), row(1), whole(1), row(2), row(3), whole(2)]) });
    expect(
      run.series
        .filter(({ metric, split }) => metric === 'loss' && split === 'train')
        .map((s) => [...s.values]),
    ).toEqual([batches, [2.25, 2.25]]);
    expect([...curve(run, 'loss', { split: 'eval' }).values]).toEqual([2.5, 2.5]);
  });

  test('is the curve where nothing else is told', async () => {
    const rows = batches.map((loss, epoch) => ({ event: 'epoch_end', epoch, loss }));
    const run = await runOf({ 'log.jsonl': lines(rows) });
    expect(run.series.map(({ rawName }) => rawName)).toEqual(['loss']);
  });
});

describe('histories in YAML', () => {
  const all = [...train, 1];
  const list = (name: string) => `${name}:\n${all.map((value) => `- ${value}\n`).join('')}`;
  const of = (entry: (loss: number, epoch: number) => string) => all.map(entry).join('');

  test.each([
    ['lists', `${list('loss')}${list('val_loss')}`],
    ['lists in a row', `history: {loss: [${all}], val_loss: [${all}]}\n`],
    ['rows', of((loss, epoch) => `- epoch: ${epoch}\n  loss: ${loss}\n  val_loss: ${loss}\n`)],
    [
      'an object for each epoch',
      of((loss, at) => `epoch_${at}:\n  train: {loss: ${loss}}\n  val: {loss: ${loss}}\n`),
    ],
  ])('as %s', async (_name, content) => {
    expect(await curves('history.yaml', content)).toEqual([all, all]);
  });

  test('keep NaN', async () => {
    const [told] = await curves('history.yml', 'loss: [1.5, .nan, .inf, 2, 3]\nval_loss: [1, 1, 1, 1, 1]\n');
    expect(told).toEqual([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2, 3]);
  });

  test('are no settings', async () => {
    const run = await runOf({
      'config.yaml':
        'lr: 0.1\nloss_weights: [1, 0.5, 0.25]\nloss_levels: [1, 2, 3, 4, 5]\nstages:\n  - {loss_weight: 1}\n',
      'train.log': 'epoch 1 loss 2.5\n',
    });
    expect(run.series.map(({ rawName }) => rawName)).toEqual(['loss']);
    expect(run.settings.find(({ key }) => key === 'lr')?.value).toBe(0.1);
  });
});
