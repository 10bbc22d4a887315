// Logs of which nothing is known but their curves, as other people's loops print them. Each failing run stands beside a healthy one that
// prints the same lines.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { curve, logOf } from '../readers/run-of.js';
import { wobble } from '../run-files.js';

const judge = async (lines: readonly string[]) => diagnoseRecord(await logOf(`${lines.join('\n')}\n`));
const count = (length: number, line: (at: number) => string) => Array.from({ length }, (_, at) => line(at));
const failing = ['optimization', 'data_pipeline', 'model_software', 'memory_hardware'];

describe('scores of guessing', () => {
  const epochs = (loss: (at: number) => number, score: (at: number) => number) =>
    count(
      30,
      (at) =>
        `Epoch ${at + 1}, Train Loss: ${loss(at).toFixed(4)}, Train Acc: ${score(at).toFixed(4)}, Val Loss: ${loss(at + 50).toFixed(4)}, Val Acc: ${score(at + 50).toFixed(4)}`,
    );

  it('are chance level where the losses are those of guessing', async () => {
    const said = await judge(
      epochs(
        (at) => Math.log(10) + 0.002 * wobble(at),
        (at) => 0.1 + 0.004 * wobble(at),
      ),
    );
    expect(said).toMatchObject({ outcome: 'degraded', subcause: 'chance_level' });
  });

  it('are chance level where training and held-out data repeat them at every epoch', async () => {
    const said = await judge(
      epochs(
        (at) => 0.0032 + 0.00004 * wobble(at),
        (at) => (at < 50 ? 0.5053 : 0.4975),
      ),
    );
    expect(said).toMatchObject({ subcause: 'chance_level' });
  });

  it('are none where the score leaves them', async () => {
    const said = await judge(
      epochs(
        (at) => Math.log(10) - 0.05 * (at % 50) + (at < 50 ? 0 : 0.02),
        (at) => 0.1 + 0.02 * (at % 50) - (at < 50 ? 0 : 0.01),
      ),
    );
    expect(failing).not.toContain(said.category);
  });
});

describe('where nothing is held out', () => {
  const batches = (score: (at: number) => number) =>
    count(
      120,
      (at) =>
        `step ${at + 1} loss ${(Math.log(4) + 0.03 * wobble(at)).toFixed(5)} accuracy ${score(at).toFixed(4)}`,
    );

  it('scores of guessing do not tell labels from weights that never move', async () => {
    expect((await judge(batches((at) => 0.25 + 0.05 * wobble(at)))).category).toBe('unknown');
  });

  it('a loss is the logarithm of the classes where it is so in each batch, not in their mean', async () => {
    const losses = (spread: number) =>
      judge(
        count(300, (at) => `step ${at + 1} loss ${(Math.log(5) * (1 + spread * wobble(at))).toFixed(4)}`),
      );
    expect(await losses(0.002)).toMatchObject({ subcause: 'chance_level' });
    expect((await losses(0.95)).category).toBe('unknown');
  });

  it('nothing is lost by batches of one row, which are right or wrong', async () => {
    const rows = (score: (at: number) => number) =>
      judge(
        count(
          120,
          (at) =>
            `step ${at + 1} loss ${(1.8 + 0.3 * wobble(at)).toFixed(4)} accuracy ${score(at).toFixed(4)}`,
        ),
      );
    expect((await rows((at) => (at % 6 === 2 ? 1 : 0))).subcause).not.toBe('divergence');
  });
});

describe('losses that stand still', () => {
  const epochs = (loss: (at: number) => number, held: (at: number) => number) =>
    count(
      60,
      (at) =>
        `Epoch: ${10 * (at + 1)}, Train Loss: ${loss(at).toFixed(3)}, Validation Loss: ${held(at).toFixed(3)}`,
    );
  const noise = (at: number) => 15100 + 120 * wobble(at);

  it('in training and on held-out data may be a plateau, or weights that nothing moves', async () => {
    const still = await judge(epochs(noise, (at) => noise(at + 300)));
    expect(still).toMatchObject({ abstained: true });
    expect(still.hypotheses.map(({ subcause }) => subcause)).toContain('plateau');
  });

  it('in training alone are none', async () => {
    const falls = (at: number) => 15100 * Math.exp(-at / 20);
    expect(failing).not.toContain((await judge(epochs(noise, falls))).category);
  });
});

describe('a validation loss that swings', () => {
  const epochs = (held: (at: number) => number) =>
    count(
      14,
      (at) =>
        `Epoch ${at + 1}: train_loss ${(40 + 66 * Math.exp(-at / 2)).toFixed(3)} val_loss ${held(at).toFixed(3)}`,
    );

  it('was overfitted where no later one comes near its best', async () => {
    const said = await judge(epochs((at) => (at === 0 ? 58 : 110 + 35 * wobble(at))));
    expect(said).toMatchObject({ subcause: 'overfit' });
  });

  it('was not where one of them was lucky', async () => {
    const said = await judge(epochs((at) => (at === 2 ? 58 : 75 + 12 * wobble(at))));
    expect(said.subcause).not.toBe('overfit');
  });
});

describe('a validation loss that doubles and halves', () => {
  const epochs = (held: (at: number) => number) =>
    count(
      40,
      (at) =>
        `Epoch ${at + 1}, Train Loss: ${(0.4 + 2 * Math.exp(-at / 6)).toFixed(4)}, Validation Loss: ${held(at).toFixed(4)}`,
    );

  it('from epoch to epoch, to the end, does not settle', async () => {
    expect(await judge(epochs((at) => (at === 0 ? 5 : at % 2 ? 2 : 0.7) + 0.1 * wobble(at)))).toMatchObject({
      subcause: 'oscillation',
    });
  });

  it('is well where it comes down, or where it was so a few times', async () => {
    const down = await judge(epochs((at) => (at % 2 ? 3 : 1.2) * Math.exp(-at / 10)));
    const few = await judge(epochs((at) => (at % 9 === 0 ? 1.8 : 0.7 + 0.05 * wobble(at))));
    for (const said of [down, few]) expect(said.subcause).not.toBe('oscillation');
  });
});

describe('a validation loss that gives back all it had gained', () => {
  const epochs = (held: (at: number) => number) =>
    count(
      30,
      (at) =>
        `Epoch ${at + 1}: Train Loss: ${(3.8 - 0.04 * at).toFixed(4)}, Val Loss: ${held(at).toFixed(4)}, MAP: {'map@20': 0.55}`,
    );
  const turns = (back: number) => (at: number) =>
    at < 10 ? 3.72 - 0.022 * at : 3.5 + back * (at - 9) + 0.01 * wobble(at);

  it('is overfitted', async () => {
    expect(await judge(epochs(turns(0.04)))).toMatchObject({ subcause: 'overfit' });
  });

  it.each([0.002, 0.0145])(
    'is not where it rises slightly beside its level (by %d an epoch)',
    async (back) => {
      expect(failing).not.toContain((await judge(epochs(turns(back)))).category);
    },
  );
});

describe('held-out data that is ranked better than by chance', () => {
  const epochs = (area: (at: number) => number) =>
    count(40, (at) => at).flatMap((at) => [
      `Epoch ${at + 1}/40`,
      `train Loss: ${(0.7 * Math.exp(-at / 8)).toFixed(4)} Acc: ${Math.min(0.999, 0.51 + 0.02 * at).toFixed(4)}`,
      `val Loss: ${(at < 5 ? 0.69 - 0.01 * at : 0.65 + 0.09 * (at - 4)).toFixed(4)} Acc: ${(0.55 + 0.03 * wobble(at)).toFixed(4)}`,
      `AUC: ${area(at).toFixed(4)}`,
    ]);

  it('has labels that belong to it', async () => {
    expect(await judge(epochs((at) => 0.67 + 0.04 * wobble(at)))).toMatchObject({ subcause: 'overfit' });
  });

  it('is told by an area above that of guessing, not by any', async () => {
    expect((await judge(epochs((at) => 0.5 + 0.03 * wobble(at)))).subcause).not.toBe('overfit');
  });
});

describe('epochs', () => {
  const training = (epochs: number) =>
    count(epochs, (at) => at).flatMap((at) => [
      `Epoch ${at}/${epochs - 1}`,
      '----------',
      `train Loss: ${(1 / (at + 1)).toFixed(4)}`,
      `val Loss: ${(1.2 / (at + 1)).toFixed(4)}`,
    ]);

  it('that begin anew begin another training', async () => {
    const record = await logOf([...training(8), ...training(8)].join('\n'));
    expect([...curve(record, 'loss', { split: 'train' }).steps].slice(7, 10)).toEqual([8, 1, 2]);
    expect([...curve(record, 'loss', { split: 'eval' }).steps].slice(7, 10)).toEqual([8, 1, 2]);
  });

  it('are counted, not how long they are', async () => {
    const bars = count(3, (at) => `Epoch ${at + 1}: 100%|####| 525/525 [00:25<00:00, 20.2it/s, loss=0.5]`);
    const record = await logOf(['Total batches per epoch: 525', ...bars].join('\n'));
    expect([...curve(record, 'loss').steps]).toEqual([525, 1050, 1575]);
  });

  it('stand before a dictionary of scores as well', async () => {
    const record = await logOf(
      count(4, (at) => `Epoch ${at + 3}: loss: 0.5, MAP: {'map@20': 0.5}`).join('\n'),
    );
    expect([...curve(record, 'loss').steps]).toEqual([3, 4, 5, 6]);
  });
});

describe('held-out data alone', () => {
  const told = (last: number) =>
    [0.71, last].flatMap((loss) => [
      '    Test net output #0: accuracy = 0.5',
      `    Test net output #1: loss = ${loss} (* 1 = ${loss} loss)`,
    ]);

  it('tells a probability that became zero', async () => {
    expect(await judge(told(87.3365))).toMatchObject({ outcome: 'degraded', subcause: 'divergence' });
  });

  it('tells nothing by another loss', async () => {
    expect(failing).not.toContain((await judge(told(0.52))).category);
  });
});

describe('a validation score that swings to the end', () => {
  const epochs = (...after: string[]) => [
    ...count(
      30,
      (at) =>
        `Epoch ${at + 1}, Train Loss: ${(0.5 + Math.exp(-at / 8)).toFixed(4)}, Val Acc: ${(at % 2 ? 0.9 + 0.05 * wobble(at) : 0.45).toFixed(3)}`,
    ),
    ...after,
  ];

  it.each([[], ['Test Accuracy: 0.4400']])('is no good (%j)', async (...after) => {
    expect(await judge(epochs(...after))).toMatchObject({
      category: 'optimization',
      subcause: 'oscillation',
    });
  });

  it('did no harm where the best model was kept, and proved good on test data', async () => {
    expect((await judge(epochs('Test Accuracy: 0.9100'))).outcome).not.toBe('degraded');
  });
});
