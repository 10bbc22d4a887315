// Findings that a person does not want to see again: the check's id in the cell's metadata, where the ladder looks for
// it, with the reason beside it.
import type { ICellModel } from '@jupyterlab/cells';

interface GrusMetadata {
  readonly ignore?: readonly string[];
  readonly reasons?: Readonly<Record<string, string>>;
}

export function suppress(cell: ICellModel, check: string, reason: string): void {
  const { ignore = [], reasons = {}, ...rest } = read(cell);
  cell.setMetadata('grus', {
    ...rest,
    ignore: [...new Set([...ignore, check])],
    ...(reason === '' ? {} : { reasons: { ...reasons, [check]: reason } }),
  });
}

/** The cell's metadata as the ladder reads it, with what the user never wants to hear. */
export function metadataFor(cell: ICellModel, everywhere: readonly string[]): Record<string, unknown> {
  const grus = read(cell);
  return { ...cell.metadata, grus: { ...grus, ignore: [...(grus.ignore ?? []), ...everywhere] } };
}

function read(cell: ICellModel): GrusMetadata {
  const grus = cell.getMetadata('grus');
  return typeof grus === 'object' && grus !== null ? grus : {};
}
