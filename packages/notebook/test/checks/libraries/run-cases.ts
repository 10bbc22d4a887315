// Runs the cases of one file in one real kernel: every crash is predicted with its check, exception and line and then
// really happens; every healthy twin is let through and then really runs.
import type { Verdict } from '@grus/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTold, unlessLeftOut, Workbench } from '../../names/workbench.js';
import type { CheckCase } from './cases/case.js';

function told(verdict: Verdict): string {
  const { outcome, exception, line, explanation, rungs, findings } = verdict;
  return JSON.stringify({
    outcome,
    checks: findings.map(({ check }) => check),
    exception,
    line,
    explanation,
    rungs,
  });
}

export function runCases(family: string, cases: readonly CheckCase[]): void {
  runFamilies({ [family]: cases });
}

/** All of them in one kernel: to start one and to import the libraries again takes seconds. */
export function runFamilies(families: Readonly<Record<string, readonly CheckCase[]>>): void {
  let bench: Workbench;
  beforeAll(async () => {
    bench = await Workbench.open();
  });
  afterAll(() => bench.close());

  describe.each(Object.entries(families))('%s', (_family, cases) => {
    it.for(cases.map((each) => [title(each), each] as const))('%s', ([, each], { skip }) =>
      unlessLeftOut(skip, async () => {
        await bench.reset();
        await bench.setUp(each.setup ?? '');
        if (each.onlyIf !== undefined && (await bench.execute(`assert ${each.onlyIf}`)).error !== null)
          return;
        const verdict = await bench.check(each.crash, [], { preview: true });
        const { message, ...really } = await bench.execute(each.crash, each.raises);
        expect(really, 'what the cell really does').toEqual({ error: each.raises, line: each.line });
        const [finding] = verdict.findings;
        expect(
          { check: finding?.check, type: verdict.exception?.type, line: verdict.line },
          told(verdict),
        ).toEqual({ check: each.check, type: each.raises, line: each.line });
        expect(verdict.evidence.length).toBeGreaterThan(0);
        expect(message, told(verdict)).toMatch(asTold(verdict));
      }),
    );

    const twins = cases.flatMap((each) =>
      [each.healthy].flat().map((healthy) => [title(each), healthy, each] as const),
    );
    it.for(twins)('%s: healthy: %j', ([, healthy, each], { skip }) =>
      unlessLeftOut(skip, async () => {
        await bench.reset();
        await bench.setUp(each.healthySetup ?? each.setup ?? '');
        const verdict = await bench.check(healthy, [], { preview: true });
        const really = await bench.execute(healthy);
        expect(really.error, 'the twin runs').toBeNull();
        expect(verdict.outcome, told(verdict)).not.toBe('crash');
      }),
    );
  });
}

function title({ check, name }: CheckCase): string {
  return name === undefined ? check : `${check}: ${name}`;
}
