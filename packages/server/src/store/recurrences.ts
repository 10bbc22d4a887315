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
    `select seen.fingerprint, seen.subcause, seen.runs, seen.nodes, seen.first_seen, seen.last_seen, seen.gpu_hours, latest.headline, coalesce(d.muted, false) as muted, d.assignee
     from (
       select project_id, fingerprint, max(subcause) as subcause, count(*)::int as runs, count(distinct node)::int as nodes,
         min(created) as first_seen, max(created) as last_seen, sum(gpu_hours)::float8 as gpu_hours
       from runs where project_id = $1 and fingerprint is not null group by project_id, fingerprint
     ) seen
     left join recurrences d using (project_id, fingerprint)
     cross join lateral (
       select headline from runs r where r.project_id = $1 and r.fingerprint = seen.fingerprint
       order by updated desc limit 1
     ) latest
     order by coalesce(d.muted, false), seen.last_seen desc limit ${most}`,
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
