// Runs as lists and pages ask for them.
import type { Diagnosis } from '@grus/training';
import { isId } from '../ids.js';
import type { Shown } from '../judging/judge.js';
import type { Connection } from './database.js';
import { apart } from './words.js';

export type RunState = 'waiting' | 'judged' | 'unreadable';

export interface RunRow {
  readonly id: string;
  readonly name: string;
  readonly state: RunState;
  readonly running: boolean;
  readonly trouble: string | null;
  readonly node: string | null;
  readonly person: string | null;
  readonly created: Date;
  readonly updated: Date;
  readonly outcome: Diagnosis['outcome'] | null;
  readonly category: string | null;
  readonly subcause: string | null;
  readonly confidence: number | null;
  readonly onset_step: number | null;
  readonly headline: string | null;
  readonly spark: readonly (number | null)[] | null;
  readonly framework: string | null;
  readonly gpu_hours: number | null;
  readonly fingerprint: string | null;
}

const columns = `id, name, state, running, trouble, node, person, created, updated, outcome, category, subcause, confidence,
  onset_step, headline, spark, framework, gpu_hours, fingerprint`;

/** Columns that a list can be narrowed to one value of. */
export const filters = [
  'outcome',
  'category',
  'subcause',
  'state',
  'node',
  'framework',
  'person',
  'fingerprint',
] as const;

export type RunFilter = Readonly<Partial<Record<(typeof filters)[number], string>>> & {
  /** Words that name or evidence must hold. */
  readonly q?: string | undefined;
  /** Where the page before ended. */
  readonly after?: string | undefined;
};

export interface RunList {
  readonly runs: readonly RunRow[];
  /** For the next page; null on the last. */
  readonly next: string | null;
}

/** The latest first. */
export async function listRuns(
  connection: Connection,
  project: string,
  filter: RunFilter,
  limit = 50,
): Promise<RunList> {
  const values: unknown[] = [project];
  const value = (one: unknown): string => `$${values.push(one)}`;
  const conditions = ['project_id = $1'];
  for (const name of filters) {
    const wanted = filter[name];
    if (wanted !== undefined) conditions.push(`${name} = ${value(wanted)}`);
  }
  if (filter.q) conditions.push(`search @@ websearch_to_tsquery('simple', ${apart(value(filter.q))})`);
  const after = filter.after === undefined ? null : placeOf(filter.after);
  if (after !== null)
    conditions.push(
      `(updated, id) < ('epoch'::timestamptz + ${value(after.updated)} * interval '1 microsecond', ${value(after.id)}::uuid)`,
    );
  const rows = await connection.query<RunRow & { place: string }>(
    `select ${columns}, (extract(epoch from updated) * 1000000)::int8::text as place from runs where ${conditions.join(' and ')}
     order by updated desc, id desc limit ${value(limit + 1)}`,
    values,
  );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    runs: shown.map(({ place: _, ...run }) => run),
    next: rows.length > limit && last ? Buffer.from(`${last.place} ${last.id}`).toString('base64url') : null,
  };
}

/** Where a page of a list ended: microseconds, and the run. Null for what no list of ours gave out. */
export function placeOf(text: string): { updated: number; id: string } | null {
  const [, updated, id] = /^(\d{1,16}) (\S+)$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  return updated === undefined || !isId(id!) ? null : { updated: Number(updated), id: id! };
}

export interface WholeRun extends RunRow {
  readonly files: readonly { readonly path: string; readonly digest: string; readonly size: number }[];
  readonly verdict: Diagnosis | null;
  readonly shown: Shown | null;
}

/** The verdict is the one of the files as they are, or the last before them while they wait. */
export async function findRun(connection: Connection, project: string, id: string): Promise<WholeRun | null> {
  if (!isId(id)) return null;
  const [row] = await connection.query<WholeRun>(
    `select ${columns}, files, v.verdict, v.shown from runs
     left join verdicts v on v.run_id = runs.id and v.digest = runs.judged_digest
     where project_id = $1 and id = $2`,
    [project, id],
  );
  return row ?? null;
}

export interface ComparedRow extends RunRow {
  readonly digest: string;
  readonly files: WholeRun['files'];
}

/** The runs of these ids that the project has: the best outcome first, then the oldest. */
export async function runsToCompare(
  connection: Connection,
  project: string,
  ids: readonly string[],
): Promise<ComparedRow[]> {
  return connection.query(
    `select ${columns}, digest, files from runs where project_id = $1 and id = any($2::uuid[])
     order by array_position(array['healthy', 'unknown'], outcome), created, id`,
    [project, ids.filter(isId)],
  );
}

/** The last run before this one that was not found to fail: of the same folder, and proven healthy, where there is one. */
export async function lastGood(connection: Connection, project: string, id: string): Promise<string | null> {
  if (!isId(id)) return null;
  const [row] = await connection.query<{ id: string }>(
    `select good.id from runs this join runs good on good.project_id = this.project_id and good.outcome in ('healthy', 'unknown')
       and good.id <> this.id and good.created <= this.created and not good.running
     where this.project_id = $1 and this.id = $2
     order by regexp_replace(good.name, '[^/]*$', '') = regexp_replace(this.name, '[^/]*$', '') desc,
       good.outcome = 'healthy' desc, good.created desc limit 1`,
    [project, id],
  );
  return row?.id ?? null;
}
