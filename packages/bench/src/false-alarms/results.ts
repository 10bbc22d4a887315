// The results so far, one line a notebook, appended as each one ends: an interrupted run loses nothing.
import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';

const evidenceSchema = z.looseObject({ fact: z.string(), source: z.string() });

const predictionSchema = z.object({
  check: z.string().nullable(),
  outcome: z.literal('crash'),
  confidence: z.number(),
  rung: z.string().nullable(),
  exception: z.object({ type: z.string(), message: z.string() }).nullable(),
  line: z.number().nullable(),
  code: z.string().nullable(),
  evidence: z.array(evidenceSchema),
  explanation: z.string(),
  remedy: z.string().nullable(),
  ms: z.number(),
});

const cellSchema = z.object({
  cell: z.number(),
  /** What the cell really did; null when it ran to its end. */
  crash: z
    .object({
      exception: z.string(),
      message: z.string(),
      line: z.number().nullable(),
      callLine: z.number().nullable(),
    })
    .nullable(),
  /** The predicted crash; null when none was. */
  prediction: predictionSchema.nullable(),
  ms: z.number(),
});

const notebookSchema = z.object({
  notebook: z.string(),
  cells: z.array(cellSchema),
  /** Why the walk ended early, when it was not the time limit. */
  problem: z.string().nullable(),
});

export type CellResult = z.infer<typeof cellSchema>;
export type NotebookResult = z.infer<typeof notebookSchema>;

export class ResultsFile {
  constructor(readonly path: string) {}

  /** Those that are there, by notebook. A last line that was cut off is left out. */
  async read(): Promise<Map<string, NotebookResult>> {
    const text = await readFile(this.path, 'utf8').catch(() => '');
    const results = new Map<string, NotebookResult>();
    for (const line of text.split('\n')) {
      const result = parseLine(line);
      if (result !== null) results.set(result.notebook, result);
    }
    return results;
  }

  async append(result: NotebookResult): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true });
    await appendFile(this.path, `${JSON.stringify(result)}\n`);
  }

  clear(): Promise<void> {
    return rm(this.path, { force: true });
  }
}

function parseLine(line: string): NotebookResult | null {
  try {
    return notebookSchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
