// `nvidia-smi dmon` and `dcgmi dmon` logs: columns under a comment header, one row per device and second.
import type { MetricName } from '../../record/metrics.js';
import { LineParser } from '../lines.js';
import { defineReader } from '../reader.js';
import { reportGpu, reportXid } from './gpu-report.js';

const columns: Readonly<Record<string, { metric: MetricName; scale: number; unit: string }>> = {
  sm: { metric: 'gpu_utilization', scale: 1, unit: 'percent' },
  fb: { metric: 'memory_used', scale: 2 ** 20, unit: 'bytes' },
  gtemp: { metric: 'gpu_temperature', scale: 1, unit: 'celsius' },
  pwr: { metric: 'gpu_power', scale: 1, unit: 'watts' },
  gputl: { metric: 'gpu_utilization', scale: 1, unit: 'percent' },
  fbusd: { metric: 'memory_used', scale: 2 ** 20, unit: 'bytes' },
  tmptr: { metric: 'gpu_temperature', scale: 1, unit: 'celsius' },
  power: { metric: 'gpu_power', scale: 1, unit: 'watts' },
};

/** Bits of DCGM's reasons: slowed down by the hardware, for heat or for power. Idling and set clocks are none. */
const heldDown = 0x8 | 0x20 | 0x40 | 0x80;

export const gpuMonitor = defineReader({
  id: 'gpu-monitor',
  title: 'nvidia-smi or dcgmi dmon log',
  fidelity: 5,
  matches: ({ text }) =>
    /^#(?:.*\bgpu\b.*\b(?:sm|fb|pwr)\b| ?Entity +[A-Z]{4,5}\b)/m.test(text.slice(0, 2000)),
  open: (record) => new MonitorParser(record),
});

class MonitorParser extends LineParser {
  private header: string[] = [];
  private readonly rows = new Map<string, number>();

  protected line(text: string, line: number): void {
    const cells = text
      .replace(/^#\s*(?:Entity\b)?|^GPU\b/, (name) => (/E/.test(name) ? 'gpu' : ''))
      .trim()
      .split(/\s+/);
    if (text.startsWith('#')) {
      if (cells.includes('gpu')) this.header = cells.map((cell) => cell.toLowerCase());
      return;
    }
    const gpu = cells[this.header.indexOf('gpu')];
    if (gpu === undefined || !/^\d+$/.test(gpu) || this.rows.size > 256) return;
    const row = (this.rows.get(gpu) ?? 0) + 1;
    this.rows.set(gpu, row);
    const xid = cells[this.header.indexOf('xider')];
    if (xid !== undefined) reportXid(this.record, gpu, xid, line);
    const mask = cells.find((cell) => /^0x[\da-f]{8,16}$/i.test(cell));
    const reasons = Number(mask ?? cells[this.header.indexOf('clkthr')]);
    if (reasons & heldDown)
      reportGpu(this.record, 'gpu_throttled', Number(gpu), `clocks are held down (${reasons})`, line);
    const day = cells[this.header.indexOf('date')];
    const clock = cells[this.header.indexOf('time')];
    const time =
      day && clock
        ? Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6, 8)}T${clock}Z`)
        : Number.NaN;
    for (const [column, { metric, scale, unit }] of Object.entries(columns)) {
      const value = Number(cells[this.header.indexOf(column)]);
      if (Number.isNaN(value)) continue;
      const identity = { metric, split: 'system' as const, subject: `gpu.${gpu}`, unit, scale };
      this.record.curve(column, { identity, hasSteps: false })?.push(row, value * scale, time, line);
      this.record.points++;
    }
  }
}
