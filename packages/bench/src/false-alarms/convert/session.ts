// Takes the interactive sessions (`>>>`) out of docstrings and documentation pages: what stands together becomes one cell,
// prose between two blocks separates cells, and examples that are marked as not to be run are left out.
import { parseCell, walk } from '@grus/python';

const prompt = /^(\s*)>>>(?: (.*))?$/;
const skipped = /#\s*doctest:.*\+SKIP/;

/** Cells of a documentation page. */
export function cellsOfPage(text: string): string[] {
  return sessions(text.replace(/\r\n?/g, '\n').split('\n'));
}

/** Cells of all texts in a Python file, in their order: docstrings, and texts that become docstrings later. */
export function cellsOfDocstrings(source: string): string[] {
  const cells: string[] = [];
  for (const node of walk(parseCell(source).module)) {
    if (node.nodeType !== 'Constant' || node.kind !== 'str' || typeof node.value !== 'string') continue;
    if (node.value.includes('>>> ')) cells.push(...cellsOfPage(node.value));
  }
  return cells;
}

interface Example {
  readonly source: string;
  readonly output: readonly string[];
}

function sessions(lines: readonly string[]): string[] {
  const cells: string[] = [];
  let block: string[] = [];
  const finish = () => {
    if (block.length > 0) cells.push(block.join('\n'));
    block = [];
  };
  for (let index = 0; index < lines.length; ) {
    const start = prompt.exec(lines[index]!);
    if (start === null) {
      if (lines[index]!.trim() !== '') finish();
      index += 1;
      continue;
    }
    const { example, next } = readExample(lines, index, start[1]!);
    index = next;
    if (skipped.test(example.source)) continue;
    const fails = example.output[0]?.trim().startsWith('Traceback (most recent call last)') ?? false;
    // An example that shows an exception would take the rest of its cell with it.
    if (fails) finish();
    block.push(example.source);
    if (fails) finish();
  }
  finish();
  return cells;
}

/** One prompt, its continuation lines, and the output up to a blank line or the next prompt. */
function readExample(
  lines: readonly string[],
  start: number,
  indent: string,
): { example: Example; next: number } {
  const source = [lines[start]!.slice(indent.length + 4)];
  let next = start + 1;
  for (; lines[next]?.startsWith(`${indent}...`); next += 1)
    source.push(lines[next]!.slice(indent.length + 4));
  const output: string[] = [];
  for (; next < lines.length && lines[next]!.trim() !== '' && !prompt.test(lines[next]!); next += 1)
    output.push(lines[next]!);
  return { example: { source: source.join('\n').trimEnd(), output }, next };
}
