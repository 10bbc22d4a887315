// A range in the source of a cell. Lines count from 1 and columns from 0, as in Python's own syntax tree.

export interface Place {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}
