// Opens the database that the settings name, brought up to date.
import type { Database } from './database.js';
import { migrate } from './migrate.js';
import { openPglite } from './pglite.js';
import { openPostgres } from './postgres.js';

export interface StoreSettings {
  /** Where the embedded database and the files of the runs lie. */
  readonly data: string;
  /** `postgres://…`; without it, the embedded database. */
  readonly database?: string | undefined;
}

export async function openDatabase({ data, database }: StoreSettings): Promise<Database> {
  const opened = database === undefined ? await openPglite(data) : await openPostgres(database);
  try {
    await migrate(opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return opened;
}
