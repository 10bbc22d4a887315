// The methods that live pairs can be judged by: one line a method, named as in the reports.
import { GrusError, type Verdict } from '@grus/core';
import type { CodeCell, NotebookSession } from '@grus/notebook';

export type Judge = (session: NotebookSession, cell: CodeCell) => Promise<Verdict>;

/** With so many milliseconds for a copy. */
export function methodsWithin(budgetMs: number) {
  const dry = { policy: 'always', budgetMs } as const;
  return {
    /** The rungs that only look: names and contracts. */
    contracts: (session, cell) => session.check(cell),
    /** The copy alone, without looking first. */
    'dry-run': (session, cell) => session.check(cell, { dry, rungs: ['dry run'] }),
    /** The ladder as `grus check` climbs it for one cell: all rungs that need no model, the copy beside the others. */
    ladder: (session, cell) => session.check(cell, { dry: { ...dry, concurrent: true } }),
  } satisfies Record<string, Judge>;
}

export const liveMethods = methodsWithin(30_000);

export type LiveMethod = keyof typeof liveMethods;

export function liveMethod(name: string): LiveMethod {
  if (Object.hasOwn(liveMethods, name)) return name as LiveMethod;
  throw new GrusError(`there is no method "${name}" for live pairs`, {
    advice: `Choose among ${Object.keys(liveMethods).join(', ')}.`,
  });
}
