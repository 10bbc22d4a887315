// Warnings of runs that go on, each kept once however often it is sent.
import type { RunWarning } from '@grus/training';
import { isId } from '../ids.js';
import type { Connection } from './database.js';
import { jsonOf } from './json.js';

/** What is kept of a warning. */
export type KeptWarning = Pick<RunWarning, 'warning' | 'title' | 'expected_failure' | 'step' | 'time'> & {
  readonly subcause: string | null;
};

const mostShown = 100;

/** Those that are new; null when the project has no such run. */
export async function keepWarnings(
  connection: Connection,
  project: string,
  id: string,
  warnings: readonly KeptWarning[],
): Promise<KeptWarning[] | null> {
  const [run] = isId(id)
    ? await connection.query('select 1 from runs where project_id = $1 and id = $2', [project, id])
    : [];
  if (run === undefined) return null;
  const added: KeptWarning[] = [];
  for (const warning of warnings) {
    const rows = await connection.query(
      `insert into warnings (run_id, warning, given, told) values ($1, $2, $3, $4) on conflict do nothing returning 1`,
      [id, warning.warning, warning.time, jsonOf(warning)],
    );
    if (rows.length > 0) added.push(warning);
  }
  return added;
}

/** In the order in which they were given. */
export async function warningsOf(connection: Connection, id: string): Promise<KeptWarning[]> {
  const rows = await connection.query<{ told: KeptWarning }>(
    'select told from warnings where run_id = $1 order by given limit $2',
    [id, mostShown],
  );
  return rows.map(({ told }) => told);
}
