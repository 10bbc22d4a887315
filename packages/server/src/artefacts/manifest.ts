// The list of a run's files: what it may look like, and the digest that stands for all of it.
import { createHash } from 'node:crypto';
import { z } from 'zod';

export const digestPattern = /^[0-9a-f]{64}$/;
export const mostFiles = 5_000;

/** Relative, forward slashes, no way up, nothing invisible. */
export function isPlainPath(path: string): boolean {
  if (path.length > 1_024 || path.startsWith('/') || /^[a-z]:/i.test(path) || path.includes('\\'))
    return false;
  if (/[\u0000-\u001f\u007f]/.test(path)) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

export const manifestFile = z.object({
  path: z.string().refine(isPlainPath, { error: 'not a plain relative path' }),
  digest: z.string().regex(digestPattern),
  size: z.number().int().nonnegative(),
});

export type ManifestFile = z.infer<typeof manifestFile>;

export function digestOf(files: readonly ManifestFile[]): string {
  const lines = files.map(({ path, digest, size }) => `${digest} ${size} ${path}\n`).sort();
  return createHash('sha256').update(lines.join('')).digest('hex');
}
