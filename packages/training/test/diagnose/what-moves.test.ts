// A run that learned nothing: does anything in it move, and does every input get the same answer? What the digits of a record prove of it,
// each beside the run in which they do not.
import { describe, expect, it } from 'vitest';
import { examine } from '../../src/detectors/examine.js';
import { oneAnswerToAll, outputsBeginAlike } from '../../src/detectors/shared/bias-alone.js';
import { comesAgain } from '../../src/detectors/shared/learning.js';
import { stirsInVain } from '../../src/detectors/shared/no-skill.js';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { viewOf } from '../../src/features/view.js';
import { heldOutStanding } from '../../src/health/standing.js';
import { tooGood } from '../../src/health/too-good.js';
import type { RunRecord } from '../../src/record/run-record.js';
import { rows, runOf, wobble } from '../run-files.js';

type Values = Record<string, number>;

/** Rows of training, with an evaluation at every tenth. */
function run(train: (step: number) => Values, held: (index: number) => Values, log = '', steps = 120) {
  const metrics = rows(steps, (s) => ({ ...train(s), ...(s % 10 === 0 ? held(s / 10 - 1) : {}) }));
  return runOf({ 'metrics.jsonl': metrics, 'train.log': `${log}\nTraining finished.\n` });
}

const settings = (more = ''): string => `Namespace(lr=0.01, optimizer='sgd', batch_size=32${more})`;
const strengthOf = (record: RunRecord, subcause: string): number =>
  examine(record).symptoms.find((symptom) => symptom.subcause === subcause)?.strength ?? 0;
const four = (value: number): number => Number(value.toFixed(4));

describe('no weight may have moved', () => {
  const guessing = (held: (index: number) => Values, last = 0.7) =>
    run(
      (s) => ({ loss: s === 120 ? last : four(0.7 + 0.02 * wobble(s)), accuracy: 0.5 + 0.1 * wobble(s) }),
      held,
      settings(', num_classes=2'),
    );

  it('where evaluations are the same to the last digit, whatever digits the last batch has', async () => {
    const same = await guessing(() => ({ val_loss: 0.6988, val_accuracy: 0.5125 }));
    const said = diagnoseRecord(same);
    expect(said).toMatchObject({ category: 'unknown' });
    expect(said.hypotheses.map(({ subcause }) => subcause)).toContain('frozen_parameters');
    const wanders = (i: number): Values => ({
      val_loss: four(0.7 + 0.01 * wobble(i)),
      val_accuracy: 0.5 + 0.02 * wobble(i),
    });
    expect(diagnoseRecord(await guessing(wanders))).toMatchObject({ subcause: 'chance_level' });
  });

  it('where each input keeps its own answer and the loss moves no more than a bias makes it', async () => {
    const little = (i: number): Values => ({
      val_loss: four(0.7 + 0.0006 * wobble(i)),
      val_accuracy: four(0.5 + 0.02 * wobble(i)),
    });
    expect(strengthOf(await guessing(little), 'chance_level')).toBeLessThan(0.6);
    // One answer to everything, now this class and now that one.
    const turns = (i: number): Values => ({
      val_loss: four(0.7 + 0.0006 * wobble(i)),
      val_accuracy: i % 3 ? 0.48 : 0.52,
    });
    expect(strengthOf(await guessing(turns), 'chance_level')).toBeGreaterThan(0.6);
  });

  it('where an epoch gives the loss of another one again in all of many digits, whatever came between', async () => {
    const epochs = (loss: (epoch: number) => number) =>
      run(
        (s) => ({ loss: loss(s), accuracy: 0.535 + 0.001 * wobble(s) }),
        () => ({}),
        '',
        6,
      );
    const again = await epochs((e) => (e === 2 || e === 3 ? 0.69 + 0.001 * e : 0.68116752 + 1e-9 * e));
    expect(comesAgain(viewOf(again).curve('loss')!)).toBe(true);
    expect(diagnoseRecord(again)).toMatchObject({ category: 'unknown' });
    const differ = await epochs((e) => 0.68 + 0.001 * wobble(e));
    expect(comesAgain(viewOf(differ).curve('loss')!)).toBe(false);
  });

  it('where no gradient was logged: a standstill has more than one cause', async () => {
    const stands = (first: number, steps: number) =>
      run(
        (s) => ({ loss: s === 1 ? first : 1.3 + 0.03 * wobble(s) }),
        (i) => ({ val_loss: i === 0 ? 1.11 : 1.165 + 0.004 * wobble(i) }),
        settings(),
        steps,
      );
    for (const [first, steps] of [
      [1.3, 120],
      [1.55, 120],
      [1.3, 900],
    ] as const)
      expect(strengthOf(await stands(first, steps), 'plateau')).toBeLessThan(0.6);
  });

  it('though a batch among the first loses half as much again: others do so all along', async () => {
    const noisy = (later: number) =>
      run(
        (s) => ({ loss: s === 7 ? 153 : s === 90 ? later : 96 + 3 * wobble(s), lr: 0.01 }),
        (i) => ({ val_loss: 93.9 + 0.002 * i, val_r2: 0.02 }),
        "Namespace(lr=0.01, optimizer='adamw', batch_size=64)",
      );
    expect(strengthOf(await noisy(140), 'learning_rate_too_high')).toBe(0);
    expect(strengthOf(await noisy(97), 'learning_rate_too_high')).toBeGreaterThan(0.6);
  });

  it('where the gradient is 0 in every step and every evaluation is the same, though batches get easier', async () => {
    const cut = (norm: number) =>
      run(
        (s) => ({ loss: four(0.75 - 0.0004 * s + 0.003 * wobble(s)), grad_norm: norm }),
        () => ({ val_loss: 0.7389, val_accuracy: 0.205 }),
        settings(),
      );
    expect(diagnoseRecord(await cut(0))).toMatchObject({ subcause: 'frozen_parameters' });
    expect(diagnoseRecord(await cut(0.4)).subcause).not.toBe('frozen_parameters');
  });

  it('nor after the first epoch of a model that is at its goal', async () => {
    const lines = (loss: string) =>
      Array.from({ length: 12 }, (_, e) => `[${e + 1}, ${e * 50 + 49}] loss: ${loss}, val_loss: ${loss}`);
    const settled = await runOf({ 'train.log': [settings(), ...lines('0.1311'), 'done'].join('\n') });
    expect(strengthOf(settled, 'frozen_parameters')).toBeLessThan(0.6);
    const exact = await runOf({ 'train.log': [settings(), ...lines('0.13114257'), 'done'].join('\n') });
    expect(strengthOf(exact, 'frozen_parameters')).toBeGreaterThan(0.6);
  });

  it('where every rate that was logged is too small to change a number', async () => {
    const rate = (value: number) =>
      run(
        (s) => ({ loss: 5.38 + 0.01 * wobble(s), lr: value }),
        () => ({ val_loss: 5.3881 }),
        '',
        20,
      );
    expect(diagnoseRecord(await rate(3e-23))).toMatchObject({ subcause: 'learning_rate_too_low' });
    expect(diagnoseRecord(await rate(3e-3)).subcause).not.toBe('learning_rate_too_low');
  });
});

describe('a gradient that pulls in vain', () => {
  const pulled = (size: (step: number) => number, log: string, held = 0.003) =>
    run(
      (s) => ({ loss: 0.86 + 0.05 * wobble(s), grad_norm: size(s), lr: 0.001 }),
      (i) => ({ val_loss: 0.862 + held * wobble(i) }),
      log,
    );
  const known = "Namespace(lr=0.001, optimizer='rmsprop', batch_size=16, weight_decay=0.0)";
  const steady = (s: number): number => 1.6 + 0.2 * wobble(s + 3);

  it('is not of the weights that the optimizer holds', async () => {
    expect(diagnoseRecord(await pulled(steady, known))).toMatchObject({ subcause: 'foreign_parameters' });
  });

  it.each<[string, Promise<RunRecord>]>([
    ['decay may hold them', pulled(steady, "Namespace(lr=0.001, optimizer='rmsprop', batch_size=16)")],
    ['it is noise, which differs from batch to batch', pulled((s) => 1.6 + 1.4 * wobble(s + 3), known)],
    ['it changes as weights do', pulled((s) => 1.6 + 0.004 * s + 0.2 * wobble(s + 3), known)],
    ['held-out data moves', pulled(steady, known, 0.1)],
  ])('may be, and is not said to be, where %s', async (_name, record) => {
    expect(diagnoseRecord(await record).subcause).not.toBe('foreign_parameters');
  });
});

describe('epochs that gain nothing though gradients flow', () => {
  const fit = (first: number) =>
    runOf({
      'train.log': Array.from(
        { length: 12 },
        (_, at) =>
          `epoch ${at + 1} loss: ${(at === 0 ? first : 0.82 - 0.008 * at).toFixed(4)} grad_norm: ${(1.9 + 0.1 * at).toFixed(4)} val_loss: ${(0.805 + 0.012 * wobble(at)).toFixed(4)}`,
      ).join('\n'),
    });

  it('have labels that belong to nothing, unless the first of them halved the loss', async () => {
    expect(stirsInVain(viewOf(await fit(0.84)))).toBe(true);
    expect(stirsInVain(viewOf(await fit(1.41)))).toBe(false);
  });
});

describe('every input gets the same answer', () => {
  it('from the first batches on, where each of them loses the logarithm of the classes', async () => {
    const begins = (spread: number) =>
      run(
        (s) => ({ loss: Math.log(6) + spread * wobble(s), grad_norm: 0.2 }),
        (i) => ({ val_loss: 1.791 + 1e-4 * i }),
        '',
      );
    expect(outputsBeginAlike(viewOf(await begins(0.002)))).toBe(true);
    expect(diagnoseRecord(await begins(0.002))).toMatchObject({ category: 'optimization' });
    expect(outputsBeginAlike(viewOf(await begins(0.02)))).toBe(false);
  });

  it('where the loss has come to the entropy of the share that is right', async () => {
    const share = 0.805;
    const entropy = -share * Math.log(share) - (1 - share) * Math.log(1 - share);
    const constant = (excess: number) =>
      run(
        (s) => ({
          loss: 0.52 + 0.15 * Math.exp(-s / 20) + 0.02 * wobble(s),
          grad_norm: 0.06 + 0.02 * wobble(s),
        }),
        (i) => ({ val_loss: entropy + excess + 0.16 * Math.exp(-i), val_accuracy: share }),
        settings(),
      );
    expect(oneAnswerToAll(viewOf(await constant(0.0002)))).toBe(true);
    expect(diagnoseRecord(await constant(0.0002))).toMatchObject({ subcause: 'chance_level' });
    expect(oneAnswerToAll(viewOf(await constant(0.006)))).toBe(false);
  });

  it('and not where the score climbed to where it stays', async () => {
    const ends = (scores: readonly number[]) =>
      run(
        (s) => ({ loss: 1.05 + 0.9 * Math.exp(-s / 15), grad_norm: 2 + 0.2 * wobble(s) }),
        (i) => ({ val_loss: 1.13 + 0.3 * Math.exp(-i), val_accuracy: scores[i]! }),
        settings(),
        60,
      );
    const jumps = await ends([0.505, 0.4925, 0.505, 0.505, 0.505, 0.505]);
    const climbs = await ends([0.44, 0.47, 0.4925, 0.505, 0.505, 0.505]);
    // One answer is seldom most of the data where training began as among several classes.
    const high = await ends([0.905, 0.8925, 0.905, 0.905, 0.905, 0.905]);
    expect(heldOutStanding(viewOf(high))).not.toMatchObject({ kind: 'constant' });
    expect(heldOutStanding(viewOf(jumps))).toMatchObject({ kind: 'constant' });
    expect(diagnoseRecord(climbs)).toMatchObject({ outcome: 'unknown' });
  });
});

describe('held-out data that was never answered better than by a constant', () => {
  it('and gets one answer, now this and now that, is no proof that labels are shuffled', async () => {
    const trained = [0.31, 0.24, 0.22, 0.19, 0.2, 0.19, 0.19, 0.18];
    const held = [0.74, 0.82, 0.75, 0.91, 0.68, 1.25, 0.73, 1.08];
    const judged = (scores: readonly number[]) =>
      runOf({
        'train.log': trained
          .map(
            (loss, i) =>
              `step ${75 * (i + 1)} | loss ${loss} | accuracy ${0.96 - loss / 3} | val_loss ${held[i]} | val_accuracy ${scores[i]}`,
          )
          .join('\n'),
      });
    const turns = await judged([0.395, 0.395, 0.395, 0.395, 0.605, 0.395, 0.395, 0.395]);
    expect(strengthOf(turns, 'shuffled_labels')).toBeLessThan(0.6);
  });

  it('had nothing to forget', async () => {
    const turned = (best: number) =>
      run(
        (s) => ({ loss: 1.12 - 0.0035 * s }),
        (i) => ({ val_loss: 0.98 + 0.012 * Math.abs(i - 2), val_r2: best - 0.012 * Math.abs(i - 2) }),
        settings(),
      );
    expect(diagnoseRecord(await turned(0.3))).toMatchObject({ subcause: 'overfit' });
    expect(diagnoseRecord(await turned(-0.04)).subcause).not.toBe('overfit');
  });
});

describe('not healthy', () => {
  const words = (accuracy: number, loss: number, first = 5.3) =>
    run(
      (s) => ({ lm_loss: loss + (first - loss) * Math.exp(-s / 20) }),
      (i) => ({
        val_lm_loss: loss + (first - loss) * Math.exp(-i),
        val_accuracy: accuracy * (1 - Math.exp(-i - 1)),
      }),
      settings(', vocab_size=200'),
    );

  it('is a language model that guesses nearly all words, or whose right answers are hardly more likely than any other', async () => {
    expect(diagnoseRecord(await words(0.6, 1.6))).toMatchObject({ category: 'healthy' });
    expect(diagnoseRecord(await words(0.9, 1.6)).category).not.toBe('healthy');
    expect(diagnoseRecord(await words(0.47, 5.27, 5.4)).category).not.toBe('healthy');
  });

  it('is not denied to a classifier that only reads words', async () => {
    const reads = await run(
      (s) => ({ loss: 0.3 + 1.4 * Math.exp(-s / 20), accuracy: 0.95 - 0.7 * Math.exp(-s / 20) }),
      (i) => ({ val_accuracy: 0.9 - 0.5 * Math.exp(-i) }),
      settings(', vocab_size=4000'),
    );
    expect(tooGood(viewOf(reads), heldOutStanding(viewOf(reads))!)).toBe(false);
  });

  it('is a classifier that is losing the score it had reached', async () => {
    const goes = (lost: number) =>
      run(
        (s) => ({ loss: 0.1 + 5 * Math.exp(-s / 25) }),
        (i) => ({ val_accuracy: 0.75 - 0.4 * Math.exp(-i) - lost * Math.max(0, i - 3) + 0.001 * wobble(i) }),
        settings(', num_classes=100'),
      );
    expect(diagnoseRecord(await goes(0))).toMatchObject({ category: 'healthy' });
    expect(diagnoseRecord(await goes(0.02)).category).not.toBe('healthy');
  });

  it('is a classifier of two classes that is left with most of the mistakes of guessing', async () => {
    const two = (accuracy: number) =>
      run(
        (s) => ({ loss: 0.4 + 0.3 * Math.exp(-s / 20) }),
        (i) => ({ val_loss: 0.4 + 0.25 * Math.exp(-i), val_accuracy: accuracy - 0.15 * Math.exp(-i / 2) }),
        settings(', num_classes=2'),
      );
    expect(diagnoseRecord(await two(0.84))).toMatchObject({ category: 'healthy' });
    expect(diagnoseRecord(await two(0.68)).category).not.toBe('healthy');
  });
});

describe('held-out data on another scale', () => {
  const apart = (held: number, accuracy: number) =>
    runOf({
      'train.log': [1, 2]
        .map(
          (e) =>
            `epoch ${e}: loss ${1.76 - 0.2 * e} acc ${0.5 + 0.1 * e} val_loss ${held + e} val_acc ${accuracy}`,
        )
        .join('\n'),
    });

  it('loses many times what training ever did in one or two evaluations, and scores far below it', async () => {
    expect(diagnoseRecord(await apart(68, 0.12))).toMatchObject({ subcause: 'train_eval_gap' });
    // A sum in the place of a mean.
    expect(diagnoseRecord(await apart(68, 0.66)).subcause).not.toBe('train_eval_gap');
    expect(diagnoseRecord(await apart(1.5, 0.12)).subcause).not.toBe('train_eval_gap');
  });
});

describe('targets that belong to other rows', () => {
  it('are learned by heart though held-out data came down at first: not where it still comes down', async () => {
    const course = (held: readonly number[]) =>
      run(
        (s) => ({ loss: 70 + 425 * Math.exp(-s / 8) }),
        (i) => ({ val_loss: held[i]!, val_r2: 1 - held[i]! / 103 }),
        settings(),
        40,
      );
    expect(diagnoseRecord(await course([231, 117, 126, 132]))).toMatchObject({ subcause: 'shuffled_labels' });
    expect(diagnoseRecord(await course([231, 180, 150, 132])).subcause).not.toBe('shuffled_labels');
  });
});

describe('labels that belong to other rows', () => {
  it('are learned by heart slowly, behind the noise of batches, while held-out data gets worse', async () => {
    const noisy = (fall: number, rise: number) =>
      run(
        (s) => ({ loss: 0.69 - fall * s + 0.06 * wobble(s), accuracy: 0.5 + fall * s, grad_norm: 1.5 }),
        (i) => ({ val_loss: 0.74 + rise * i, val_accuracy: 0.44 + 0.01 * wobble(i) }),
        settings(', num_classes=2'),
      );
    expect(diagnoseRecord(await noisy(0.0008, 0.008))).toMatchObject({ subcause: 'shuffled_labels' });
    expect(strengthOf(await noisy(0, 0.008), 'shuffled_labels')).toBe(0);
    expect(strengthOf(await noisy(0.0008, -0.008), 'shuffled_labels')).toBe(0);
  });
});

describe('a loss below zero', () => {
  it('of answers that are right or wrong is no likelihood, in three lines', async () => {
    const lines = (scale: number, score: string) =>
      runOf({
        'train.log': [-1.7, -23, -90]
          .map((loss, e) => `epoch ${e + 1} loss ${scale * loss} ${score} 0.0${e + 1}`)
          .join('\n'),
      });
    expect(diagnoseRecord(await lines(100, 'accuracy'))).toMatchObject({ subcause: 'wrong_objective' });
    expect(diagnoseRecord(await lines(100, 'kl')).subcause).not.toBe('wrong_objective');
  });
});

describe('overfitting', () => {
  it('has something to lose: more than one answer to everything would get', async () => {
    const rare = (best: number) =>
      run(
        (s) => ({ loss: 0.08 + 0.4 * Math.exp(-s / 40) }),
        (i) => ({ val_loss: best + 0.03 * Math.abs(i - 2), val_accuracy: 0.9 + 0.002 * wobble(i) }),
        settings(),
      );
    expect(strengthOf(await rare(0.2), 'overfit')).toBeGreaterThan(0.4);
    expect(strengthOf(await rare(0.34), 'overfit')).toBe(0);
  });
});
