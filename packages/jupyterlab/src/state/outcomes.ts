// Puts what came out of a check where people see it: the report of the cell, and the activity of the notebook.
import type { Verdict } from '@grus/core';
import type { Checked, Target } from '../gate/checker.js';
import type { End, Held, Showing } from '../guard/guarded.js';
import type { Foreseen, Passed } from '../guard/protocol.js';
import type { Activities } from './activity.js';
import type { Answer, Report, Reports } from './reports.js';

export class Outcomes implements Showing {
  constructor(
    private readonly activities: Activities,
    private readonly reports: Reports,
  ) {}

  sent({ notebook, cell }: Target): void {
    this.reports.remove(notebook, cell.id);
  }

  passed(target: Target, passed: Passed): void {
    if (passed.kind !== 'verdict') this.unchecked(target, passed);
    else if (passed.verdict !== null) this.show(target, passed.verdict, 'ran', null);
    else this.activities.set(target.notebook, { state: 'quiet', ms: passed.ms });
  }

  held(target: Target, verdict: Verdict, { answer, behind }: Held): void {
    this.show(target, verdict, answer === null ? 'blocked' : 'held', answer, behind);
  }

  /** The cell is running: a copy that was ahead of it met its crash. */
  foreseen(target: Target, { verdict, interrupted }: Foreseen, behind: readonly string[]): void {
    if (interrupted) this.show(target, verdict, 'interrupted', null, behind);
    else this.show(target, verdict, 'foreseen', null);
  }

  /** What was foreseen has come, or it has not: the cell shows which. And nothing claims to be fine beside a traceback. */
  ended({ notebook, cell }: Target, end: End): void {
    const report = this.reports.of(notebook, cell.id);
    if (report === undefined && end === 'raised' && this.activities.of(notebook).state === 'quiet')
      this.activities.set(notebook, { state: 'unforeseen' });
    if (report?.fate !== 'foreseen') return;
    if (end === 'ok') this.reports.remove(notebook, cell.id);
    else this.reports.update(notebook, cell.id, { fate: 'ran' });
  }

  answered({ notebook, cell }: Target, { ms }: Verdict, answer: Answer): void {
    if (answer === 'fixed') return;
    const left = { answer: null, fate: answer === 'run' ? 'ran' : 'left' } as const;
    this.reports.update(notebook, cell.id, answer === 'run' ? { ...left, behind: [] } : left);
    this.activities.set(notebook, { state: 'crash', ms, cellId: cell.id, held: false });
  }

  show(
    { notebook, cell }: Target,
    verdict: Verdict,
    fate: Report['fate'],
    answer: Report['answer'],
    behind: readonly string[] = [],
  ): void {
    this.reports.set(notebook, { cellId: cell.id, verdict, fate, answer, behind, outdated: null });
    const held = fate === 'held' || fate === 'blocked';
    this.activities.set(notebook, { state: 'crash', ms: verdict.ms, cellId: cell.id, held });
  }

  /** Says in the status bar why a cell ran without a verdict. */
  unchecked(
    { notebook, cell }: Target,
    why: Exclude<Checked, { kind: 'verdict' }> | Exclude<Passed, { kind: 'verdict' }>,
  ): void {
    this.activities.set(
      notebook,
      why.kind === 'late' ? { state: 'late', ms: why.ms } : { state: why.kind, message: why.message },
    );
    if (why.kind === 'failed') console.warn(`Grus: ${why.message}`);
    this.reports.remove(notebook, cell.id);
  }
}
