// Notebook files from the texts of their cells.

/** The source of a code cell, or a cell with more to it. */
export type CellText =
  | string
  | { readonly type?: 'code' | 'markdown'; readonly source: string; readonly metadata?: object };

export function notebookFile(cells: readonly CellText[], metadata: Record<string, unknown>): object {
  return {
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {
      kernelspec: { name: 'python3', display_name: 'Python 3', language: 'python' },
      language_info: { name: 'python' },
      ...metadata,
    },
    cells: cells.map((cell, index) => {
      const {
        type = 'code',
        source,
        metadata: own = {},
      } = typeof cell === 'string' ? { source: cell } : cell;
      const shared = { id: `cell-${index + 1}`, cell_type: type, source, metadata: own };
      return type === 'code' ? { ...shared, outputs: [], execution_count: null } : shared;
    }),
  };
}
