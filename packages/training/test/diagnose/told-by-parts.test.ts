// What a log tells in parts (layer by layer, under a heading, in a norm between bars, in brackets behind a name), each beside a healthy twin.
import { describe, expect, it, test } from 'vitest';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { setting } from '../../src/record/run-record.js';
import { curve, logOf } from '../readers/run-of.js';

const judge = async (lines: readonly string[]) => diagnoseRecord(await logOf(`${lines.join('\n')}\n`));
/** `count` lines, each made of its number and a noise that never repeats. */
const rows = (count: number, line: (at: number, noise: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at, ((at * Math.SQRT2) % 1) - 0.5));

describe('layer by layer', () => {
  const log = (first: number, falls: number) =>
    rows(30, (at, noise) =>
      [
        `step ${at * 20} loss ${(2.3 + 0.004 * noise - falls * at).toFixed(4)}`,
        `  gradients: conv1=${first * (1 + noise)} conv2=${(1e-2 * (1 + noise)).toFixed(5)} head=0.3`,
      ].join('\n'),
    );

  it('tells gradients that vanish from those of a run that learns', async () => {
    expect(await judge(log(1e-9, 0))).toMatchObject({ subcause: 'gradient_vanishing', abstained: false });
    expect((await judge(log(4e-2, 0.05))).category).not.toBe('optimization');
  });

  it('tells units that died from units that are silent for some inputs', async () => {
    const dead = (share: (at: number) => number, falls: number) =>
      rows(30, (at, noise) => {
        const loss = 2.3 + 0.003 * noise - falls * at;
        return `it ${at * 50} loss ${loss.toFixed(4)} zero-act h1 ${share(at).toFixed(3)} h2 ${share(at).toFixed(3)}`;
      });
    expect(await judge(dead((at) => (at < 6 ? 0.5 : 0.996), 0))).toMatchObject({ subcause: 'dead_units' });
    expect((await judge(dead(() => 0.55, 0.06))).category).not.toBe('optimization');
  });
});

describe('under a heading', () => {
  it('tells inputs that hold NaN from a loss that broke on clean ones', async () => {
    const log = (bad: number) =>
      rows(40, (at, noise) => {
        const loss = at < 30 ? (1 - 0.01 * at + 0.01 * noise).toFixed(4) : 'nan';
        return `step ${at} loss=${loss} gnorm=${at < 30 ? 0.4 : 'nan'}  batch: nan=${at === 30 ? bad : 0} rows=64`;
      });
    expect(await judge(log(12))).toMatchObject({ category: 'data_pipeline', subcause: 'nan_in_data' });
    expect((await judge(log(0))).subcause).not.toBe('nan_in_data');
  });

  test('memory under one letter is memory, and a count of parameters is not', async () => {
    const run = await logOf(
      rows(5, (at) => `step ${at} loss 0.5 mem_alloc ${at + 3}.5G params 5.7M\n`).join(''),
    );
    expect(curve(run, 'memory_allocated').values[1]).toBe(4.5 * 2 ** 30);
    expect(run.series.some(({ rawName }) => rawName === 'params')).toBe(false);
  });
});

test('weights that decay to nothing are told by their norm, and weights that shrink while they learn are not', async () => {
  const log = (shrinks: number, falls: number) => [
    'AdamW ( lr: 0.001  weight_decay: 6.0 )',
    ...rows(40, (at, noise) => {
      const loss = (4.6 + 0.01 * noise - falls * at).toFixed(4);
      return `step ${at * 50} loss: ${loss} lr: 0.001 |w|: ${(50 * shrinks ** at).toPrecision(4)}`;
    }),
  ];
  expect(await judge(log(0.8, 0))).toMatchObject({ subcause: 'weight_decay_too_high', abstained: false });
  expect((await judge(log(0.99, 0.09))).category).not.toBe('optimization');
});

test('a latent code that was given up is told, and one that is used or not yet weighed is not', async () => {
  const log = (term: (at: number) => number) => [
    'sentence vae, latent 16',
    ...rows(
      14,
      (at) => `Epoch ${at + 1} | ELBO ${-90 + at} NLL ${(90 - at).toFixed(2)} KL ${term(at).toFixed(4)}`,
    ),
  ];
  expect(await judge(log((at) => 2 * 0.1 ** at))).toMatchObject({ subcause: 'mode_collapse' });
  for (const term of [(at: number) => 6 + 0.2 * at, () => 0])
    expect((await judge(log(term))).category).not.toBe('optimization');
});

test('of a line that names its score, what has no name is the loss; a rate has no splits', async () => {
  const log = (last: (at: number) => string) => [
    ...rows(
      12,
      (at) =>
        `ep ${at} lr ${(0.003 - 0.00025 * at).toFixed(5)} train ${(4 - 0.3 * at).toFixed(3)} test ${(4.1 - 0.28 * at).toFixed(3)} top1 ${10 + 4 * at}`,
    ),
    ...rows(12, (at) => `ep ${at + 12} lr 0.00300 ${last(at)}`),
  ];
  const lost = log(
    (at) =>
      `train ${(4.7 - 0.005 * (at % 3)).toFixed(3)} test ${(4.6 + 0.003 * (at % 2)).toFixed(3)} top1 1.0${at % 3}`,
  );
  const run = await logOf(`${lost.join('\n')}\n`);
  expect(Math.max(...curve(run, 'learning_rate').values)).toBe(0.003);
  expect(curve(run, 'loss', { split: 'test' }).length).toBe(24);
  expect(diagnoseRecord(run)).toMatchObject({ subcause: 'divergence_after_schedule' });
  const restart = log(
    (at) => `train ${(1.2 - 0.08 * at).toFixed(3)} test ${(1.4 - 0.07 * at).toFixed(3)} top1 ${50 + 3 * at}`,
  );
  expect((await judge(restart)).category).not.toBe('optimization');
});

test('a tokenizer of another vocabulary is told where the loss stays near guessing, and not where words are learned', async () => {
  const log = (end: number) => [
    'vocab_size=32000',
    'WARNING len(tokenizer)=64000 does not match embedding rows 32000',
    ...rows(
      30,
      (at, noise) =>
        `{'loss': ${(11.8 - ((11.8 - end) * at) / 29 + 0.1 * noise).toFixed(4)}, 'epoch': ${at / 100}}`,
    ),
  ];
  expect(await judge(log(9.7))).toMatchObject({ subcause: 'tokenizer_mismatch', abstained: false });
  expect((await judge(log(2.1))).subcause).not.toBe('tokenizer_mismatch');
});

test('an area under the curve of a half tells guessing, whatever the most frequent class scores', async () => {
  const log = (area: (at: number) => number) =>
    rows(12, (at, noise) => {
      const losses = `loss=${(0.065 + 0.001 * noise).toFixed(4)} val_loss=${(0.0652 + 0.0002 * noise).toFixed(5)}`;
      return `Epoch ${at} ${losses} val_acc=0.988 val_auroc=${area(at).toFixed(3)} grad_norm=0.08`;
    });
  expect(await judge(log((at) => 0.495 + 0.003 * (at % 4)))).toMatchObject({ category: 'data_pipeline' });
  expect((await judge(log((at) => 0.7 + 0.02 * at))).category).not.toBe('data_pipeline');
});

test('a remark behind a setting is no part of it', async () => {
  const names = ['learning_rate = 6e-9 # AdamW', 'beta2 = 0.95', 'max_iters = 9', 'name = a#b', 'min_lr = 0'];
  const run = await logOf(`${names.join('\n')}\n`);
  expect(setting(run, 'learning_rate')?.value).toBe(6e-9);
  expect(setting(run, 'name')?.value).toBe('a#b');
});

test('an evaluation that counts from the beginning does not outlive its error', async () => {
  const log = (after: readonly string[]) => [
    ...rows(10, (at) => `train ep0 ${at * 50}/500 loss ${(0.7 - 0.02 * at).toFixed(3)}`),
    ...rows(8, (at) => `val ep0 ${at * 3}/125 loss ${(0.5 + 0.001 * at).toFixed(3)}`),
    'Traceback (most recent call last):',
    '  File "main.py", line 152, in validate',
    '    out = model(x)',
    'torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 256.00 MiB. GPU 0 has a total capacity of 23.68 GiB of which 101.94 MiB is free.',
    ...after,
  ];
  expect(await judge(log([]))).toMatchObject({ category: 'memory_hardware', abstained: false });
  const went = rows(20, (at) => `train ep1 ${at * 25}/500 loss ${(0.5 - 0.01 * at).toFixed(3)}`);
  expect((await judge(log(went))).category).not.toBe('memory_hardware');
});

test('lines of one kind keep their split however often they come', async () => {
  const run = await logOf(
    rows(
      200,
      (at) => `| Epoch [${at}/200] Loss: ${(2 - at / 200).toFixed(4)}\n| Validation Epoch #${at} Loss: 3.5\n`,
    ).join(''),
  );
  expect(curve(run, 'loss', { split: 'eval' }).length).toBe(200);
  expect(Math.max(...curve(run, 'loss', { split: 'train' }).values)).toBeLessThan(2.1);
});

describe('behind a name', () => {
  it('reads the part of the data and the width of a mean in brackets', async () => {
    const run = await logOf(
      rows(6, (at) => `Epoch ${at}: loss(train) ${4 - at} loss(val) ${5 - at} return(100) ${-9 - at}\n`).join(
        '',
      ),
    );
    expect(curve(run, 'loss', { split: 'eval' }).values[1]).toBe(4);
    expect(curve(run, 'loss', { split: 'train' }).values[1]).toBe(3);
    expect(curve(run, 'reward').values[1]).toBe(-10);
  });

  it('reads norms in bars without a colon, and what the loss was derived by', async () => {
    const run = await logOf(
      rows(6, (at) => `step ${at} loss 0.69 |dL/dh_1| 1e-1${at} |dL/dW| 2e-2 sum|W| 41.5 | 3.2 it/s\n`).join(
        '',
      ),
    );
    expect(curve(run, 'param_norm').values[2]).toBe(41.5);
    expect(run.series.filter(({ metric }) => metric === 'grad_norm').map(({ subject }) => subject)).toEqual([
      'w',
      'h_1',
    ]);
  });

  it('takes a score that never leaves 1 % for percent, where another part of its name is', async () => {
    const run = await logOf(
      rows(
        6,
        (at) => `[${at}/6] train loss 4.${at} acc ${10 * at}.0 | test loss 4.6 acc 0.9${at} | lr 0.1\n`,
      ).join(''),
    );
    expect(curve(run, 'accuracy', { split: 'test' }).values[1]).toBeCloseTo(0.0091);
    expect(curve(run, 'accuracy', { split: 'train' }).values[1]).toBeCloseTo(0.1);
  });
});

test('a sentence before the colon says that units are silent', async () => {
  const log = (share: number, falls: number) =>
    rows(20, (at) =>
      [
        `epoch ${at} loss ${(2.3 - falls * at).toFixed(4)}`,
        `  [relu] never active on 2048 samples: conv2 ${share + (at % 3)}%  dense1 ${share}%`,
      ].join('\n'),
    );
  expect(await judge(log(97, 0))).toMatchObject({ subcause: 'dead_units' });
  expect((await judge(log(30, 0.08))).category).not.toBe('optimization');
});

test('a table that counts missing values tells where NaN came from, and one of zeros does not', async () => {
  const log = (count: number) => [
    'df.isna().sum():',
    'rooms          0',
    `income        ${count}`,
    'dtype: int64',
    ...rows(8, (at) => `Epoch ${at} loss: nan - mae: nan - val_loss: nan`),
  ];
  expect(await judge(log(12))).toMatchObject({ subcause: 'nan_in_data', abstained: false });
  expect(await judge(log(0))).toMatchObject({ category: 'optimization' });
});

test.each([
  (count: number) => [
    '       height   weight',
    `count  800.000  ${count}.000`,
    'mean     1.700   71.200',
    'std      0.090   12.100',
  ],
  (count: number) => [
    '        count  mean   std',
    'height  800.0  1.70  0.09',
    `weight  ${count}.0  71.2  12.1`,
  ],
  (count: number) => [
    ' #   Column  Non-Null Count  Dtype',
    ' 0   height  800 non-null    float64',
    ` 1   weight  ${count} non-null    float64`,
  ],
])('a table that counts the values of each column tells it too, where one has fewer: %#', async (table) => {
  const log = (count: number) => [
    ...table(count),
    ...rows(8, (at) => `epoch ${at} mean loss nan val acc 0.48`),
  ];
  expect(await judge(log(780))).toMatchObject({ subcause: 'nan_in_data', abstained: false });
  expect((await judge(log(800))).subcause).not.toBe('nan_in_data');
});

test('outputs that come together are told by their spread, and a spread that only shrinks is not', async () => {
  const log = (end: number) =>
    rows(
      30,
      (at) =>
        `step ${at} loss ${(-1 + 0.9 ** at).toFixed(4)} z_std: ${(0.02 * end ** Math.min(1, at / 8)).toFixed(6)}`,
    );
  expect(await judge(log(0.002))).toMatchObject({ subcause: 'mode_collapse' });
  expect((await judge(log(0.4))).subcause).not.toBe('mode_collapse');
});

test('what a player earns and how certain it is are read under its name; a bonus for what is new is not what it earns', async () => {
  const log = (entropy: (at: number) => number, score: (at: number) => number) =>
    rows(
      40,
      (at, noise) =>
        `step:${at} - actor/entropy:${entropy(at).toFixed(4)} - actor/pg_loss:${(0.01 * noise).toFixed(4)} - critic/score/mean:${(score(at) + 0.01 * noise).toFixed(4)} - intrinsic_reward:${(1 - at / 50).toFixed(3)}`,
    );
  expect(
    await judge(
      log(
        (at) => 0.9 * 0.7 ** at,
        () => 0.12,
      ),
    ),
  ).toMatchObject({ subcause: 'policy_collapse' });
  expect(
    (
      await judge(
        log(
          (at) => 0.9 - 0.01 * at,
          (at) => 0.12 + 0.01 * at,
        ),
      )
    ).category,
  ).not.toBe('optimization');
});

test('a row of a table is read up to the progress bar behind it', async () => {
  const run = await logOf(
    ['      Epoch    GPU_mem   box_loss   cls_loss  Instances       Size']
      .concat(
        rows(
          5,
          (at) =>
            `      ${at + 1}/5      4.52G      ${5 - at}.5      1.5      39      640: 100%|████| 26/26 [00:09<00:00,  2.63it/s]`,
        ),
      )
      .join('\n'),
  );
  expect(run.series.find(({ rawName }) => rawName === 'box_loss')?.values[2]).toBe(3.5);
});
