// Logs as people keep them: several trainings one after the other, epochs that count their own steps, evaluations batch by batch, printed
// settings. Beside each stands the failure it resembles.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { curve, logOf } from '../readers/run-of.js';
import { wobble } from '../run-files.js';

const judge = async (lines: readonly string[]) => diagnoseRecord(await logOf(`${lines.join('\n')}\n`));
const count = (length: number, line: (at: number) => string) => Array.from({ length }, (_, at) => line(at));
const falling = (at: number): string => (0.4 + 2 * Math.exp(-at / 8) + 0.02 * wobble(at)).toFixed(4);

describe('several trainings in one log', () => {
  const training = (name: string) => [
    `Model: ${name}`,
    ...count(40, (at) => `step ${at * 10} loss ${falling(at)}`),
  ];
  const models = ['cnn', 'lstm', 'gru', 'tcn', 'mlp'].map(training);

  it('are no restarts of one', async () => {
    expect(await judge(models.flat())).not.toMatchObject({ subcause: 'restart_loop' });
  });

  it('are restarts where the log tells of what stopped each', async () => {
    const stopped = models.flatMap((lines) => [...lines, 'Worker exited, resuming from checkpoint step 0']);
    expect(await judge(stopped.slice(0, -1))).toMatchObject({ subcause: 'restart_loop' });
  });

  it('do not make one curve: the last one is judged', async () => {
    const high = count(40, (at) => `step ${at * 10} loss ${(30 * Number(falling(at))).toFixed(4)}`);
    const low = count(40, (at) => `step ${at * 10} loss ${falling(at)}`);
    expect(await judge([...low, ...high])).not.toMatchObject({ category: 'optimization' });
    const lost = count(40, (at) => `step ${at * 10} loss ${at < 20 ? falling(at) : (9 + at).toFixed(4)}`);
    expect(await judge([...low, ...lost])).toMatchObject({ category: 'optimization' });
  });
});

describe('steps that every epoch counts anew', () => {
  const epochs = [0, 1, 2, 3, 4].flatMap((epoch) =>
    count(16, (at) => `TRAIN in epoch ${epoch} , step ${at * 50}, loss = ${falling(epoch * 16 + at)}`),
  );

  it('are steps of one run', async () => {
    const record = await logOf(epochs.join('\n'));
    expect(record.restarts).toEqual([]);
    const { steps } = curve(record, 'loss');
    expect(Array.from(steps).every((step, at) => at === 0 || step > steps[at - 1]!)).toBe(true);
    expect(record.lastStep).toBe(4 * 751 + 750);
  });

  it('are a restart where the epoch goes back with them', async () => {
    const record = await logOf([...epochs, ...epochs.slice(0, 30)].join('\n'));
    expect(record.restarts).toMatchObject([{ fromStep: 4 * 751 + 750, toStep: 0 }]);
  });
});

describe('an evaluation that prints its batches', () => {
  /** Batches differ by far more than epochs do. */
  const batch = (mean: number, at: number) => (mean * (1 + 0.8 * wobble(7 * at))).toFixed(4);
  const log = (mean: (epoch: number) => number) =>
    count(10, (at) => at).flatMap((epoch) => [
      ...count(10, (at) => `Epoch: [${epoch}][${at * 10}/100]\tLoss ${falling(epoch * 10 + at)}`),
      ...count(12, (at) => `Test: [${at * 10}/120]\tLoss ${batch(mean(epoch), epoch * 12 + at)}`),
    ]);

  it('is worth the mean of its batches', async () => {
    const held = (epoch: number) => 0.6 + 1.6 * Math.exp(-epoch / 2);
    expect(await judge(log(held))).not.toMatchObject({ category: 'optimization' });
  });

  it('still shows that the model overfits', async () => {
    const held = (epoch: number) => (epoch < 3 ? 1.6 - 0.3 * epoch : 0.7 + 0.5 * epoch);
    expect(await judge(log(held))).toMatchObject({ subcause: 'overfit' });
  });
});

describe('a jump of the loss', () => {
  const steps = (after: (at: number) => number) =>
    count(100, (at) => `[${at * 500}/50000] loss ${(at < 20 ? 0.03 : after(at)).toFixed(4)} gpu 98%`);

  it('is planned at the step that the log announced', async () => {
    const shifted = steps((at) => 0.25 - at / 1000 + 0.02 * wobble(at));
    expect(await judge(['Warmup steps (L1 only): 10000', ...shifted])).not.toMatchObject({
      category: 'optimization',
    });
    expect(await judge(['Batch: 16', ...shifted])).toMatchObject({ category: 'optimization' });
  });

  it('is a divergence where it goes on to rise, announced or not', async () => {
    const rising = steps((at) => 0.2 * (at - 19));
    expect(await judge(['Warmup steps: 10000', ...rising])).toMatchObject({ category: 'optimization' });
  });
});

describe('a loss that had come down', () => {
  const epochs = (trained: (at: number) => number, held = trained) =>
    count(20, (at) => `Epoch ${at} train_loss ${trained(at).toFixed(4)} val_loss ${held(at).toFixed(4)}`);
  const climbing = (at: number) => (at < 13 ? 3 * 0.72 ** at : 0.06 * 1.4 ** (at - 12));

  it('diverges where it climbs back at every epoch', async () => {
    expect(await judge(epochs(climbing))).toMatchObject({ category: 'optimization' });
  });

  it('does not where it wavers at the bottom, or where held-out data stays well', async () => {
    const wavers = (at: number) => (at < 13 ? 3 * 0.72 ** at : 0.06 * (1 + 0.9 * Math.abs(wobble(at))));
    expect(await judge(epochs(wavers))).not.toMatchObject({ subcause: 'divergence' });
    expect(await judge(epochs(climbing, (at) => 3 * 0.8 ** at))).not.toMatchObject({
      subcause: 'divergence',
    });
  });
});

describe('what is no failure by itself', () => {
  it('a generator that loses on held-out data while its judge learns', async () => {
    const lines = count(
      10,
      (at) =>
        `[GAN] Epoch ${at + 1}/10 D Loss: ${(1.7 - at / 30).toFixed(4)} G Loss: ${(0.5 + at / 30).toFixed(4)} | Val G Loss: ${(0.43 + at / 20).toFixed(4)}`,
    );
    expect(await judge(lines)).not.toMatchObject({ outcome: 'degraded' });
  });

  it('a reward that never moves is neither lost nor won', async () => {
    const lines = count(20, (at) => `step ${at} ep_rew_mean 0 loss ${(-0.02 - at / 1e4).toFixed(4)}`);
    const verdict = await judge(lines);
    expect(verdict.subcause).not.toBe('wrong_objective');
    expect(verdict.category).not.toBe('healthy');
  });

  it('a limit among printed settings', async () => {
    const settings = ['TrainParams(lr=0.1,', '            nccl_default_timeout_minutes=None),'];
    expect(await judge([...settings, 'model built'])).not.toMatchObject({ subcause: 'collective_timeout' });
    const timeout = 'RuntimeError: NCCL communicator was aborted: collective operation timeout';
    expect(await judge([...settings, timeout])).toMatchObject({ subcause: 'collective_timeout' });
  });

  it('a warning that a score is undefined, before the error that stopped the run', async () => {
    const warning =
      'UndefinedMetricWarning: Only one class is present in y_true. ROC AUC score is not defined.';
    const error = [
      'Traceback (most recent call last):',
      '  File "train.py", line 9, in main',
      '    print(f"{acc:.4f}")',
    ];
    expect(
      await judge([warning, ...error, 'TypeError: unsupported format string passed to tuple.__format__']),
    ).toMatchObject({
      category: 'model_software',
    });
    expect(await judge([warning])).toMatchObject({ subcause: 'degenerate_labels' });
  });

  it('a loss scale of zero among settings, where it means that the scale is found', async () => {
    expect(
      await judge(['        "loss_scale": 0, ', ...count(20, (at) => `step ${at} loss ${falling(at)}`)]),
    ).not.toMatchObject({
      subcause: 'loss_scale_collapse',
    });
    const collapsed = count(
      20,
      (at) => `step ${at} loss ${falling(at)} loss_scale ${at < 10 ? 65536 : 1e-4}`,
    );
    expect(await judge(collapsed)).toMatchObject({ subcause: 'loss_scale_collapse' });
  });

  it('a policy’s loss of zero', async () => {
    const row = (at: number) =>
      `{'loss': 0.0, 'grad_norm': 0.2, 'learning_rate': 4e-07, 'rewards/equation_func': 0.0, 'reward': ${(0.1 + at / 50).toFixed(2)}, 'epoch': ${at}.5}`;
    const verdict = await judge([
      ...count(20, row),
      "{'train_runtime': 21142.8, 'train_loss': 5e-07, 'epoch': 20.0}",
    ]);
    expect(verdict.outcome).not.toBe('degraded');
    // A part of the reward was never earned: that is no proof of health.
    expect(verdict.category).not.toBe('healthy');
  });

  it('a validation loss above a training loss that was first logged late', async () => {
    const rows = (first: number) =>
      count(
        10,
        (at) =>
          `Epoch ${first + at * 10}/100: train_loss=${(0.08 / (at + 1)).toFixed(5)}, val_loss=${(0.33 + 0.08 / (at + 1)).toFixed(5)}`,
      );
    expect(await judge(rows(10))).not.toMatchObject({ outcome: 'degraded' });
    expect(await judge(rows(1))).toMatchObject({ subcause: 'train_eval_gap' });
  });

  it('a difference of tokens that is dealt with in the same breath', async () => {
    const said = 'The tokenizer has new PAD tokens that differ from the model config.';
    const run = count(20, (at) => `step ${at * 10} loss ${(0.95 - at / 1000).toFixed(4)}`);
    expect(
      await judge([`${said} The model config was aligned accordingly, being updated.`, ...run]),
    ).not.toMatchObject({
      subcause: 'tokenizer_mismatch',
    });
    expect(await judge([said, ...run])).toMatchObject({ subcause: 'tokenizer_mismatch' });
  });

  it('a remark that something is built later', async () => {
    const remark =
      'WARNING:tensorflow:Compiled the loaded model, but the compiled metrics have yet to be built.';
    expect(await judge([remark])).not.toMatchObject({ outcome: 'failed' });
    expect(
      await judge(['WARNING: Loaded runtime CuDNN library: 8.1 but source was compiled with: 8.6']),
    ).toMatchObject({
      subcause: 'version_mismatch',
    });
  });
});

describe('a log that several starts wrote', () => {
  const raised = (error: string) => [
    'Traceback (most recent call last):',
    '  File "train.py", line 125, in <module>',
    '    main()',
    error,
  ];

  it('ends with the error of the last one, not with the interrupt of an earlier one', async () => {
    const lines = [...raised('KeyboardInterrupt'), ...raised("ModuleNotFoundError: No module named 'torch'")];
    expect(await judge(lines)).toMatchObject({ subcause: 'missing_package' });
    expect(await judge(['step 10 loss 2.1', ...raised('KeyboardInterrupt')])).toMatchObject({
      subcause: 'terminated',
    });
  });

  it('ends well where the last start says so, and not where it fails once more', async () => {
    const start = '2026-02-10 17:05:11 - __main__ - INFO - Starting training of unet';
    const error = raised(
      'RuntimeError: expected input[16, 3, 32, 32] to have 4 channels, but got 3 channels',
    );
    const steps = count(30, (at) => `step ${at * 10} loss ${falling(at)}`);
    const log = [start, ...error, start, ...steps];
    const end = '2026-02-13 15:48:34 - __main__ - INFO - Training completed successfully!';
    expect(await judge([...log, end])).not.toMatchObject({ outcome: 'failed' });
    expect(await judge([...log, ...error])).toMatchObject({ outcome: 'failed' });
    // What is held back comes out after the error: an end that was said before it.
    expect(await judge([...error, start, ...steps, end])).toMatchObject({ outcome: 'failed' });
  });
});

describe('numbers that need a second look', () => {
  it('are settings where they are told as information', async () => {
    const options =
      '[I ProcessGroupNCCL.cpp:687] [Rank 0] ProcessGroupNCCL initialization options:NCCL_ASYNC_ERROR_HANDLING: 1, TIMEOUT(ms): 1800000';
    const steps = count(30, (at) => `step ${at * 10} loss ${falling(at)}`);
    expect(await judge([options, ...steps])).not.toMatchObject({ outcome: 'failed' });
    const fired =
      '[E ProcessGroupNCCL.cpp:474] Some NCCL operations have failed or timed out. Due to the asynchronous nature of CUDA kernels';
    expect(await judge([...steps, fired])).toMatchObject({ subcause: 'collective_timeout' });
  });

  it('are words and not classes where a perplexity stands beside them', async () => {
    const row = (at: number) => {
      const loss = 5.1 + 0.5 * Math.exp(-at);
      return `${at}, ${loss.toFixed(5)}, ${Math.exp(loss).toFixed(5)}, ${(30 - 7 * Math.exp(-at)).toFixed(3)}`;
    };
    expect(await judge(['epoch,loss,ppl,accuracy', ...count(10, row)])).not.toMatchObject({
      category: 'optimization',
    });
  });

  it('say nothing where they wander about zero', async () => {
    const steps = (losses: readonly number[]) =>
      losses.map((loss, at) => `[step ${25 * at}] avg_loss=${loss} acc=0.06`);
    const pushed = [-0.0784, 0.0001, 0.0002, -0.0027, 0.0006, 0.0008, 0.0007, 0.0009];
    expect(await judge(steps(pushed))).not.toMatchObject({ category: 'optimization' });
    const lost = [0.5, 0.3, 0.2, 0.15, 0.9, 2.5, 3.1, 3.4];
    expect(await judge(steps(lost))).toMatchObject({ category: 'optimization' });
  });
});
