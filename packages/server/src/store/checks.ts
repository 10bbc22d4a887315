// Notebooks to judge: asked for with their jobs in one transaction, answered with the end of the job in another.
import { isId } from '../ids.js';
import type { CheckQueue } from '../queue/queue.js';
import { type Author, note } from './audit.js';
import type { Connection, Database } from './database.js';
import { jsonOf } from './json.js';

export interface NotebookToCheck {
  readonly path: string;
  readonly digest: string;
}

export interface Check extends NotebookToCheck {
  readonly id: string;
  readonly rehearse: boolean;
  readonly state: 'waiting' | 'judged' | 'unreadable';
  readonly report: unknown;
  readonly trouble: string | null;
}

const columns = 'id, path, digest, rehearse, state, report, trouble';

interface Asked {
  readonly project: string;
  readonly notebooks: readonly NotebookToCheck[];
  readonly rehearse: boolean;
}

/** Their ids, in the order of the notebooks. */
export function addChecks(
  { database, queue }: { readonly database: Database; readonly queue: CheckQueue },
  author: Author,
  { project, notebooks, rehearse }: Asked,
): Promise<string[]> {
  return database.transaction(async (connection) => {
    const ids: string[] = [];
    for (const { path, digest } of notebooks) {
      const [row] = await connection.query<{ id: string }>(
        'insert into checks (project_id, path, digest, rehearse) values ($1, $2, $3, $4) returning id',
        [project, path, digest, rehearse],
      );
      await queue.add(row!.id, connection);
      await note(connection, author, { project, action: 'check asked', subject: row!.id });
      ids.push(row!.id);
    }
    return ids;
  });
}

export async function findCheck(connection: Connection, project: string, id: string): Promise<Check | null> {
  if (!isId(id)) return null;
  const [row] = await connection.query<Check>(
    `select ${columns} from checks where project_id = $1 and id = $2`,
    [project, id],
  );
  return row ?? null;
}

/** Null when it was answered already, or is gone. */
export async function waitingCheck(connection: Connection, id: string): Promise<Check | null> {
  const [row] = await connection.query<Check>(
    `select ${columns} from checks where id = $1 and state = 'waiting'`,
    [id],
  );
  return row ?? null;
}

export type CheckAnswer = { readonly report: unknown } | { readonly trouble: string };

/** `end` closes the job in the same transaction. */
export function keepAnswer(
  database: Database,
  id: string,
  answer: CheckAnswer,
  end: (connection: Connection) => Promise<void>,
): Promise<void> {
  return database.transaction(async (connection) => {
    const [state, report, trouble] =
      'report' in answer ? ['judged', jsonOf(answer.report), null] : ['unreadable', null, answer.trouble];
    await connection.query(
      `update checks set state = $2, report = $3::jsonb, trouble = $4 where id = $1 and state = 'waiting'`,
      [id, state, report, trouble],
    );
    await end(connection);
  });
}
