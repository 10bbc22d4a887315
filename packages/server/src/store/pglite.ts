// Postgres inside this process, in a folder. One process at a time may have the folder open: a file beside it says which.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { GrusError } from '@grus/core';
import type { Connection, Database } from './database.js';

type Queries = Pick<PGlite, 'query' | 'exec'>;

export async function openPglite(folder: string): Promise<Database> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = join(folder, 'server.pid');
  await takeFolder(folder, lock);
  const { PGlite } = await load();
  const pglite = await PGlite.create(join(folder, 'database'));
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
