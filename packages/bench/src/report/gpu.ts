// The report of the cells that use a GPU, for terminals.
import type { GpuEnduranceReport } from '../gpu/endurance.js';
import type { GpuMethod, GpuReport } from '../gpu/run.js';
import { renderTable } from './table.js';

export function renderGpu({ gpu, methods, predictions, skipped }: GpuReport): string {
  const rows = (['contracts', 'ladder'] as const).map((method: GpuMethod) => {
    const {
      crashes,
      found,
      exception_right: right,
      fine,
      false_alarms: alarms,
      proved,
      ms,
    } = methods[method];
    return [
      method,
      `${found} of ${crashes}`,
      `${right} of ${found}`,
      `${alarms} of ${fine}`,
      `${proved} of ${fine}`,
      time(ms.median),
      time(ms.p95),
    ];
  });
  const headings = [
    'method',
    'crashes found',
    'exception right',
    'false alarms',
    'proved fine',
    'median',
    'p95',
  ];
  const blocks = [`Cells in kernels that use ${gpu}`, renderTable(headings, rows)];
  for (const { instance, method, exception, line } of predictions.filter(isFalseAlarm))
    blocks.push(`FALSE ALARM ${instance} (${method}): ${exception}, line ${line}`);
  if (skipped.length > 0) blocks.push(`Not run:\n${skipped.map((reason) => `  ${reason}`).join('\n')}`);
  return blocks.join('\n\n');
}

export function renderGpuEndurance(report: GpuEnduranceReport): string {
  const { checks, outcomes, ms, state_same: state, results_same: results } = report;
  const said = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`);
  return [
    `${checks} checks in a row: ${said.join(', ')}; median ${time(ms.median)}, p95 ${time(ms.p95)}`,
    `Tensors, random numbers and torch's memory are ${state ? 'as before' : 'NOT as before'}.`,
    `What the kernel computes then is ${results ? 'what' : 'NOT what'} a kernel without checks computes.`,
    `Left behind: ${report.processes} processes, ${report.descriptors} descriptors, ${report.threads} threads, ${report.gpu_bytes} bytes of the GPU.`,
  ].join('\n');
}

function time(value: number | null): string {
  return value === null ? '–' : `${Math.round(value)} ms`;
}

function isFalseAlarm({ outcome, raised }: GpuReport['predictions'][number]): boolean {
  return outcome === 'crash' && raised === null;
}
