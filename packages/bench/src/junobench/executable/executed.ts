// What came of one executed instance, and the file that keeps it, so that a run that was stopped goes on where it ended.
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';

const executedSchema = z.object({
  predictions: z.array(
    z.object({
      instance: z.string(),
      method: z.string(),
      crashes: z.boolean(),
      outcome: z.enum(['crash', 'ok', 'unknown']),
      rung: z.string().nullable(),
      exception: z.object({ type: z.string(), message: z.string() }).nullable(),
      line: z.number().nullable(),
      abstained_because: z.string().nullable(),
      ms: z.number().nullable(),
    }),
  ),
  /** Class name of what the target raised, null when it ran to its end. */
  raised: z.string().nullable(),
  /** Why the target was not run. */
  problem: z.string().nullable(),
});

const lineSchema = z.object({ instance: z.string(), executed: executedSchema });

export type Executed = z.infer<typeof executedSchema>;

export class KeptResults {
  constructor(readonly path: string) {}

  /** By instance. A line that was cut off is left out; of two of the same instance the later counts. */
  async read(): Promise<Map<string, Executed>> {
    const text = await readFile(this.path, 'utf8').catch(() => '');
    const lines = text.split('\n').flatMap((line) => {
      const read = lineSchema.safeParse(parsed(line));
      return read.success ? [read.data] : [];
    });
    return new Map(lines.map(({ instance, executed }) => [instance, executed]));
  }

  async append(instance: string, executed: Executed): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true });
    await appendFile(this.path, `${JSON.stringify({ instance, executed })}\n`);
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
