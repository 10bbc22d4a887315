// What a PostgreSQL does for itself and the embedded one does not: removing dead rows, and counting what is in the tables, without which its
// plans for a list are many times slower. It is done when the tables have changed enough.
import type { Database } from './database.js';

const lookMs = 30_000;
/** As PostgreSQL's own: so many changes, and this share of the rows. */
const fewestChanges = 50;
const shareChanged = 0.1;

interface Upkeep {
  stop(): Promise<void>;
}

export function startUpkeep(database: Database, onTrouble: (text: string) => void): Upkeep {
  if (database.kind !== 'pglite') return { stop: async () => undefined };
  const tidy = tidier(database);
  let working: Promise<unknown> = Promise.resolve();
  const look = (): void => {
    working = tidy().catch((error: Error) => onTrouble(error.message));
  };
  look();
  const timer = setInterval(look, lookMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await working;
    },
  };
}

/** True where there was enough to do. Every change of a run leaves a line in the audit log: its number counts them. */
export function tidier(database: Database): () => Promise<boolean> {
  let tidied = 0;
  return async () => {
    const [row] = await database.query<{ changes: number; runs: number }>(
      'select coalesce(max(id), 0)::int as changes, (select count(*)::int from runs) as runs from audit',
    );
    const { changes, runs } = row!;
    if (changes - tidied < fewestChanges + shareChanged * runs) return false;
    tidied = changes;
    for (const table of ['runs', 'verdicts', 'audit', 'queue.job'])
      await database.script(`vacuum analyze ${table}`);
    return true;
  };
}
