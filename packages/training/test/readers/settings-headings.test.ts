// A heading of settings makes settings of the lines below it, up to the first that tells a point of a curve.
import { describe, expect, it } from 'vitest';
import { curve, logOf } from './run-of.js';

const losses = [2.3, 2.1, 1.9, 1.7, 1.5, 1.3];
const log = (heading: string, line: (at: number, loss: number) => string) =>
  logOf(`${heading}\n${losses.map((loss, at) => line(at + 1, loss)).join('\n')}\n`);

describe('below a heading of settings', () => {
  it.each<[string, (at: number, loss: number) => string]>([
    ['Hyperparameters:\nlr: 0.001', (at, loss) => `Epoch: ${at} Loss: ${loss} Val Loss: 2.5`],
    ['Settings:\nlr: 0.001', (_, loss) => `train: loss ${loss} acc 0.1`],
    ['Options:\nbatch_size: 8', (_, loss) => `train_loss: ${loss} val_loss: 2.5`],
    ['Config:\nlr: 0.001', (at, loss) => `INFO: step ${at} loss ${loss}`],
    ['Arguments:\nlr: 0.1', (at, loss) => `Iteration: ${100 * at} | Loss: ${loss}`],
  ])('a point stays a point: %#', async (heading, line) => {
    expect([...curve(await log(heading, line), 'loss').values].slice(0, losses.length)).toEqual(losses);
  });

  it('an option named by a letter is no loss', async () => {
    const run = await log(
      'Options:\nloss_weight: 0.5\nL: 15\nM: 4\n',
      (at, loss) => `epoch ${at} loss ${loss}`,
    );
    expect(run.series.filter(({ metric }) => metric === 'loss').map(({ values }) => values[0])).toEqual([
      2.3,
    ]);
  });
});
