// A curve as a few cells of braille dots, two by four to a cell, with the column of the onset.
import { isDrawnByLog, type PanelCurve } from './panels.js';

export interface BrailleChart {
  /** Rows of equal width, top first. */
  readonly rows: readonly string[];
  readonly low: number;
  readonly high: number;
  /** Cell column of the onset, or null. */
  readonly onset: number | null;
  /** True when the values span so much that they are drawn by their logarithm. */
  readonly log: boolean;
}

const bits = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;

export function brailleChart(
  curve: PanelCurve,
  width: number,
  height: number,
  onset: number | null,
): BrailleChart | null {
  const points = curve.steps.flatMap((step, index) => {
    const value = curve.values[index]!;
    return Number.isFinite(value) && Number.isFinite(step) ? [{ step, value }] : [];
  });
  if (points.length === 0) return null;
  const values = points.map((point) => point.value).sort((a, b) => a - b);
  const low = values[0]!;
  const high = values.at(-1)!;
  const log = isDrawnByLog(values);
  const scaled = (value: number): number => (log ? Math.log(value) : value);
  const firstStep = Math.min(...boundary(curve.steps));
  const lastStep = Math.max(...boundary(curve.steps));
  const across = (step: number): number =>
    lastStep === firstStep ? 0 : (step - firstStep) / (lastStep - firstStep);
  const columns = width * 2;
  const lines = height * 4;
  const lowest: (number | null)[] = Array.from({ length: columns }, () => null);
  const highest: (number | null)[] = Array.from({ length: columns }, () => null);
  const span = scaled(high) - scaled(low);
  const put = (column: number, line: number): void => {
    lowest[column] = Math.max(lowest[column] ?? line, line);
    highest[column] = Math.min(highest[column] ?? line, line);
  };
  let before: { column: number; line: number } | null = null;
  for (const { step, value } of points) {
    const column = Math.round(across(step) * (columns - 1));
    const line =
      span === 0
        ? Math.floor(lines / 2)
        : Math.round((1 - (scaled(value) - scaled(low)) / span) * (lines - 1));
    if (before)
      for (let between = before.column + 1; between < column; between++)
        put(
          between,
          Math.round(
            before.line + ((line - before.line) * (between - before.column)) / (column - before.column),
          ),
        );
    put(column, line);
    before = { column, line };
  }
  const cells = Array.from({ length: height }, () => new Array<number>(width).fill(0));
  for (let column = 0; column < columns; column++) {
    if (lowest[column] === null) continue;
    for (let line = highest[column]!; line <= lowest[column]!; line++)
      cells[line >> 2]![column >> 1]! |= bits[line & 3]![column & 1]!;
  }
  return {
    rows: cells.map((row) =>
      row.map((cell) => (cell === 0 ? ' ' : String.fromCharCode(0x2800 + cell))).join(''),
    ),
    low,
    high,
    onset: onset === null ? null : Math.round(Math.min(1, Math.max(0, across(onset))) * (width - 1)),
    log,
  };
}

/** First, last, smallest and largest without spreading a long array over the stack. */
function boundary(steps: readonly number[]): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const step of steps) {
    if (step < low) low = step;
    if (step > high) high = step;
  }
  return [low, high];
}
