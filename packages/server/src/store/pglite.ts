// Postgres inside this process, in a folder. One process at a time may have the folder open: a file beside it says which.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PGlite } from '@electric-sql/pglite';
import { GrusError } from '@grus/core';
import type { Connection, Database } from './database.js';

type Queries = Pick<PGlite, 'query' | 'exec'>;

export async function openPglite(folder: string): Promise<Database> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = join(folder, 'server.pid');
  await takeFolder(folder, lock);
  const { PGlite } = await load();
  const place = join(folder, 'database');
  if (!existsSync(place)) await make(place);
  const pglite = await PGlite.create(place);
  return {
    kind: 'pglite',
    ...connectionOf(pglite),
    script: async (sql) => void (await pglite.exec(sql)),
    transaction: (work) => pglite.transaction((open) => work(connectionOf(open))),
    close: async () => {
      await pglite.close();
      await rm(lock, { force: true });
    },
  };
}

/** In a thread of its own, for the half gigabyte that it takes goes with the thread. */
async function make(place: string): Promise<void> {
  const unfinished = `${place}.new`;
  await rm(unfinished, { recursive: true, force: true });
  const library = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const work = `const { library, unfinished } = require('node:worker_threads').workerData;
    require(library).PGlite.create(unfinished).then((made) => made.close());`;
  await once(new Worker(work, { eval: true, workerData: { library, unfinished } }), 'exit');
  await rename(unfinished, place);
}

/** A statement without values may be several: the rows are those of the last that gave any. */
function connectionOf(queries: Queries): Connection {
  return {
    query: async <Row>(sql: string, values: readonly unknown[] = []) => {
      if (values.length > 0) return (await queries.query<Row>(sql, [...values])).rows;
      const results = await queries.exec(sql);
      return (results.findLast(({ fields }) => fields.length > 0)?.rows ?? []) as Row[];
    },
  };
}

async function load(): Promise<typeof import('@electric-sql/pglite')> {
  try {
    return await import('@electric-sql/pglite');
  } catch (cause) {
    throw new GrusError('the embedded database is not installed', {
      advice:
        'Install it beside Grus (npm install -g @electric-sql/pglite), or name a PostgreSQL: --database postgres://…',
      cause,
    });
  }
}

/** What a killed server left behind names a process that is no more. */
async function takeFolder(folder: string, lock: string): Promise<void> {
  const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
  if (holder > 0 && holder !== process.pid && isAlive(holder))
    throw new GrusError(`${folder} is in use by process ${holder}`, {
      advice: 'Stop that server first, or name another folder with --data.',
    });
  await writeFile(lock, String(process.pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
