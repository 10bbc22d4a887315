// What stands around a number and is none of its name: blocks of settings, a count before its word, half of a day, a unit of time, the cell of
// a line that tells one part of the data.
import { describe, expect, test } from 'vitest';
import { curve, logOf } from './run-of.js';

const falling = [2.5, 2, 1.5, 1.25, 1];

describe('settings below a heading', () => {
  const dump = [
    'Q: 2048',
    'root: /data/tones',
    'L: 15',
    'grid:',
    'scale=0.3',
    'dropout: 0.1 \t[default: 0.5]',
  ];
  const points = falling.map((loss, at) => `epoch ${at + 1} loss ${loss}`);

  test.each([
    ['------------ Options -------------', '-------------- End ----------------'],
    ['===== Training Arguments =====', '=============================='],
    ['Hyperparameters:', ''],
    ['### config ###', ''],
  ])('%s', async (heading, end) => {
    const block = [heading, ...dump, end];
    const run = await logOf([...block, ...points, ...block, 'loss: 0.5', ''].join('\n'));
    expect(run.series.map(({ rawName }) => rawName)).toEqual(['loss']);
    expect([...curve(run, 'loss').values]).toEqual([...falling, 0.5]);
    expect(run.settings.find(({ key }) => key === 'dropout')?.value).toBe(0.1);
  });

  test.each([
    ['without a heading', 'Results:'],
    ['below one, once it is measured', 'Settings:'],
  ])('%s a block is measured', async (_name, heading) => {
    const turns = falling.flatMap((loss, at) => [
      heading,
      `epoch: ${at + 1}`,
      `loss: ${loss}`,
      'bleu: 30.5',
      '',
    ]);
    const run = await logOf(turns.join('\n'));
    expect([...curve(run, 'loss').values]).toEqual(falling);
    expect(run.series.map(({ rawName }) => rawName)).toContain('bleu');
  });
});

describe('a count before its word', () => {
  test.each([
    [(at: number, loss: number) => `Loss after ${at} epochs: ${loss}`],
    [(at: number, loss: number) => `Training loss after ${at} iterations = ${loss}`],
    [(at: number, loss: number) => `| mean loss at ${at} steps: ${loss} |`],
    [(at: number, loss: number) => `cost after ${at} updates is ${loss}`],
  ])('%s', async (line) => {
    const run = await logOf(falling.map((loss, at) => line(10 * (at + 1), loss)).join('\n'));
    expect([...curve(run, 'loss').values]).toEqual(falling);
    expect([...curve(run, 'loss').steps]).toEqual([10, 20, 30, 40, 50]);
  });

  test.each(['saved after 3 epochs: 12 files', 'patience at 5 epochs: 2'])('%s', async (line) => {
    const run = await logOf(falling.map((loss, at) => `epoch ${at} loss ${loss}\n${line}`).join('\n'));
    expect([...curve(run, 'loss').steps]).toEqual([0, 1, 2, 3, 4]);
  });
});

test('a name does not begin with half of the day', async () => {
  const line = (loss: number, at: number) =>
    `04/09 ${11 + (at > 1 ? -10 : 0)}:05:10 ${at > 1 ? 'PM' : 'AM'} train_loss ${loss}`;
  const run = await logOf(falling.map(line).join('\n'));
  expect(run.series.map(({ rawName }) => rawName)).toEqual(['train_loss']);
  const named = await logOf(falling.map((loss, at) => `step ${at}, am softmax loss: ${loss}`).join('\n'));
  expect(named.series.map(({ rawName }) => rawName)).toEqual(['am softmax loss']);
});

test('what costs time is no loss', async () => {
  const line = (loss: number, at: number) => `epoch ${at} cost ${12.5 + at} seconds, loss ${loss}`;
  const timed = await logOf(['reading the index cost 0.25 secs', ...falling.map(line)].join('\n'));
  expect(timed.series.filter(({ metric }) => metric === 'loss')).toHaveLength(1);
  const plain = await logOf(falling.map((loss, at) => `epoch ${at} cost ${loss} min 0.1`).join('\n'));
  expect([...curve(plain, 'loss').values]).toEqual(falling);
});

describe('the terms of a held-out loss', () => {
  const told = async (line: (train: number, held: number, at: number) => string) => {
    const run = await logOf(falling.map((value, at) => line(value, value + 0.5, at)).join('\n'));
    const kl = (split: 'train' | 'eval') =>
      run.series
        .filter(({ metric, split: of }) => metric === 'kl' && of === split)
        .map(({ values }) => [...values]);
    return [kl('train'), kl('eval')];
  };
  const held = falling.map((value) => value + 0.5);

  test.each([
    [(t: number, v: number, at: number) => `epoch ${at} | train rec=${t} kl=${t} | valid rec=${v} kl=${v}`],
    [
      (t: number, v: number, at: number) =>
        `epoch ${at} | train loss=9 rec=1 kl=${t} | valid loss=9 rec=1 kl=${v}`,
    ],
    [(t: number, v: number, at: number) => `[${at}] rec ${t} kl ${t} | val rec: ${v} kl: ${v}`],
  ])('%s', async (line) => {
    expect(await told(line)).toEqual([[falling], [held]]);
  });

  test('stand in the cell that its word begins, and in no other', async () => {
    expect(await told((_, v, at) => `epoch ${at} loss=9 | valid rec=1 kl=${v}`)).toEqual([[], [held]]);
    expect(await told((t, _, at) => `epoch ${at} | valid rec=1 | kl=${t}`)).toEqual([[falling], []]);
  });
});

describe('two counts in a line', () => {
  const losses = [2.5, 2, 1.5, 1.25, 1, 0.5];
  const told = async (
    line: (epoch: number, batch: number, loss: number) => string,
    held: (epoch: number) => string,
  ) =>
    logOf(
      losses
        .map((loss, at) => {
          const [epoch, batch] = [Math.floor(at / 2) + 1, 20 * ((at % 2) + 1)];
          return line(epoch, batch, loss) + (batch === 40 ? `\n${held(epoch)}` : '');
        })
        .join('\n'),
    );

  test.each([
    [(e: number, b: number, l: number) => `Epoch [${e}/3], Step [${b}/40], Loss: ${l}`],
    [(e: number, b: number, l: number) => `Epoch: ${e}/3 batch ${b}/40 loss: ${l}`],
    [(e: number, b: number, l: number) => `[Epoch ${e}/3] [Batch ${b}/40] [loss: ${l}]`],
    [(e: number, b: number, l: number) => `[${e}/3][${b}/40] loss ${l}`],
    [(e: number, b: number, l: number) => `epoch ${e}/3 (${b}/40) loss ${l}`],
    [(e: number, b: number, l: number) => `Epoch:[ ${e}/ 3] [  ${b}/  40] time: 3.1, loss: ${l}`],
  ])('%s', async (line) => {
    const run = await told(line, (epoch) => `Epoch [${epoch}/3] val_loss: ${3 - epoch}`);
    expect([...curve(run, 'loss', { split: 'train' }).values]).toEqual(losses);
    expect([...curve(run, 'loss', { split: 'train' }).steps]).toEqual([20, 40, 60, 80, 100, 120]);
    expect([...curve(run, 'loss', { split: 'eval' }).steps]).toEqual([40, 80, 120]);
  });

  test('one of them may be a fold, a score or an epoch alone', async () => {
    const folds = await logOf(losses.map((loss, at) => `fold 1/5 epoch ${at + 1}/6 loss ${loss}`).join('\n'));
    expect([...curve(folds, 'loss').steps]).toEqual([1, 2, 3, 4, 5, 6]);
    const behind = await logOf(
      losses.map((loss, at) => `Epoch [${at + 1}/6], Fold [2/5], loss ${loss}`).join('\n'),
    );
    expect([...curve(behind, 'loss').steps]).toEqual([1, 2, 3, 4, 5, 6]);
    const scores = await logOf(
      losses.map((loss, at) => `Epoch [${at + 1}/6] loss ${loss} right 12/40`).join('\n'),
    );
    expect([...curve(scores, 'loss').steps]).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
