// The fleet benchmark for people.
import type { FleetReport, PageTimes } from '../fleet/run.js';
import { renderTable } from './table.js';

export function renderFleet({ database, runs, points, rounds, kilobytesPerRun, pages }: FleetReport): string {
  const [first] = rounds;
  const rows = rounds.map((round) => [
    String(round.workers),
    String(round.runs),
    round.seconds.toFixed(1),
    round.runsPerSecond.toFixed(1),
    (round.runsPerSecond / first!.runsPerSecond).toFixed(2),
    String(round.unreadable),
    `${Math.min(...round.megabytes)} to ${Math.max(...round.megabytes)}, ${round.megabytes.at(-1)} at the end`,
  ]);
  const page = ({ median, p95 }: PageTimes): string => `${median.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`;
  return [
    `${runs} runs, ${points} more points each, on ${database}`,
    '',
    renderTable(['workers', 'runs', 'seconds', 'runs/s', 'times the first', 'unreadable', 'MB'], rows),
    '',
    `On disk: ${kilobytesPerRun.database.toFixed(1)} kB a run in the database, ${kilobytesPerRun.files.toFixed(1)} kB in files`,
    'Pages, with all runs:',
    ...Object.entries(pages).map(([name, times]) => `  ${name}: ${page(times)}`),
  ].join('\n');
}
