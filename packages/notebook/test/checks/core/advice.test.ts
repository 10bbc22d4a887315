// What the advice says beyond the exception: the cell to run or repair, the step that was left out, both places of a crash.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { unlessLeftOut, Workbench } from '../../names/workbench.js';

let bench: Workbench;
beforeAll(async () => {
  bench = await Workbench.open();
});
afterAll(() => bench.close());
beforeEach(() => bench.reset());

const frame = { source: "import pandas as pd\ndf = pd.DataFrame({'age': [30, 40]})", status: 'ok' as const };

it('names the cell that was to make a column and was not run', async () => {
  const cells = await bench.run([frame, { source: "df['ages'] = df['age'] * 2", status: 'not-run' }]);
  const verdict = await bench.check("df['ages'].mean()", cells);
  expect(verdict).toMatchObject({ outcome: 'crash', exception: { type: 'KeyError' } });
  expect(verdict.remedy).toBe("Run cell 2 first: it makes the column 'ages'.");
  expect(verdict.findings[0]?.edit).toBeUndefined();
});

it('names the cell that failed before it could make a column', async () => {
  const cells = await bench.run([frame, { source: "x = 1 / 0\ndf['ages'] = 2", status: 'failed' }]);
  const { remedy } = await bench.check("df['ages'].mean()", cells);
  expect(remedy).toBe("Repair cell 2, which makes the column 'ages', and run it again.");
});

it('names no cell that makes the column of another frame', async () => {
  const cells = await bench.run([frame, { source: "other['ages'] = 2", status: 'not-run' }]);
  const { remedy } = await bench.check("df['ages'].mean()", cells);
  expect(remedy).toBe("Did you mean 'age'?");
});

it('says of an estimator without a learned attribute that it is to be fitted', ({ skip }) =>
  unlessLeftOut(skip, async () => {
    await bench.setUp(
      "from sklearn.model_selection import GridSearchCV\nfrom sklearn.linear_model import Ridge\nsearch = GridSearchCV(Ridge(), {'alpha': [1, 2]})",
    );
    const { exception, remedy } = await bench.check('search.best_estimator_', []);
    expect(exception?.type).toBe('AttributeError');
    expect(remedy).toMatch(/^Call `search\.fit\(…\)` first/);
  }));

it('shows the operation that fails inside a method of an earlier cell, with the lines of both cells', async () => {
  await bench.setUp(
    'base = 2\n\nclass Means:\n    def of(self, total, count):\n        return total / count\n\nmeans = Means()',
  );
  const { explanation, exception, line, evidence } = await bench.check('x = 1\nmeans.of(3, 0)', []);
  expect({ type: exception?.type, line }).toEqual({ type: 'ZeroDivisionError', line: 2 });
  expect(explanation).toContain('`total / count`');
  expect(evidence.at(-1)?.fact).toMatch(/^the call reaches line 5 of cell \[\d+\]$/);
  expect(evidence.at(-1)?.source).toBe('function of');
});

it('names the line of the function too where a copy was run', async () => {
  await bench.setUp('def parse(text):\n    number = int(text)\n    return number\n');
  const verdict = await bench.check("texts = ['1', 'x']\nfor text in texts:\n    parse(text)", [], {
    dry: { policy: 'always' },
    rungs: ['dry run'],
  });
  expect(verdict).toMatchObject({ outcome: 'crash', line: 3, exception: { type: 'ValueError' } });
  expect(verdict.explanation).toMatch(/in line 3, in line 2 of cell \[\d+\], inside `parse`\.$/);
});

it('tells an exception without a message by its type alone', async () => {
  const { exception, explanation, evidence } = await bench.check('next(iter([]))', [], {
    dry: { policy: 'always' },
    rungs: ['dry run'],
  });
  expect(exception).toEqual({ type: 'StopIteration', message: '' });
  expect([explanation, ...evidence.map(({ fact }) => fact)].join('\n')).not.toMatch(/StopIteration:/);
});
