// What a notebook says about itself without a kernel: names that nothing binds, imports that nothing provides, cells that do
// not compile. Its cells are read as one program, from the top, in the state that a fresh kernel has.
import type { Finding } from '@grus/core';
import type { Snapshot } from '@grus/kernel/snapshot';
import { type ParsedCell, parseCell, walk } from '@grus/python';
import { judgeCell } from '../checks/judge.js';
import { checks } from '../checks/registry.js';
import { ignoredChecks, isSuppressed } from '../checks/suppress.js';
import type { CodeCell } from '../file/document.js';
import { isBuiltin } from '../reasoning/live/origin.js';

export interface QuickOptions {
  /** Top-level modules that the interpreter of the notebook lacks. */
  readonly missing: ReadonlySet<string>;
  readonly silenced?: readonly string[];
}

export interface QuickFinding {
  readonly cell: CodeCell;
  readonly finding: Finding;
}

/** What every kernel of IPython has beside the builtins. */
const provided = /^(_+|_i+|_i?\d+|_[iod]h|In|Out|exit|quit|get_ipython|display|__\w+__)$/;
const aboutModules = 'names/missing-module';

/** The first crash that is certain without a kernel; null where there is none. */
export function judgeQuickly(cells: readonly CodeCell[], options: QuickOptions): QuickFinding | null {
  const parsed = cells.map(({ source }) => parseCell(source));
  const stop = parsed.findIndex((cell) => cell.problem !== null || hidesNames(cell));
  const readable = stop < 0 ? parsed : parsed.slice(0, stop);
  const starts: number[] = [];
  const lines: string[] = [];
  for (const cell of readable) {
    starts.push(lines.length);
    lines.push(...linesOf(cell));
  }
  const whole = parseCell(lines.join('\n'));
  const mayAddModules = readable.some(({ foreign }) => foreign);
  const found = whole.problem === null ? first(whole, mayAddModules, options) : null;
  if (found) {
    const index = starts.findLastIndex((start) => start < found.place.line);
    return spoken(cells[index]!, shifted(found, starts[index]!));
  }
  const broken = parsed[stop];
  const finding = broken?.problem ? first(broken, true, options) : null;
  return finding && spoken(cells[stop]!, finding);
}

/** Unless the metadata of its cell suppresses it. */
function spoken(cell: CodeCell, finding: Finding): QuickFinding | null {
  const by = isSuppressed(parseCell(cell.source), finding, ignoredChecks(cell.metadata), []);
  return by === null ? { cell, finding } : null;
}

/** The top-level modules that the cells import somewhere. */
export function modulesOf(cells: readonly CodeCell[]): string[] {
  const found = new Set<string>();
  for (const { source } of cells)
    for (const node of walk(parseCell(source).module)) {
      if (node.nodeType === 'Import') for (const { name } of node.names) found.add(name.split('.')[0]!);
      if (node.nodeType === 'ImportFrom' && node.module && !node.level) found.add(node.module.split('.')[0]!);
    }
  return [...found].sort();
}

/** A cell magic whose body is not read as it stands, or that binds names: from there on nothing is known. */
function hidesNames({ cellMagic }: ParsedCell): boolean {
  return (
    cellMagic !== null && (cellMagic.effects.names || (cellMagic.pythonBody && cellMagic.name !== 'time'))
  );
}

function linesOf({ lines, cellMagic, foreign }: ParsedCell): readonly string[] {
  if (cellMagic === null) return lines;
  return lines.map((line, index) => (foreign || index < cellMagic.line ? '' : line));
}

function first(
  cell: ParsedCell,
  mayAddModules: boolean,
  { missing, silenced }: QuickOptions,
): Finding | null {
  const { findings } = judgeCell({
    cell,
    snapshot: freshKernel(cell, missing),
    rungs: ['names'],
    checks: mayAddModules ? checks.filter(({ id }) => id !== aboutModules) : checks,
    silenced: silenced ?? [],
  });
  return findings[0] ?? null;
}

/** The snapshot that a kernel would send before its first cell, as far as it follows from the text. */
function freshKernel({ module }: ParsedCell, missing: ReadonlySet<string>): Snapshot {
  const names = new Set<string>();
  const modules: Snapshot['modules'] = {};
  const lacks = (path: string) => {
    const parts = path.split('.');
    if (!missing.has(parts[0]!)) return;
    for (const length of parts.keys())
      modules[parts.slice(0, length + 1).join('.')] = { status: 'absent', names: {} };
  };
  for (const node of walk(module)) {
    if (node.nodeType === 'Name') names.add(node.id);
    if (node.nodeType === 'Import') for (const { name } of node.names) lacks(name);
    if (node.nodeType === 'ImportFrom' && node.module && !node.level) lacks(node.module);
  }
  return {
    version: 1,
    python: { version: [], implementation: 'CPython', platform: '' },
    cwd: '',
    execution_count: 0,
    ...{
      objects: {},
      names: {},
      builtins: {},
      namespace: [],
      paths: {},
      files: {},
      versions: {},
      answers: {},
    },
    absent: [...names].filter((name) => !isBuiltin(name) && !provided.test(name)),
    modules,
    omitted: [],
  };
}

/** The finding in the lines of its own cell. */
function shifted(finding: Finding, by: number): Finding {
  const { place, edit } = finding;
  const moved = (at: Finding['place']) => ({ ...at, line: at.line - by, endLine: at.endLine - by });
  return { ...finding, place: moved(place), ...(edit && { edit: { ...edit, place: moved(edit.place) } }) };
}
