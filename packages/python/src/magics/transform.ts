// Turns an IPython cell into plain Python of the same shape: every magic becomes a placeholder of the same length on the
// same line, so that positions in the tree are positions in the cell. Follows IPython's own order: prompts and common
// indentation first, then a cell magic, then magic assignments, escaped lines and help.
import { parse } from 'py-ast';
import { dedent, stripPrompts } from './cleanup.js';
import { effectsOf, isInert, keepsPythonBody, type MagicEffects, swallowsErrors } from './effects.js';
import { type LogicalLine, scanLogicalLine } from './scanner.js';

export interface Magic {
  /** `line` %x, `shell` !x, `help` x?, `cell` %%x, `autocall` the escapes `,` `;` `/`. */
  readonly form: 'line' | 'shell' | 'help' | 'cell' | 'autocall';
  /** Name without its escape; `system` for a shell command, `pinfo` for help. */
  readonly name: string;
  readonly argument: string;
  /** Line of the cell, counted from 1, and column at which the escape stands. */
  readonly line: number;
  readonly column: number;
  readonly effects: MagicEffects;
  /** The cell goes on behind it as if it were not there: what it runs is read as Python, or it runs nothing of the user's. */
  readonly inert: boolean;
}

export interface CellMagic extends Magic {
  readonly form: 'cell';
  /** The body is Python that runs in the user's namespace; otherwise it is another language or text. */
  readonly pythonBody: boolean;
  /** An exception in the body does not fail the cell. */
  readonly swallowsErrors: boolean;
  readonly body: string;
}

export interface TransformedCell {
  /** Python text with as many lines as the cell. */
  readonly python: string;
  /** Characters removed in front of each line (prompts, common indentation). */
  readonly shifts: readonly number[];
  readonly magics: readonly Magic[];
  readonly cellMagic: CellMagic | null;
  /** Placeholders in `python`, by "line:column" in the Python text: the magic each stands for. */
  readonly placeholders: ReadonlyMap<string, Magic>;
}

export function transformCell(source: string): TransformedCell {
  const raw = source.replace(/\r\n?/g, '\n').split('\n');
  const { lines, shifts } = stripPrompts(dedent(raw));
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first >= 0 && lines[first]!.startsWith('%%') && !/^%%\w+\?/.test(lines[first]!))
    return transformCellMagic(lines, shifts, first);
  const inner = transformLines(lines);
  return { ...inner, magics: inner.magics.map(inCell(shifts)), shifts, cellMagic: null };
}

function transformCellMagic(
  lines: readonly string[],
  shifts: readonly number[],
  first: number,
): TransformedCell {
  const [name, argument] = partition(lines[first]!.slice(2).trimEnd());
  const body = lines.slice(first + 1);
  const cellMagic: CellMagic = {
    form: 'cell',
    name,
    argument,
    line: first + 1,
    column: shifts[first]!,
    effects: effectsOf(name, argument),
    inert: false,
    pythonBody: keepsPythonBody(name, argument),
    swallowsErrors: swallowsErrors(name, argument),
    body: body.join('\n'),
  };
  const blank = (line: string) => ' '.repeat(line.length);
  if (!cellMagic.pythonBody)
    return {
      python: lines.map(() => '').join('\n'),
      shifts,
      magics: [cellMagic],
      cellMagic,
      placeholders: new Map(),
    };
  const inner = transformLines([...lines.slice(0, first + 1).map(blank), ...body]);
  return { ...inner, shifts, magics: [cellMagic, ...inner.magics.map(inCell(shifts))], cellMagic };
}

function inCell(shifts: readonly number[]): (magic: Magic) => Magic {
  return (magic) => ({ ...magic, column: magic.column + (shifts[magic.line - 1] ?? 0) });
}

type Lines = Pick<TransformedCell, 'python' | 'magics' | 'placeholders'>;

function transformLines(lines: readonly string[]): Lines {
  let text = lines.join('\n');
  const magics: Magic[] = [];
  const placeholders = new Map<string, Magic>();
  let position = 0;
  while (position < text.length) {
    const logical = scanLogicalLine(text, position);
    const found = findMagic(text, logical);
    if (!found) {
      position = Math.max(logical.next, position + 1);
      continue;
    }
    const { from, to, keepFrom } = found;
    const line = count(text, from) + 1;
    const column = from - (text.lastIndexOf('\n', from - 1) + 1);
    const magic: Magic = { ...found.magic, line, column };
    magics.push(magic);
    if (found.placeholder) placeholders.set(`${line}:${column}`, magic);
    text =
      text.slice(0, from) + placeholder(text.slice(from, to), found.placeholder, keepFrom) + text.slice(to);
    const lineEnd = text.indexOf('\n', to);
    position = lineEnd < 0 ? text.length : keepFrom === undefined ? lineEnd + 1 : position;
    if (keepFrom !== undefined) position = Math.max(scanLogicalLine(text, position).next, to);
  }
  return { python: text, magics, placeholders };
}

/** `0` in place of the magic, `0;` when Python is kept behind it; newlines survive, the rest is blanked. */
function placeholder(replaced: string, mark: boolean, keepFrom: number | undefined): string {
  const blanked = replaced.replace(/[^\n]/g, ' ');
  const token = keepFrom === undefined ? '0' : '0;';
  if (!mark) return blanked;
  const filled = token + blanked.slice(token.length);
  return keepFrom === undefined ? filled : filled.slice(0, keepFrom) + replaced.slice(keepFrom);
}

interface Found {
  readonly magic: Omit<Magic, 'line' | 'column'>;
  readonly from: number;
  readonly to: number;
  readonly placeholder: boolean;
  /** Offset in the replaced text from which Python is kept (`%time x = 1`). */
  readonly keepFrom?: number;
}

function findMagic(text: string, logical: LogicalLine): Found | null {
  const { start, end } = logical;
  if (start >= text.length || start === end) return null;
  const first = text[start]!;
  const onlyHelp = text[end - 1] === '?' && !logical.hasComment && end - start > 1;
  if (onlyHelp) {
    const target = text.slice(start, end).replace(/\?+$/, '').replace(/^[?]+/, '').trim();
    return found('help', text.slice(start, end).endsWith('??') ? 'pinfo2' : 'pinfo', target, start, end);
  }
  if ('!%?,;/'.includes(first)) return escaped(text, start);
  if (logical.assignment < 0) return null;
  const value = /^[ \t]*/.exec(text.slice(logical.assignment + 1))![0].length + logical.assignment + 1;
  if (text[value] === '!') {
    const to = continuedEnd(text, value);
    return found('shell', 'sx', assemble(text.slice(value + 1, to)), value, to);
  }
  if (text[value] === '%' && /^%\s*[A-Za-z_]/.test(text.slice(value, value + 40))) {
    const to = continuedEnd(text, value);
    const [name, argument] = partition(assemble(text.slice(value + 1, to)));
    return found('line', name, argument, value, to);
  }
  return null;
}

function escaped(text: string, start: number): Found {
  const to = continuedEnd(text, start);
  const content = assemble(text.slice(start, to));
  const mark = content[0]!;
  if (mark === '!')
    return found('shell', content.startsWith('!!') ? 'sx' : 'system', content.replace(/^!!?/, ''), start, to);
  if (mark === '?') return found('help', 'pinfo', content.replace(/^\?+/, '').trim(), start, to);
  const [name, argument] = partition(content.slice(1));
  if (mark !== '%') return found('autocall', name, argument, start, to);
  const timed = found('line', name, argument, start, to);
  const keepFrom = timedCode(text.slice(start, to));
  if (keepFrom === null) return timed;
  return { ...timed, magic: { ...timed.magic, effects: effectsOf('pwd'), inert: true }, keepFrom };
}

/** Where the code behind `%time` or `%timeit` begins. What `%timeit` binds is its own, so only expressions are read there. */
function timedCode(text: string): number | null {
  const timed = /^%(time|timeit)[ \t]+(?:(?:-[nrp][ \t]*\d+|-[tcqo])[ \t]+)*(?=[^\s-])/.exec(text);
  if (timed === null || text.includes('\n')) return null;
  const code = text.slice(timed[0].length);
  if (timed[1] === 'time') return isSimpleStatement(code) ? timed[0].length : null;
  return isExpression(code) ? timed[0].length : null;
}

function isExpression(text: string): boolean {
  try {
    const { body } = parse(text);
    return body.length === 1 && body[0]!.nodeType === 'Expr';
  } catch {
    return false;
  }
}

function found(form: Magic['form'], name: string, argument: string, from: number, to: number): Found {
  const effects =
    form === 'autocall' || (name === 'time' && argument !== '') ? effectsOf('') : effectsOf(name, argument);
  const inert = !effects.names && isInert(form, name, argument);
  return { magic: { form, name, argument, effects, inert }, from, to, placeholder: true };
}

function isSimpleStatement(text: string): boolean {
  return !/^(if|for|while|with|def|class|try|async|match)\b/.test(text) && !text.includes('\n');
}

/** The end of the physical line that holds `from`, or of the last line continued from it by backslashes. */
function continuedEnd(text: string, from: number): number {
  let position = from;
  for (;;) {
    const lineEnd = text.indexOf('\n', position);
    if (lineEnd < 0) return text.length;
    if (text[lineEnd - 1] !== '\\') return lineEnd;
    position = lineEnd + 1;
  }
}

function assemble(text: string): string {
  return text.replace(/[ \t]*\\\n/g, ' ').trimEnd();
}

function partition(text: string): [string, string] {
  const trimmed = text.trimStart();
  const space = trimmed.indexOf(' ');
  return space < 0 ? [trimmed, ''] : [trimmed.slice(0, space), trimmed.slice(space + 1).trim()];
}

function count(text: string, until: number): number {
  let lines = 0;
  for (let index = text.indexOf('\n'); index >= 0 && index < until; index = text.indexOf('\n', index + 1))
    lines++;
  return lines;
}
