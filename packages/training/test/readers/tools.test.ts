// Artefacts written by the tools themselves (see fixtures/make): values, NaN, steps and places as they were logged.
import { describe, expect, test } from 'vitest';
import { formatWhere, setting } from '../../src/record/run-record.js';
import { curve, fixture } from './run-of.js';

describe('TensorBoard event files', () => {
  test('simple values of PyTorch, with NaN and Inf, two files and a restart', async () => {
    const run = await fixture('tensorboard-torch');
    const loss = curve(run, 'loss');
    expect(loss.length).toBe(50);
    expect(loss.values[0]).toBe(2);
    expect(loss.values[30]).toBeNaN();
    expect(loss.point(0)).toMatchObject({ step: 0, time: 1_700_000_000_000 });
    expect(loss.where(0)).toEqual({ file: 'events.out.tfevents.1700000000.host.1.0', offset: 210 });
    expect(curve(run, 'grad_norm').values[39]).toBe(Number.POSITIVE_INFINITY);
    expect(curve(run, 'loss', { split: 'eval' }).length).toBe(4);
    expect(run.restarts).toMatchObject([{ fromStep: 39, toStep: 25 }]);
    expect(setting(run, 'learning_rate')?.value).toBe(0.001);
  });

  test('tensors of TensorFlow 2, split by directory, histograms left aside', async () => {
    const run = await fixture('tensorboard-tf');
    expect(curve(run, 'loss', { split: 'train' }).values[1]).toBe(0.5);
    expect(curve(run, 'loss', { split: 'eval' }).values[1]).toBe(1);
    expect(curve(run, 'loss', { split: 'eval' }).values[12]).toBeNaN();
    expect(run.series.map((series) => series.rawName)).not.toContain('weights');
  });

  test('a cut file is read up to the cut, and the cut is told', async () => {
    const run = await fixture('tensorboard-truncated');
    expect(curve(run, 'loss').length).toBe(40);
    expect(run.notes).toMatchObject([{ kind: 'truncated', at: { offset: 4387 } }]);
  });
});

describe('Hugging Face Trainer', () => {
  test('a healthy run from its state and console', async () => {
    const run = await fixture('hf-healthy');
    const loss = curve(run, 'loss');
    expect([...loss.steps]).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20]);
    expect(loss.reader).toBe('trainer-state');
    expect(run.plannedSteps).toBe(20);
    expect(run.lastStep).toBe(20);
    expect(run.exits.some((exit) => exit.reason === 'completed')).toBe(true);
    expect(run.notes).toEqual([]);
  });

  test('a loss of 0 that stands for NaN is found out', async () => {
    const run = await fixture('hf-masked-nan');
    const loss = curve(run, 'loss');
    expect(loss.masked.size).toBe(6);
    expect(loss.values[4]).toBeNaN();
    expect(loss.values[3]).toBeGreaterThan(1);
    expect(curve(run, 'loss', { split: 'eval' }).values[0]).toBeNaN();
    expect(run.notes.map((note) => note.kind)).toEqual(['masked_nan']);
  });

  test('the console alone: steps from the bar that is drawn below the line', async () => {
    const run = await fixture('hf-masked-nan/console.log');
    const loss = curve(run, 'loss');
    expect([...loss.steps]).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20]);
    expect(loss.masked.size).toBe(6);
    expect(loss.values[0]).toBe(4.13);
  });
});

test('Lightning: sparse rows, NaN and hyperparameters', async () => {
  const run = await fixture('lightning');
  expect(curve(run, 'loss').length).toBe(16);
  expect(curve(run, 'loss').values[12]).toBeNaN();
  expect([...curve(run, 'loss', { split: 'eval' }).steps]).toEqual([7, 15]);
  expect(setting(run, 'learning_rate')).toMatchObject({
    value: 0.1,
    at: { file: 'lightning_logs/version_0/hparams.yaml' },
  });
});

describe('W&B', () => {
  test('a failed run: history, settings, exit code and the traceback inside of the file', async () => {
    const run = await fixture('wandb-failed');
    expect(curve(run, 'loss').values[11]).toBeNaN();
    expect(curve(run, 'grad_norm').values[11]).toBe(Number.POSITIVE_INFINITY);
    expect(setting(run, 'learning_rate')?.value).toBe(0.01);
    expect(setting(run, 'depth')?.value).toBe(4);
    expect(run.exits).toMatchObject([{ source: 'wandb', reason: 'failed', code: 1 }]);
    expect(run.tracebacks).toHaveLength(1);
    expect(run.tracebacks[0]!.chain[0]).toMatchObject({
      type: 'ValueError',
      message: 'labels must be below 10',
    });
  });

  test('a finished and a killed one are told apart', async () => {
    expect((await fixture('wandb-finished')).exits).toMatchObject([{ reason: 'completed', code: 0 }]);
    const killed = await fixture('wandb-killed');
    expect(killed.exits).toEqual([]);
    expect(killed.notes.some((note) => note.text.startsWith('no exit record'))).toBe(true);
  });
});

test.each(['mlflow-files', 'mlflow-sqlite'])(
  'MLflow, %s: NaN, infinity, params and status of the latest run',
  async (name) => {
    const run = await fixture(name);
    const loss = curve(run, 'loss');
    expect(loss.length).toBe(15);
    expect(loss.values[0]).toBe(1);
    expect(loss.values[12]).toBeNaN();
    expect(curve(run, 'grad_norm').values[14]).toBe(Number.POSITIVE_INFINITY);
    expect(setting(run, 'batch_size')?.value).toBe(32);
    expect(run.exits).toMatchObject([{ source: 'mlflow', reason: 'failed' }]);
  },
);

test('Keras: the same epochs from history and CSV are one curve, the progress lines another', async () => {
  const run = await fixture('keras');
  const losses = run.series.filter((series) => series.metric === 'loss' && series.split === 'train');
  expect(losses.map((series) => [series.length, series.steps.at(-1)])).toEqual([
    [4, 4],
    [8, 24],
  ]);
  expect(formatWhere(curve(run, 'loss', { split: 'eval' }).where(0))).toBe('history.json:1');
});
