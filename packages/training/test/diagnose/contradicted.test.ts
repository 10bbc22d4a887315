// What contradicts a cause, and what is missing for a proof of health: each rule beside the run in which it does not speak.
import { describe, expect, it } from 'vitest';
import { examine } from '../../src/detectors/examine.js';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { viewOf } from '../../src/features/view.js';
import { provenHealth } from '../../src/health/health.js';
import type { RunRecord } from '../../src/record/run-record.js';
import { rows, runOf, wobble } from '../run-files.js';

type Values = Record<string, number>;

interface Recipe {
  readonly train: (step: number) => Values;
  /** Asked at each evaluation, with its number from 0. */
  readonly held?: (index: number) => Values;
  readonly settings?: string;
  readonly every?: number;
  readonly steps?: number;
  readonly last?: string;
}

function run({ train, held, settings = '', every = 20, steps = 300, last = 'Training finished.' }: Recipe) {
  const metrics = rows(steps, (s) => ({
    ...train(s),
    ...(held && s % every === 0 ? held(s / every - 1) : {}),
  }));
  const log = `Namespace(lr=0.001, optimizer='adamw', batch_size=32${settings})\n${last}\n`;
  return runOf({ 'metrics.jsonl': metrics, 'train.log': log });
}

const judge = async (recipe: Recipe) => diagnoseRecord(await run(recipe));
const strengthOf = (record: RunRecord, subcause: string): number =>
  examine(record).symptoms.find((symptom) => symptom.subcause === subcause)?.strength ?? 0;
const lackOf = (record: RunRecord): string | null => {
  const proof = provenHealth(examine(record));
  return proof && 'lack' in proof ? String(proof.lack) : null;
};

const guessing = (s: number): Values => ({
  loss: Math.LN10 + 0.01 * wobble(s),
  grad_norm: 2 + 0.3 * wobble(s),
});
const guessed = (i: number): Values => ({ val_loss: Math.LN10 + 0.002 * wobble(i), val_accuracy: 0.1 });

describe('guessing', () => {
  it('is not the cause of a score that was learned and lost again', async () => {
    const settings = ', num_classes=10';
    const never = await run({
      train: (s) => ({ ...guessing(s), accuracy: 0.1 + 0.01 * wobble(s) }),
      held: guessed,
      settings,
    });
    const lost = await run({
      train: (s) => ({ ...guessing(s), accuracy: s < 200 ? 0.9 : 0.1 }),
      held: guessed,
      settings,
    });
    expect(strengthOf(never, 'chance_level')).toBeGreaterThan(0);
    expect(strengthOf(lost, 'chance_level')).toBe(0);
  });

  it('loses no more than guessing loses', async () => {
    const level = (times: number) =>
      run({
        train: (s) => ({ ...guessing(s), loss: times * Math.LN10 + 0.01 * wobble(s) }),
        held: (i) => ({ ...guessed(i), val_loss: times * Math.LN10 + 0.002 * wobble(i) }),
        settings: ', num_classes=10',
      });
    expect(strengthOf(await level(1), 'chance_level')).toBeGreaterThan(0);
    expect(strengthOf(await level(1.7), 'chance_level')).toBe(0);
  });
});

describe('a loss of exactly zero', () => {
  it('has no targets where its gradient is zero as well, and is a policy where it is not', async () => {
    const zero = (norm: (s: number) => number) => run({ train: (s) => ({ loss: 0, grad_norm: norm(s) }) });
    expect(strengthOf(await zero(() => 0), 'ignored_targets')).toBeGreaterThan(0.8);
    expect(strengthOf(await zero((s) => 1 + wobble(s)), 'ignored_targets')).toBe(0);
  });
});

describe('held-out words', () => {
  it('that are all but known were seen, and those that are half known were not', async () => {
    const text = (score: number) =>
      run({
        train: (s) => ({ loss: 0.4 + 5 * Math.exp(-s / 60) }),
        held: (i) => ({ val_loss: 0.4 + 4 * Math.exp(-i), val_accuracy: score - 0.5 * Math.exp(-i) }),
        settings: ', vocab_size=5000',
      });
    expect(strengthOf(await text(0.99), 'leakage')).toBeGreaterThan(0.7);
    expect(strengthOf(await text(0.6), 'leakage')).toBe(0);
  });

  it('are classes where the labels that were counted are few', async () => {
    const labelled = (highest: number) =>
      run({
        train: (s) => ({ loss: 0.4 + Math.exp(-s / 60), label_max: highest }),
        settings: ', vocab_size=5000',
      });
    expect(viewOf(await labelled(3)).task).toMatchObject({ outcomes: 4 });
    expect(viewOf(await labelled(4990)).task).toMatchObject({ outcomes: 5000, loss: 'language_model' });
  });
});

describe('parameters that do not move', () => {
  const same = (): Values => ({ val_loss: 2.31442, val_accuracy: 0.0938 });

  it('belong to another model where gradients flow and every evaluation is the same', async () => {
    const short = (norm: (s: number) => number, held: (i: number) => Values) =>
      run({
        train: (s) => ({ loss: 2.31 + 0.05 * wobble(s), grad_norm: norm(s) }),
        held,
        every: 10,
        steps: 40,
      });
    const flows = (s: number): number => 2 + 0.3 * wobble(s);
    expect(strengthOf(await short(flows, same), 'foreign_parameters')).toBeGreaterThan(0.6);
    const wavers = (i: number): Values => ({ ...same(), val_loss: 2.31 + 0.01 * wobble(i) });
    expect(strengthOf(await short(flows, wavers), 'foreign_parameters')).toBeLessThan(0.6);
    // A step whose gradient is NaN may have been left out.
    const broken = (s: number): number => (s % 7 === 0 ? Number.NaN : flows(s));
    expect(strengthOf(await short(broken, same), 'foreign_parameters')).toBe(0);
  });

  it('were given no rate where it is printed as 0, and were where held-out data improves', async () => {
    const rate = (held: (i: number) => Values) =>
      run({ train: (s) => ({ loss: 2.31 + 0.05 * wobble(s), learning_rate: 0 }), held });
    expect(strengthOf(await rate(same), 'learning_rate_too_low')).toBeGreaterThan(0.75);
    expect(
      strengthOf(await rate((i) => ({ val_loss: 2.3 - 0.1 * i })), 'learning_rate_too_low'),
    ).toBeLessThan(0.75);
  });

  it('are not frozen where the loss becomes NaN', async () => {
    const frozen = (loss: (s: number) => number) =>
      run({ train: (s) => ({ loss: loss(s), grad_norm: 0 }), held: same });
    const still = (s: number): number => 2.31 + 0.05 * wobble(s);
    expect(strengthOf(await frozen(still), 'frozen_parameters')).toBeGreaterThan(0);
    expect(strengthOf(await frozen((s) => (s < 150 ? still(s) : Number.NaN)), 'frozen_parameters')).toBe(0);
  });
});

describe('a level that is kept', () => {
  it('is a plateau only where it is not good', async () => {
    const kept = (score: number) =>
      run({
        train: (s) => ({ loss: 0.9 + 0.02 * wobble(s), grad_norm: 2 + 0.3 * wobble(s) }),
        held: (i) => ({ val_loss: 0.9 + 0.03 * wobble(i), val_accuracy: score + 0.01 * wobble(i + 1) }),
        settings: ', num_classes=10',
      });
    expect(
      strengthOf(await kept(0.12), 'plateau') + strengthOf(await kept(0.12), 'chance_level'),
    ).toBeGreaterThan(0);
    expect(strengthOf(await kept(0.8), 'plateau')).toBe(0);
  });

  it('is no gap where both losses are printed as 0', async () => {
    const both = (held: number) =>
      run({
        train: (s) => ({ loss: s < 20 ? 1 / s : 0 }),
        held: () => ({ val_loss: held, val_accuracy: 0.5 }),
      });
    expect(strengthOf(await both(0), 'train_eval_gap')).toBe(0);
  });

  it('of training is no divergence where held-out data ends at its best', async () => {
    const jump = (held: (i: number) => number) =>
      run({
        train: (s) => ({ loss: s < 200 ? 0.5 + 0.05 * wobble(s) : 3 + 0.3 * wobble(s) }),
        held: (i) => ({ val_loss: held(i) }),
      });
    expect(strengthOf(await jump((i) => 0.5 + 0.3 * i), 'divergence')).toBeGreaterThan(0.6);
    expect(strengthOf(await jump((i) => 2 * Math.exp(-i / 3) + 0.3), 'divergence')).toBe(0);
  });
});

describe('health', () => {
  const learns = (s: number): Values => ({ loss: 0.3 + 2 * Math.exp(-s / 60) + 0.01 * wobble(s) });
  const good = (i: number): Values => ({
    val_loss: 0.4 + 1.8 * Math.exp(-i / 2) + 0.005 * wobble(i),
    val_accuracy: 0.9 - 0.7 * Math.exp(-i / 2) + 0.003 * wobble(i),
  });
  const settings = ', num_classes=10';

  it('is proven by evaluations that settle', async () => {
    expect(await judge({ train: learns, held: good, settings })).toMatchObject({ category: 'healthy' });
  });

  it('is open after two evaluations of a run that does not say that it ended', async () => {
    const held = (i: number): Values => good(6 + 8 * i);
    const recipe = { train: learns, held, settings, every: 140, last: '' };
    expect((await judge(recipe)).category).toBe('unknown');
  });

  it('is open at a rate that nobody uses', async () => {
    const record = await runOf({
      'metrics.jsonl': rows(300, (s) => ({
        ...learns(s),
        learning_rate: 3,
        ...(s % 20 === 0 ? good(s / 20 - 1) : {}),
      })),
      'train.log': "Namespace(lr=3, optimizer='adamw', batch_size=32, num_classes=10)\nTraining finished.\n",
    });
    expect(lackOf(record)).toBe('rate');
  });

  it('is open where held-out data is known as well as training, and nearly perfect', async () => {
    const perfect = (held: number) =>
      judge({
        train: (s) => ({ loss: 0.08 + 2 * Math.exp(-s / 40) }),
        held: (i) => ({ val_loss: held + 2 * Math.exp(-i), val_accuracy: 0.98 - 0.5 * Math.exp(-i) }),
        settings,
      });
    expect((await perfect(0.08)).category).toBe('unknown');
    expect((await perfect(0.12)).category).toBe('healthy');
  });
});

describe('a score of what is found', () => {
  const learned = (s: number): Values => ({ loss: 0.4 / s + 0.02 });
  const held = (index: number, found: number): Values => ({
    val_loss: 0.4 / (index + 1) + 0.03,
    val_accuracy: 0.9 + 0.05 * (1 - 1 / (index + 1)),
    val_dice: found,
  });

  it('that is zero at the end is no health, whatever the others say', async () => {
    const settings = ', num_classes=2';
    const found = await run({ train: learned, held: (i) => held(i, 0.7 + 0.01 * i), settings });
    const lost = await run({ train: learned, held: (i) => held(i, i < 5 ? 0.3 : 0), settings });
    expect(lackOf(found)).toBeNull();
    expect(lackOf(lost)).toBe('finds_nothing');
  });
});

it.each(['name', 'type', '_target_'])('optimizer.%s says which optimizer it is', async (key) => {
  const config = `optimizer:\n  ${key}: sgd\n  lr: 0.1\n`;
  const record = await runOf({ 'config.yaml': config, 'metrics.jsonl': rows(10, learning) });
  expect(viewOf(record).task.optimizer).toBe('sgd');
});

function learning(s: number): Values {
  return { loss: 1 / s };
}
