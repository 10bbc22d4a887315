// Several runs at a glance: one line each, the failed ones first.
import { causeOf } from '../causes/table.js';
import type { Diagnosis, RunOutcome } from '../rules/diagnosis.js';
import type { ReportOptions } from './report.js';

const order: readonly RunOutcome[] = ['failed', 'degraded', 'unknown', 'healthy'];
const colours: Readonly<Record<RunOutcome, string>> = {
  failed: '31',
  degraded: '33',
  unknown: '36',
  healthy: '32',
};
const mostRows = 200;

export function renderTable(path: string, runs: readonly Diagnosis[], options: ReportOptions = {}): string {
  const { width = 100, color = false } = options;
  const paint = (outcome: RunOutcome): string =>
    color ? `\u001b[${colours[outcome]}m${outcome.padEnd(8)}\u001b[0m` : outcome.padEnd(8);
  const sorted = [...runs].sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
  const shown = sorted.slice(0, mostRows);
  const nameWidth = Math.min(40, Math.max(...shown.map((run) => nameOf(path, run).length)));
  const rows = shown.map((run) => {
    const name = shorten(nameOf(path, run), nameWidth).padEnd(nameWidth);
    const room = Math.max(20, width - nameWidth - 12);
    return `${paint(run.outcome)}  ${name}  ${shorten(summaryOf(run), room)}`;
  });
  const counts = order
    .map((outcome) => [runs.filter((run) => run.outcome === outcome).length, outcome] as const)
    .filter(([count]) => count > 0)
    .map(([count, outcome]) => `${count} ${outcome}`);
  return [
    `${path}: ${runs.length} runs (${counts.join(', ')})`,
    '',
    ...rows,
    ...(runs.length > shown.length ? [`… and ${runs.length - shown.length} more`] : []),
    '',
    `For one of them: grus diagnose ${shown[0]!.path}`,
  ].join('\n');
}

function nameOf(path: string, run: Diagnosis): string {
  return run.path.startsWith(path)
    ? run.path.slice(path.length).replace(/^[/\\ ]+/, '') || run.path
    : run.path;
}

function summaryOf({ outcome, subcause, confidence, hypotheses }: Diagnosis): string {
  if (subcause !== null) return `${causeOf(subcause).title} (${confidence.toFixed(2)})`;
  if (outcome === 'healthy') return `nothing wrong (${confidence.toFixed(2)})`;
  const [best] = hypotheses;
  return best?.subcause ? `cause unknown; perhaps ${best.subcause}` : 'cause unknown';
}

function shorten(text: string, room: number): string {
  return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
}
