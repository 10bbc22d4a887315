// The exact bytes that would leave the machine: the provider's own request, caught on its way out and not sent.
import { openModel } from '../model/open.js';
import type { Question } from '../question/compose.js';
import type { LlmSettings } from '../settings/settings.js';
import { staysHere } from '../settings/spec.js';

export interface SentRequest {
  readonly url: string;
  readonly body: string;
}

/** Null for a model on this machine, which is sent nothing. */
export async function requestAsSent(settings: LlmSettings, question: Question): Promise<SentRequest | null> {
  if (staysHere(settings.spec)) return null;
  let caught: SentRequest | null = null;
  const open = await openModel(
    // The key travels in a header; without one of the user's own any word will do here.
    {
      ...settings,
      key: settings.key ?? 'not-sent',
      cache: null,
      retries: 0,
      usdPerCheck: Number.POSITIVE_INFINITY,
    },
    {
      fetch: async (input, init) => {
        caught = { url: String(input), body: String(init?.body ?? '') };
        throw new TypeError('shown instead of sent');
      },
    },
  );
  await open()
    .ask({ ...question, vote: 0 })
    .catch(() => {});
  return caught;
}
