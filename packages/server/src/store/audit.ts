// Who did what, and when: everything that changes something leaves a line here.
import type { Connection } from './database.js';

/** Who did it: a token, or the server itself. */
export interface Author {
  readonly id: string | null;
  readonly name: string;
}

export interface AuditRow {
  readonly at: Date;
  readonly token: string;
  readonly action: string;
  readonly subject: string;
}

export async function note(
  connection: Connection,
  author: Author,
  entry: { readonly project: string | null; readonly action: string; readonly subject: string },
): Promise<void> {
  await connection.query(
    'insert into audit (project_id, token_id, token_name, action, subject) values ($1, $2, $3, $4, $5)',
    [entry.project, author.id, author.name, entry.action, entry.subject],
  );
}

export async function listAudit(connection: Connection, project: string, most: number): Promise<AuditRow[]> {
  return connection.query(
    'select at, token_name as token, action, subject from audit where project_id = $1 order by at desc, id desc limit $2',
    [project, most],
  );
}
