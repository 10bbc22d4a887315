// The question: what is said, what is left out, and that the same state gives the same bytes.
import { type RedactionLevel, redactionLevels } from '@grus/core';
import { snapshotSchema } from '@grus/kernel/snapshot';
import { type Category, composeQuestion, estimateTokens } from '@grus/llm';
import { describe, expect, it } from 'vitest';
import { stripComments } from '../src/question/strip.js';

const snapshot = snapshotSchema.parse({
  version: 1,
  python: { version: [3, 12, 1], implementation: 'CPython', platform: 'linux' },
  cwd: '/home/somebody/project',
  execution_count: 4,
  objects: {
    o1: {
      kind: 'frame',
      class: 'pandas.DataFrame',
      structural: { defined_in: 2 },
      representation: {
        shape: [891, 3],
        columns: [
          { label: 'age', dtype: 'float64' },
          { label: 'fare', dtype: 'float64' },
          { label: 'mail', dtype: 'object' },
        ],
      },
      values: {
        columns: [
          { min: 0.4, max: 80, has_nan: true, nan_count: 177 },
          { min: 0, max: 512 },
          { examples: ['jane@example.com', 'plain value'] },
        ],
      },
    },
    o2: { kind: 'estimator', class: 'sklearn.svm.SVC', structural: { fitted: false } },
  },
  names: { df: 'o1', model: 'o2' },
  builtins: {},
  absent: ['nope'],
  namespace: ['df', 'model'],
  paths: {},
  modules: {},
  files: {},
  versions: { pandas: '3.0.0' },
  omitted: [],
});

function ask(
  options: {
    mode?: 'code' | 'code+runtime' | 'ladder';
    redaction?: RedactionLevel;
    categories?: Category[];
    tokens?: number;
  } = {},
) {
  return composeQuestion({
    mode: options.mode ?? 'ladder',
    executed: ['import pandas as pd  # the library', "token = 'ghp_abcdefghijklmnop1234'\ndf = load()"],
    target: "# fit it\nmodel.predict(df[['age']])\nprint(nope)",
    snapshot,
    earlier: [
      {
        rung: 'names',
        outcome: 'unknown',
        ms: 1.5,
        abstained_because: 'nothing certain was found',
        reason: null,
      },
      {
        rung: 'dry run',
        outcome: 'unknown',
        ms: 9,
        abstained_because: "KeyError: 'plain value' is inconclusive",
        reason: null,
      },
    ],
    redaction: options.redaction ?? 'values',
    tokens: options.tokens ?? 8_000,
    ...(options.categories ? { categories: options.categories } : {}),
  }).prompt;
}

it('holds code, runtime facts, what was found, and the numbered target', () => {
  expect(ask().replace(/[0-9a-f]{12}/g, 'MARK')).toMatchInlineSnapshot(`
    "<<<CODE MARK
    # cell 1
    import pandas as pd
    # cell 2
    token = '[removed]'
    df = load()
    MARK CODE>>>

    <<<RUNTIME MARK
    nope: is not defined
    df: pandas.DataFrame; shape (891, 3); has the columns "age" float64; other columns "fare" float64, "mail" object; bound by input 2; column "age": between 0.4 and 80, 177 missing; column "fare": between 0 and 512; column "mail": such as "[removed]", "plain value"
    model: sklearn.svm.SVC; not fitted
    pandas: installed version 3.0.0
    MARK RUNTIME>>>

    <<<EARLIER MARK
    names: nothing certain was found
    dry run: KeyError: 'plain value' is inconclusive
    MARK EARLIER>>>

    <<<TARGET MARK
    2| model.predict(df[['age']])
    3| print(nope)
    MARK TARGET>>>"
  `);
});

it('gives the same bytes for the same state', () => expect(ask()).toBe(ask()));

describe('modes', () => {
  it('sends code alone', () => {
    const prompt = ask({ mode: 'code' });
    expect(prompt).toContain('<<<CODE');
    expect(prompt).not.toMatch(/RUNTIME|EARLIER|float64/);
  });
  it("leaves out the ladder's findings without being the ladder", () =>
    expect(ask({ mode: 'code+runtime' })).not.toContain('EARLIER'));
});

describe('ablation', () => {
  it.each([
    ['structural', 'not fitted'],
    ['representation', 'float64'],
    ['values', '177 missing'],
  ] as const)('leaves out %s facts', (category, sign) => {
    const others = (['structural', 'representation', 'values'] as const).filter((name) => name !== category);
    expect(ask()).toContain(sign);
    expect(ask({ categories: [...others] })).not.toContain(sign);
    expect(ask({ categories: [category] })).toContain(sign);
  });
});

describe('redaction', () => {
  it.each(redactionLevels)('removes secrets at the level %s', (redaction) => {
    expect(ask({ redaction })).not.toMatch(/ghp_|jane@/);
    expect(ask({ redaction })).not.toContain('/home/somebody');
  });
  it('shows values at the level of values only', () => {
    expect(ask({ redaction: 'values' })).toContain('plain value');
    expect(ask({ redaction: 'statistics' })).not.toContain('plain value');
    expect(ask({ redaction: 'shapes' })).not.toContain('plain value');
  });
  it('shows ranges from the level of statistics on', () => {
    expect(ask({ redaction: 'statistics' })).toContain('between 0.4 and 80');
    expect(ask({ redaction: 'shapes' })).not.toContain('between 0.4 and 80');
  });
});

describe('budget', () => {
  const wide = snapshotSchema.parse({
    ...snapshot,
    objects: {
      ...snapshot.objects,
      o1: {
        ...snapshot.objects['o1'],
        representation: {
          shape: [10, 6_000],
          columns: [
            ...Array.from({ length: 6_000 }, (_, i) => ({ label: `measurement_${i}`, dtype: 'float64' })),
            { label: 'age', dtype: 'float64' },
          ],
        },
      },
    },
  });
  it('fits a snapshot of more than 100 kB, keeping what the cell is about', () => {
    expect(JSON.stringify(wide).length).toBeGreaterThan(100_000);
    const { prompt, instructions } = composeQuestion({
      mode: 'ladder',
      executed: Array.from({ length: 300 }, (_, i) => `step_${i} = ${'x'.repeat(300)}`),
      target: "model.predict(df[['age']])",
      snapshot: wide,
      redaction: 'values',
      tokens: 4_000,
    });
    expect(estimateTokens(prompt) + estimateTokens(instructions)).toBeLessThanOrEqual(4_000);
    expect(prompt).toContain('"age" float64');
    expect(prompt).toContain('not fitted');
    expect(prompt).toMatch(/\d+ less relevant facts are left out/);
    expect(prompt).toContain('are left out for length');
  });
});

describe('comments', () => {
  it.each([
    ['x = 1  # one', 'x = 1'],
    ['s = "# no comment"  # but this', 's = "# no comment"'],
    ["s = f'{d['#']}'  # nested", "s = f'{d['#']}'"],
    ['s = """\n# text\n"""', 's = """\n# text\n"""'],
    ['# only\nx = 1', '\nx = 1'],
    ['!echo # shell\nx = 1', '!echo # shell\nx = 1'],
    ['x = (\n# broken', 'x = (\n'],
  ])('strips %j', (source, expected) => expect(stripComments(source)).toBe(expected));
});
