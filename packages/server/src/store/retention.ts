// What is too old goes: runs after so many days, then the files that no run names any more.
import type { ArtefactStore } from '../artefacts/files.js';
import type { Database } from './database.js';
import { removeUnnamed } from './submit.js';

/** Pushes to the project wait meanwhile. */
const atOnce = 50;

export interface Retention {
  readonly days: number;
  /** Files that are younger may belong to a push that is under way. */
  readonly unusedMs: number;
}

/** A run that goes on is renewed as it writes: one that was not for so long has ended without a word. Returns how many went. */
export async function dropOld(
  database: Database,
  artefacts: ArtefactStore,
  { days, unusedMs }: Retention,
): Promise<number> {
  const gone = await database.query(
    `delete from runs where updated < now() - $1 * interval '1 day' returning id`,
    [days],
  );
  await database.query(`delete from checks where created < now() - $1 * interval '1 day'`, [days]);
  const projects = await database.query<{ id: string }>('select id from projects');
  for (const { id } of projects) {
    const used = await database.query<{ digest: string }>(
      `select distinct file ->> 'digest' as digest from runs, jsonb_array_elements(files) as file where project_id = $1`,
      [id],
    );
    const named = new Set(used.map(({ digest }) => digest));
    const unnamed = (await artefacts.list(id)).filter((digest) => !named.has(digest));
    for (let at = 0; at < unnamed.length; at += atOnce)
      await removeUnnamed({ database, artefacts }, id, unnamed.slice(at, at + atOnce), unusedMs);
  }
  return gone.length;
}
