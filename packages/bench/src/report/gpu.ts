// The report of the cells that use a GPU, for terminals.
import type { GpuMethod, GpuReport } from '../gpu/run.js';
import { renderTable } from './table.js';

export function renderGpu({ gpu, methods, predictions, skipped }: GpuReport): string {
  const rows = (['contracts', 'ladder'] as const).map((method: GpuMethod) => {
    const { crashes, found, exception_right: right, fine, false_alarms: alarms, ms } = methods[method];
    const time = (value: number | null) => (value === null ? '–' : `${Math.round(value)} ms`);
    return [
      method,
      `${found} of ${crashes}`,
      `${right} of ${found}`,
      `${alarms} of ${fine}`,
      time(ms.median),
      time(ms.p95),
    ];
  });
  const headings = ['method', 'crashes found', 'exception right', 'false alarms', 'median', 'p95'];
  const blocks = [`Cells in kernels that use ${gpu}`, renderTable(headings, rows)];
  for (const { instance, method, exception, line } of predictions.filter(isFalseAlarm))
    blocks.push(`FALSE ALARM ${instance} (${method}): ${exception}, line ${line}`);
  if (skipped.length > 0) blocks.push(`Not run:\n${skipped.map((reason) => `  ${reason}`).join('\n')}`);
  return blocks.join('\n\n');
}

function isFalseAlarm({ outcome, raised }: GpuReport['predictions'][number]): boolean {
  return outcome === 'crash' && raised === null;
}
