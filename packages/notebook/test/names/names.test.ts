// The names rung on a real kernel: every crash is predicted with its exception and line and then really happens; every
// healthy twin is let through and then really runs.
import type { Verdict } from '@grus/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CellHistory } from '../../src/session/cells.js';
import { families, type NamesCase } from './cases/index.js';
import { traps } from './cases/traps.js';
import { asTold, unlessLeftOut, Workbench } from './workbench.js';

let bench: Workbench;
beforeAll(async () => {
  bench = await Workbench.open();
});
afterAll(() => bench.close());

function history({ cells = [] }: NamesCase): CellHistory[] {
  return cells.map(({ source, status }, index) => ({
    number: index + 1,
    source,
    status,
    executionCount: null,
  }));
}

function told(verdict: Verdict): string {
  const { outcome, rung, exception, line, explanation, rungs } = verdict;
  return JSON.stringify({ outcome, rung, exception, line, explanation, rungs });
}

for (const [family, cases] of Object.entries(families)) {
  describe(family, () => {
    it.for(cases.map((each) => [each.id, each] as const))('%s', ([, each], { skip }) =>
      unlessLeftOut(skip, async () => {
        await bench.reset();
        await bench.setUp(each.setup ?? '');
        const verdict = await bench.check(each.crash, history(each));
        const { message, ...really } = await bench.execute(each.crash, each.raises);
        expect(really, 'what the cell really does').toEqual({ error: each.raises, line: each.line });
        expect(
          { outcome: verdict.outcome, rung: verdict.rung, type: verdict.exception?.type, line: verdict.line },
          told(verdict),
        ).toEqual({ outcome: 'crash', rung: 'names', type: each.raises, line: each.line });
        expect(verdict.evidence.length).toBeGreaterThan(0);
        expect(verdict.remedy).toContain(each.remedy ?? '');
        expect(message, told(verdict)).toMatch(asTold(verdict));
      }),
    );

    const twins = cases.flatMap((each) =>
      [each.healthy].flat().map((healthy) => [each.id, healthy, each] as const),
    );
    it.for(twins)('%s: healthy: %j', ([, healthy, each], { skip }) =>
      unlessLeftOut(skip, async () => {
        await bench.reset();
        await bench.setUp(each.healthySetup ?? each.setup ?? '');
        const verdict = await bench.check(healthy, history(each));
        const really = await bench.execute(healthy);
        expect(really.error, 'the twin runs').toBeNull();
        expect(verdict.outcome, told(verdict)).not.toBe('crash');
      }),
    );
  });
}

describe('traps', () => {
  it.for(traps.map((trap) => [trap.id, trap] as const))('%s', ([, { setup = '', cell }], { skip }) =>
    unlessLeftOut(skip, async () => {
      await bench.reset();
      await bench.setUp(setup);
      const verdict = await bench.check(cell, []);
      const really = await bench.execute(cell);
      expect(really.error, 'the cell runs').toBeNull();
      expect(verdict.outcome, told(verdict)).not.toBe('crash');
    }),
  );
});

it('covers at least 120 crashes, each with a twin', () => {
  const cases = Object.values(families).flat();
  expect(cases.length).toBeGreaterThanOrEqual(120);
  for (const each of cases) expect([each.healthy].flat().length).toBeGreaterThan(0);
});
