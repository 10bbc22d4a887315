// When a dry run is worth its time: the cell looks long, or it changes state that would be dear to rebuild.
import { type Node, type ParsedCell, walk } from '@grus/python';
import type { CellHistory } from '../session/cells.js';

/** Calls that are slow often enough: training, searching, loading, downloading. */
const slowCalls = new Set([
  'fit',
  'fit_transform',
  'fit_predict',
  'fit_generator',
  'partial_fit',
  'train',
  'backward',
  'cross_val_score',
  'cross_validate',
  'cv',
  'learning_curve',
  'validation_curve',
  'GridSearchCV',
  'RandomizedSearchCV',
  'read_csv',
  'read_parquet',
  'read_json',
  'read_excel',
  'merge',
  'apply',
  'evaluate',
  'predict',
  'generate',
  'sleep',
]);

const loopNames = /epoch|iter|step|round|fold|batch|loader/i;

const longMs = 3_000;

/** Why the cell deserves a dry run, or null when it does not. */
export function worthADryRun(cell: ParsedCell, cells: readonly CellHistory[]): string | null {
  const long = looksLong(cell, cells);
  if (long !== null) return long;
  const changed = changesDearState(cell, cells);
  if (changed !== null) return changed;
  return ranBefore(cell, cells).length > 0 ? 'it has been run before on other state' : null;
}

function ranBefore(cell: ParsedCell, cells: readonly CellHistory[]): readonly CellHistory[] {
  return cells.filter(({ status, source }) => status === 'ok' && source === cell.source);
}

/** Why the cell is likely to take long, or null. */
export function looksLong(cell: ParsedCell, cells: readonly CellHistory[]): string | null {
  const longest = Math.max(0, ...ranBefore(cell, cells).map(({ ms }) => ms ?? 0));
  if (longest >= longMs) return `it took ${seconds(longest)} the last time`;
  for (const node of walk(cell.module)) {
    switch (node.nodeType) {
      case 'For':
      case 'AsyncFor':
        if (loopNames.test(cell.source.split('\n')[node.lineno - 1] ?? ''))
          return 'it loops over epochs or batches';
        break;
      case 'While':
        return 'it loops until something happens';
      case 'Call': {
        const { func } = node;
        const name = func.nodeType === 'Attribute' ? func.attr : func.nodeType === 'Name' ? func.id : null;
        if (name !== null && slowCalls.has(name)) return `it calls ${name}`;
        break;
      }
    }
  }
  return null;
}

/** State that the cell changes in place. Where times are known, only what took long to make is dear. */
function changesDearState(cell: ParsedCell, cells: readonly CellHistory[]): string | null {
  const changed = changedNames(cell);
  if (changed.size === 0) return null;
  if (!cells.some(({ ms }) => ms !== undefined)) return 'it changes state in place';
  for (const name of changed) {
    const mentioned = new RegExp(`(?<![\\w.])${name}\\b`);
    const made = cells.filter(({ status, source }) => status === 'ok' && mentioned.test(source));
    const cost = made.reduce((sum, { ms }) => sum + (ms ?? 0), 0);
    if (cost >= longMs) return `it changes ${name}, which took ${seconds(cost)} to make`;
  }
  return null;
}

function changedNames(cell: ParsedCell): Set<string> {
  const names = new Set<string>();
  const note = (target: Node) => {
    let root = target;
    while (root.nodeType === 'Subscript' || root.nodeType === 'Attribute') root = root.value;
    if (root.nodeType === 'Name') names.add(root.id);
  };
  for (const node of walk(cell.module)) {
    if (node.nodeType === 'AugAssign') note(node.target);
    if (node.nodeType === 'Assign')
      for (const target of node.targets)
        if (target.nodeType === 'Subscript' || target.nodeType === 'Attribute') note(target);
    if (node.nodeType === 'Call' && node.func.nodeType === 'Attribute') {
      const inPlace = node.keywords.some(
        ({ arg, value }) => arg === 'inplace' && value.nodeType === 'Constant' && value.value === true,
      );
      if (inPlace) note(node.func.value);
    }
  }
  return names;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
