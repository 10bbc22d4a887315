// Curves that look like failures and are none: they must stay quiet. Beside each stands the failure it resembles.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { logOf } from '../readers/run-of.js';
import { rows, runOf, wobble } from '../run-files.js';

const done = 'Training finished.\n';
const settings = "Namespace(lr=0.001, optimizer='adamw', batch_size=32)\n";

async function judge(curve: (step: number) => Record<string, number>, count = 300, log = settings + done) {
  return diagnoseRecord(await runOf({ 'metrics.jsonl': rows(count, curve), 'train.log': log }));
}
const falling = (step: number): number => 0.4 + 2 * Math.exp(-step / 80);

describe('healthy look-alikes', () => {
  it.each<[string, (step: number) => Record<string, number>]>([
    ['noise as large as the loss', (s) => ({ loss: falling(s) * (1 + 0.6 * wobble(s)) })],
    [
      'summed losses with large norms',
      (s) => ({ loss: 4000 * falling(s), grad_norm: 9000 + 2500 * wobble(s) }),
    ],
    [
      'a spike that heals',
      (s) => ({
        loss: falling(s) + (s >= 150 && s < 156 ? 6 : 0),
        grad_norm: s >= 150 && s < 156 ? 90 : 1 + 0.2 * wobble(s),
      }),
    ],
    [
      'a curriculum jump',
      (s) => ({ loss: s < 150 ? falling(s) : 1.2 + 1.5 * Math.exp(-(s - 150) / 60) + 0.02 * wobble(s) }),
    ],
    [
      'warm restarts of the rate',
      (s) => ({
        loss: falling(s) + 0.05 * (s % 100 < 20 ? 1 : 0),
        learning_rate: 0.001 * (1 - (s % 100) / 101),
      }),
    ],
    [
      'a loss scale that finds its level',
      (s) => ({ loss: falling(s), loss_scale: s < 6 ? 65536 / 2 ** s : 2048 }),
    ],
    [
      'infinite norms of skipped first steps',
      (s) => ({ loss: falling(s), grad_norm: s < 4 ? Number.NaN : 1 + 0.2 * wobble(s) }),
    ],
    [
      'memory that settles after warming up',
      (s) => ({ loss: falling(s), memory_allocated: 1e9 * (s < 20 ? 4 + s / 10 : 6.1 + 0.1 * wobble(s)) }),
    ],
    [
      'a clock that runs since the start and was set to zero once',
      (s) => ({ loss: falling(s), train_time: s < 10 ? 0.24 * s : 0.24 * (s - 10) + 0.001 * wobble(s) }),
    ],
    [
      'the ends of two runs, with a hole between them',
      (s) => ({
        step: s < 150 ? s : s + 50_000,
        loss: s < 150 ? 0.05 + 0.01 * wobble(s) : 0.4 + 0.04 * wobble(s),
      }),
    ],
    [
      'a held-out loss that rises while the share of errors is at its best',
      (s) =>
        s % 10 === 0
          ? {
              loss: falling(s) - 0.39,
              val_loss: 0.55 + 0.5 * Math.exp(-s / 40) + 0.0004 * s,
              val_mistakes_err: 0.18 + 0.15 * Math.exp(-s / 90),
            }
          : { loss: falling(s) - 0.39 },
    ],
    [
      'slow steps at every checkpoint',
      (s) => ({ loss: falling(s), step_time: s % 50 === 0 ? 9 : 0.2 + 0.01 * wobble(s) }),
    ],
    [
      'a slight rise of validation at the end',
      (s) =>
        s % 30 === 0
          ? { loss: falling(s), val_loss: 0.6 + 1.8 * Math.exp(-s / 80) + (s > 270 ? 0.03 : 0) }
          : { loss: falling(s) },
    ],
    [
      'validation a seventh above its best',
      (s) =>
        s % 20 === 0
          ? { loss: falling(s) - 0.35, val_loss: 0.9 + Math.exp(-s / 15) + 0.0004 * s }
          : { loss: falling(s) - 0.35 },
    ],
    [
      'gradients that shrink as the loss converges',
      (s) => ({ loss: falling(s), grad_norm: 3 * Math.exp(-s / 40) + 0.001 }),
    ],
  ])('%s', async (_name, curve) => {
    const diagnosis = await judge(curve);
    // Not failing; healthy only where held-out data proves it.
    expect(['healthy', 'unknown']).toContain(diagnosis.outcome);
    expect(diagnosis.subcause).toBeNull();
  });

  it('fine-tuning from a good checkpoint, flat and low from the start', async () => {
    const diagnosis = await judge((s) => ({
      loss: 0.21 + 0.02 * wobble(s),
      accuracy: 0.94 + 0.02 * wobble(s + 7),
    }));
    expect(['healthy', 'unknown']).toContain(diagnosis.outcome);
  });
});

describe('the failures they resemble', () => {
  it.each<[string, string, (step: number) => Record<string, number>]>([
    [
      'divergence',
      'optimization',
      (s) => ({
        loss: s < 150 ? falling(s) : falling(150) + 0.06 * (s - 150) + 0.1 * wobble(s),
        grad_norm: s < 150 ? 1 : 1 + (s - 150),
      }),
    ],
    [
      'gradient growth before NaN',
      'optimization',
      (s) => ({
        loss: s < 200 ? falling(s) : Number.NaN,
        grad_norm: s < 160 ? 0.3 + 0.05 * wobble(s) : 0.3 * 1.2 ** (s - 160),
      }),
    ],
    [
      'memory that never settles',
      'memory_hardware',
      (s) => ({ loss: falling(s), memory_allocated: 1e9 * (4 + s / 40) }),
    ],
    [
      'steps four times slower for good',
      'memory_hardware',
      (s) => ({ loss: falling(s), step_time: (s < 180 ? 0.2 : 0.8) + 0.01 * wobble(s) }),
    ],
    [
      'a loss that is thrown up a thousandfold at once and settles',
      'optimization',
      (s) => ({ loss: s === 1 ? 1.4 : s < 5 ? 40_000 / s : 0.9 + 0.05 * wobble(s) }),
    ],
    ['a loss without a lower end', 'model_software', (s) => ({ loss: -44 * 1.05 ** s })],
    [
      'weights that never move',
      'model_software',
      (s) => ({
        loss: 1.5 + 0.5 * wobble(s),
        grad_norm: 5 + wobble(s),
        ...(s % 20 === 0 ? { val_loss: 1.5175 } : {}),
      }),
    ],
    [
      'overfitting',
      'optimization',
      (s) =>
        s % 20 === 0
          ? { loss: falling(s) - 0.38, val_loss: 0.9 + Math.exp(-s / 30) + 0.006 * s }
          : { loss: falling(s) - 0.38 },
    ],
  ])('%s', async (_name, category, curve) => {
    const diagnosis = await judge(curve);
    expect(diagnosis.category).toBe(category);
    expect(['failed', 'degraded']).toContain(diagnosis.outcome);
    expect(diagnosis.onset_step).not.toBeNull();
  });

  it('an error that nobody caught after the end of training', async () => {
    const end = "{'train_runtime': 41.6, 'train_samples_per_second': 1.4, 'train_loss': 1.66, 'epoch': 3.0}";
    const error =
      'Traceback (most recent call last):\n  File "train.py", line 90, in <module>\n    save(best)';
    const text = Array.from({ length: 30 }, (_, i) => `{'loss': ${falling(i)}, 'epoch': ${i / 10}}`).join(
      '\n',
    );
    const judged = (log: string) => runOf({ 'train.log': `${log}\n` }).then((run) => diagnoseRecord(run));
    expect(await judged(`${text}\n${end}\n${error}\nNameError: name 'best' is not defined`)).toMatchObject({
      outcome: 'failed',
      category: 'model_software',
    });
    expect((await judged(`${text}\n${end}`)).outcome).toBe('unknown');
  });

  it('says unknown, and what to record, when there is too little to judge', async () => {
    const diagnosis = diagnoseRecord(await runOf({ 'train.log': 'loading data\nstep 1: loss=2.3\n' }));
    expect(diagnosis).toMatchObject({ outcome: 'unknown', category: 'unknown', abstained: true });
    expect(diagnosis.remedies.map((remedy) => remedy.kind)).toContain('collect');
  });

  it('gives NaN out of nowhere whoever chose the hyperparameters, and names the data as well', async () => {
    const diagnosis = await judge((s) => ({ loss: s < 150 ? falling(s) : Number.NaN }));
    expect(diagnosis).toMatchObject({
      outcome: 'failed',
      category: 'optimization',
      subcause: 'divergence',
      onset_step: 150,
    });
    expect(diagnosis.hypotheses.map((hypothesis) => hypothesis.subcause)).toContain('nan_in_data');
  });
});

describe('an error of a destructor', () => {
  const curve = Array.from(
    { length: 12 },
    (_, at) => `[rank0]: it ${at * 20} loss ${0.95 - at / 100}\n`,
  ).join('');
  const error = '[rank2]: AssertionError: can only test a child process\n';
  const judged = async (log: string) => diagnoseRecord(await runOf({ 'train.log': log }));

  it('is no failure where Python says that it is ignored', async () => {
    const ignored = '[rank2]: Exception ignored in: <function Loader.__del__ at 0x7f5e1c0>\n';
    const { category, ranks } = await judged(`${curve}${ignored}${error}[rank0]: final eval 0.73\n`);
    expect(['healthy', 'unknown']).toContain(category);
    expect(ranks?.first ?? null).toBe(null);
  });

  it('is one where Python does not', async () => {
    expect(await judged(curve + error)).toMatchObject({ category: 'model_software' });
  });
});

describe('a run that says its end in words of its own', () => {
  const steps = (last: number) =>
    Array.from(
      { length: last / 50 },
      (_, at) => `step ${50 * (at + 1)} | loss ${(2 + 4 / (at + 1)).toFixed(4)}`,
    );
  const port =
    'mg2:17:18 [0] transport/net_ib.cc:101 NCCL WARN NET/IB : mlx5_3:1 Got async event : port error';
  const ctrlC = [
    'Traceback (most recent call last):',
    '  File "train.py", line 140, in <module>',
    '    time.sleep(3600)',
    'KeyboardInterrupt',
  ];
  const judge = async (lines: readonly string[]) => diagnoseRecord(await logOf(`${lines.join('\n')}\n`));

  it('outlived what adapters reported on the way; one that stopped there did not', async () => {
    const before = [...steps(1000), port];
    const survived = [...before, ...steps(2000).slice(20), 'done: 2000 steps, checkpoint saved'];
    expect(await judge(survived)).not.toMatchObject({ outcome: 'failed' });
    expect(await judge(before)).toMatchObject({ subcause: 'network_link' });
    // Counted on the way, it is no end.
    const counted = [...steps(900), 'finished at step 900', ...steps(1000).slice(18), port];
    expect(await judge(counted)).toMatchObject({ subcause: 'network_link' });
  });

  it('was left running for somebody who then interrupted it; one in the middle was not', async () => {
    const end = 'All 20 epochs done. Model written to model.pt';
    expect(await judge([...steps(1000), end, ...ctrlC])).not.toMatchObject({ outcome: 'failed' });
    const signal = 'torch.distributed.elastic.multiprocessing.api.SignalException: Process 7 got signal: 2';
    expect(await judge([...steps(1000), end, ...ctrlC, signal])).not.toMatchObject({ outcome: 'failed' });
    expect(await judge([...steps(1000), ...ctrlC, signal])).toMatchObject({ subcause: 'terminated' });
    expect(await judge([...steps(1000), ...ctrlC])).toMatchObject({ subcause: 'terminated' });
    expect(await judge([...steps(1000), end, ...ctrlC.slice(0, 3), 'OSError: disk full'])).toMatchObject({
      outcome: 'failed',
    });
  });
});

describe('a file that is not there', () => {
  const log = (call: string, mode: string, file: string) =>
    [
      'Epoch 3 loss 0.42',
      'Traceback (most recent call last):',
      '  File "train.py", line 54, in main',
      `    ${call}`,
      '  File "/env/lib/files.py", line 376, in io',
      `    with _open_file_like(f, '${mode}') as opened:`,
      `FileNotFoundError: [Errno 2] No such file or directory: './kept/${file}'`,
      '',
    ].join('\n');

  it.each([
    ['rows = read(path)', 'rb', 'part_3.npy', 'data_pipeline'],
    ['state = torch.load(path)', 'rb', 'epoch_3.tar', 'model_software'],
    ['torch.save(state, path)', 'wb', 'epoch_3.pth', 'model_software'],
    ['np.save(path, rows)', 'wb', 'part_3.npy', 'model_software'],
  ])('%s: rows are data, and weights and what a run makes are not', async (call, mode, file, category) => {
    expect(diagnoseRecord(await logOf(log(call, mode, file)))).toMatchObject({ category });
  });
});

it('words that are guessed with certainty leak where nothing was given, not where an encoder read them', async () => {
  const epochs = Array.from({ length: 8 }, (_, at) => {
    const right = 1 - 0.55 * 0.3 ** at;
    return [
      `Step ${100 * (at + 1)}; acc: ${(100 * right).toFixed(2)}; ppl: ${(1.02 + 4 * 0.3 ** at).toFixed(2)}`,
      `Validation perplexity: ${(1.04 + 4 * 0.3 ** at).toFixed(3)}`,
      `Validation accuracy: ${(100 * right - 0.5).toFixed(2)}`,
    ].join('\n');
  }).join('\n');
  const free = diagnoseRecord(await logOf(`${epochs}\n`));
  expect(free).toMatchObject({ subcause: 'leakage' });
  const given = diagnoseRecord(await logOf(`(encoder): Encoder(\n(decoder): Decoder(\n${epochs}\n`));
  expect(given.category).toBe('unknown');
});
