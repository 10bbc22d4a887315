// Trees over the course of the curves speak where the rules are silent, and only there.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { viewOf } from '../../src/features/view.js';
import { courseVector } from '../../src/triage/course.js';
import { probabilityOf } from '../../src/triage/trees.js';
import { rows, runOf, wobble } from '../run-files.js';

/** Four passes over the rows; `left` is the share of the first loss that is left, and `rate` what the steps are scaled by. */
function passes({
  left = (pass: number): number => 1 - 0.005 * pass,
  unit = 1,
  norms = true,
  rate = 0.003,
} = {}) {
  const metrics = rows(4, (s) => ({
    loss: 1.3 * unit * left(s) * (1 + 0.005 * wobble(s)),
    val_loss: 1.28 * unit * left(s) * (1 + 0.01 * wobble(s + 7)),
    lr: rate,
    ...(norms ? { grad_norm: Math.sqrt(unit) * (1.65 + 0.0075 * wobble(s + 3)) } : {}),
  }));
  const log = `Namespace(lr=${rate}, optimizer='adam', batch_size=24)\nTraining finished.\n`;
  return runOf({ 'metrics.jsonl': metrics, 'train.log': log });
}

describe('the second look', () => {
  it('names what losses show that stay with every pass, though gradients flow', async () => {
    const said = diagnoseRecord(await passes());
    expect(said.rungs.find(({ rung }) => rung === 'rules')?.abstained_because).not.toBeNull();
    expect(said).toMatchObject({ abstained: false, category: 'data_pipeline', subcause: 'chance_level' });
    expect(said.evidence[0]?.fact).toContain('the curves look like');
  });

  it('is silent about what learns', async () => {
    const said = diagnoseRecord(await passes({ left: (pass) => 0.1 + 0.9 * Math.exp(-pass / 2) }));
    expect(said.category).not.toMatch(/pipeline|optimization/);
  });

  it('is silent without a gradient, and about weights that may have been good from the start', async () => {
    expect(diagnoseRecord(await passes({ norms: false }))).toMatchObject({ abstained: true });
    expect(diagnoseRecord(await passes({ rate: 0.0003 }))).toMatchObject({ abstained: true });
  });

  it('sees no unit', async () => {
    const [one, other] = [await passes(), await passes({ unit: 4000 })].map((run) =>
      courseVector(viewOf(run)),
    );
    const same = ['train_fall', 'held_change', 'norm_noise', 'gap', 'pull'];
    for (const name of same) expect(one!.get(name)).toBeCloseTo(other!.get(name)!, 4);
  });
});

describe('stored trees', () => {
  it('send a missing value where they were told to', () => {
    const model = { base: 0, trees: [[0, 1, 1, 2, -2] as const, 0.5] };
    const of = (value: number): number => Math.log(1 / probabilityOf(model, [value]) - 1);
    expect([of(1), of(3), of(Number.NaN)].map((score) => -score.toFixed(3))).toEqual([2.5, -1.5, 2.5]);
  });
});
