// The report of JunoBench executed, for terminals.
import type { ExecutedReport } from '../junobench/executable/run.js';
import { renderTable, share } from './table.js';

export function renderExecuted({ data, pairs, verified, methods, predictions }: ExecutedReport): string {
  const time = (value: number | null) => (value === null ? '–' : value.toFixed(0));
  const rows = Object.entries(methods).map(([name, score]) => [
    name,
    String(score.n),
    share(score.accuracy),
    share(score.precision),
    share(score.recall),
    String(score.false_alarms),
    share(score.proved_clean),
    time(score.ms.median),
    time(score.ms.p95),
  ]);
  const headings = [
    'method',
    'n',
    'accuracy',
    'precision',
    'recall',
    'false alarms',
    'proved clean',
    'ms',
    'p95',
  ];
  const blocks = [
    `JunoBench executed: ${data}\n${verified} of ${pairs.length} pairs verified by execution`,
    renderTable(headings, rows),
  ];
  const open = pairs.filter(({ problems }) => problems.length > 0);
  if (open.length > 0)
    blocks.push(
      `Not verified:\n${open.map(({ case: name, problems }) => `  ${name}: ${problems.join('; ')}`).join('\n')}`,
    );
  for (const { instance, method, exception } of predictions.filter(
    ({ crashes, outcome, method }) => !crashes && outcome === 'crash' && !method.startsWith('recorded:'),
  ))
    blocks.push(`FALSE ALARM ${instance} (${method}): ${exception?.type}: ${exception?.message}`);
  return blocks.join('\n\n');
}
