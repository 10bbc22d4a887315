// Two runs beside each other: what differs is told, what made the difference comes first, and seeds explain nothing.
import { describe, expect, it } from 'vitest';
import { compareRuns } from '../../src/compare/compare.js';
import { shown } from '../../src/compare/explain.js';
import { leverOf } from '../../src/compare/levers.js';
import { renderComparison } from '../../src/compare/report.js';
import { rows, runOf, wobble } from '../run-files.js';

const settings = {
  optim: { lr: 0.001, name: 'adam' },
  model: { hidden_size: 64, dropout: 0.1 },
  data: { path: '/data/v1/train.csv' },
  seed: 3,
  output_dir: 'runs/3',
  run_name: 'quiet-sun-3',
  num_workers: 2,
};

function run(
  changes: Record<string, unknown>,
  files: { bad?: boolean; seed?: number; more?: Record<string, string> } = {},
) {
  const { bad = false, seed = 0, more = {} } = files;
  return runOf({
    'config.json': JSON.stringify({ ...settings, ...changes }),
    'metrics.jsonl': rows(120, (step) => {
      const loss = 2.2 * Math.exp(-step / 25) + 0.2 + 0.02 * wobble(step + seed);
      return {
        loss: bad && step > 50 ? 1 + (step - 50) * 0.4 : loss,
        val_loss: bad && step > 50 ? 2 + (step - 50) * 0.4 : loss + 0.05,
      };
    }),
    ...more,
  });
}

const elsewhere = { seed: 4, output_dir: 'runs/4', run_name: 'loud-moon-4', num_workers: 8 };

describe('two runs that ended differently', () => {
  it('names the change that training sees, and from where on the curves are apart', async () => {
    const comparison = compareRuns(
      await run({}),
      await run({ ...elsewhere, optim: { lr: 0.3, name: 'adam' } }, { bad: true }),
    );
    expect(comparison).toMatchObject({
      endings: 'apart',
      explanation: {
        difference: { name: 'optim.lr', before: 0.001, after: 0.3, lever: 'steps' },
        rivals: [],
      },
    });
    expect(comparison.worse).toBe(comparison.after.path);
    expect(comparison.parting?.step).toBeGreaterThanOrEqual(50);
    expect(comparison.parting?.step).toBeLessThan(60);
    expect(comparison.explanation?.text).toBe(
      'optim.lr: 0.001 before, 0.3 after (300 times as large). No other difference is likely to matter.',
    );
  });

  it('prefers what acts on what failed, and the larger change', async () => {
    const { explanation, differences } = compareRuns(
      await run({}),
      await run(
        { ...elsewhere, optim: { lr: 0.1, name: 'adam' }, model: { hidden_size: 66, dropout: 0.1 } },
        { bad: true },
      ),
    );
    expect(explanation?.difference.name).toBe('optim.lr');
    expect(differences.slice(0, 2).map(({ name }) => name)).toEqual(['optim.lr', 'model.hidden_size']);
  });

  it('says which run is worse when it is the first', async () => {
    const comparison = compareRuns(
      await run({ optim: { lr: 1, name: 'adam' } }, { bad: true }),
      await run({}),
    );
    expect(comparison.worse).toBe(comparison.before.path);
    expect(renderComparison(comparison, { width: 200 })).toContain('The first did worse.');
  });

  it('finds a learning rate that only the curve tells of', async () => {
    const logged = (rate: number, bad: boolean) =>
      runOf({
        'metrics.jsonl': rows(100, (step) => ({ loss: bad ? 2 + 0.1 * step : 2 / step, lr: rate })),
      });
    const { explanation, not_compared } = compareRuns(await logged(0.001, false), await logged(0.5, true));
    expect(explanation?.difference).toMatchObject({ name: 'learning_rate', before: 0.001, after: 0.5 });
    expect(not_compared).toContain('settings');
  });

  it('explains nothing by seeds, names, places and hosts', async () => {
    const comparison = compareRuns(await run({}), await run(elsewhere, { bad: true }));
    expect(comparison.endings).toBe('apart');
    expect(comparison.explanation).toBeNull();
    expect(renderComparison(comparison, { width: 200 })).toContain('No recorded difference explains it.');
  });
});

describe('two runs that ended alike', () => {
  it('have nothing to explain, whatever differs', async () => {
    const comparison = compareRuns(
      await run({}),
      await run({ ...elsewhere, model: { hidden_size: 96, dropout: 0.2 } }, { seed: 500 }),
    );
    expect(comparison).toMatchObject({ endings: 'alike', worse: null, explanation: null });
    expect(comparison.differences.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['model.hidden_size', 'model.dropout', 'seed']),
    );
  });

  it('are the same in settings that are only written differently', async () => {
    const { differences } = compareRuns(
      await runOf({ 'config.json': '{"learning_rate": "1e-3", "amp": "True", "data_dir": "a"}' }),
      await runOf({ 'config.json': '{"lr": 0.001, "amp": true, "data_dir": "a"}' }),
    );
    expect(differences).toEqual([]);
  });
});

describe('endings are compared on the scale of the metric', () => {
  const losing = (value: (step: number) => number, config: object = {}, count = 60) =>
    runOf({
      'config.json': JSON.stringify({ lr: 0.003, epochs: 60, batch_size: 8, ...config }),
      'metrics.jsonl': rows(count, (step) => ({ val_loss: value(step) })),
    });
  const falling = (step: number): number => 2 * Math.exp(-step / 12) + 0.05 + 0.004 * wobble(step);

  it('a loss that is wild and a million times as large is not alike', async () => {
    const { endings, worse, after, explanation } = compareRuns(
      await losing(falling),
      await losing((step) => 4000 * Math.exp(1.5 * wobble(step * 7)), { lr: 2 }),
    );
    expect({ endings, worse }).toEqual({ endings: 'apart', worse: after.path });
    expect(explanation?.difference.name).toBe('lr');
  });

  it('a run that is merely shorter is not worse', async () => {
    const comparison = compareRuns(
      await losing(falling),
      await losing(falling, { epochs: 10, batch_size: 9 }, 10),
    );
    expect(comparison).toMatchObject({ endings: 'shorter', worse: null, after: { reached: 10 } });
    expect(renderComparison(comparison, { width: 400 })).toContain(
      'The second trained less: to step 10 of 60. There, the first had about the same val_loss. Most likely because of epochs: 60 before, 10 after',
    );
    const stopped = compareRuns(await losing(falling), await losing(falling, { lr: 0.02 }, 10));
    expect(stopped).toMatchObject({ endings: 'shorter', explanation: null });
  });

  it('a run that is shorter and worse than the other was then did worse', async () => {
    const { endings, explanation } = compareRuns(
      await losing(falling),
      await losing((step) => 9 + 0.01 * wobble(step), { lr: 5 }, 10),
    );
    expect([endings, explanation?.difference.name]).toEqual(['apart', 'lr']);
  });

  it('counts epochs where the run does', async () => {
    const log = (level: number) =>
      Array.from({ length: 12 }, (_, at) => `epoch ${at + 1}: val_loss ${(level + 1 / (at + 1)).toFixed(4)}`);
    const [good, bad] = [log(0.1), [...log(0.1).slice(0, 5), ...log(4).slice(5)]];
    const comparison = compareRuns(
      await runOf({ 'train.log': good.join('\n') }),
      await runOf({ 'train.log': bad.join('\n') }),
    );
    expect(comparison.parting).toMatchObject({ step: 6, counts: 'epochs' });
    expect(renderComparison(comparison, { width: 200 })).toContain('part at epoch 6.');
  });
});

describe('what was stated explains what was measured', () => {
  const measured = (deviation: number, config: object, bad: boolean) =>
    runOf({
      'config.json': JSON.stringify({ lr: 0.003, columns: 'all', rows: 2400, ...config }),
      'metrics.jsonl': rows(60, (step) => ({
        val_loss: bad ? 3 + 0.01 * wobble(step) : 2 / step,
        input_std: deviation,
      })),
    });

  it('other columns have another deviation', async () => {
    const { explanation } = compareRuns(
      await measured(1, {}, false),
      await measured(0.2, { columns: 'top2' }, true),
    );
    expect(explanation).toMatchObject({ difference: { name: 'columns', measured: false }, rivals: [] });
    expect(explanation?.text).toContain('With it, input_std went from 1 to 0.2.');
  });

  it('eight rows fewer do not', async () => {
    const { explanation } = compareRuns(
      await measured(1, {}, false),
      await measured(0.2, { rows: 2392 }, true),
    );
    expect(explanation?.difference).toMatchObject({ name: 'input_std', measured: true });
  });
});

it('takes a name of an optimizer for one, and a commit for no number', async () => {
  const { explanation, differences } = compareRuns(
    await run({ training: { name: 'adamw' }, git_sha: 4e31 }),
    await run({ training: { name: 'sgd' }, git_sha: 4e31 }, { bad: true }),
  );
  expect(explanation?.difference).toMatchObject({ name: 'training.name', lever: 'steps' });
  expect(differences.map(({ name }) => name)).toEqual(['training.name']);
  const log = (sha: string) =>
    runOf({ 'train.log': `lr: 0.1\nbs: 8\nseed: 1\ngit_sha: ${sha}\nwidth: 64\n` });
  const { differences: commits } = compareRuns(await log('4e315551'), await log('4e315552'));
  expect(commits).toMatchObject([
    { name: 'git_sha', before: '4e315551', after: '4e315552', change: 'changed' },
  ]);
});

const unexplained = {
  'an address is no version': [
    { server: '10.0.0.1', master_addr: '10.0.0.1' },
    { server: '10.0.0.1', master_addr: '10.0.0.2' },
  ],
  'None is not set': [{}, { extra: 'None', __proto__x: null, constructor: 'null' }],
  'off is mostly what was not mentioned': [{}, { use_frobnicator: false, other_thing: 'False' }],
  'the client that sends curves': [
    { _wandb: { cli_version: '0.15.1' } },
    { _wandb: { cli_version: '0.16.0' } },
  ],
  'how often a run is evaluated': [
    { eval_steps: 10, hub_model_id: 'a' },
    { eval_steps: 500, hub_model_id: 'b' },
  ],
  'one run records far more': [
    {},
    Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`setting_${at}`, at + 1])),
  ],
} satisfies Record<string, [object, object]>;

it.each(Object.entries(unexplained))('explains nothing: %s', async (_, [before, after]) => {
  const comparison = compareRuns(
    await run(before as Record<string, unknown>),
    await run(after, { bad: true }),
  );
  expect(comparison).toMatchObject({ endings: 'apart', explanation: null });
});

describe('settings as real runs have them', () => {
  const differ = async (before: object, after: object) =>
    compareRuns(
      await runOf({ 'config.json': JSON.stringify(before) }),
      await runOf({ 'config.json': JSON.stringify(after) }),
    ).differences.map(({ name, before: old, after: now, change }) => [name, old, now, change]);

  it('does not take a share for a number of steps', async () => {
    expect(await differ({ a: 1, warmup_steps: 500 }, { a: 1, b: 2, warmup_ratio: 0.1 })).not.toContainEqual(
      expect.arrayContaining([500, 0.1]),
    );
  });

  it('keeps a short name whose value is not that of the fuller one', async () => {
    const names = await differ({ lr: 0.1, critic: { lr: 0.2 }, a: 1, b: 2 }, { a: 1, b: 2 });
    expect(names.map(([name]) => name)).toEqual(['lr', 'critic.lr']);
  });

  it('tells long numbers apart, and takes no list of devices for an amount', async () => {
    const [hash, devices] = ['12345678901234567890', '[0]'];
    expect(await differ({ sha: hash, devices }, { sha: '12345678901234567891', devices: '[1]' })).toEqual([
      ['sha', hash, '12345678901234567891', 'changed'],
      ['devices', '[0]', '[1]', 'changed'],
    ]);
  });

  it('shows numbers as written, and long texts cut, on one line', () => {
    expect([524288, 3e-5, `a\n${'b'.repeat(90)}`].map(shown)).toEqual([
      '524288',
      '0.00003',
      `a ${'b'.repeat(57)}…`,
    ]);
  });
});

it('says that two runs failed for different reasons', async () => {
  const [full, missing] = [
    'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.',
    "FileNotFoundError: [Errno 2] No such file or directory: 'train.csv'",
  ].map(
    (text) =>
      `Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n    go()\n${text}\n`,
  );
  const comparison = compareRuns(await runOf({ 'train.log': full! }), await runOf({ 'train.log': missing! }));
  expect(comparison).toMatchObject({ endings: 'unclear', worse: null });
  expect(renderComparison(comparison)).toContain('They failed for different reasons');
});

it.each([
  ['trainer.optimizer.lr', 'steps'],
  ['lora_rank', 'model'],
  ['output_dim', 'model'],
  ['user_embedding_dim', 'model'],
  ['per_device_eval_batch_size', null],
  ['load_best_model_at_end', null],
  ['model.name', 'model'],
  ['dataset_version', 'data'],
  ['git_commit', 'code'],
  ['weightDecay', 'regularisation'],
  ['random_seed', null],
  ['wandb.tags', null],
  ['log_every_n_steps', null],
  ['save_interval', null],
  ['hostname', null],
  ['frobnicate', 'other'],
])('%s acts on %s', (key, lever) => {
  expect(leverOf(key)).toBe(lever);
});

it('tells that a password changed, and does not show it', async () => {
  const { differences } = compareRuns(
    await run({ db_password: 'hunter2', optim: { lr: 0.001, name: 'adam' } }),
    await run({ db_password: 'correct-horse', hub: 'hf_abcdefghijklmnopqrstuvwxyz0123' }),
  );
  const told = JSON.stringify(differences);
  expect(differences.find(({ name }) => name === 'db_password')).toMatchObject({
    before: '[removed]',
    after: '[removed]',
  });
  expect(told).not.toMatch(/hunter2|correct-horse|hf_abc/);
});
