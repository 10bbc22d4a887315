// What IPython removes in front of lines before it reads a cell: common indentation and pasted prompts. The number of
// characters removed from each line is kept, so that positions can be given in the cell as the user sees it.

export interface CleanLines {
  readonly lines: readonly string[];
  /** Characters removed in front of each line. */
  readonly shifts: readonly number[];
}

/** Removes the indentation that all lines share; lines of blanks do not count. */
export function dedent(lines: readonly string[]): CleanLines {
  let margin: string | null = null;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const indent = /^[ \t]*/.exec(line)![0];
    if (margin === null) margin = indent;
    while (!indent.startsWith(margin)) margin = margin.slice(0, -1);
  }
  if (!margin) return { lines, shifts: lines.map(() => 0) };
  const width = margin.length;
  return {
    lines: lines.map((line) => (line.startsWith(margin) ? line.slice(width) : '')),
    shifts: lines.map((line) => (line.startsWith(margin) ? width : 0)),
  };
}

const classic = /^\s*>>>[ \t]?/;
const classicContinued = /^\s*\.\.\.[ \t]?/;
const ipython = /^(((\[nav\]|\[ins\])? )?In \[\d+\]: |\s*\.{3,}: ?)/;

/** Removes `>>> `, `... ` and `In [1]: ` where a cell is a pasted session. */
export function stripPrompts(clean: CleanLines): CleanLines {
  const { lines } = clean;
  if (lines.some((line) => classic.test(line)) && !lines.some((line) => /"""|'''/.test(line)))
    return strip(clean, (line) => classic.exec(line) ?? classicContinued.exec(line));
  if (ipython.test(lines[0] ?? '') || ipython.test(lines[1] ?? ''))
    return strip(clean, (line) => ipython.exec(line));
  return clean;
}

function strip(clean: CleanLines, prompt: (line: string) => RegExpExecArray | null): CleanLines {
  const widths = clean.lines.map((line) => prompt(line)?.[0].length ?? 0);
  return {
    lines: clean.lines.map((line, index) => line.slice(widths[index])),
    shifts: clean.shifts.map((shift, index) => shift + widths[index]!),
  };
}
