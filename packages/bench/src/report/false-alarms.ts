// The report of the false-alarm corpus for terminals: the rate, the packages, the checks, and every false alarm.
import type { FalseAlarmPrediction, FalseAlarmReport } from '../false-alarms/index.js';
import { renderTable } from './table.js';

export function renderFalseAlarms(report: FalseAlarmReport): string {
  const score = report.methods.contracts;
  const alarms = report.predictions.filter(({ crashes, outcome }) => !crashes && outcome === 'crash');
  const interval = score.false_alarms_interval;
  const blocks = [
    `False-alarm corpus: ${report.data}`,
    [
      `${score.notebooks} notebooks, ${score.n} cells judged and run, ${score.ran} of them to their end`,
      `${score.false_alarms} false alarms: ${score.false_alarms_per_1000 ?? '–'} per 1,000 cells that ran` +
        (interval === null ? '' : ` (95 %: ${interval[0].toFixed(2)}–${interval[1].toFixed(2)})`),
      `${score.came_true} predicted crashes came true, ${score.wrong_exception} of them with another exception, ${score.wrong_line} on another line`,
      `${score.ms.median?.toFixed(1) ?? '–'} ms a cell (median), ${score.ms.p95?.toFixed(1) ?? '–'} ms (95th percentile)`,
    ].join('\n'),
    renderTable(
      ['package', 'notebooks', 'ran', 'false alarms'],
      Object.entries(score.packages).map(([name, each]) => [
        name,
        String(each.notebooks),
        String(each.ran),
        String(each.false_alarms),
      ]),
    ),
    renderTable(
      ['check', 'false alarms', 'came true'],
      Object.entries(score.checks).map(([check, each]) => [
        check,
        String(each.false_alarms),
        String(each.came_true),
      ]),
    ),
    ...alarms.map(describe),
    ...Object.entries(score.problems).map(([notebook, problem]) => `ENDED EARLY ${notebook}: ${problem}`),
  ];
  return blocks.join('\n\n');
}

function describe(alarm: FalseAlarmPrediction): string {
  return `FALSE ALARM ${alarm.instance} (${alarm['check']})\n  ${alarm['code']}\n  ${alarm['explanation']}`;
}
