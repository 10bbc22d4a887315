// JSON Schema in the dialect that node-llama-cpp turns into a grammar. It knows `oneOf` only, and takes what it does not
// know for null without a word; and a text without a limit may never end, so that the answer is cut before it closes.
import { z } from 'zod';

/** Characters of one text of an answer. */
const longestText = 1_000;

export function grammarSchema(schema: z.ZodType): unknown {
  return translate(z.toJSONSchema(schema));
}

function translate(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(translate);
  if (typeof node !== 'object' || node === null) return node;
  const { $schema: _, anyOf, ...rest } = node as Record<string, unknown>;
  const fields = Object.entries(rest).map(([key, value]) => [key, translate(value)]);
  const translated = {
    ...Object.fromEntries(fields),
    ...(anyOf === undefined ? {} : { oneOf: translate(anyOf) }),
  };
  return rest['type'] === 'string' && !('enum' in rest)
    ? { maxLength: longestText, ...translated }
    : translated;
}
