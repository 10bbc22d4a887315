// The structured judge on explanations of our own writing: the right cause, the right place with another cause, and the
// right cause about something else.
import { describe, expect, it } from 'vitest';
import type { Label } from '../../src/junobench/data/schemas.js';
import { judgeExplanation } from '../../src/junobench/judge/judge.js';

function label(exception: string, message: string, diagnosis: string): Label {
  return {
    case: 'garden_1',
    library_group: 'pandas',
    exception,
    message,
    library: 'pandas',
    root_cause: 'data confusion',
    crash_type: 'key error',
    pipeline_stage: 'data preparation',
    diagnosis,
  };
}

const missingColumn = label(
  'keyerror',
  "'petal_count'",
  "Crash occurs in beds.groupby('petal_count') because beds has no column 'petal_count'.",
);
const columnCode = "beds.groupby('petal_count').mean()";

const shapes = label(
  'valueerror',
  'shapes (75,4) and (1,4) not aligned: 4 (dim 1) != 1 (dim 0)',
  'np.dot(soil, weights) multiplies arrays whose shapes do not fit.',
);
const shapeCode = 'growth = np.dot(soil, weights)';

describe('judgeExplanation', () => {
  it.each([
    ["The column 'petal_count' does not exist in beds, so groupby raises a KeyError.", true],
    ['beds is not defined in any executed cell, which raises a NameError for petal_count.', false],
    ["The file 'beds.csv' does not exist, so reading petal_count fails with FileNotFoundError.", false],
    ["beds has no attribute 'groupby' and fails on petal_count.", false],
    ['Everything is imported and the aggregation works.', false],
  ])('a missing column: %s', (explanation, agrees) => {
    expect(judgeExplanation(explanation, missingColumn, columnCode).agrees).toBe(agrees);
  });

  it.each([
    ['np.dot fails because soil has shape (75, 4) and weights (1, 4).', true],
    ['The matrix product of soil and weights has incompatible dimensions.', true],
    ['growth is never defined before it is used.', false],
    ['Some shape may be wrong.', false],
  ])('shapes that do not fit: %s', (explanation, agrees) => {
    expect(judgeExplanation(explanation, shapes, shapeCode).agrees).toBe(agrees);
  });

  it('says what it compared', () => {
    const judgement = judgeExplanation(
      "KeyError: no column 'petal_count' in beds.",
      missingColumn,
      columnCode,
    );
    expect(judgement.exception).toBe(true);
    expect(judgement.causes).toContain('missing_key');
    expect(judgement.subjects).toEqual(expect.arrayContaining(['petal_count', 'beds']));
  });
});
