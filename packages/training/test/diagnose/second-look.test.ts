// Trees over the course of the curves speak where the rules are silent, and only there.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { viewOf } from '../../src/features/view.js';
import { courseVector } from '../../src/triage/course.js';
import { probabilityOf } from '../../src/triage/trees.js';
import { rows, runOf, wobble } from '../run-files.js';

/** Passes over the rows; `left` is the share of the first loss that is left, `rise` what held-out data loses more with each pass. */
function passes({
  count = 8,
  left = (pass: number): number => 1 - 0.005 * pass,
  rise = 0.1,
  unit = 1,
  norms = true,
  rate = 0.003,
  held = {},
} = {}) {
  const metrics = rows(count, (s) => ({
    loss: 1.3 * unit * left(s) * (1 + 0.005 * wobble(s)),
    val_loss: 1.28 * unit * left(s) * (1 + rise * s) * (1 + 0.01 * wobble(s + 7)),
    lr: rate,
    ...(norms ? { grad_norm: Math.sqrt(unit) * (1.65 + 0.0075 * wobble(s + 3)) } : {}),
    ...held,
  }));
  const log = `Namespace(lr=${rate}, optimizer='adam', batch_size=24)\nTraining finished.\n`;
  return runOf({ 'metrics.jsonl': metrics, 'train.log': log });
}

describe('the second look', () => {
  it('names what held-out data shows that gets worse while training learns next to nothing', async () => {
    const said = diagnoseRecord(await passes());
    expect(said.rungs.find(({ rung }) => rung === 'rules')?.abstained_because).not.toBeNull();
    expect(said).toMatchObject({ abstained: false, category: 'optimization' });
    expect(said.evidence[0]?.fact).toContain('the curves look like');
  });

  it('needs no gradient for it', async () => {
    expect(diagnoseRecord(await passes({ norms: false }))).toMatchObject({ category: 'optimization' });
  });

  it('is silent about what learns', async () => {
    const said = diagnoseRecord(await passes({ left: (pass) => 0.1 + 0.9 * Math.exp(-pass / 2), rise: 0 }));
    expect(said.category).not.toMatch(/pipeline|optimization/);
  });

  it('is silent where a score is good, where nothing tells how bad a loss is, and about two points', async () => {
    const scored = await passes({ norms: false, held: { val_accuracy: 0.71 } });
    expect(diagnoseRecord(scored)).toMatchObject({ abstained: true });
    expect(diagnoseRecord(await passes({ rate: 0.0003 }))).toMatchObject({ abstained: true });
    expect(diagnoseRecord(await passes({ count: 2 }))).toMatchObject({ abstained: true });
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
