// Console formats: each tool's own lines give the same curves, whatever they leave out.
import { describe, expect, test } from 'vitest';
import { setting } from '../../src/record/run-record.js';
import { curve, fixture, logOf } from './run-of.js';

const read = (name: string) => fixture(`console/${name}`);

test('nanoGPT', async () => {
  const run = await read('nanogpt.log');
  expect(curve(run, 'loss').length).toBe(30);
  expect(curve(run, 'loss').values[25]).toBeNaN();
  expect(curve(run, 'loss').where(0)).toEqual({ file: 'nanogpt.log', line: 5 });
  expect([...curve(run, 'loss', { split: 'eval' }).steps]).toEqual([0, 10, 20]);
  expect(curve(run, 'step_time').values[0]).toBeCloseTo(0.1305);
  expect(setting(run, 'batch_size')?.value).toBe(32);
  expect(setting(run, 'num_parameters')?.value).toBe(10_650_000);
});

test('litgpt: "n/a" is no value, "val" takes the name before it', async () => {
  const run = await read('litgpt.log');
  expect(curve(run, 'loss').length).toBe(20);
  expect(run.series.find((series) => series.rawName === 'loss train val')?.length).toBe(10);
});

test('an Estimator: what its evaluation found is not of training', async () => {
  const trained = (step: number) =>
    `INFO:tensorflow:loss = 0.5, step = ${step} (2.1 sec)\nINFO:tensorflow:loss = 0.5, step = ${step} (2.1 sec)\n`;
  const found = (step: number) =>
    `INFO:tensorflow:Saving dict for global step ${step}: accuracy = 0.75, global_step = ${step}, loss = 0.875\n`;
  const run = await logOf([100, 200, 300].map((step) => trained(step) + found(step)).join(''));
  expect(new Set(curve(run, 'loss').values)).toEqual(new Set([0.5]));
  expect([...curve(run, 'loss', { split: 'eval' }).values]).toEqual([0.875, 0.875, 0.875]);
  expect(curve(run, 'accuracy', { split: 'eval' }).steps[1]).toBe(200);
});

test('numbers without a zero before their point, beside names that end in one', async () => {
  const run = await logOf(
    '41000: d_loss .0213 g_loss .3921\n42000: d_loss .5 g_loss -.25\nsaved to run.3 loss 1\n',
  );
  const values = (name: string) => [...run.series.find(({ rawName }) => rawName === name)!.values];
  expect([values('d_loss'), values('g_loss')]).toEqual([
    [0.0213, 0.5],
    [0.3921, -0.25],
  ]);
});

test('arrays of one number, beside a counter in brackets', async () => {
  const run = await logOf(
    'Epoch: [2] iter: 0, loss: [10.5]\nEpoch: [2] iter: 10, loss: [nan]\nEpoch: [2] iter: 20, loss=[9.25]\n',
  );
  expect([...curve(run, 'loss').values]).toEqual([10.5, Number.NaN, 9.25]);
  expect([...curve(run, 'loss').steps]).toEqual([0, 10, 20]);
});

test('torchtune', async () => {
  const run = await read('torchtune.txt');
  expect([...curve(run, 'loss').steps.slice(0, 3)]).toEqual([1, 2, 3]);
  expect(curve(run, 'memory_peak')).toMatchObject({ unit: 'bytes' });
  expect(curve(run, 'memory_peak').values[0]).toBe(5.25 * 2 ** 30);
});

test('Megatron: a NaN iteration has no loss field, and is NaN all the same', async () => {
  const run = await read('megatron.log');
  const loss = curve(run, 'loss');
  expect(loss.rank).toBe(7);
  expect(loss.values[9]).toBeNaN();
  expect(loss.values[8]).toBeCloseTo(4 / 1.9);
  expect(loss.times[1]! - loss.times[0]!).toBe(1000);
  expect(curve(run, 'step_time').values[0]).toBeCloseTo(10.5851);
  expect(curve(run, 'grad_norm').length).toBe(15);
  expect(run.plannedSteps).toBe(500);
  expect(setting(run, 'learning_rate')?.value).toBe(1e-5);
  expect(run.series.some((series) => series.rawName.includes('....'))).toBe(false);
});

test('fairseq', async () => {
  const run = await read('fairseq.log');
  expect(curve(run, 'loss').steps[0]).toBe(701);
  expect(curve(run, 'perplexity').length).toBe(11);
  expect(curve(run, 'grad_norm').values.at(-1)).toBe(0.39);
  expect(curve(run, 'loss_scale').values.at(-1)).toBe(0.25);
});

test('mmengine: epoch and batch make the step, memory is in mebibytes', async () => {
  const run = await read('mmengine.log');
  expect([...curve(run, 'loss').steps]).toEqual([20, 40, 60, 80]);
  expect(curve(run, 'memory_used').values[0]).toBe(270 * 2 ** 20);
});

test('DeepSpeed: the loss scale as it falls', async () => {
  const run = await read('deepspeed.log');
  expect(curve(run, 'loss_scale').values[0]).toBe(65536);
  expect(curve(run, 'loss_scale').values.at(-1)).toBe(32);
  expect(run.text.lines.some((line) => line.text.includes('Overflow detected'))).toBe(true);
});

test('axolotl: without steps points are counted, and say so', async () => {
  const run = await read('axolotl.log');
  expect(curve(run, 'loss')).toMatchObject({ hasSteps: false, length: 10 });
  expect(curve(run, 'memory_peak').values[0]).toBe(12.5 * 2 ** 30);
  expect(curve(run, 'perplexity').values[0]).toBe(Number.POSITIVE_INFINITY);
});

test('Accelerate: a progress bar rewritten with carriage returns; other bars do not count', async () => {
  const run = await read('accelerate.log');
  expect(curve(run, 'loss').length).toBe(20);
  expect(curve(run, 'loss').steps.at(-1)).toBe(38);
  expect(curve(run, 'throughput').unit).toBe('steps/s');
});

test('Caffe, and a format nobody knows', async () => {
  expect(curve(await read('caffe.log'), 'loss').values.at(-1)).toBe(87.3365);
  const unknown = await read('unknown.log');
  expect(unknown.series.map((series) => series.rawName)).toEqual(['objective', 't', 'temperature']);
  expect(unknown.series[0]!.values[1]).toBe(3.63636);
});

test('GPU monitors', async () => {
  const dmon = await read('dmon.log');
  expect(curve(dmon, 'memory_used', { subject: 'gpu.1' }).values[0]).toBe(1100 * 2 ** 20);
  const smi = await read('nvidia-smi.csv');
  expect(smi.hardware.gpus).toMatchObject([
    { index: 0, name: 'NVIDIA A100-SXM4-80GB', memoryTotal: 81920 * 2 ** 20 },
    { index: 1 },
  ]);
});

test('names that differ only in a digit are different curves', async () => {
  const lines = Array.from(
    { length: 400 },
    (_, i) => `step ${i} layer${(i % 2) + 1}_norm: ${i / 7}, value_${i % 2}: -${i}`,
  );
  const run = await logOf(lines.join('\n'));
  expect(run.series.map((series) => [series.rawName, series.length])).toEqual([
    ['layer1_norm', 200],
    ['layer2_norm', 200],
    ['value_0', 200],
    ['value_1', 200],
  ]);
  for (const series of run.series) {
    for (let at = 0; at < series.length; at++) {
      const step = series.steps[at]!;
      expect(series.values[at]).toBe(series.rawName.startsWith('layer') ? step / 7 : -step);
    }
  }
});

test('a line that begins with its split, and an accuracy that is counted', async () => {
  const epoch = (n: number) => [
    `Train Epoch: ${n} [0/60000 (0%)]\tLoss: ${2.3 - n / 10}`,
    `Train Epoch: ${n} [640/60000 (1%)]\tLoss: ${2.2 - n / 10}`,
    `Test set: Average loss: ${1.9 - n / 10}, Accuracy: ${8000 + 100 * n}/10000 (${80 + n}%)`,
  ];
  const run = await logOf([1, 2, 3].flatMap(epoch).join('\n'));
  expect([...curve(run, 'accuracy', { split: 'test' }).values]).toEqual([0.81, 0.82, 0.83]);
  expect(curve(run, 'loss', { split: 'test' }).length).toBe(3);
  expect(curve(run, 'loss').length).toBe(6);
});

test('a bar of evaluation under the name that training uses', async () => {
  const epoch = (n: number) => [
    `Train: ${n} [  47/48 (100%)]  Loss: ${4 - n / 10} (4.1)  LR: 1.0e-03`,
    `Test: [   9/9]  Time: 0.027 (0.110)  Loss: 0.7 (${(2 - n / 10).toFixed(2)})  Acc@1: ${40 + n} (41.2)`,
  ];
  const run = await logOf([0, 1, 2, 3].flatMap(epoch).join('\n'));
  expect([...curve(run, 'loss').values]).toEqual([4, 3.9, 3.8, 3.7]);
  expect([...curve(run, 'loss', { split: 'test' }).values]).toEqual([2, 1.9, 1.8, 1.7]);
});

test('a star before the summary of an evaluation', async () => {
  const epoch = (n: number) => [
    `Epoch: [${n}][500/505]\tTime 0.917 (0.937)\tLoss ${2 - n / 10} (2.1)\tAcc@1 ${60 + n}.000 (59.1)`,
    ` * Acc@1 ${50 + n}.000 Acc@5 ${80 + n}.000`,
  ];
  const run = await logOf([0, 1, 2, 3].flatMap(epoch).join('\n'));
  expect([...curve(run, 'accuracy').values]).toEqual([0.6, 0.61, 0.62, 0.63]);
  expect([...curve(run, 'accuracy', { split: 'eval' }).values]).toEqual([0.5, 0.51, 0.52, 0.53]);
});

test('a split in a cell or brackets of its own holds for what follows', async () => {
  const cells = [0, 1, 2, 3].flatMap((n) => [
    `2021-03-01 10:0${n}:00 | INFO | train | epoch 00${n + 1} | loss ${4 - n / 10} | ppl 16.1 | wps 12000 | lr 0.0005`,
    `2021-03-01 10:0${n}:30 | INFO | valid | epoch 00${n + 1} | valid on 'valid' subset | loss ${5 - n / 10} | ppl 32`,
  ]);
  const brackets = [0, 1, 2, 3].map(
    (n) =>
      `(trainer:338) INFO: ${n + 1}epoch results: [train] loss=${4 - n / 10}, acc=0.5, [valid] loss=${5 - n / 10}, acc=0.4`,
  );
  const words = [0, 1, 2, 3].flatMap((n) => [
    `Epoch ${n + 1}`,
    `  - train: loss ${4 - n / 10} acc 0.5`,
    `  - valid: loss ${5 - n / 10} acc 0.4`,
  ]);
  const arrows = [0, 1, 2, 3].flatMap((n) => [
    `Training   -> loss: ${4 - n / 10}, acc: 0.5`,
    `Validation -> loss: ${5 - n / 10}, acc: 0.4`,
  ]);
  const parentheses = [0, 1, 2, 3].flatMap((n) => [
    `mmengine - INFO - Epoch(train) [${n + 1}][100/100]  lr: 1.0000e-02  loss: ${4 - n / 10}`,
    `mmengine - INFO - Epoch(val) [${n + 1}][20/20]    loss: ${5 - n / 10}  accuracy/top1: 70.1`,
  ]);
  for (const lines of [cells, brackets, words, arrows, parentheses]) {
    const run = await logOf(lines.join('\n'));
    expect([...curve(run, 'loss').values]).toEqual([4, 3.9, 3.8, 3.7]);
    expect([...curve(run, 'loss', { split: 'eval' }).values]).toEqual([5, 4.9, 4.8, 4.7]);
  }
});

test('a count inside of a name, a cost that is time, and a detector that is sure of objects', async () => {
  const lines = [1, 2, 3].flatMap((n) => [
    `Epoch: [0] [${20 * n}/400] learning_rate: 0.000100 loss: ${5 - n} batch_cost: 0.7 ips: 11.2 images/s`,
    `Accuracy of the network on the 10000 test images: ${50 + n} %`,
    'Region 94 Avg IOU: -nan, Class: -nan, Obj: -nan, No Obj: 0.000, .5R: -nan, .75R: -nan,  count: 0',
  ]);
  const run = await logOf(lines.join('\n'));
  expect([...curve(run, 'accuracy', { split: 'test' }).values]).toEqual([0.51, 0.52, 0.53]);
  expect(run.series.filter(({ metric }) => metric === 'loss').map(({ rawName }) => rawName)).toEqual([
    'loss',
  ]);
});

test('without steps, an evaluation stands after the points of training before it', async () => {
  const rows = [3, 2.5, 2.2].map((loss) => `{'loss': ${loss}, 'epoch': 0.5}`);
  const run = await logOf([...rows, "{'eval_loss': 2.4, 'epoch': 1.0}"].join('\n'));
  expect([...curve(run, 'loss', { split: 'eval' }).steps]).toEqual([3]);
});

describe('names and numbers in other places', () => {
  const lines = (line: (i: number) => string) => Array.from({ length: 4 }, (_, i) => line(i)).join('\n');

  test.each<[string, string]>([
    ['German', lines((i) => `Epoche ${i + 1}: Verlust 0.${9 - i}, Genauigkeit 0.${i + 1}`)],
    ['Portuguese', lines((i) => `epoch ${i + 1} perda=0.${9 - i} acuracia=0.${i + 1}`)],
    ['letters', lines((i) => `ep ${i} it ${10 * i} -> L 0.${9 - i}  acc 0.${i + 1}`)],
    ['glued', lines((i) => `step ${i} trainloss 0.${9 - i} trainacc 0.${i + 1}`)],
  ])('%s', async (_name, text) => {
    const run = await logOf(text);
    expect([...curve(run, 'loss').values]).toEqual([0.9, 0.8, 0.7, 0.6]);
    expect([...curve(run, 'accuracy').values]).toEqual([0.1, 0.2, 0.3, 0.4]);
  });

  test('Darknet puts each number before its name', async () => {
    const run = await logOf(
      lines((i) => ` ${i + 1}: ${9 - i}.5, ${8 - i}.25 avg, 0.001000 rate, 1.9 seconds, ${64 * i} images`),
    );
    expect([...curve(run, 'loss').steps]).toEqual([1, 2, 3, 4]);
    expect([...curve(run, 'loss').values]).toEqual([9.5, 8.5, 7.5, 6.5]);
    expect(curve(run, 'learning_rate').values[0]).toBe(0.001);
  });

  test('a row with more cells than the table has names is read as far as it has', async () => {
    const run = await logOf('epoch    loss\n1    0.9\n2    0.8    0.7\n3    0.7');
    expect([...curve(run, 'loss').values]).toEqual([0.9, 0.8, 0.7]);
  });

  test('"the loss for 4 evaluations" is no loss', async () => {
    const run = await logOf(
      `${lines((i) => `step ${i} loss 0.${9 - i}`)}\nno better validation loss for 4 evaluations`,
    );
    expect(run.series.map(({ rawName }) => rawName)).toEqual(['loss']);
  });
});

describe('what a line is not', () => {
  test('clock times, dates, versions and source places are no metrics', async () => {
    const run = await logOf(
      Array.from(
        { length: 5 },
        (_, i) => `[2024-01-01 10:00:0${i}] [trainer.py:68] torch 2.1.0 at 10.0.0.1:29500`,
      ).join('\n'),
    );
    expect(run.series).toEqual([]);
  });

  test('settings and quoted source code set neither step nor curve', async () => {
    const run = await logOf(
      [
        'steps: 160 batch=512 lr=0.1',
        'Namespace(step=7, lr=0.3, loss=2.0)',
        '0         Non-trainable params: 0',
        'Trainable params: 5.5 K',
        'step 3 loss 2.5',
        'step 4 loss 2.25',
        'Traceback (most recent call last):',
        '  File "t.py", line 9, in <module>',
        '    print("step 99 loss 7", lr=0.1)',
        'ValueError: x',
      ].join('\n'),
    );
    expect(run.lastStep).toBe(4);
    expect([...curve(run, 'loss').values]).toEqual([2.5, 2.25]);
    expect(run.tracebacks[0]!.step).toBe(4);
    expect(setting(run, 'num_parameters')?.value).toBe(5500);
  });

  test('colours do not hide numbers', async () => {
    const line = (i: number) =>
      `\u001b[32mstep\u001b[0m: ${i} | \u001b[1mloss\u001b[0m: \u001b[31m${i / 10}\u001b[0m`;
    const run = await logOf(Array.from({ length: 5 }, (_, i) => line(i)).join('\n'));
    expect([...curve(run, 'loss').values]).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
    expect(run.text.lines[0]!.text).toBe('step: 0 | loss: 0');
  });

  test('one bar per epoch goes on counting; a bar that falls back midway is a restart', async () => {
    const bar = (n: number) => `Training:  10%|█         | ${n}/4 [00:01<00:09,  1.00it/s, loss=${n}.5]`;
    const run = await logOf([1, 2, 3, 4, 1, 2, 3, 4].map(bar).join('\r'));
    expect([...curve(run, 'loss').steps]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const again = await logOf([1, 2, 3, 1, 2].map((n) => bar(n).replace('/4', '/9')).join('\r'));
    expect(again.restarts).toMatchObject([{ fromStep: 3, toStep: 1 }]);
  });
});

test('the best of one and of five answers are two scores', async () => {
  const run = await logOf(
    [0.04, 0.09, 0.15, 0.21]
      .map((score, n) => `Epoch: ${n}/20, top 1 acc: ${score}\nEpoch: ${n}/20, top 5 acc: ${score * 2}`)
      .join('\n'),
  );
  expect([...curve(run, 'accuracy').values]).toEqual([0.04, 0.09, 0.15, 0.21]);
  const spelt = await logOf('step 1 top 1 41.5 loss 2.1\nstep 2 top 1 42.5 loss 2.0\n');
  expect([...curve(spelt, 'accuracy').values]).toHaveLength(2);
});
