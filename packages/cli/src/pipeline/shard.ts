// A stable part of the work for one machine of several: a notebook's part follows from its path alone, so another notebook
// that comes or goes moves none of the others.
import { createHash } from 'node:crypto';
import type { Shard } from '../options/pipeline.js';

export function inShard(path: string, { index, count }: Shard): boolean {
  const digest = createHash('sha256').update(path.replaceAll('\\', '/')).digest();
  return digest.readUInt32BE() % count === index - 1;
}
