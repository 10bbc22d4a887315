// Answers kept on disk by the content of the question, the model and the vote: the same check is never paid for twice.
// A cache that cannot be read or written is no reason to fail.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { readIfThere, writeWhole } from './files.js';
import { questionKey } from './key.js';
import { type Model, type ModelRequest, noUsage } from './model.js';

const entrySchema = z.object({ text: z.string(), inputTokens: z.number(), outputTokens: z.number() });

export function cached(model: Model, folder: string): Model {
  return {
    name: model.name,
    async ask(request) {
      const path = pathOf(folder, model.name, request);
      const started = performance.now();
      const kept = await readEntry(path);
      if (kept !== null) {
        const { text, inputTokens, outputTokens } = kept;
        const usage = { ...noUsage, inputTokens, outputTokens };
        return { text, usage, ms: performance.now() - started, replayed: true };
      }
      const reply = await model.ask(request);
      const { inputTokens, outputTokens } = reply.usage;
      const entry = JSON.stringify({ text: reply.text, inputTokens, outputTokens });
      await writeWhole(path, entry).catch(() => {});
      return reply;
    },
  };
}

/** Whether the answer of that model is kept already, so that asking costs nothing. */
export async function isCached(folder: string, model: string, request: ModelRequest): Promise<boolean> {
  return (await readEntry(pathOf(folder, model, request))) !== null;
}

function pathOf(folder: string, model: string, request: ModelRequest): string {
  const owner = createHash('sha256').update(model).digest('hex').slice(0, 16);
  return join(folder, 'answers', owner, `${questionKey(request)}-${request.vote}.json`);
}

async function readEntry(path: string): Promise<z.infer<typeof entrySchema> | null> {
  try {
    const text = await readIfThere(path);
    return text === null ? null : entrySchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
