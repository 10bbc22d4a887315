// The methods that live pairs can be judged by: one line a method, named as in the reports.
import { GrusError, type Verdict } from '@grus/core';
import type { CodeCell, NotebookSession } from '@grus/notebook';

export type Judge = (session: NotebookSession, cell: CodeCell) => Promise<Verdict>;

const dry = { policy: 'always', budgetMs: 30_000 } as const;

export const liveMethods = {
  /** The rungs that only look: names and contracts. */
  contracts: (session, cell) => session.check(cell),
  /** The copy alone, without looking first. */
  'dry-run': (session, cell) => session.check(cell, { dry, rungs: ['dry run'] }),
  /** The ladder as `grus check` climbs it for one cell: all rungs that need no model, the copy beside the others. */
  ladder: (session, cell) => session.check(cell, { dry: { ...dry, concurrent: true } }),
} satisfies Record<string, Judge>;

export type LiveMethod = keyof typeof liveMethods;

export function liveMethod(name: string): LiveMethod {
  if (Object.hasOwn(liveMethods, name)) return name as LiveMethod;
  throw new GrusError(`there is no method "${name}" for live pairs`, {
    advice: `Choose among ${Object.keys(liveMethods).join(', ')}.`,
  });
}
