// Plain-text tables for terminals: columns padded to their widest cell, numbers to the right.

export type DrawTable = (headings: readonly string[], rows: readonly (readonly string[])[]) => string;

export function renderTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return [line(headings), rule, ...rows.map(line)].join('\n');
}

/** ".799", "1.000", or "–" where nothing was measured. */
export function share(value: number | null): string {
  if (value === null) return '–';
  const text = value.toFixed(3);
  return text.startsWith('0') ? text.slice(1) : text;
}

export function range(interval: readonly [number, number] | null): string {
  return interval === null ? '–' : `${share(interval[0])}–${share(interval[1])}`;
}

/** "<.001" below what three decimals can show. */
export function probability(p: number): string {
  return p < 0.001 ? '<.001' : share(p);
}
