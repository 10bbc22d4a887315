// Brings the tables up to date: forward only, each step once, one process at a time.
import type { Database } from './database.js';
import { migrations } from './migrations/index.js';

/** Any number, the same in every version: who holds it migrates. */
const lock = 7_472_817;

export async function migrate(database: Database): Promise<void> {
  await database.transaction(async (connection) => {
    await connection.query('select pg_advisory_xact_lock($1)', [lock]);
    await connection.query(
      `create table if not exists migrations (name text primary key, applied timestamptz not null default now())`,
    );
    const applied = new Set(
      (await connection.query<{ name: string }>('select name from migrations')).map(({ name }) => name),
    );
    for (const { name, sql } of migrations) {
      if (applied.has(name)) continue;
      await connection.query(sql);
      await connection.query('insert into migrations (name) values ($1)', [name]);
    }
  });
}
