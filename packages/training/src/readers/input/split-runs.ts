// Which files of a folder belong to which run. A run may keep its logs, events and checkpoints in folders of their own; a folder may also
// hold many runs side by side, as folders or as single logs. Decided by names; whether each part really is a run, its content says later.
import type { FoundFile } from '../walk.js';
import { isConsoleFile, isEventFile, isPartFolder, isTellingFile, stemOf } from './part-names.js';

export interface RunFiles {
  /** Relative to the folder that was given; empty for the folder itself. */
  readonly path: string;
  readonly files: readonly FoundFile[];
}

interface Folder {
  readonly path: string;
  readonly name: string;
  readonly own: FoundFile[];
  readonly folders: Map<string, Folder>;
}

export function splitRuns(files: readonly FoundFile[]): RunFiles[] {
  return runsOf(treeOf(files));
}

function runsOf(folder: Folder): RunFiles[] {
  const whole = [{ path: folder.path, files: everything(folder) }];
  const holding = [...folder.folders.values()].filter(holdsRun);
  const members = holding.filter((inner) => !isPart(inner));
  const hasConsole = folder.own.some((file) => isConsoleFile(baseName(file)));
  const bySide = splitByStem(folder);
  if (members.length >= 2) {
    // `add_scalars` makes a folder per curve beside the run's own event file.
    const curves =
      folder.own.some((file) => isEventFile(baseName(file))) &&
      members.every((inner) => everything(inner).every((file) => isEventFile(baseName(file))));
    if (curves) return whole;
    const inParts = holding
      .filter(isPart)
      .map(runsOf)
      .filter((runs) => runs.length > 1);
    return [...members.flatMap(runsOf), ...inParts.flat(), ...(hasConsole ? bySide : [])];
  }
  if (hasConsole) return bySide.length > 1 ? bySide : whole;
  // Nothing of its own: the one folder below is what was meant.
  if (holding.length === 1 && folder.own.every((file) => !isTellingFile(baseName(file)))) {
    const inner = runsOf(holding[0]!);
    return inner.length > 1 ? inner : whole;
  }
  return bySide.length > 1 ? bySide : whole;
}

/** Logs with names of their own lie side by side: one run each, with what shares the name. */
function splitByStem(folder: Folder): RunFiles[] {
  const groups = new Map<string, FoundFile[]>();
  for (const file of folder.own) {
    const stem = stemOf(baseName(file));
    groups.set(stem, [...(groups.get(stem) ?? []), file]);
  }
  const named = [...groups].filter(
    ([stem, files]) => stem !== '' && files.some((file) => isTellingFile(baseName(file))),
  );
  if (named.length < 2) return [{ path: folder.path, files: folder.own }];
  return named.map(([, files]) => ({ path: pathOf(files), files }));
}

/** The log speaks for the files beside it. */
function pathOf(files: readonly FoundFile[]): string {
  return (
    files.find((file) => isConsoleFile(baseName(file)) && !/\.(err|e\d+|stderr)\b/.test(file.path)) ??
    files[0]!
  ).path;
}

/** torchrun keeps the output of its workers in numbered folders. */
function isPart(folder: Folder): boolean {
  return (
    isPartFolder(folder.name) ||
    (/^\d+$/.test(folder.name) &&
      folder.own.length > 0 &&
      folder.own.every((file) => /^(std(out|err)\.log|error\.json)$/.test(baseName(file))))
  );
}

function holdsRun(folder: Folder): boolean {
  return (
    folder.own.some((file) => isTellingFile(baseName(file))) ||
    (folder.name === 'metrics' && folder.own.length > 0) ||
    [...folder.folders.values()].some(holdsRun)
  );
}

function everything(folder: Folder): FoundFile[] {
  return [...folder.own, ...[...folder.folders.values()].flatMap(everything)];
}

function treeOf(files: readonly FoundFile[]): Folder {
  const root: Folder = { path: '', name: '', own: [], folders: new Map() };
  for (const file of files) {
    let folder = root;
    const names = file.path.split('/');
    for (const name of names.slice(0, -1)) {
      const path = folder.path === '' ? name : `${folder.path}/${name}`;
      const inner = folder.folders.get(name) ?? { path, name, own: [], folders: new Map() };
      folder.folders.set(name, inner);
      folder = inner;
    }
    folder.own.push(file);
  }
  return root;
}

function baseName(file: FoundFile): string {
  return file.path.slice(file.path.lastIndexOf('/') + 1);
}
