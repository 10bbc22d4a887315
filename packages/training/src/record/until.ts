// A run as it stood when it had reached a step: what a watcher would have seen then. Nothing later is left in it.
import type { RunRecord } from './run-record.js';
import type { Series } from './series.js';
import type { TextLine } from './text.js';

export function recordUntil(record: RunRecord, step: number): RunRecord {
  const reached = (at: { readonly step: number | null }): boolean => at.step !== null && at.step <= step;
  const over = record.lastStep === null || step >= record.lastStep;
  if (over) return record;
  return {
    ...record,
    series: record.series.map((series) => cut(series, step)).filter((series) => series.length > 0),
    text: { ...record.text, lines: linesUntil(record.text.lines, step) },
    tracebacks: record.tracebacks.filter(reached),
    device: record.device.filter(reached),
    exits: [],
    dumps: [],
    restarts: record.restarts.filter(({ fromStep }) => fromStep <= step),
    notes: [],
    lastStep: step,
    endTime: null,
  };
}

/** Up to the first point that lies beyond the step: points behind it were logged later. */
function cut(series: Series, step: number): Series {
  const beyond = series.steps.findIndex((at) => at > step);
  if (beyond < 0) return series;
  return {
    ...series,
    length: beyond,
    seen: beyond,
    steps: series.steps.subarray(0, beyond),
    values: series.values.subarray(0, beyond),
    times: series.times.subarray(0, beyond),
    masked: new Set([...series.masked].filter((index) => index < beyond)),
  };
}

function linesUntil(lines: readonly TextLine[], step: number): TextLine[] {
  const closed = new Set<string>();
  return lines.filter(({ at, step: seen }) => {
    if (seen !== null && seen > step) closed.add(at.file);
    return !closed.has(at.file);
  });
}
