// A notebook file in memory: the parts Grus reads, with everything else kept as it was for writing back.
import { z } from 'zod';

const text = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (Array.isArray(value) ? value.join('') : value));

const cellSchema = z.looseObject({
  cell_type: z.string(),
  id: z.string().optional(),
  source: text,
  metadata: z.looseObject({}).optional(),
});

export const documentSchema = z.looseObject({
  nbformat: z.literal(4),
  nbformat_minor: z.number().optional(),
  metadata: z.looseObject({
    kernelspec: z.looseObject({ name: z.string(), language: z.string().optional() }).optional(),
    language_info: z.looseObject({ name: z.string() }).optional(),
  }),
  cells: z.array(cellSchema),
});

export type NotebookDocument = z.infer<typeof documentSchema>;

export interface CodeCell {
  /** Counted from 1 among the code cells, as on the command line. */
  readonly number: number;
  readonly id: string | null;
  readonly source: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Position among all cells of the document. */
  readonly position: number;
}

export function codeCells(document: NotebookDocument): CodeCell[] {
  const cells: CodeCell[] = [];
  document.cells.forEach((cell, position) => {
    if (cell.cell_type !== 'code') return;
    cells.push({
      number: cells.length + 1,
      id: cell.id ?? null,
      source: cell.source,
      metadata: cell.metadata ?? {},
      position,
    });
  });
  return cells;
}

/** The language the notebook declares, in lower case; Python when it declares none. */
export function languageOf(document: NotebookDocument): string {
  const { language_info: info, kernelspec } = document.metadata;
  return (info?.name ?? kernelspec?.language ?? 'python').toLowerCase();
}
