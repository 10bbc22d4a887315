// Files of runs, as a push takes them.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface TestFile {
  readonly path: string;
  readonly absolute: string;
  readonly size: number;
  readonly content?: Buffer;
}

export function filesOf(folder: string): TestFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((path) => {
    const absolute = join(folder, path);
    const stats = statSync(absolute);
    return stats.isFile() ? [{ path, absolute, size: stats.size }] : [];
  });
}

export function textFile(path: string, text: string): TestFile {
  const content = Buffer.from(text);
  return { path, absolute: '', size: content.length, content };
}
