// The identity of a question: what decides the answer, hashed. Cache and recordings go by it.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ModelRequest } from './model.js';

/** The same question has the same key, whichever of its votes is meant and whoever is asked. */
export function questionKey({ instructions, prompt, mark, schema, schemaName }: ModelRequest): string {
  // Each user draws marks of his own.
  const unmarked = mark === undefined ? prompt : prompt.replaceAll(mark, '');
  const parts = [schemaName, JSON.stringify(z.toJSONSchema(schema)), instructions, unmarked];
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('hex').slice(0, 40);
}
