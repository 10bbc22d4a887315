// Opens the database that the settings name, brought up to date.
import type { BucketSettings } from '../artefacts/bucket.js';
import type { Database } from './database.js';
import { migrate } from './migrate.js';
import { openPglite } from './pglite.js';
import { openPostgres } from './postgres.js';

export interface StoreSettings {
  /** Where the embedded database and the files of the runs lie. */
  readonly data: string;
  /** `postgres://…`; without it, the embedded database. */
  readonly database?: string | undefined;
  /** Where the files of the runs are instead of the folder. */
  readonly bucket?: BucketSettings | undefined;
}

export async function openDatabase({
  data,
  database,
}: Pick<StoreSettings, 'data' | 'database'>): Promise<Database> {
  const opened = database === undefined ? await openPglite(data) : await openPostgres(database);
  try {
    await migrate(opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return opened;
}
