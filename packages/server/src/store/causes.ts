// What fails how often, where, and at what cost.
import type { Connection } from './database.js';

export const groupings = {
  day: `to_char(created at time zone 'UTC', 'YYYY-MM-DD')`,
  node: `coalesce(node, 'unknown')`,
  framework: `coalesce(framework, 'unknown')`,
  person: `coalesce(person, 'unknown')`,
} as const;

export type Grouping = keyof typeof groupings;

export interface CauseCount {
  /** A day, a node, a framework or a person. */
  readonly place: string;
  readonly category: string;
  readonly subcause: string;
  readonly runs: number;
  readonly gpu_hours: number | null;
}

const days = 90;
const most = 1_000;

/** Failures of the last ninety days. */
export function countCauses(connection: Connection, project: string, by: Grouping): Promise<CauseCount[]> {
  return connection.query(
    `select ${groupings[by]} as place, category, coalesce(subcause, 'unknown') as subcause, count(*)::int as runs,
       sum(gpu_hours)::float8 as gpu_hours
     from runs where project_id = $1 and outcome in ('failed', 'degraded') and created > now() - interval '${days} days'
     group by 1, 2, 3 order by 1 desc, runs desc limit ${most}`,
    [project],
  );
}
