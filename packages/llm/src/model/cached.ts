// Answers kept on disk by the content of the question, the model and the vote: the same check is never paid for twice.
// A cache that cannot be read or written is no reason to fail.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { readIfThere, writeWhole } from './files.js';
import { questionKey } from './key.js';
import { type Model, noUsage } from './model.js';

const entrySchema = z.object({ text: z.string(), inputTokens: z.number(), outputTokens: z.number() });

export function cached(model: Model, folder: string): Model {
  const owner = createHash('sha256').update(model.name).digest('hex').slice(0, 16);
  return {
    name: model.name,
    async ask(request) {
      const path = join(folder, 'answers', owner, `${questionKey(request)}-${request.vote}.json`);
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

async function readEntry(path: string): Promise<z.infer<typeof entrySchema> | null> {
  try {
    const text = await readIfThere(path);
    return text === null ? null : entrySchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
