// The report of real logs for terminals: all of them, the part rules were written from, and the held part.
import type { LogsReport } from '../logs/run.js';
import type { LogScore } from '../logs/score.js';
import { renderTable, share } from './table.js';

export function renderLogs({ data, methods, parts }: LogsReport): string {
  const columns: readonly [string, LogScore][] = [
    ['all', methods.hybrid],
    ['develop', parts.develop],
    ['held', parts.held],
  ];
  const row = (name: string, cell: (score: LogScore) => string): string[] => [
    name,
    ...columns.map(([, score]) => cell(score)),
  ];
  return [
    `Logs of ${data}`,
    renderTable(
      ['', ...columns.map(([name]) => name)],
      [
        row('logs', ({ n }) => String(n)),
        row('failing, category right', (score) => share(score.accuracy_failing)),
        row('each repository once', (score) => share(score.accuracy_by_repository)),
        row('sub-cause right', (score) => share(score.subcause_accuracy)),
        row('of commits', (score) => share(score.of_commits)),
        row('false alarms in healthy', (score) => `${score.false_alarms} of ${score.healthy}`),
        row('failing called healthy', (score) => `${score.false_healthy} of ${score.failing}`),
        row('unsettled left open', (score) => share(score.unknown_of_unsettled)),
        row('failing, or as right', ({ accepted }) => share(accepted.accuracy_failing)),
        row('of commits, or as right', ({ accepted }) => share(accepted.of_commits)),
        row(
          'false alarms, none as right',
          ({ accepted, healthy }) => `${accepted.false_alarms} of ${healthy}`,
        ),
        row('left open, or as right', ({ accepted }) => share(accepted.unknown_of_unsettled)),
        ...Object.keys(methods.hybrid.categories).map((name) =>
          row(name, ({ categories }) => `${share(categories[name]!.accuracy)} of ${categories[name]!.n}`),
        ),
      ],
    ),
  ].join('\n\n');
}
