// The report of the scripted agent, for terminals.
import type { AgentReport } from '../agent/run.js';
import { quantile } from '../statistics/index.js';

/** About so many characters make a token. */
const perToken = 4;

export function renderAgent({ runs }: AgentReport): string {
  const of = (version: string) => runs.filter(({ instance }) => instance.endsWith(`/${version}`));
  const [buggy, fixed] = [of('buggy'), of('fixed')];
  const saved = buggy.filter(({ right }) => right);
  const tokens = (values: readonly number[]) => ((quantile(values, 0.5) ?? 0) / perToken).toFixed(0);
  const total = (values: readonly number[]) =>
    (values.reduce((sum, value) => sum + value, 0) / perToken).toFixed(0);
  const wrong = fixed.filter(({ held }) => held > 0);
  return [
    `Crashing notebooks: in ${saved.length} of ${buggy.length} the cell that crashes was held, and not run.`,
    `Sound notebooks: ${fixed.length - wrong.length} of ${fixed.length} were run to the end of the repaired cell; held wrongly: ${wrong.length}.`,
    `Cells run: ${runs.reduce((sum, { executed }) => sum + executed, 0)}; failed executions saved: ${saved.length}.`,
    `Where one was saved, the answers of Grus up to it have ${tokens(saved.map((run) => run.asked_characters))} tokens (median), that about the crash ${tokens(saved.map((run) => run.held_characters ?? 0))}; the traceback of the cell, whole and without colours, has ${tokens(saved.map((run) => run.traceback_characters ?? 0))}.`,
    `In all: ${total(saved.map((run) => run.asked_characters))} tokens of Grus for ${total(saved.map((run) => run.traceback_characters ?? 0))} of tracebacks; over the sound notebooks ${total(fixed.map((run) => run.asked_characters))} more.`,
    ...runs
      .filter(({ right }) => !right)
      .map(
        ({ instance, held, crashed }) =>
          `  ${instance}: ${held ? 'held' : crashed ? 'crashed when run' : 'ran'}`,
      ),
  ].join('\n');
}
