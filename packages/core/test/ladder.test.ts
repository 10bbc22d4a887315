import { climb, type Finding, type Rung } from '@grus/core';
import { describe, expect, it } from 'vitest';

const finding: Finding = {
  check: 'names/undefined-name',
  exception: { type: 'NameError', message: "name 'x' is not defined" },
  place: { line: 3, column: 0, endLine: 3, endColumn: 1 },
  confidence: 1,
  evidence: [{ fact: 'x is not bound', source: 'kernel' }],
  explanation: 'x is undefined.',
  remedy: 'Define x.',
};

const abstaining = (name: string): Rung<null> => ({
  name,
  run: async () => ({ outcome: 'unknown', reason: { code: 'nothing-certain', reservations: [] } }),
});
const crashing: Rung<null> = {
  name: 'contracts',
  run: async () => ({ outcome: 'crash', findings: [finding] }),
};

describe('climb', () => {
  it('stops at the first rung that commits', async () => {
    const verdict = await climb([abstaining('names'), crashing, abstaining('llm')], null);
    expect(verdict).toMatchObject({
      outcome: 'crash',
      rung: 'contracts',
      line: 3,
      exception: finding.exception,
    });
    expect(verdict.rungs.map((report) => [report.rung, report.outcome])).toEqual([
      ['names', 'unknown'],
      ['contracts', 'crash'],
    ]);
  });

  it('turns a rung that throws into an abstention', async () => {
    const broken: Rung<null> = {
      name: 'names',
      run: async () => {
        throw new Error('boom');
      },
    };
    const verdict = await climb([broken, crashing], null);
    expect(verdict.outcome).toBe('crash');
    expect(verdict.rungs[0]).toMatchObject({
      abstained_because: 'the names rung failed: boom',
      reason: { code: 'rung-failed', rung: 'names', error: 'boom' },
    });
  });

  it('answers unknown when nobody commits', async () => {
    const verdict = await climb([abstaining('names')], null);
    expect(verdict).toMatchObject({
      outcome: 'unknown',
      rung: null,
      exception: null,
      line: null,
      confidence: 0,
    });
  });
});
