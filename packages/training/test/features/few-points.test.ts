// What a handful of points proves, beside what SciPy says of the same points: `linregress` and `ttest_ind` (Welch), each one-sided.
import { describe, expect, it } from 'vitest';
import { chanceAbove, chanceOfRise } from '../../src/features/few-points.js';

describe('how likely noise would give', () => {
  it.each([
    [[2.601, 2.648, 2.712, 2.781], 0.0017478423665153165],
    [[1, 1.2, 0.9, 1.3, 1.1], 0.3119188323905363],
    [[5, 4, 3.5, 2, 1.9], 0.9976873214964076],
    [[0.1, 0.4, 0.35, 0.6, 0.55, 0.9, 0.8], 0.0011814892493655631],
  ])('a rise such as %j', (values, chance) => {
    expect(chanceOfRise(values)).toBeCloseTo(chance, 8);
  });

  it.each([
    [[0.9, 0.92, 0.88], [0.5, 0.55, 0.6, 0.52], 3.449591637882062e-5],
    [[1, 2, 3], [1.5, 2.5, 2], 0.5],
    [[3, 3.1, 2.9, 3.2], [2.8, 3.3, 2.6], 0.2760459259964677],
  ])('that %j lies above %j', (above, below, chance) => {
    expect(chanceAbove(above, below)).toBeCloseTo(chance, 8);
  });

  it('nothing of two points, or of none', () => {
    expect([chanceOfRise([1, 2]), chanceOfRise([]), chanceAbove([2], [1, 1])]).toEqual([1, 1, 1]);
  });
});
