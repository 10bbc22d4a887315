// The request that a check of a cell would send, as `grus snapshot --as-sent` shows it.
import type { RedactionLevel } from '@grus/core';
import type { Kernel } from '@grus/kernel';
import { questionFor, requestAsSent } from '@grus/llm';
import { type CheckOptions, checkCell } from '@grus/notebook';
import { targetOn } from '../support/kernel.js';
import { settingsFor } from '../support/settings.js';

/** What the model would read; null when the rungs before it answer. */
export async function bodyAt(
  kernel: Kernel,
  level: RedactionLevel,
  source: string,
  options: CheckOptions = {},
): Promise<string | null> {
  const settings = settingsFor('compatible:http://127.0.0.1:9/v1#m', {
    redaction: level,
    promptTokens: 1_000_000,
  });
  let body: string | null = null;
  await checkCell(targetOn(kernel, source), {
    budgetMs: 5_000,
    ...options,
    last: {
      name: 'llm',
      run: async (context, earlier) => {
        body =
          (await requestAsSent(settings, await questionFor(context, earlier, { settings })))?.body ?? null;
        return { outcome: 'unknown', because: 'shown' };
      },
    },
  });
  if (body === null) return null;
  const { messages } = JSON.parse(body) as { messages: { content: string }[] };
  return messages.at(-1)!.content;
}
