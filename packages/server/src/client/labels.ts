// Brings what people said of runs into a folder: the files of each run, and labels.json, as `bench training --data` reads it.
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GrusError } from '@grus/core';
import { isPlainPath } from '../artefacts/manifest.js';
import { isId } from '../ids.js';
import { download, request, type ServerAddress } from './connection.js';

interface Label {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly subcause: string | null;
  readonly said_by: string;
  readonly files: readonly { readonly path: string; readonly digest: string }[];
}

/** How many runs it brought. */
export async function pullLabels(address: ServerAddress, folder: string): Promise<number> {
  const base = `/projects/${encodeURIComponent(address.project)}`;
  const labels: Record<string, object> = {};
  await mkdir(folder, { recursive: true });
  for (let after = ''; ; ) {
    const page = await request<{ labels: Label[] }>(address, `${base}/feedback${after && `?after=${after}`}`);
    for (const { id, name, category, subcause, said_by, files } of page.labels) {
      if (!isId(id) || !files.every(({ path }) => isPlainPath(path)))
        throw new GrusError('the server named a file that lies elsewhere', {
          advice: 'Check --server: a Grus server does not do this.',
        });
      for (const { path, digest } of files) {
        const place = join(folder, id, path);
        await mkdir(dirname(place), { recursive: true });
        const body = await download(address, `${base}/files/${digest}`);
        await pipeline(Readable.fromWeb(body as never), createWriteStream(place));
      }
      labels[id] = { category, ...(subcause === null ? {} : { subcause }), run: name, said_by };
      after = id;
    }
    if (page.labels.length === 0) break;
  }
  await writeFile(join(folder, 'labels.json'), `${JSON.stringify(labels, null, 2)}\n`);
  return Object.keys(labels).length;
}
