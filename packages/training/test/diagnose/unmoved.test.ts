// Runs that do not learn: what tells weights that do not move, weights of the wrong size and steps that are too small from each other,
// and from labels that belong to nothing. Each statement beside the run in which it does not hold.
import { describe, expect, it } from 'vitest';
import { examine } from '../../src/detectors/examine.js';
import { answersEverythingAlike } from '../../src/detectors/shared/bias-alone.js';
import { beganAtNothing, evaluationRepeats, outputsOutOfScale } from '../../src/detectors/shared/learning.js';
import { answersAlike, trainingStandsStill } from '../../src/detectors/shared/no-skill.js';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { viewOf } from '../../src/features/view.js';
import { heldOutStanding } from '../../src/health/standing.js';
import { tooGood } from '../../src/health/too-good.js';
import type { RunRecord } from '../../src/record/run-record.js';
import { rows, runOf, wobble } from '../run-files.js';

type Values = Record<string, number>;

/** Rows of training, with an evaluation at every tenth. */
function run(train: (step: number) => Values, held: (index: number) => Values, log: string, steps = 120) {
  const metrics = rows(steps, (s) => ({ ...train(s), ...(s % 10 === 0 ? held(s / 10 - 1) : {}) }));
  return runOf({ 'metrics.jsonl': metrics, 'train.log': `${log}\nTraining finished.\n` });
}

const settings = (more = ''): string => `Namespace(lr=0.001, optimizer='adamw', batch_size=32${more})`;
const strengthOf = (record: RunRecord, subcause: string): number =>
  examine(record).symptoms.find((symptom) => symptom.subcause === subcause)?.strength ?? 0;

/** What the hooks record where every part of the machine works. */
const works: Values = { gradient_reach: 1, dead_fraction: 0, twin_fraction: 0, update_ratio: 1e-3 };

describe('answers of the wrong size', () => {
  const counted = (first: number, last: number) =>
    run(
      (s) => ({
        ...works,
        constant_loss: Math.LN2,
        majority_share: 0.5,
        loss: last + (first - last) * Math.exp(-s / 40) + 0.1 * wobble(s),
        grad_norm: 20 + 5 * wobble(s),
      }),
      (i) => ({ val_loss: last + (first - last) * Math.exp(-i / 4), val_accuracy: 0.55 + 0.01 * wobble(i) }),
      settings(', num_classes=2'),
    );

  it('begin far above what a constant answer loses and stay above it: no label does that', async () => {
    const large = await counted(4, 1.4);
    expect(outputsOutOfScale(viewOf(large))).toBe(true);
    expect(diagnoseRecord(large)).toMatchObject({ category: 'optimization' });
    const labels = await counted(0.7, 0.7);
    expect(outputsOutOfScale(viewOf(labels))).toBe(false);
    expect(strengthOf(labels, 'gradient_explosion')).toBe(0);
    // Begun as large, and trained well since.
    expect(outputsOutOfScale(viewOf(await counted(4, 0.3)))).toBe(false);
  });

  it('of a classifier may be small in a single batch', async () => {
    const classified = (level: number) =>
      run(
        (s) => ({ loss: s === 70 ? 0.3 * level : level + 0.3 * level * wobble(s), accuracy: 0.5 }),
        (i) => ({ val_loss: level - i, val_accuracy: 0.5 }),
        settings(),
      );
    expect(outputsOutOfScale(viewOf(await classified(120)))).toBe(true);
    expect(outputsOutOfScale(viewOf(await classified(2)))).toBe(false);
  });

  it('explain far less than nothing, and are each wrong in their own way; an offset is the same for all', async () => {
    const error = (level: number, noise: number) =>
      run(
        (s) => ({ loss: level * (1 + 10 * Math.exp(-s / 30)) * (1 + noise * wobble(s)) }),
        (i) => ({
          val_loss: level * (1 + 10 * Math.exp(-i / 3)),
          val_r2: 1 - level * (1 + 10 * Math.exp(-i / 3)),
        }),
        settings(),
      );
    expect(outputsOutOfScale(viewOf(await error(30, 0.6)))).toBe(true);
    expect(outputsOutOfScale(viewOf(await error(30, 0.02)))).toBe(false);
    expect(outputsOutOfScale(viewOf(await error(0.2, 0.6)))).toBe(false);
  });

  it('are no chance level where they are clearly worse than it', async () => {
    const level = (times: number) =>
      run(
        (s) => ({ ...works, target_variance: 1, loss: times + 0.03 * wobble(s), grad_norm: 2 + wobble(s) }),
        () => ({}),
        settings(),
      );
    expect(strengthOf(await level(1), 'chance_level')).toBeGreaterThan(0.6);
    expect(strengthOf(await level(1.5), 'chance_level')).toBeLessThan(0.6);
  });
});

describe('steps that are too small', () => {
  const table = (rate: string, losses: readonly number[]) =>
    runOf({
      'train.log': [
        'optimizer: lion',
        `learning_rate: ${rate}`,
        ...losses.map((loss, index) => `epoch ${index + 1}: loss ${loss} val_loss ${loss + 0.01}`),
      ].join('\n'),
    });

  it('leave a few rows that say the same, below every usual rate', async () => {
    const same = [1.2092, 1.2091, 1.2091, 1.2091];
    expect(strengthOf(await table('1.8e-08', same), 'learning_rate_too_low')).toBeGreaterThan(0.6);
    expect(strengthOf(await table('0.0001', same), 'learning_rate_too_low')).toBe(0);
    expect(strengthOf(await table('1.8e-08', [1.2, 0.8, 0.5, 0.4]), 'learning_rate_too_low')).toBe(0);
  });

  it('are as likely as frozen weights where few digits repeat and no rate is known', async () => {
    const repeated = (loss: number, log: string) =>
      run(
        () => ({ loss }),
        () => ({ val_loss: loss }),
        log,
      );
    expect(strengthOf(await repeated(2.336, ''), 'frozen_parameters')).toBeLessThan(0.6);
    expect(strengthOf(await repeated(2.3361874, ''), 'frozen_parameters')).toBeGreaterThan(0.6);
    expect(strengthOf(await repeated(2.336, settings()), 'frozen_parameters')).toBeGreaterThan(0.6);
  });
});

describe('weights that stand still', () => {
  it('are at zero where each step takes a hundredth of them, and in another model where none does', async () => {
    const still = (decay: number) =>
      run(
        (s) => ({ loss: 5.4 + 0.001 * wobble(s), grad_norm: 2 + 0.3 * wobble(s) }),
        () => ({ val_loss: 5.412, val_accuracy: 0.01 }),
        settings(`, weight_decay=${decay}`),
      );
    expect(strengthOf(await still(0.01), 'foreign_parameters')).toBeGreaterThan(0.6);
    expect(strengthOf(await still(200), 'frozen_parameters')).toBe(0);
    expect(strengthOf(await still(200), 'foreign_parameters')).toBe(0);
  });

  it('are not shown by what outputs that are all alike lose, by one digit, or by a rate that has come to nothing', async () => {
    const flat = (loss: number, rate: (step: number) => number = () => 0.001) =>
      run(
        (s) => ({ loss, grad_norm: 0.6 + 0.05 * wobble(s), lr: rate(s) }),
        () => ({ val_loss: loss }),
        settings(),
      );
    expect(strengthOf(await flat(2.41), 'foreign_parameters')).toBeGreaterThan(0.6);
    expect(strengthOf(await flat(2.398), 'foreign_parameters')).toBeLessThan(0.6);
    expect(strengthOf(await flat(0.0001), 'foreign_parameters')).toBeLessThan(0.6);
    expect(strengthOf(await flat(2.41, (s) => 0.001 * 0.5 ** s), 'foreign_parameters')).toBeLessThan(0.6);
  });

  it('may be behind evaluations that differ, where neither loss nor gradient of training does', async () => {
    const stands = (noise: number) =>
      run(
        (s) => ({ loss: 1.06 + 0.01 * wobble(s), grad_norm: 1.2 + noise * wobble(s) }),
        (i) => ({ val_loss: 1.03 + 0.03 * wobble(i) }),
        settings(),
      );
    const steady = await stands(0.01);
    expect(trainingStandsStill(viewOf(steady))).toBe(true);
    expect(diagnoseRecord(steady).category).toBe('unknown');
    expect(trainingStandsStill(viewOf(await stands(0.5)))).toBe(false);
  });

  it('began at zero where the first loss is the logarithm of the classes as far as it was printed', async () => {
    const begun = async (first: number) =>
      beganAtNothing(
        viewOf(
          await run(
            (s) => ({ loss: s === 1 ? first : 2.2 }),
            (i) => ({ val_loss: 2.2 - 0.01 * i }),
            settings(', num_classes=10'),
          ),
        ),
      );
    expect(await begun(Number(Math.LN10.toFixed(3)))).toBe(true);
    expect(await begun(2.3041)).toBe(false);
  });
});

describe('small gradients', () => {
  it('have not vanished where units, gradients and steps were looked at one by one, and work', async () => {
    const small = (flow: Values) =>
      run(
        (s) => ({ ...flow, loss: 2.3 + 0.001 * wobble(s), grad_norm: 1e-8 * (2 + wobble(s)) }),
        (i) => ({ val_loss: 2.3 + 0.001 * wobble(i) }),
        settings(),
      );
    expect(strengthOf(await small({}), 'gradient_vanishing')).toBeGreaterThan(0.6);
    expect(strengthOf(await small(works), 'gradient_vanishing')).toBe(0);
  });
});

describe('half precision', () => {
  it('spoils held-out data as wrong labels do, and full precision does not', async () => {
    const learned = (precision: string) =>
      run(
        (s) => ({ loss: 0.4 + 2 * Math.exp(-s / 30), accuracy: 0.9 }),
        (i) => ({ val_loss: 1.4 + 0.01 * wobble(i), val_r2: -0.02 + 0.01 * wobble(i) }),
        settings(`, precision='${precision}'`),
      );
    expect(strengthOf(await learned('fp32'), 'shuffled_labels')).toBeGreaterThan(0.6);
    expect(strengthOf(await learned('fp16'), 'shuffled_labels')).toBeLessThan(0.6);
  });
});

describe('one answer for every input', () => {
  const scored = (score: (i: number) => number, loss = (_: number): number => 0.69) =>
    run(
      (s) => ({ loss: 0.69 + 0.01 * wobble(s), accuracy: 0.9 }),
      (i) => ({ val_loss: loss(i) + 1e-3 * wobble(i), val_accuracy: score(i) }),
      settings(),
      160,
    );

  it('may be now this class and now that one: their shares come again', async () => {
    const turns = await scored((i) => [0.41, 0.33, 0.26][i % 3]!);
    expect(answersEverythingAlike(viewOf(turns))).toBe(true);
    const learned = await scored((i) => 0.3 + 0.02 * i);
    expect(answersEverythingAlike(viewOf(learned))).toBe(false);
  });

  it('is given by an evaluation that repeats its score while training answers most rows', async () => {
    expect(answersAlike(viewOf(await scored((i) => (i < 2 ? 0.3 + 0.1 * i : 0.25))))).not.toBeNull();
    expect(answersAlike(viewOf(await scored((i) => 0.25 + 0.01 * wobble(i))))).toBeNull();
  });

  it('beats no majority that was counted elsewhere', async () => {
    const rare = (score: (i: number) => number) =>
      run(
        (s) => ({ loss: 0.6 + 0.01 * wobble(s), majority_share: 0.6875, constant_loss: 0.62 }),
        (i) => ({ val_loss: 0.51, val_accuracy: score(i) }),
        settings(', num_classes=2'),
      );
    expect(heldOutStanding(viewOf(await rare(() => 0.7925)))?.kind).not.toBe('beats');
    expect(heldOutStanding(viewOf(await rare((i) => 0.75 + 0.01 * i)))?.kind).toBe('beats');
  });
});

describe('words that are all but certain', () => {
  it('cost less than a seventh of guessing among them', async () => {
    const text = async (level: number) => {
      const view = viewOf(
        await run(
          (s) => ({ loss: level + 5 * Math.exp(-s / 20) }),
          (i) => ({ val_loss: level + 4 * Math.exp(-i) }),
          settings(', vocab_size=5000'),
        ),
      );
      return tooGood(view, heldOutStanding(view)!);
    };
    expect(await text(1)).toBe(true);
    expect(await text(3)).toBe(false);
  });

  it('are so at the last of a few evaluations, whatever the way there', async () => {
    const few = async (last: number) => {
      const scores = [0.04, 0.78, last];
      const view = viewOf(
        await run(
          (s) => ({ loss: 3 - s / 20 }),
          (i) => ({ val_loss: 4 - i, val_accuracy: scores[i]! }),
          settings(', num_classes=96'),
          30,
        ),
      );
      return tooGood(view, heldOutStanding(view)!);
    };
    expect(await few(1)).toBe(true);
    expect(await few(0.85)).toBe(false);
  });
});

describe('two losses that stand still, without a gradient', () => {
  const still = (held: (index: number) => number, more: Values = {}) =>
    run(
      (s) => ({ loss: 3.58 + 0.03 * wobble(s), ...more }),
      (i) => ({ val_loss: held(i) }),
      'model: decoder',
    );

  it('may be of weights that move, or of statistics that a layer keeps', async () => {
    const moving = await still((i) => 3.59 + 0.02 * wobble(i));
    expect(diagnoseRecord(moving)).toMatchObject({ category: 'unknown' });
  });

  it('may be all that there was to learn, where training moved at its beginning', async () => {
    const once = await run(
      (s) => ({ loss: s === 1 ? 3.9 : 3.58 + 0.03 * wobble(s) }),
      () => ({ val_loss: 3.5912 }),
      'model: decoder',
    );
    expect(diagnoseRecord(once).category).toBe('unknown');
  });

  it.each<[string, (index: number) => number, Values]>([
    ['evaluations repeat to the last digit', () => 3.5912, {}],
    ['they slide as a bias does', (i) => 3.578 + 0.02 * 0.6 ** i, {}],
    [
      'they slide so, rounded',
      (i) => Math.round(1e4 * (3.578 + 0.02 * 0.4 ** i)) / 1e4 + (i % 3 === 2 ? 1e-4 : 0),
      {},
    ],
    ['the mean of the targets would answer better', (i) => 3.59 + 0.02 * wobble(i), { r2: -0.5 }],
  ])('may be of frozen weights where %s', async (_where, held, more) => {
    expect(diagnoseRecord(await still(held, more)).category).toBe('unknown');
  });
});

it('a score of guessing that repeats with its loss is not laid to the data: no weight may move', async () => {
  const guessing = (held: (index: number) => number) =>
    run(
      (s) => ({ loss: Math.log(6) + 0.01 * wobble(s), accuracy: 0.1667 + 0.02 * wobble(s) }),
      (i) => ({ val_loss: Math.log(6) + held(i), val_accuracy: 0.17 + held(i) }),
      'model: encoder',
    );
  expect(diagnoseRecord(await guessing((i) => 0.01 * wobble(i)))).toMatchObject({ subcause: 'chance_level' });
  expect(diagnoseRecord(await guessing(() => 0)).category).toBe('unknown');
});

it('a rate that is gone at the second point, and evaluations that never differ, are a schedule that was spent', async () => {
  const scheduled = (rate: (index: number) => number, held: (index: number) => number) => {
    const metrics = rows(160, (s) => ({
      ...(s % 20 === 0 ? { loss: 2.3 + 0.2 * wobble(s), lr: rate(s / 20 - 1) } : {}),
      ...(s % 10 === 0 ? { val_loss: held(s / 10), val_accuracy: 0.18 } : {}),
    }));
    return runOf({ 'metrics.jsonl': metrics, 'train.log': 'model: vit\n' });
  };
  const spent = await scheduled(
    (i) => 3e-3 * 1e-5 ** i,
    () => 2.27571,
  );
  expect(diagnoseRecord(spent)).toMatchObject({ subcause: 'learning_rate_too_low' });
  const kept = await scheduled(
    () => 3e-3,
    (i) => 2.27 + 0.02 * wobble(i),
  );
  expect(strengthOf(kept, 'learning_rate_too_low')).toBe(0);
});

it('held-out errors that repeat are evaluations that repeat, under whichever name', async () => {
  const logged = async (name: string) =>
    viewOf(
      await run(
        (s) => ({ [name]: 5.36 + 0.001 * wobble(s) }),
        () => ({ [`val_${name}`]: 5.5437 }),
        'model: deep',
      ),
    );
  expect(evaluationRepeats(await logged('mse'))).toBe(true);
  expect(evaluationRepeats(await logged('accuracy'))).toBe(false);
});

it('held-out data that was right at first, and less often each time since, has labels that belong; wavering ones may not', async () => {
  const learned = (score: (index: number) => number) =>
    run(
      (s) => ({ loss: 0.3 + 1.2 * Math.exp(-s / 30) + 0.02 * wobble(s) }),
      (i) => ({ val_loss: 1.2 + 0.2 * i, val_accuracy: score(i) }),
      settings(', num_classes=3'),
    );
  const falling = (i: number): number => (i === 0 ? 0.49 : 0.42 - 0.012 * i);
  expect(strengthOf(await learned(falling), 'shuffled_labels')).toBe(0);
  expect(strengthOf(await learned((i) => 0.33 + 0.02 * wobble(i)), 'shuffled_labels')).toBeGreaterThan(0.7);
});

it('a standstill is no plateau where the gradient of training stands still with it', async () => {
  const still = (size: (step: number) => number) => {
    const metrics = rows(6, (s) => ({
      step: 100 * s,
      loss: 0.889 + 0.002 * wobble(s),
      accuracy: 0.26 + 0.005 * wobble(s),
      grad_norm: size(s),
      val_loss: 0.855 + 0.01 * wobble(s),
      val_accuracy: 0.28 + 0.01 * wobble(s),
    }));
    return runOf({ 'metrics.jsonl': metrics, 'train.log': 'Training finished.\n' });
  };
  expect(strengthOf(await still((s) => 2.27 + 0.01 * wobble(s)), 'plateau')).toBeLessThan(0.6);
  expect(strengthOf(await still((s) => 2.27 + 0.8 * wobble(s)), 'plateau')).toBeGreaterThan(0.6);
});

it('a warm-up that outlasts the run is too small a rate; the same one that ends in time is not', async () => {
  const warmed = (until: number, fell: number) =>
    run(
      (s) => ({
        loss: 1.39 - (fell * s) / 120 + 0.004 * wobble(s),
        lr: 1e-3 * Math.min(1, s / until),
        grad_norm: 1.2,
      }),
      (i) => ({ val_loss: 1.389 - (fell * i) / 12, val_accuracy: 0.25 }),
      settings(),
    );
  expect(strengthOf(await warmed(50_000, 0.01), 'learning_rate_too_low')).toBeGreaterThan(0.6);
  expect(strengthOf(await warmed(50_000, 0.9), 'learning_rate_too_low')).toBe(0);
});

it('a norm that the loop calls after its part is one of weights', async () => {
  const record = await run(
    (s) => ({ loss: 2.3 + 0.02 * wobble(s), grad_norm: 2 + 0.2 * wobble(s), head_weight_norm: 7.162 }),
    () => ({ val_loss: 2.31, val_accuracy: 0.1 }),
    settings(),
  );
  expect(diagnoseRecord(record).subcause).toBe('foreign_parameters');
});
