// What fails how often, since when, where, and at what cost.
import type { Connection } from './database.js';
import type { Project } from './projects.js';

export const groupings = {
  day: `to_char(created at time zone 'UTC', 'YYYY-MM-DD')`,
  node: `coalesce(node, 'unknown')`,
  framework: `coalesce(framework, 'unknown')`,
  person: `coalesce(person, 'unknown')`,
  project: 'project_id::text',
} as const;

export type Grouping = keyof typeof groupings;
export const groupingNames = Object.keys(groupings) as [Grouping, ...Grouping[]];

export interface CauseCount {
  /** A day, a node, a framework, a person or a project. */
  readonly place: string;
  readonly category: string;
  readonly subcause: string;
  readonly runs: number;
  /** Runs of each week, the oldest first. */
  readonly weeks: number[];
  readonly gpu_hours: number | null;
}

const weeks = 13;
const most = 1_000;

/** Failures of the last thirteen weeks in any of these projects. */
export async function countCauses(
  connection: Connection,
  projects: readonly Project[],
  by: Grouping,
): Promise<CauseCount[]> {
  const rows = await connection.query<Omit<CauseCount, 'weeks'> & { ages: Record<string, number> }>(
    `select place, category, subcause, sum(runs)::int as runs, sum(gpu_hours)::float8 as gpu_hours, json_object_agg(age, runs) as ages
     from (
       select ${groupings[by]} as place, category, coalesce(subcause, 'unknown') as subcause, count(*)::int as runs,
         sum(gpu_hours) as gpu_hours, floor(extract(epoch from now() - created) / 604800)::int as age
       from runs
       where project_id = any($1::uuid[]) and outcome in ('failed', 'degraded') and created > now() - interval '${weeks} weeks'
       group by 1, 2, 3, age
     ) by_week
     group by place, category, subcause order by place desc, runs desc limit ${most}`,
    [projects.map(({ id }) => id)],
  );
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return rows.map(({ ages, place, ...row }) => ({
    ...row,
    place: by === 'project' ? names.get(place)! : place,
    weeks: Array.from({ length: weeks }, (_, at) => ages[weeks - 1 - at] ?? 0),
  }));
}
