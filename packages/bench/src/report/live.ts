// The report of the live pairs for terminals.
import type { LateCrashes, LiveReport } from '../live/index.js';
import { range, renderTable, share } from './table.js';

export function renderLive(report: LiveReport): string {
  const methods = Object.entries(report.methods);
  const headings = [
    'method',
    'n',
    'accuracy',
    'precision',
    'recall',
    '95 %',
    'F1',
    'false alarms',
    'exception',
    'line',
    'ms',
    'p95',
  ];
  const rows = methods.map(([name, score]) => [
    name,
    String(score.n),
    share(score.accuracy),
    share(score.precision),
    share(score.recall),
    range(score.recall_interval),
    share(score.f1),
    String(score.false_alarms),
    share(score.exception_right),
    share(score.line_right),
    milliseconds(score.ms.median),
    milliseconds(score.ms.p95),
  ]);
  const blocks = [`Live pairs: ${report.data}`, renderTable(headings, rows)];
  for (const [name, score] of methods) {
    const families = Object.entries(score.families).map(([family, { found, n }]) => [
      family,
      `${found} of ${n}`,
    ]);
    blocks.push(`Crashes found by ${name}`, renderTable(['family', 'found'], families));
    blocks.push(`Rungs that committed: ${rungs(score.rungs)}`, timeSaved(score.late_crashes));
  }
  const alarms = report.predictions.filter(({ crashes, outcome }) => !crashes && outcome === 'crash');
  for (const alarm of alarms) {
    blocks.push(
      `FALSE ALARM ${alarm.instance} (${alarm.method}): ${alarm.exception?.type}: ${alarm.exception?.message}, line ${alarm.line}`,
    );
  }
  for (const { instance, why } of report.not_run) blocks.push(`NOT RUN ${instance}: ${why}`);
  return blocks.join('\n\n');
}

function rungs(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([rung, count]) => `${rung} ${count}`)
    .join(', ');
}

function timeSaved(late: LateCrashes): string {
  if (late.found === 0) return 'Time saved: no crash after training, fitting or searching was found.';
  return (
    `Time saved: of ${late.n} crashes that come after training, fitting or searching ${late.found} were found, ${late.sooner} of them ` +
    `sooner than they came; verdict after ${milliseconds(late.verdict_ms_median)} ms, crash after ${milliseconds(late.crash_ms_median)} ms ` +
    `(medians), ${late.times_sooner_median?.toFixed(1)} times sooner, ${(late.saved_ms / 1000).toFixed(0)} s in all.`
  );
}

function milliseconds(value: number | null): string {
  return value === null ? '–' : value.toFixed(1);
}
