// When a dry run is worth its time: the cell looks long, or it changes state that would be dear to rebuild.
import { type ParsedCell, walk } from '@grus/python';
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

/** Why the cell deserves a dry run, or null when it does not. */
export function worthADryRun(cell: ParsedCell, cells: readonly CellHistory[]): string | null {
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
        const name =
          node.func.nodeType === 'Attribute'
            ? node.func.attr
            : node.func.nodeType === 'Name'
              ? node.func.id
              : null;
        if (name !== null && slowCalls.has(name)) return `it calls ${name}`;
        break;
      }
      case 'AugAssign':
        return 'it changes state in place';
      case 'Assign':
        if (node.targets.some((target) => target.nodeType === 'Subscript' || target.nodeType === 'Attribute'))
          return 'it changes state in place';
        break;
    }
  }
  return cells.some((earlier) => earlier.status === 'ok' && earlier.source === cell.source)
    ? 'it has been run before on other state'
    : null;
}
