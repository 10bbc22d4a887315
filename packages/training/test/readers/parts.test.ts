// Of which part of the data a number is, when its own name does not say: words before it, headings above it. And numbers in forms that
// libraries of all languages print.
import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/record/run-record.js';
import { curve, logOf, runOf } from './run-of.js';

const held = (run: RunRecord, metric = 'loss') =>
  run.series
    .filter((series) => series.metric === metric && (series.split === 'eval' || series.split === 'test'))
    .flatMap(({ values }) => [...values]);
const trained = (run: RunRecord, metric = 'loss') =>
  run.series
    .filter((series) => series.metric === metric && series.split === 'train')
    .flatMap(({ values }) => [...values]);
const epochs = (lines: (epoch: number) => string) => logOf([1, 2, 3, 4].map(lines).join('\n'));
const three = [0.625, 0.5, 0.375, 0.25];
const four = [0.875, 0.75, 0.625, 0.5];
const low = (epoch: number) => three[epoch - 1];
const high = (epoch: number) => four[epoch - 1];

describe('words before a number', () => {
  test.each<[string, (epoch: number) => string]>([
    ['a sentence', (e) => ` validation loss at iteration ${e} | lm loss value: ${high(e)} |`],
    ['one word behind the epoch', (e) => `Epoch ${e} CV info loss ${high(e)}, acc 71.5`],
    ['brackets', (e) => `Finished Epoch[ ${e} of 4]: [Validate] ce = ${high(e)} * 10000`],
    [
      'the first of many fields',
      (e) => `[2031-01-01 10:00:00,101][root][INFO] - val, rank: 0, epoch: ${e}/4, loss: ${high(e)}`,
    ],
    ['a verb', (e) => `Epoch ${e} evaluated with loss: ${high(e)}. It took 4 s.`],
    ['a phase', (e) => `phase: val epoch: ${e} loss: ${high(e)}`],
    ['a short word at the end of brackets', (e) => `[Epoch ${e} (dev)] loss: ${high(e)}`],
    ['the value of a setting', (e) => `[${e}] subset=held_dev loss=${high(e)}, acc=0.5`],
    ['a collection of a folder', (e) => `step ${e} collection=training_eval/books-v2 loss=${high(e)}`],
    ['behind a glog prefix', (e) => `I0413 13:28:4${e}.340572 7126 fit.py:652] eval: loss=${high(e)}`],
  ])('%s', async (_, line) => {
    const run = await epochs((e) => `epoch: ${e} step: ${e} loss: ${low(e)}\n${line(e)}`);
    expect(held(run)).toEqual(four);
    expect(trained(run)).toEqual(three);
  });

  test.each<[string, (epoch: number) => string]>([
    ['a path', (e) => `/data/test/run3 epoch: ${e} loss: ${low(e)}`],
    ['a file', (e) => `eval.py:33 - epoch: ${e} loss: ${low(e)}`],
    ['a switch', (e) => `do_eval=0 test-time augmentation epoch: ${e} loss: ${low(e)}`],
    ['both parts', (e) => `training with validation, epoch: ${e} loss: ${low(e)}`],
  ])('no part of the data: %s', async (_, line) => {
    const run = await epochs(line);
    expect(held(run)).toEqual([]);
    expect(trained(run)).toEqual(three);
  });
});

describe('short and rare words for parts', () => {
  test.each<[string, (epoch: number) => string]>([
    [
      'crossval',
      (e) => `ROUND ${e}: TRAIN MEAN.LOSS ${low(e)}, (lrate0.02), CROSSVAL MEAN.LOSS ${high(e)}, kept`,
    ],
    ['two letters in front', (e) => `epoch ${e} tr_loss ${low(e)} va_loss ${high(e)}`],
    ['two letters at the end', (e) => `epoch ${e} loss_tr=${low(e)} loss_va=${high(e)}`],
    ['three letters', (e) => `EPOCH ${e}  TRN ERR ${low(e)}  TST ERR ${high(e)}`],
    ['held-out', (e) => `step ${e}00: training xent ${low(e)} nats, held-out xent ${high(e)} nats`],
    ['a letter', (e) => `it ${e}00: L = ${low(e)} | held-out L = ${high(e)}`],
    [
      'words in brackets',
      (e) => `epoch ${e}: loss (training set): ${low(e)}, loss (on the validation set): ${high(e)}`,
    ],
    ['verification', (e) => `step ${e}, batch loss= ${low(e)}\nVerification error= 36.5%, loss= ${high(e)}`],
  ])('%s', async (_, line) => {
    const run = await epochs(line);
    expect([trained(run), held(run)]).toEqual([three, four]);
  });

  test('what is done with training data is of training', async () => {
    const run = await epochs(
      (e) => `[${e}00] Evaluating test: L1 ${high(e)}\n[${e}00] Evaluating train: L1 ${low(e)}`,
    );
    expect([trained(run, 'error_metric'), held(run, 'error_metric')]).toEqual([three, four]);
  });
});

describe('rows that name their part in a cell', () => {
  test('of JSON', async () => {
    const run = await runOf({
      'log.jsonl': [1, 2, 3, 4]
        .flatMap((e) => [
          `{"phase":"train","step":${e},"loss":${low(e)}}`,
          `{"phase":"val","step":${e},"loss":${high(e)}}`,
        ])
        .join('\n'),
    });
    expect([trained(run), held(run)]).toEqual([three, four]);
  });

  test('of a file of cells, where the name of a run is none', async () => {
    const rows = [1, 2, 3, 4].flatMap((e) => [`${e},test,train,${low(e)}`, `${e},test,valid,${high(e)}`]);
    const run = await runOf({ 'log.csv': ['epoch,run,split,loss', ...rows].join('\n') });
    expect([trained(run), held(run)]).toEqual([three, four]);
  });

  test('of a table that is drawn for each epoch', async () => {
    const run = await epochs((e) =>
      [
        '+-------+--------+',
        '|  set  |  loss  |',
        '+-------+--------+',
        `| train | ${low(e)} |`,
        `|  val  | ${high(e)} |`,
        '+-------+--------+',
      ].join('\n'),
    );
    expect([trained(run), held(run)]).toEqual([three, four]);
  });
});

describe('headings above lines', () => {
  test('hold for what stands below them, until the next epoch', async () => {
    const run = await epochs((e) =>
      [
        `Epoch ${e}`,
        '------',
        `loss: ${low(e)}  [   64/60000]`,
        'Test Error: ',
        ` Accuracy: 71.5%, Avg loss: ${high(e)} `,
        '',
      ].join('\n'),
    );
    expect([trained(run), held(run)]).toEqual([three, four]);
    expect(held(run, 'accuracy')).toEqual([0.715, 0.715, 0.715, 0.715]);
  });

  test('hold until training has a heading of its own', async () => {
    const logged = (part: string, e: number, loss: number | undefined) =>
      `[11/21/31 00:08:52] INFO  lib - lib - INFO: [Epoch ${e} / ${part}]:\n      Loss = ${loss} | LR = 0.1`;
    const run = await epochs((e) => `${logged('Train', e, low(e))}\n${logged('Test', e, high(e))}`);
    expect([trained(run), held(run)]).toEqual([three, four]);
  });

  test('end where a line of training comes again', async () => {
    const run = await epochs((e) =>
      [`step ${e} loss ${low(e)} lr 0.1`, 'evaluating...', `loss ${high(e)} accuracy 0.5`].join('\n'),
    );
    expect([trained(run), held(run)]).toEqual([three, four]);
  });

  test.each([
    [
      '31-01-01 10:00:00,101 - INFO - lib.engine.loop - Training',
      '31-01-01 10:00:09,300 - INFO - lib.engine.loop - Validating',
    ],
    ['[31-01-01 10:00:00] core.run: TRAIN PHASE', '[31-01-01 10:00:00] core.run: EVAL PHASE'],
  ])('behind the names of modules: %s', async (train, eval_) => {
    const bar = (loss: number | undefined, of: number) =>
      `loss: ${loss} ||: 100%|###| ${of}/${of} [00:14<00:00, 9.5it/s]`;
    const run = await epochs((e) => [train, bar(low(e), 40), eval_, bar(high(e), 9)].join('\n'));
    expect([trained(run), held(run)]).toEqual([three, four]);
  });

  test('an evaluation told in a dictionary over several lines', async () => {
    const run = await epochs((e) =>
      [
        `step ${e}00: {'total_loss': ${low(e)},`,
        " 'lr': 0.5}",
        `INFO:lib:Eval metrics at step ${e}00`,
        `INFO:lib:\t+ total_loss: ${high(e)}`,
      ].join('\n'),
    );
    expect([trained(run), held(run)]).toEqual([three, four]);
  });

  test('of a table', async () => {
    const table = (loss: number | undefined) => `    clip  exs   loss   ppl\n       1   64  ${loss}  9.5\n`;
    const run = await epochs(
      (e) => `10:00:0${e} | total_exs:${e}\n${table(low(e))}\nvalid:\n${table(high(e))}`,
    );
    expect([trained(run), held(run)]).toEqual([three, four]);
  });

  test.each([
    'Loading validation data',
    'Evaluation every 500 steps',
    'test samples: 1000',
    '***** Running Evaluation *****',
  ])('that count or load what is held out, before any training: %s', async (heading) => {
    const run = await logOf([heading, ...three.map((loss, at) => `step ${at} loss ${loss}`)].join('\n'));
    expect([trained(run), held(run)]).toEqual([three, []]);
  });

  test('once before all training, and how long an evaluation took', async () => {
    const run = await logOf(
      [
        'Start training',
        ...[1, 2, 3, 4].flatMap((e) => [
          `Epoch: [${e}] [ 0/10] loss: ${low(e)}`,
          `Test: [ 0/5] loss: ${high(e)}`,
          'Test: Total time: 0:00:19',
        ]),
      ].join('\n'),
    );
    expect([trained(run), held(run)]).toEqual([three, four]);
  });
});

describe('lines that follow others', () => {
  test('sum up what stands before them', async () => {
    const run = await epochs((e) =>
      [
        `Epoch: [${e}] [0/50] lr: 0.1 loss: ${low(e)}`,
        `Averaged: lr: 0.1 loss: ${low(e)}`,
        `Test: [0/20] loss: ${high(e)}`,
        `Averaged: loss: ${high(e)}`,
      ].join('\n'),
    );
    expect(new Set(trained(run))).toEqual(new Set(three));
    expect(new Set(held(run))).toEqual(new Set(four));
  });

  test('are of training where nothing summed it up in the same words', async () => {
    const run = await epochs((e) => `Validation: loss ${high(e)}\nloss ${low(e)}`);
    expect([trained(run), held(run)]).toEqual([three, four]);
  });

  test('count fewer batches of held-out data within the epoch', async () => {
    const bar = (loss: number | undefined, of: number) =>
      ` [====>] Step: 62ms | Loss: ${loss} | Acc: 19.5% (25/128) ${of}/${of}`;
    const run = await epochs((e) => `Epoch: ${e}\n${bar(low(e), 390)}\n${bar(high(e), 100)}`);
    expect([trained(run), held(run)]).toEqual([three, four]);
    expect([...curve(run, 'loss').steps]).toEqual([390, 780, 1170, 1560]);
    expect([...curve(run, 'loss', { split: 'eval' }).steps]).toEqual([390, 780, 1170, 1560]);
  });

  test('are all of training where the batches of an epoch go on, or another one has fewer', async () => {
    const run = await epochs(
      (e) =>
        `Epoch: ${e}\n [==>] Loss: ${low(e)} ${e === 2 ? '10/60' : '100/390'}\n [==>] Loss: ${low(e)} 20/390`,
    );
    expect(held(run)).toEqual([]);
  });
});

describe('forms of numbers', () => {
  test('the average up to a value, in brackets, is a curve of its own', async () => {
    const run = await epochs(
      (e) => `Epoch: [${e}][ 0/10]  Loss ${low(e)} (${high(e)}e+00)  Acc@1 70.5 ( 69.5)  n 5 (7)`,
    );
    expect([...curve(run, 'loss').values]).toEqual(three);
    expect([...curve(run, 'loss', { subject: 'average' }).values]).toEqual(four);
    expect(run.series.some(({ values }) => values.includes(7))).toBe(false);
  });

  test('a difference, a count and a share in brackets are no averages', async () => {
    const run = await epochs(
      (e) => `epoch ${e} loss: ${low(e)} (-0.125)  acc: 71.5% (715/1000)  best: 0.5 (3)`,
    );
    expect(trained(run)).toEqual(three);
    expect(run.series.some(({ subject }) => subject === 'average')).toBe(false);
  });

  test('a whole number between a loss and its value counts', async () => {
    const run = await epochs(
      (e) => `Train loss ${e * 25} ${low(e)} Grad Norm 2.5\nValidation loss ${e * 25}:  ${high(e)}`,
    );
    expect([trained(run), held(run)]).toEqual([three, four]);
    expect([...curve(run, 'loss').steps]).toEqual([25, 50, 75, 100]);
  });

  test('what is no number, as other languages write it', async () => {
    const run = await logOf(
      'step 1 loss: 0.5\nstep 2 loss: 1.#QNAN\nstep 3 loss: -1.#IND\nstep 4 loss: .nan\nstep 5 loss: 1.#INF\nstep 6 loss: NAN\n',
    );
    expect(trained(run)).toEqual([
      0.5,
      Number.NaN,
      Number.NaN,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NaN,
    ]);
  });

  test('as languages write how precise they are', async () => {
    const run = await epochs(
      (e) =>
        `Epoch: ${e}  Train: (loss = ${low(e)}f0, acc = 50.5)  Test: (loss = ${e === 4 ? 'NaN32' : `${high(e)}D+00`})`,
    );
    expect([trained(run), held(run)]).toEqual([three, [...four.slice(0, 3), Number.NaN]]);
  });

  test('a dash between name and value, and a cell between bars', async () => {
    const bar = (part: string, loss: number | undefined) =>
      `${part}: 100%|████| 10/10 [00:23<00:00,  2.00it/s, dice_loss - ${loss}, iou_score - 0.75]`;
    const run = await epochs((e) => `Epoch: ${e}\n${bar('train', low(e))}\n${bar('valid', high(e))}`);
    expect([trained(run), held(run)]).toEqual([three, four]);
    const cells = await epochs(
      (e) => `| valid | epoch 00${e} | loss ${high(e)} | bleu 33.5 | num_updates ${e}00`,
    );
    expect(cells.series.find(({ rawName }) => rawName.endsWith('bleu'))?.values[0]).toBe(33.5);
  });

  test('a counter in brackets before a name', async () => {
    const run = await epochs(
      (e) =>
        `train (${e}/4) accuracy01: 0.5 | loss: ${low(e)}\nvalid (${e}/4) accuracy01: 0.25 | loss: ${high(e)}`,
    );
    expect([trained(run), held(run)]).toEqual([three, four]);
    expect(
      run.series.filter(({ rawName }) => rawName.includes('accuracy01')).map(({ values }) => values[0]),
    ).toEqual([0.5, 0.25]);
  });
});

describe('names in other scripts', () => {
  test.each<[string, (epoch: number) => string]>([
    [
      'Chinese',
      (e) => `第${e}轮训练结束，训练损失：${low(e)}，验证损失：${high(e)}，准确率：71.5%，用时20.9秒`,
    ],
    [
      'Chinese beside English',
      (e) => `轮次:${e}  train loss:${low(e)}  测试集loss:${high(e)}  测试集acc:0.715`,
    ],
    ['Japanese', (e) => `エポック ${e}/4  学習損失: ${low(e)}  検証損失: ${high(e)}  検証精度: 0.715`],
    ['Korean', (e) => `에폭 ${e}/4, 훈련 손실: ${low(e)}, 검증 손실: ${high(e)}, 정확도: 0.715`],
    [
      'Russian, bent',
      (e) => `Эпоха ${e}: потери на обучении = ${low(e)}, потери на валидации = ${high(e)}, точность = 0.715`,
    ],
    [
      'French',
      (e) =>
        `Époque ${e} - perte d'entraînement : ${low(e)} - perte de validation : ${high(e)} - exactitude : 0.715`,
    ],
    ['Polish', (e) => `Epoka ${e}: strata=${low(e)}, strata walidacyjna=${high(e)}, dokładność=0.715`],
    [
      'German in names of variables',
      (e) => `epoche ${e} verlust=${low(e)} val_verlust=${high(e)} genauigkeit=0.715`,
    ],
    ['Russian', (e) => `Эпоха ${e}: потери: ${low(e)}, валидация потери: ${high(e)}, точность: 0.715`],
    [
      'Spanish',
      (e) => `Época ${e}: pérdida = ${low(e)}, pérdida de validación = ${high(e)}, exactitud = 0.715`,
    ],
    [
      'German',
      (e) => `Epoche ${e}: Trainingsverlust ${low(e)}, Validierungsverlust ${high(e)}, Genauigkeit 0.715`,
    ],
  ])('%s', async (_, line) => {
    const run = await epochs(line);
    expect([trained(run), held(run)]).toEqual([three, four]);
    expect([...curve(run, 'loss').steps]).toEqual([1, 2, 3, 4]);
    expect(run.series.find(({ metric }) => metric === 'accuracy')?.values[0]).toBeCloseTo(0.715);
  });
});

describe('numbers of other customs', () => {
  test('groups of three digits are one number; the seconds of a clock begin none', async () => {
    const run = await logOf(
      [1, 2, 3, 4]
        .map((e) => `2031-01-01 10:00:1${e},123 iter: ${e},800, loss: ${low(e)}, tps: 5,690`)
        .join('\n'),
    );
    expect([...curve(run, 'loss').steps]).toEqual([1800, 2800, 3800, 4800]);
    expect(curve(run, 'throughput').values[0]).toBe(5690);
  });

  test('a list of shapes or places is no number of thousands', async () => {
    const run = await logOf('step: 3 gpus: 0,1 loss: 0.5\nstep: 4 gpus: 0,1 loss: 0.25\n');
    expect([...curve(run, 'loss').values]).toEqual([0.5, 0.25]);
  });

  test('commas of fractions, in lines and in cells', async () => {
    const comma = (value: number | undefined) => String(value).replace('.', ',');
    const run = await epochs(
      (e) => `Epoche ${e}: Verlust = ${comma(low(e))}; Genauigkeit = ${comma(high(e))}`,
    );
    expect([...curve(run, 'loss').values]).toEqual(three);
    const table = await runOf({
      'history.log': [
        'epoch;loss;val_loss',
        ...[1, 2, 3, 4].map((e) => `${e};${comma(low(e))};${comma(high(e))}`),
      ].join('\n'),
    });
    expect([trained(table), held(table)]).toEqual([three, four]);
  });
});

describe('parts of the data without a word for what is told of them', () => {
  const many = (line: (at: number) => string) =>
    logOf(Array.from({ length: 12 }, (_, at) => line(at)).join('\n'));
  const falling = (at: number) => (0.9 - at * 0.05).toFixed(3);
  const rising = (at: number) => (0.2 + at * 0.05).toFixed(3);

  test('tell a loss where they fall, a score where they rise, and nothing where they stand', async () => {
    const of = async (value: (at: number) => string) => {
      const run = await many(
        (at) => `${at * 10}:\tlearn: ${value(at)}\ttest: ${value(at)}\tbest: ${value(at)} (${at})`,
      );
      return ['learn', 'test'].map((name) => run.series.find(({ rawName }) => rawName === name)?.metric);
    };
    expect(await of(falling)).toEqual(['loss', 'loss']);
    expect(await of(rising)).toEqual(['accuracy', 'accuracy']);
    expect(await of(() => '0.5')).toEqual(['other', 'other']);
    expect(await of((at) => (at < 6 ? '0.5' : 'nan'))).toEqual(['loss', 'loss']);
  });

  test('beside a loss they are a score, if anything', async () => {
    const run = await many(
      (at) => `Epoch: ${at}, Loss: ${falling(at)}, Train: ${rising(at)}, Val: ${rising(at)}`,
    );
    expect(run.series.filter(({ metric }) => metric === 'loss')).toHaveLength(1);
    expect(held(run, 'accuracy')).toHaveLength(12);
  });

  test('what falls with the loss under the name of the first answer are errors, and what rises is a score', async () => {
    const kind = async (value: (at: number) => string) =>
      (await many((at) => `Epoch: [1][${at}/20] Err ${falling(at)} top1 ${value(at)}`)).series.find(
        ({ rawName }) => rawName === 'top1',
      )?.metric;
    expect(await kind(falling)).toBe('error_rate');
    expect(await kind(rising)).toBe('accuracy');
  });

  test('a time that counts is no time of a step', async () => {
    const kinds = async (value: (at: number) => number) =>
      (await many((at) => `[batch=${at + 1}/99]: Train time/batch: ${value(at)} loss: ${falling(at)}`)).series
        .filter(({ rawName }) => rawName.endsWith('time/batch'))
        .map(({ metric }) => metric);
    expect(await kinds((at) => 10 * at + 9)).toEqual(['other']);
    expect(await kinds((at) => 10 + (at % 3))).toEqual(['step_time']);
  });

  test('take the word before them', async () => {
    const run = await many(
      (at) => `Loss at epoch ${at + 1}: training: ${falling(at)}, validation: ${falling(at)}`,
    );
    expect([trained(run).length, held(run).length]).toEqual([12, 12]);
  });
});

describe('names of losses', () => {
  test.each([
    'LanguageCrossEntropy',
    'l_pix',
    'l_g_total',
    'G_A',
    'idt_B',
    'lm loss value',
    'tl',
    'loss_per_token',
    'token_nll',
    'Gen Loss Total',
    'LossV',
    'objective value',
    'model_loss_mean',
  ])('%s', async (name) => {
    const run = await epochs((e) => `step ${e} ${name}: ${low(e)}`);
    expect(run.series.filter(({ metric }) => metric === 'loss').map(({ values }) => [...values])).toEqual([
      three,
    ]);
  });

  test.each([
    'l_1',
    'G_norm',
    'D(x)',
    'TotalReward',
    'error_count',
    'loss_weight',
    'best_loss',
    'model_loss_std',
    'DeltaLossV',
  ])('no loss: %s', async (name) => {
    const run = await epochs((e) => `step ${e} ${name}: ${low(e)}`);
    expect(run.series.filter(({ metric }) => metric === 'loss')).toEqual([]);
  });

  test('an error in percent is a rate, one by itself what training lowers', async () => {
    const run = await epochs(
      (e) =>
        `epoch ${e}, minibatch 25/25, validation error ${high(e)} %\n[${e}]\ttrain-error:${low(e)}\teval-error:${high(e)}`,
    );
    expect(held(run, 'error_rate')).toHaveLength(4);
    expect([trained(run), held(run)]).toEqual([three, four]);
  });
});

describe('sentences', () => {
  test.each<[string, (epoch: number) => string]>([
    [
      'a counter before the value',
      (e) => `Training mean loss at step ${e}00: ${low(e)}\nValidation mean loss at step ${e}00: ${high(e)}`,
    ],
    ['in brackets', (e) => `Train loss (epoch ${e}): ${low(e)} | Val loss (epoch ${e}): ${high(e)}`],
    ['is', (e) => `Epoch ${e}: The training loss is ${low(e)} and the validation loss is ${high(e)}`],
    ['was', (e) => `After epoch ${e} the loss was ${low(e)}, the validation loss was ${high(e)}`],
    [
      'wrapped numbers',
      (e) => `epoch ${e} loss: tensor(${low(e)}, device='cuda:0') val_loss: np.float64(${high(e)})`,
    ],
    [
      'behind a place in the code',
      (e) =>
        `12:00:0${e} | INFO | __main__:fit:71 - ep ${e} | train bce ${low(e)}\n12:00:0${e} | INFO | __main__:evaluate:112 - ep ${e} | valid bce ${high(e)}`,
    ],
  ])('%s', async (_, line) => {
    const run = await epochs(line);
    expect([trained(run), held(run)]).toEqual([three, four]);
  });

  test('a name and a number without a blank', async () => {
    const run = await epochs((e) => `EPOCH[${e}/90] loss${low(e)}-|Sample:8.75|`);
    expect(trained(run)).toEqual(three);
  });

  test('that tell no loss', async () => {
    const run = await epochs(
      (e) => `The best loss was 0.1 at epoch ${e}. There is ${e} file, and the rank is ${e}.`,
    );
    expect(trained(run)).toEqual([]);
  });
});

describe('numbers without names', () => {
  const many = (line: (at: number, low: string, up: string) => string) =>
    logOf(
      Array.from({ length: 12 }, (_, at) =>
        line(at, (2.9 - at * 0.2).toFixed(4), (0.2 + at * 0.05).toFixed(4)),
      ).join('\n'),
    );
  test.each<[string, (at: number, low: string, up: string) => string]>([
    [
      'in rows with a date',
      (at, low) => `${at} ${low} ${Math.exp(Number(low))} 0.0006 2031-10-13 11:49:21.148467 ${at}`,
    ],
    ['behind a colon', (at, low) => `${at}:\t${low}`],
    ['in tuples', (at, low, up) => `(${at}, tensor(${low}, device='cuda:0', grad_fn=<X>), ${up})`],
  ])('%s', async (_, line) => {
    const run = await many(line);
    expect(trained(run)).toHaveLength(12);
    expect(trained(run)[1]).toBe(2.7);
    expect(held(run)).toEqual([]);
  });

  test.each<[string, (at: number, low: string, up: string) => string]>([
    ['that do not count', (at, low) => `${(at * 7) % 5} ${low}`],
    ['that stand still', (at) => `${at} 0.5 ${at % 2}`],
    ['beside a loss', (at, low) => `loss: ${low}\n${at} ${low}`],
  ])('%s', async (_, line) => {
    const run = await many(line);
    expect(
      run.series.filter(({ rawName, metric }) => rawName.startsWith('column') && metric === 'loss'),
    ).toEqual([]);
  });

  test('in lists at the end, once', async () => {
    const list = (values: readonly number[]) => `[${[1.5, ...values].join(', ')}]`;
    const run = await logOf(
      `train_losses = ${list(three)}\nval_loss_hist =\n${list(four).replaceAll(',', '').replace(' 0.625', '\n 0.625')}\n`,
    );
    expect([trained(run), held(run)]).toEqual([
      [1.5, ...three],
      [1.5, ...four],
    ]);
    const parts = await logOf(`loss: ${list(three)}\n`.repeat(4));
    expect(trained(parts)).not.toContain(0.25);
  });

  test('an error by itself is what is lowered, beside a loss it is a rate', async () => {
    const alone = await many((at, low) => `Epoch ${at}0  Error per Epoch = ${low}`);
    expect(trained(alone)).toHaveLength(12);
    const beside = await many((at, low, up) => `epoch ${at} val_loss ${low} val_error ${up}`);
    expect(held(beside, 'error_rate')).toHaveLength(12);
    expect(held(beside)).toHaveLength(12);
  });
});

describe('tables', () => {
  test.each<[string, readonly string[], (e: number) => string]>([
    [
      'behind the sign of a comment',
      ['#  step      loss_val    loss_trn     lr', '# nan where there is none'],
      (e) => `   ${e}00      ${high(e)}    ${low(e)}     1.0e-03`,
    ],
    [
      'with units in brackets',
      ['#ep\tt[s]\tL_tr[nats]\tL_va[nats]\tlr'],
      (e) => `${e}\t3${e}\t${low(e)}\t${high(e)}\t1e-3`,
    ],
    [
      'drawn with other lines',
      ['┏━━━━━━━┳━━━━━━┓', '┃ Epoch ┃ Train loss ┃ Valid loss ┃', '┡━━━━━━━╇━━━━━━┩'],
      (e) => `│     ${e} │    ${low(e)} │   ${high(e)} │`,
    ],
    [
      'behind how far it is',
      ['[----] Epoch      Train loss       Test loss     Time cost (sec)'],
      (e) => `[  ${e}% ]     ${e}            ${low(e)}            ${high(e)}                0.02`,
    ],
    [
      'with a date and how long',
      [
        '   timestamp              duration       trees    training_logloss    validation_logloss',
        '--     -----    -----    -----',
      ],
      (e) => `       2031-09-15 16:09:49    0.29${e} sec      ${e}.0     ${low(e)}   ${high(e)}`,
    ],
    [
      'below words for groups',
      [
        '                    |------ VALID ------|------ TRAIN ------',
        'rate     iter   | loss    score     | loss      | time   ',
      ],
      (e) => `0.001     ${e}.0*   | ${high(e)}   0.525   | ${low(e)}   0.000  |  0 hr 0${e} min`,
    ],
  ])('%s', async (_, header, row) => {
    const run = await logOf([...header, ...[1, 2, 3, 4].map(row)].join('\n'));
    expect([trained(run), held(run)]).toEqual([three, four]);
  });

  test('behind movements of the cursor', async () => {
    const rows = [1, 2, 3, 4].map(
      (e) => `\u001b[J${e}           ${low(e)}    ${high(e)}               18.97       `,
    );
    const run = await logOf(
      ['epoch       main/loss   validation/main/loss  elapsed_time', ...rows].join('\n'),
    );
    expect([trained(run), held(run)]).toEqual([three, four]);
  });

  test('whose column of marks is empty in some rows', async () => {
    const rows = [1, 2, 3, 4].map(
      (e) => `      ${e}        ${low(e)}        ${high(e)}  ${e % 2 === 1 ? '   +  ' : ''}0.0328`,
    );
    const run = await logOf(
      [
        '  epoch    train_loss    valid_loss    cp     dur',
        '-------  ----------  ----------  ----  ----',
        ...rows,
      ].join('\n'),
    );
    expect([trained(run), held(run)]).toEqual([three, four]);
  });

  test('between bars, with a header of two lines and cells that are empty', async () => {
    const run = await logOf(
      [
        '|=============================================================|',
        '|  Epoch  |  Time Elapsed  |  Mini-batch  |  Validation  |  Base Learning  |',
        '|         |   (hh:mm:ss)   |     Loss     |     Loss     |      Rate       |',
        '|=============================================================|',
        ...[1, 2, 3, 4].map(
          (e) =>
            `|       ${e} |       00:00:24 |       ${low(e)} |       ${e % 2 ? '      ' : high(e)} |          0.0100 |`,
        ),
      ].join('\n'),
    );
    expect([trained(run), held(run)]).toEqual([three, [0.75, 0.5]]);
    expect(curve(run, 'learning_rate').values[0]).toBe(0.01);
  });

  test('of one row, which come again and again', async () => {
    const run = await epochs(
      (e) =>
        `10:00:0${e} | total_exs:${e}\n    clip  exs  gnorm   loss   ppl\n       1   64    2.5  ${low(e)}  9.5\n`,
    );
    expect(trained(run)).toEqual(three);
  });

  test('of the parts of a loss, and of classes of which all together count', async () => {
    const run = await epochs((e) =>
      [
        '     Epoch   gpu_mem       box       obj       cls     total    labels  img_size',
        `     ${e}/4      2.6G   0.03869   0.01526   0.02327   ${low(e)}        88       640: 100%|███| 26/26 [00:31<00:00,  1.17s/it]`,
        '               Class      Images      Labels           P           R      mAP@.5: 100%|███| 4/4 [00:07<00:00,  1.76s/it]',
        `                 all         787        2054       0.691       0.604       ${high(e)}`,
        '                 dog          87         254       0.191       0.204       0.05',
      ].join('\n'),
    );
    expect(run.series.find(({ rawName }) => rawName === 'total loss')?.values).toEqual(
      Float64Array.from(three),
    );
    expect(run.series.find(({ rawName }) => rawName === 'val mAP@.5')?.values).toEqual(
      Float64Array.from(four),
    );
  });
});

test('what is told between two counts that nobody draws belongs to the one above', async () => {
  const lines = [1, 2, 3, 4].flatMap((at) => [
    `round ${at}/900, total loss: ${at}`,
    'R2: 0.5',
    `total loss: ${at + 0.5}`,
  ]);
  const run = await logOf(lines.join('\n'));
  expect([...curve(run, 'loss').values]).toEqual([1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5]);
  expect([...curve(run, 'loss').steps]).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
});
