// Two judgements of a notebook beside each other: what the change between them breaks, repairs, leaves or uncovers.
import { answerOf } from '../jobs/answer.js';
import type { Blame } from './blame.js';
import { crashesOf, type JudgedCell, type NotebookReport } from './report.js';

export interface Comparison {
  readonly before: NotebookReport;
  readonly after: NotebookReport;
  /** Crashes of cells that ran before, or that are new. */
  readonly breaks: readonly JudgedCell[];
  /** Crashes that came before too. */
  readonly still: readonly JudgedCell[];
  /** Crashes of cells that were not judged before: whether they are new is not known. */
  readonly uncovers: readonly JudgedCell[];
  /** Crashes from before, as they were, whose cell is gone or does not crash any more. */
  readonly repairs: readonly JudgedCell[];
  /** What of the packages changed, by the number of the broken cell. */
  readonly blames: ReadonlyMap<number, readonly Blame[]>;
}

/** `earlier`: numbers of the cells before the change by those after it. */
export function compare(
  before: NotebookReport,
  after: NotebookReport,
  earlier: ReadonlyMap<number, number>,
): Comparison {
  const judged = new Map(before.cells.map((one) => [one.cell.number, one.verdict.outcome]));
  const stateBefore = ({ cell }: JudgedCell) => {
    const number = earlier.get(cell.number);
    return number === undefined ? 'new' : (judged.get(number) ?? 'unjudged');
  };
  const crashes = crashesOf(after);
  const ofState = (...states: string[]) => crashes.filter((one) => states.includes(stateBefore(one)));
  const later = new Map([...earlier].map(([now, then]) => [then, now]));
  const passed = new Set(
    after.cells.filter(({ verdict }) => verdict.outcome !== 'crash').map(({ cell }) => cell.number),
  );
  const isRepaired = ({ cell }: JudgedCell) => {
    const now = later.get(cell.number);
    return after.problem === null && (now === undefined || passed.has(now));
  };
  return {
    before,
    after,
    breaks: before.problem === null ? ofState('new', 'ok', 'unknown') : [],
    still: ofState('crash'),
    uncovers: before.problem === null ? ofState('unjudged') : crashes,
    repairs: crashesOf(before).filter(isRepaired),
    blames: new Map(),
  };
}

/** The later notebook with the crashes that the change brought alone: what a reviewer is to be shown. */
export function brought({ before, after, breaks }: Comparison): NotebookReport {
  const cells = after.cells.filter((one) => one.verdict.outcome !== 'crash' || breaks.includes(one));
  const problem = after.problem ?? before.problem;
  return { ...after, cells, problem, outcome: breaks.length > 0 ? 'crash' : 'unknown' };
}

/** The fields of the JSON, which others script against. */
export function comparisonAnswer({ before, after, blames, ...found }: Comparison) {
  const told = (crashes: readonly JudgedCell[], { path, chosen }: NotebookReport) =>
    crashes.map(({ cell, verdict }) => ({
      ...answerOf(verdict, path, cell.number, chosen),
      ...(blames.has(cell.number) && { because_of: blames.get(cell.number) }),
    }));
  return {
    breaks: told(found.breaks, after),
    still: told(found.still, after),
    uncovers: told(found.uncovers, after),
    repairs: told(found.repairs, before),
    before: { notebook: before.path, outcome: before.outcome, problem: before.problem },
    after: { notebook: after.path, outcome: after.outcome, problem: after.problem },
  };
}
