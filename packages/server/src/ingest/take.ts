// Takes a run that a source found: the files that are not there, then the run itself, as a push would.
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { type ManifestFile, mostFiles } from '../artefacts/manifest.js';
import { digestOfFile, type FileToPush } from '../client/push.js';
import { submit } from '../store/submit.js';
import type { Limits, StoreParts } from '../web/context.js';
import type { IncomingRun } from './define.js';

/** Whoever did it, in the audit log. */
const author = { id: null, name: 'grus server' };

export function fits(limits: Limits, files: readonly Pick<FileToPush, 'size'>[]): boolean {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return files.length <= mostFiles && bytes <= limits.run && files.every(({ size }) => size <= limits.file);
}

/** Null when it was taken, else why not. */
export async function takeRun(
  parts: StoreParts,
  limits: Limits,
  project: string,
  run: IncomingRun,
): Promise<string | null> {
  if (!fits(limits, run.files))
    return `${run.name} has more or larger files than --most-file and --most-run allow`;
  const files: ManifestFile[] = [];
  for (const file of run.files) {
    const { path, size } = file;
    const digest = await digestOfFile(file);
    files.push({ path, digest, size });
    if ((await parts.artefacts.sizeOf(project, digest)) !== null) continue;
    const refused = await parts.artefacts.keep(project, digest, bytesOf(file), { limit: limits.file });
    // It is being written: the next look finds it again.
    if (refused !== null) return null;
  }
  await submit(parts, author, project, { ...run, files });
  return null;
}

function bytesOf({ absolute, size, content }: FileToPush): Readable {
  if (content !== undefined || size === 0) return Readable.from(content === undefined ? [] : [content]);
  return createReadStream(absolute, { end: size - 1 });
}
