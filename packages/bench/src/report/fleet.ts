// The fleet benchmark for people.
import type { FleetReport, PageTimes } from '../fleet/run.js';
import { renderTable } from './table.js';

export function renderFleet({ database, runs, points, rounds, pages }: FleetReport): string {
  const [first] = rounds;
  const rows = rounds.map((round) => [
    String(round.workers),
    round.seconds.toFixed(1),
    round.runsPerSecond.toFixed(1),
    (round.runsPerSecond / first!.runsPerSecond).toFixed(2),
    String(round.unreadable),
    String(round.megabytes),
  ]);
  const page = ({ median, p95 }: PageTimes): string => `${median.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`;
  return [
    `${runs} runs a round, ${points} more points each, on ${database}`,
    '',
    renderTable(['workers', 'seconds', 'runs/s', 'times the first', 'unreadable', 'MB'], rows),
    '',
    'Pages, with the runs of every round:',
    ...Object.entries(pages).map(([name, times]) => `  ${name}: ${page(times)}`),
  ].join('\n');
}
