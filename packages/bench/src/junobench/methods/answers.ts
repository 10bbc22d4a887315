// Recorded answers of a model, read whatever form they took: the asked-for object, its JSON inside prose or a code fence,
// or Python's spelling of it. An answer without a readable detection is an abstention.
import { z } from 'zod';

export interface Answer {
  /** Null when the answer does not say. */
  readonly detection: boolean | null;
  readonly reasoning: string;
}

/** Grus itself asks for the reasoning under the name "cause". */
const asked = z.looseObject({ detection: z.unknown(), reasoning: z.unknown(), cause: z.unknown() }).partial();

export function readAnswer(recorded: unknown): Answer {
  if (typeof recorded === 'string') return readText(recorded);
  const parsed = asked.safeParse(recorded);
  if (!parsed.success) return { detection: null, reasoning: '' };
  const { detection, cause, reasoning = cause } = parsed.data;
  return { detection: readDetection(detection), reasoning: typeof reasoning === 'string' ? reasoning : '' };
}

function readDetection(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return null;
  if (/^\s*(?:true|yes|crash)\b/i.test(value)) return true;
  return /^\s*(?:false|no)\b/i.test(value) ? false : null;
}

function readText(text: string): Answer {
  const object = /\{[\s\S]*\}/.exec(text)?.[0];
  if (object !== undefined) {
    try {
      const inner: unknown = JSON.parse(object);
      if (typeof inner === 'object') return readAnswer(inner);
    } catch {
      // Not JSON: the fields are searched for in the text below.
    }
  }
  const [, detection] = /["']?detection["']?\s*[:=]\s*["']?(\w+)/i.exec(text) ?? [];
  const [, , reasoning] = /["']?reasoning["']?\s*[:=]\s*(["'])([\s\S]*?)\1\s*[,}\n]/i.exec(text) ?? [];
  return { detection: readDetection(detection), reasoning: reasoning ?? text };
}
