// A few points of a curve, as people paste them, each beside a healthy twin that resembles it.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { logOf } from '../readers/run-of.js';

const judge = async (lines: readonly string[]) => diagnoseRecord(await logOf(`${lines.join('\n')}\n`));

describe('a few points', () => {
  it('tell a loss that leaves at once, and not one that settles', async () => {
    const left = await judge([5.2, 8.9, 42, 980.1].map((loss, at) => `iter ${10 * (at + 1)} loss ${loss}`));
    expect(left).toMatchObject({ category: 'optimization', abstained: false });
    const settled = await judge([5.2, 3.9, 3.1, 2.8].map((loss, at) => `iter ${10 * (at + 1)} loss ${loss}`));
    expect(settled.category).not.toBe('optimization');
  });

  it('are no targets left out where two rows of many were', async () => {
    const rows = ['row 812 cannot be read, skipping', 'row 97 cannot be read, skipping'];
    const broken = Array.from({ length: 12 }, (_, at) => `epoch ${at + 1} train_loss nan`);
    expect((await judge([...rows, ...broken])).subcause).not.toBe('ignored_targets');
    const nothing = Array.from({ length: 12 }, (_, at) => `row ${at} has no answer, skipping`);
    expect(await judge([...nothing, ...broken.slice(0, 4)])).toMatchObject({ subcause: 'ignored_targets' });
  });

  it('tell a held-out score that was lost, and not one that wavers', async () => {
    const lost = await judge([0.74, 0.82, 0.84, 0.81, 0.83, 0.5].map((score) => `test accuracy ${score}`));
    expect(lost).toMatchObject({ category: 'optimization', subcause: 'divergence' });
    const wavers = await judge([0.74, 0.82, 0.84, 0.79, 0.83, 0.8].map((score) => `test accuracy ${score}`));
    expect(wavers.category).not.toBe('optimization');
  });

  it('tell NaN in the inputs where the run counts some, and not where it counts none', async () => {
    const broken = [1, 2, 3].map((epoch) => `epoch ${epoch} loss nan`);
    const some = [
      'number of NaN values in inputs: 12',
      'X contains NaN: True',
      'df.isna().any().any() = True',
    ];
    for (const line of some)
      expect(await judge([line, ...broken])).toMatchObject({ subcause: 'nan_in_data', abstained: false });
    const none = [
      'number of NaN values in inputs: 0',
      'X contains NaN: False',
      'checking for NaN in data',
      'replaced 7 NaN values in the input',
      'grad has NaN: True',
    ];
    for (const line of none) expect((await judge([line, ...broken])).subcause).toBeNull();
  });

  it('tell a rate by the optimizer that was printed as it is', async () => {
    const broken = [1, 2, 3].map((epoch) => `epoch ${epoch} loss nan`);
    const printed = (name: string) =>
      judge([`${name} (`, 'Parameter Group 0', '    lr: 0.5', '    weight_decay: 0', ')', ...broken]);
    expect((await printed('Adam')).subcause).toBe('learning_rate_too_high');
    expect((await printed('SGD')).subcause).toBeNull();
  });

  it('tell held-out data on another scale, and not a loss that was summed', async () => {
    const trained = [1.52, 1.21, 0.98, 0.83, 0.72, 0.65];
    const row = (held: number, at: number) =>
      `epoch ${at + 1} loss ${trained[at]} acc ${0.3 + 0.07 * at} val_loss ${held} val_acc ${held > 30 ? 0.2 : 0.28 + 0.07 * at}`;
    const scaled = await judge([7.2, 16.1, 31.4, 44.8, 52.3, 58.9].map(row));
    expect(scaled).toMatchObject({ subcause: 'train_eval_gap', abstained: false });
    const summed = await judge(trained.map((loss, at) => row(14 * loss + 0.3, at)));
    expect(summed).toMatchObject({ subcause: null, outcome: 'unknown' });
  });

  it('tell a training split without rows, and not a script that only evaluates', async () => {
    const rows = ['train size: 0, test size: 900', 'epoch 1 train_loss 0.0 test_loss 0.69'];
    expect(await judge([...rows, 'epoch 2 train_loss 0.0 test_loss 0.69'])).toMatchObject({
      subcause: 'empty_data',
    });
    const evaluated = await judge(['train size: 0, test size: 900', 'test accuracy 0.91', 'done']);
    expect(evaluated.subcause).toBeNull();
  });

  it('tell an error that ends the run rather than what its curve did before', async () => {
    const fit = [0.4, 0.41, 0.45, 0.5, 0.57, 0.66].map(
      (held, at) => `epoch ${at + 1} loss ${0.5 * 0.6 ** at} val_loss ${held}`,
    );
    const raised = [
      'Traceback (most recent call last):',
      '  File "fit.py", line 40, in <module>',
      '    show(histroy)',
      "NameError: name 'histroy' is not defined",
    ];
    expect(await judge([...fit, ...raised])).toMatchObject({ outcome: 'failed', subcause: 'code_error' });
    expect(await judge([...fit, 'done'])).toMatchObject({ outcome: 'degraded', subcause: 'overfit' });
  });

  it('tell guessing after a few epochs where gradients flow, and not a slow beginning', async () => {
    const row = (epoch: number, loss: number, score: number) => `epoch ${epoch} loss ${loss} acc ${score}`;
    const guesses = [1, 2, 3, 4, 5].map((epoch) => row(epoch, Math.LN10, 0.1));
    const guessing = await judge(guesses.map((line, at) => `${line} grad_norm ${0.8 + 0.05 * at}`));
    expect(guessing).toMatchObject({ category: 'data_pipeline', subcause: 'chance_level' });
    // No gradient may reach the weights.
    expect(await judge(guesses)).toMatchObject({
      abstained: true,
      hypotheses: expect.arrayContaining([expect.objectContaining({ subcause: 'chance_level' })]),
    });
    const slow = await judge(
      [Math.LN10, 2.29, 2.2, 2.0, 1.8].map((loss, at) => row(at + 1, loss, 0.1 + 0.05 * at)),
    );
    expect(slow.category).not.toBe('data_pipeline');
  });

  it('tell validation that turns while training goes on, and not a run that stopped in time', async () => {
    const trained = [6.2, 2.8, 2.2, 1.8, 1.6, 1.4, 1.2, 1.0, 0.9];
    const evaluated = [6.2, 3.0, 2.5, 2.2, 2.1, 2.15, 2.3, 2.45, 2.6];
    const rows = trained.map((loss, at) => `step ${at * 250}: train loss ${loss}, val loss ${evaluated[at]}`);
    expect(await judge(rows)).toMatchObject({ category: 'optimization', subcause: 'overfit' });
    const stopped = await judge([...rows, 'Early stopping at step 2000: no better for 4 evaluations']);
    expect(stopped.category).not.toBe('optimization');
  });

  it('tell training that knows everything from held-out data that does not, by one row', async () => {
    const row = (held: number) =>
      `loss: 0.0350 - accuracy: 0.9882 - val_loss: 2.6765 - val_accuracy: ${held}`;
    expect(await judge(['Epoch 50/50', row(0.5934)])).toMatchObject({ subcause: 'overfit' });
    expect((await judge(['Epoch 50/50', row(0.9434)])).category).not.toBe('optimization');
  });

  it('tell a loss beyond all measure by one row, and not large targets', async () => {
    const row = 'Epoch [1][500/58633] lr: 1.996e-02, loss_cls: 2326544033.5461, loss: 2461733416.8998';
    expect(await judge([`${row}, acc: 84.1525`])).toMatchObject({ category: 'optimization' });
    expect((await judge([row])).category).toBe('unknown');
  });

  it('tell two epochs of a table whose losses doubled while the score fell', async () => {
    const table = (...last: number[]) =>
      judge([
        'epoch\ttrain_loss\tvalid_loss\taccuracy',
        '1\t2.760716\t2.756633\t0.442434',
        `2\t${last.join('\t')}`,
      ]);
    expect(await table(6.228361, 6.220452, 0.076458)).toMatchObject({ subcause: 'divergence' });
    expect((await table(2.71, 2.73, 0.43)).category).toBe('unknown');
  });

  it('read a table that counts no rows', async () => {
    const { series } = await logOf('train_loss  valid_loss\n2.5  2.6\n2.1  2.3\n1.8  2.2\n');
    expect(series.map(({ split, length }) => [split, length])).toEqual([
      ['train', 3],
      ['eval', 3],
    ]);
  });

  it('tell a scale that is halved at every step down to nothing, and not one that finds its level', async () => {
    const overflow = (from: number) =>
      `[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: ${from}, reducing to ${from / 2}`;
    expect(await judge([64, 32, 16, 8, 4].map(overflow))).toMatchObject({ subcause: 'loss_scale_collapse' });
    expect((await judge([65536, 32768, 16384, 8192, 4096].map(overflow))).category).toBe('unknown');
  });

  it('tell boxes that never entered the loss, and not a part that settles', async () => {
    const row = (at: number, box: number) =>
      `Epoch [1][${50 * at}/534] loss_cls: ${0.5 / at}, loss_bbox: ${box}, loss: ${0.5 / at + box}`;
    expect(await judge([1, 2, 3, 4].map((at) => row(at, 0)))).toMatchObject({ subcause: 'empty_data' });
    expect((await judge([1, 2, 3, 4].map((at) => row(at, 0.1 / at)))).category).toBe('unknown');
  });

  it('tell an evaluation without one label, and not one that found nothing yet', async () => {
    const head = 'Class      Images      Labels           P           R      mAP@.5  mAP@.5:.95';
    expect(await judge([head, 'all  10  0  0  0  0  0'])).toMatchObject({ subcause: 'empty_data' });
    expect((await judge([head, 'all  10  31  0  0  0  0'])).category).toBe('unknown');
  });

  it('tell shares above one beside a loss below zero, and not percents', async () => {
    const rows = (scale: number) =>
      [0.4, 0.8, 1.2, 2.1].map(
        (score, at) => `epoch ${at} - loss: ${10 - 8 * at * at} - iou_score: ${scale * score}`,
      );
    expect(await judge(rows(1))).toMatchObject({ subcause: 'label_out_of_range' });
    expect((await judge(rows(30))).subcause).not.toBe('label_out_of_range');
  });

  it('tell wrong answers that are given with certainty, by what each costs', async () => {
    const rows = (loss: number) =>
      [242, 243, 244].map((epoch) => `Epoch ${epoch}/300\n - 79s - loss: ${loss} - acc: 0.1000`);
    expect(await judge(rows(14.5063))).toMatchObject({ category: 'optimization', subcause: 'divergence' });
    expect((await judge(rows(13.2063))).subcause).not.toBe('divergence');
  });

  it('tell a rate that is printed as nothing by a perplexity that stays to the digit', async () => {
    const rows = (...held: number[]) =>
      held.flatMap((value, at) => [
        `Step ${1000 * (at + 1)}/1000000; acc: 41.90; ppl: 55.41; xent: 4.01; lr: 0.00000`,
        `Validation perplexity: ${value}`,
      ]);
    expect(await judge(rows(56.402, 56.402))).toMatchObject({ subcause: 'learning_rate_too_low' });
    expect((await judge(rows(56.402, 51.238))).subcause).not.toBe('learning_rate_too_low');
  });

  it('tell answers that are all wrong in every row, and not a beginning', async () => {
    const rows = (...losses: number[]) =>
      losses.map((loss, at) => `epoch: ${at + 8} | lr: 0.4 | loss: ${loss} | WER: 99.9${at}`);
    expect(await judge(rows(32.2, 32.6, 32.61))).toMatchObject({ subcause: 'plateau' });
    expect((await judge(rows(32.2, 28.6, 25.1))).category).toBe('unknown');
  });

  it('leave NaN from the first step on without a cause', async () => {
    const broken = [1, 2, 3].map(
      (at) => `{'loss': 0.0, 'grad_norm': nan, 'learning_rate': 1e-05, 'epoch': 0.${at}}`,
    );
    expect(await judge(broken)).toMatchObject({ category: 'unknown', abstained: true });
  });

  it('tell one point beyond all others, and not a spike', async () => {
    const rows = (last: number) =>
      [0.61, 0.32, 0.21, 0.17, last].map((loss, at) => `epoch ${at} train loss ${loss}`);
    expect(await judge(rows(4.1e15))).toMatchObject({ category: 'optimization', abstained: false });
    expect((await judge(rows(0.4))).subcause).toBeNull();
  });

  it('tell what two epochs lose, and what training no longer answers', async () => {
    const epoch = (at: number, loss: number, held: number) =>
      `epoch ${at} train loss ${loss} val loss ${held}`;
    expect(await judge([epoch(1, 0.31, 0.08), epoch(2, 6.4, 14.2)])).toMatchObject({
      subcause: 'divergence',
    });
    expect((await judge([epoch(1, 0.31, 0.08), epoch(2, 0.2, 0.9)])).subcause).toBeNull();
    const scores = (last: number) =>
      [0.09, 0.17, 0.24, 0.31, last, last, last].map(
        (score, at) => `batch ${50 * at} train accuracy ${score}`,
      );
    expect(await judge(scores(0))).toMatchObject({ category: 'optimization' });
    expect((await judge(scores(0.29))).category).not.toBe('optimization');
  });

  it('tell the part of a loss that left where the sum is NaN, and not where no part did', async () => {
    const rows = (part: string) => [
      ...[2.41, 2.36, 2.3].map(
        (loss, at) => `iter ${50 * at} loss_cls: 1.${40 - at} loss_box: 0.9 loss: ${loss}`,
      ),
      `iter 150 loss_cls: ${part} loss_box: nan loss: nan`,
    ];
    expect(await judge(rows('7301.25'))).toMatchObject({ subcause: 'divergence', abstained: false });
    expect((await judge(rows('1.37'))).confidence).toBeLessThan(0.7);
  });

  it('tell steps that are all skipped by the rate that waits at zero', async () => {
    const rows = (rate: (at: number) => string) =>
      [3.11, 3.07, 3.14, 3.09].map(
        (loss, at) =>
          `{'loss': ${loss}, 'grad_norm': nan, 'learning_rate': ${rate(at)}, 'epoch': 0.0${at + 1}}`,
      );
    expect(await judge(rows(() => '0.0'))).toMatchObject({ subcause: 'precision_overflow' });
    expect((await judge(rows((at) => `${at + 1}e-06`))).subcause).not.toBe('precision_overflow');
  });

  it('tell NaN after points that were numbers, and leave it open where none was', async () => {
    const rows = (...losses: (number | string)[]) =>
      losses.map((loss, at) => `2026-04-02 09:${10 + at}:20,104:INFO: train loss:${loss}`);
    expect(await judge(rows(5.91, 6.33, 7.22, 'nan', 'nan'))).toMatchObject({ category: 'optimization' });
    expect(await judge(rows(1.24, 0.91, 1.49, 1.32, 'nan', 'nan'))).toMatchObject({
      subcause: 'divergence',
    });
    expect(await judge(rows(1.24, 1.21, 1.18, 1.17, 'nan', 'nan'))).toMatchObject({
      category: 'optimization',
    });
    expect((await judge(rows('nan', 'nan', 'nan'))).category).toBe('unknown');
    const warmed = (rate: (at: number) => number) =>
      [2.26, 2.27, 2.2, 'nan'].map(
        (loss, at) => `Epoch [1][${50 * (at + 1)}/9000] lr: ${rate(at)}, loss: ${loss}`,
      );
    expect(await judge(warmed((at) => 0.001 * (at + 1)))).toMatchObject({ category: 'optimization' });
  });

  it('tell growth by the order of points that all carry the number of their epoch', async () => {
    const bar = (at: number, loss: string) =>
      `Epoch 3/75:  61%|██████    | ${at}/368 [01:20<00:51,  2.79it/s, loss=${loss}]`;
    expect(
      await judge([bar(225, '18.4'), bar(226, '1.93e+05'), bar(227, 'nan'), bar(228, 'nan')]),
    ).toMatchObject({ category: 'optimization' });
  });

  it('tell a loss of exactly nothing after it exploded, and not one that was learned away', async () => {
    const rows = (...losses: number[]) =>
      losses.map(
        (loss, at) => `{'loss': ${loss}, 'learning_rate': ${0.0003 * (at + 1)}, 'epoch': 0.0${at + 1}}`,
      );
    expect(await judge(rows(1.81, 1.74, 1.5, 3.8, 6.9, 11, 7.6, 0, 0, 0))).toMatchObject({
      category: 'optimization',
    });
    expect((await judge(rows(1.81, 1.2, 0.7, 0.3, 0.1, 0.02, 0.01, 0, 0, 0))).category).not.toBe(
      'optimization',
    );
  });

  it('tell a reward that was gained and lost, and not one that dips', async () => {
    const rows = (...rewards: number[]) =>
      rewards.map(
        (reward, at) => `Ball: Step: ${50000 * (at + 1)}. Mean Reward: ${reward}. Std of Reward: 1.1.`,
      );
    const rise = [1.8, 4.4, 8.7, 17.3, 35.2, 58.8, 66.1, 67.4, 66.8];
    expect(await judge(rows(...rise, 44.2, 21.7, 6.3, 0.9, 0.3, 0.2))).toMatchObject({
      category: 'optimization',
    });
    expect((await judge(rows(...rise, 44.2, 21.7, 40.1, 60.2, 66.2, 67.1))).category).not.toBe(
      'optimization',
    );
  });

  it('tell losses below zero that lost all they had gained, and not a bad epoch', async () => {
    const rows = (...losses: number[]) =>
      losses.flatMap((loss, at) => [`Epoch ${at + 6}`, `train_loss ${loss}`, `val_loss ${loss - 0.01}`]);
    expect(await judge(rows(-0.21, -0.37, -0.44, -0.29, 0.09, 0.1, 0.1))).toMatchObject({
      subcause: 'divergence',
    });
    expect((await judge(rows(-0.21, -0.37, -0.44, 0.09, -0.4, -0.46, -0.5))).category).not.toBe(
      'optimization',
    );
  });

  it('tell words that cost more than any text can, and leave strange words to the data', async () => {
    const rows = (ppl: string) =>
      [50, 100, 150, 200].map((at) => `Epoch  1, ${at}/ 6535; acc:   0.21; ppl: ${ppl}; 3635 src tok/s`);
    expect(await judge(rows('26881171418161356094253400435962903554686976.00'))).toMatchObject({
      category: 'optimization',
    });
    expect((await judge(rows('1400000000.00'))).category).not.toBe('optimization');
  });

  it('leave a loss alone that is a sum, while the score climbs', async () => {
    const table = (scores: readonly number[]) => [
      'E    #       LOSS NER  ENTS_F  SCORE ',
      '---  ------  --------  ------  ------',
      ...[52.67, 2870.31, 1533.08, 1407.66, 1290.15, 1611.94].map(
        (loss, at) => `  0  ${200 * at}  ${loss}  ${scores[at]}  ${scores[at]! / 100}`,
      ),
    ];
    expect((await judge(table([6.1, 79.2, 85.3, 88, 90.1, 91.4]))).category).not.toBe('optimization');
    expect(await judge(table([6.1, 5.2, 3.3, 2, 0.1, 0]))).toMatchObject({ category: 'optimization' });
  });

  it('read steps between rows of JSON, and what is being validated', async () => {
    const { series } = await logOf(
      [
        '{"train_loss": 6.9, "test_loss": 6.8, "epoch": 0}',
        '{"train_loss": 5.3, "test_loss": 4.1, "epoch": 1}',
        'Epoch: [2]  [  0/1251]  eta: 1:20:41  lr: 0.003000  loss: 5.2817 (5.2817)  time: 3.8703',
        'Epoch: [2]  [ 10/1251]  eta: 0:22:30  lr: 0.003000  loss: 6.8840 (6.4413)  time: 1.0881',
        '',
      ].join('\n'),
    );
    expect(series.find(({ rawName }) => rawName === 'loss')?.length).toBe(2);
    expect(series.find(({ rawName }) => rawName === 'train_loss')?.length).toBe(2);
    const bars = await logOf(
      'Epoch 48/inf, loss=31.2: 100%|███| 24/24 [15:02<00:00, 2.7it/s]\nValidating, loss=401.7: 94%|███| 25/27 [00:38<00:02, 6.9it/s]\n',
    );
    expect(bars.series.flatMap(({ metric, split }) => (metric === 'loss' ? [split] : []))).toEqual([
      'eval',
      'train',
    ]);
  });

  it('tell embeddings that are drawn to one point, and not ones that come nearer as they learn', async () => {
    const rows = (losses: readonly number[], shrinks: number) =>
      losses.map((loss, at) => `epoch ${at + 1} - loss: ${loss} - mean_dist: ${0.9 * shrinks ** at}`);
    expect(await judge(rows([0.522, 0.508, 0.503, 0.501, 0.5, 0.5], 0.2))).toMatchObject({
      subcause: 'mode_collapse',
    });
    expect((await judge(rows([0.52, 0.41, 0.32, 0.22, 0.15, 0.1], 0.2))).category).not.toBe('optimization');
    expect((await judge(rows([0.522, 0.508, 0.503, 0.501, 0.5, 0.5], 0.8))).category).not.toBe(
      'optimization',
    );
  });

  it('tell the most that a softmax can lose by one point, and not a loss near it', async () => {
    const rows = (first: number) =>
      [first, 8.258, 8.26, 8.244].map((loss, at) => `solver.cpp:191] Iteration ${1000 * at}, loss = ${loss}`);
    expect(await judge(rows(87.3366))).toMatchObject({ category: 'optimization', subcause: 'divergence' });
    expect((await judge(rows(87.21))).category).toBe('unknown');
  });

  it('tell a latent code that says nothing, and not a small one', async () => {
    const row = (kl: string) => `96/96 - 61s - loss: 0.1523 - recon_loss: 0.1523 - kl_loss: ${kl}`;
    expect(await judge([row('4.1126e-07')])).toMatchObject({ subcause: 'mode_collapse' });
    expect((await judge([row('0.0021')])).category).toBe('unknown');
    expect((await judge([row('0.0')])).category).toBe('unknown');
  });

  it('take two runs in one log apart', async () => {
    const both = [...[3.1, 3.2, 3.1, 3.2, 3.1], ...[9.8, 9.9, 9.8, 9.9, 9.8]];
    const rows = both.map((loss, at) => `Epoch ${(at % 5) * 40}: Train Loss ${loss}`);
    expect((await judge(rows)).subcause).not.toBe('divergence');
  });
});

describe('a loss scale', () => {
  const overflow = (scale: string) =>
    `Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to ${scale}`;

  it('that has gone to nothing is the cause', async () => {
    const diagnosis = await judge([
      overflow('5e-324'),
      overflow('0.0'),
      'ZeroDivisionError: float division by zero',
    ]);
    expect(diagnosis).toMatchObject({ category: 'optimization', subcause: 'loss_scale_collapse' });
  });

  it('that adjusts itself is not', async () => {
    expect((await judge([overflow('32768.0')])).category).toBe('unknown');
  });
});
