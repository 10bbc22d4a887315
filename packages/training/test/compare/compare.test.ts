// Two runs beside each other: what differs is told, what made the difference comes first, and seeds explain nothing.
import { describe, expect, it } from 'vitest';
import { compareRuns } from '../../src/compare/compare.js';
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
      'optim.lr: 0.001 before, 0.3 after (300 times as large). It is the only difference that training sees.',
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
    expect(renderComparison(comparison, { width: 200 })).toContain(
      'Nothing that they record, and that training sees, explains it.',
    );
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

it.each([
  ['trainer.optimizer.lr', 'steps'],
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
