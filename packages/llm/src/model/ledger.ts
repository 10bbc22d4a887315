// What was spent today: one line per answer, appended, so that processes at the same time do not lose each other's.
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readIfThere } from './files.js';

const lineSchema = z.object({
  time: z.string(),
  model: z.string(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  usd: z.number().nullable(),
  ms: z.number(),
});
export type LedgerLine = z.infer<typeof lineSchema>;

export class Ledger {
  constructor(private readonly folder: string) {}

  async spentToday(now = new Date()): Promise<number> {
    const lines = await this.lines(now);
    return lines.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
  }

  async lines(now = new Date()): Promise<LedgerLine[]> {
    const text = (await readIfThere(this.#path(now))) ?? '';
    return text.split('\n').flatMap((line) => {
      try {
        return line === '' ? [] : [lineSchema.parse(JSON.parse(line))];
      } catch {
        // A line that was cut by a crash: its answer was not counted anywhere else either.
        return [];
      }
    });
  }

  async add(line: Omit<LedgerLine, 'time'>, now = new Date()): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const entry: LedgerLine = { time: now.toISOString(), ...line };
    await appendFile(this.#path(now), `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  }

  #path(now: Date): string {
    return join(this.folder, `spending-${now.toISOString().slice(0, 10)}.jsonl`);
  }
}
