// Everything in a folder, and back: the tables as lines of JSON, the files by digest. It goes from one kind of database to the other as well. The
// queue is not in it: what waits is queued again.
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { GrusError } from '@grus/core';
import { digestPattern } from './artefacts/manifest.js';
import type { Queue } from './queue/queue.js';
import type { Connection, Database } from './store/database.js';
import { migrations } from './store/migrations/index.js';

/** In an order in which what is named comes before what names it. */
const tables = [
  'projects',
  'tokens',
  'runs',
  'verdicts',
  'feedback',
  'warnings',
  'notifications',
  'recurrences',
  'audit',
] as const;
/** The migrations that brought the later ones; a backup from before them lacks these. */
const since: Readonly<Partial<Record<(typeof tables)[number], string>>> = {
  recurrences: '002-recurrences',
  feedback: '004-feedback',
  warnings: '005-warnings',
  notifications: '006-notifications',
};
const atOnce = 200;
const latest = migrations.at(-1)!.name;

/** `files`: null where they are in a bucket, and stay there. */
export async function backup(database: Database, files: string | null, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Until the end it is no backup, also where one was before.
  await rm(join(folder, 'backup.json'), { force: true });
  // Before and after: of a log that grows meanwhile, the state that the tables name is there.
  if (files !== null) await copyFiles(files, join(folder, 'files'));
  await database.transaction(async (connection) => {
    await connection.query('set transaction isolation level repeatable read');
    for (const table of tables) await writeTable(connection, table, join(folder, `${table}.jsonl`));
  });
  if (files !== null) await copyFiles(files, join(folder, 'files'));
  await writeFile(join(folder, 'backup.json'), JSON.stringify({ migration: latest, made: new Date() }));
}

async function writeTable(connection: Connection, table: string, path: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await connection.query(`declare backup cursor for select row_to_json(t)::text as line from ${table} t`);
    for (;;) {
      const rows = await connection.query<{ line: string }>(`fetch ${atOnce} from backup`);
      if (rows.length === 0) break;
      await file.write(rows.map(({ line }) => `${line}\n`).join(''));
    }
    await connection.query('close backup');
  } finally {
    await file.close();
  }
}

export async function restore(
  { database, queue }: { readonly database: Database; readonly queue: Queue },
  files: string | null,
  folder: string,
): Promise<void> {
  const held = await checkBackup(folder);
  const [any] = await database.query('select 1 from runs limit 1');
  if (any !== undefined)
    throw new GrusError('there are runs in this database already', {
      advice: 'Restore into an empty one: name another --data or --database.',
    });
  if (files !== null) await copyFiles(join(folder, 'files'), files);
  await database.transaction(async (connection) => {
    await connection.query('delete from tokens');
    await connection.query('delete from projects');
    for (const table of held) await readTable(connection, table, join(folder, `${table}.jsonl`));
    await connection.query(
      `select setval(pg_get_serial_sequence('audit', 'id'), (select coalesce(max(id), 1) from audit))`,
    );
    // Whether they were told meanwhile is not known here.
    await connection.query(
      `update notifications set state = 'unclear', trouble = 'it is of a backup' where state in ('waiting', 'sending')`,
    );
    const waiting = await connection.query<{ run: string; digest: string }>(
      `select id as run, digest from runs where state = 'waiting'`,
    );
    for (const job of waiting) await queue.add(job, connection);
  });
}

/** The tables that it holds. */
async function checkBackup(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, 'backup.json'), 'utf8').catch(() => notWhole(folder));
  const { migration } = JSON.parse(text) as { migration?: unknown };
  const known = migrations.find(({ name }) => name === migration);
  if (known === undefined)
    throw new GrusError(`${folder} was written by a newer Grus`, { advice: 'Restore it with that version.' });
  const held = tables.filter((table) => (since[table] ?? '') <= known.name);
  for (const table of held) await stat(join(folder, `${table}.jsonl`)).catch(() => notWhole(folder));
  return held;
}

function notWhole(folder: string): never {
  throw new GrusError(`${folder} holds no whole backup`, {
    advice: 'Name a folder that `grus server backup` wrote.',
  });
}

async function readTable(connection: Connection, table: string, path: string): Promise<void> {
  const insert = async (lines: readonly string[]): Promise<void> => {
    await connection.query(
      `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1::json)`,
      [`[${lines.join(',')}]`],
    );
  };
  let lines: string[] = [];
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (lines.push(line) < atOnce) continue;
    await insert(lines);
    lines = [];
  }
  if (lines.length > 0) await insert(lines);
}

/** A file is named by its content, and gets its name when it is whole: one that is there is right. One that is removed meanwhile is left out. */
async function copyFiles(from: string, to: string): Promise<void> {
  const paths = await readdir(from, { recursive: true }).catch(ifAbsent([] as string[]));
  for (const path of paths) {
    if (!digestPattern.test(basename(path))) continue;
    const place = join(to, path);
    if (await stat(place).catch(ifAbsent(null))) continue;
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    const unfinished = `${place}.unfinished`;
    const copied = await copyFile(join(from, path), unfinished).then(() => true, ifAbsent(false));
    if (copied) await rename(unfinished, place);
  }
}

function ifAbsent<Value>(value: Value): (error: NodeJS.ErrnoException) => Value {
  return (error) => {
    if (error.code !== 'ENOENT') throw error;
    return value;
  };
}
