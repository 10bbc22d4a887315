// The same failure, again: runs with one fingerprint are one entry, with when it was first and last seen and what people decided about it.
import type { Connection } from './database.js';

export interface Recurrence {
  readonly fingerprint: string;
  readonly subcause: string;
  readonly headline: string;
  readonly runs: number;
  readonly nodes: number;
  readonly first_seen: Date;
  readonly last_seen: Date;
  readonly gpu_hours: number | null;
  readonly muted: boolean;
  readonly assignee: string | null;
}

const most = 200;

/** The latest first; muted ones last. */
export function listRecurrences(connection: Connection, project: string): Promise<Recurrence[]> {
  return connection.query(
    `select r.fingerprint, max(r.subcause) as subcause, (array_agg(r.headline order by r.updated desc))[1] as headline,
       count(*)::int as runs, count(distinct r.node)::int as nodes, min(r.created) as first_seen,
       max(r.created) as last_seen, sum(r.gpu_hours)::float8 as gpu_hours,
       coalesce(bool_or(d.muted), false) as muted, max(d.assignee) as assignee
     from runs r left join recurrences d on d.project_id = r.project_id and d.fingerprint = r.fingerprint
     where r.project_id = $1 and r.fingerprint is not null
     group by r.fingerprint order by muted, last_seen desc limit ${most}`,
    [project],
  );
}

export async function decideRecurrence(
  connection: Connection,
  project: string,
  fingerprint: string,
  { muted, assignee }: { readonly muted: boolean; readonly assignee: string | null },
): Promise<void> {
  await connection.query(
    `insert into recurrences (project_id, fingerprint, muted, assignee) values ($1, $2, $3, $4)
     on conflict (project_id, fingerprint) do update set muted = excluded.muted, assignee = excluded.assignee`,
    [project, fingerprint, muted, assignee],
  );
}
