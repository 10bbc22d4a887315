// The notebooks of the rehearsal benchmark: percent scripts in packages/bench/rehearsal. A header says how training is made
// short for the proof by execution, `train` and `crash` mark cells, and `instead` is the repaired crash of the twin.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { GrusError } from '@grus/core';

export interface LongNotebook {
  readonly id: string;
  readonly cells: readonly string[];
  /** Number of the cell that trains, from 1. */
  readonly trains: number;
  /** Null where the notebook is sound. */
  readonly crash: { readonly cell: number; readonly exception: string } | null;
  /** The assignment that says how long it trains, and a value with which it is soon done. */
  readonly length: { readonly name: string; readonly whole: number; readonly short: number };
}

interface Part {
  readonly tags: ReadonlySet<string>;
  readonly source: string;
}

/** Crashing ones, their repaired twins, and those that are sound of themselves. */
export function readLongNotebooks(folder: string): LongNotebook[] {
  const scriptsOf = (group: string) =>
    (existsSync(join(folder, group)) ? readdirSync(join(folder, group)) : [])
      .filter((name) => name.endsWith('.py'))
      .sort()
      .map((name) => join(folder, group, name));
  const crashing = scriptsOf('crashing').map((path) => read(path));
  const notebooks = [
    ...crashing.map(({ id, ...script }) => notebookOf(`${id}/crashing`, script, 'instead')),
    ...crashing.map(({ id, ...script }) => notebookOf(`${id}/repaired`, script, 'crash')),
    ...scriptsOf('sound').map((path) => {
      const { id, ...script } = read(path);
      return notebookOf(id, script, 'crash');
    }),
  ];
  if (notebooks.length === 0)
    throw new GrusError(`${folder} holds no notebooks`, {
      advice: 'Put scripts into its folders `crashing` and `sound`, as in packages/bench/rehearsal.',
    });
  return notebooks;
}

interface Script {
  readonly header: string;
  readonly parts: readonly Part[];
}

function read(path: string): Script & { readonly id: string } {
  const [header = '', ...parts] = readFileSync(path, 'utf8').split(/^# %%/m);
  return {
    id: basename(path, '.py'),
    header,
    parts: parts.map((part) => {
      const [tags = '', ...lines] = part.trimEnd().split('\n');
      return { tags: new Set(tags.trim().split(' ')), source: lines.join('\n') };
    }),
  };
}

function notebookOf(id: string, { header, parts }: Script, without: 'crash' | 'instead'): LongNotebook {
  const kept = parts.filter(({ tags }) => !tags.has(without));
  const numberOf = (tag: string) => kept.findIndex(({ tags }) => tags.has(tag)) + 1;
  const cells = kept.map(({ source }) => source);
  const [, name = '', short] = /^# short: (\w+) = (.+)$/m.exec(header) ?? [];
  const [, whole] = new RegExp(`^${name} = ([\\d_.e-]+)$`, 'm').exec(cells.join('\n')) ?? [];
  const exception = /^# raises: (\w+)$/m.exec(header)?.[1];
  const crashes = numberOf('crash');
  // Where no cell is marked, the one that crashes trains before it does.
  const trains = numberOf('train') || crashes || numberOf('instead');
  if (whole === undefined || trains === 0 || (crashes > 0 && exception === undefined))
    throw new GrusError(`${id} lacks its length, its training or its exception`, {
      advice: 'See the other notebooks of the folder.',
    });
  return {
    id,
    cells,
    trains,
    crash: crashes === 0 ? null : { cell: crashes, exception: exception! },
    length: { name, whole: Number(whole.replaceAll('_', '')), short: Number(short) },
  };
}

/** The same notebook, soon done. */
export function shortened({ cells, length: { name, short } }: LongNotebook): string[] {
  return cells.map((cell) => cell.replace(new RegExp(`^${name} = .+$`, 'm'), `${name} = ${short}`));
}

export function writeNotebook(path: string, sources: readonly string[]): void {
  const cells = sources.map((source, index) => ({
    ...{ cell_type: 'code', id: `cell-${index + 1}`, metadata: {}, execution_count: null, outputs: [] },
    source,
  }));
  const kernelspec = { name: 'python3', display_name: 'Python 3', language: 'python' };
  writeFileSync(path, JSON.stringify({ cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 }));
}
