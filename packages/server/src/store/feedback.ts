// What people say a run really had: "this was right", or "it was X". One word per run, the last; it is about the files that the run had then.
import { causeOf, type Subcause } from '@grus/training';
import type { ManifestFile } from '../artefacts/manifest.js';
import { isId } from '../ids.js';
import type { Connection } from './database.js';

/** `right`: what the verdict says. */
export type Said = 'right' | 'healthy' | Subcause;

export interface Feedback {
  readonly category: string;
  readonly subcause: string | null;
  readonly said_by: string;
  readonly said: Date;
}

interface LabelledRun extends Feedback {
  readonly id: string;
  readonly name: string;
  readonly files: readonly ManifestFile[];
}

/** `no-verdict`: there is none, or it names no cause, so that nothing can be called right. */
export async function keepFeedback(
  connection: Connection,
  project: string,
  id: string,
  { said, by }: { readonly said: Said; readonly by: string },
): Promise<'kept' | 'no-run' | 'no-verdict'> {
  if (!isId(id)) return 'no-run';
  const [run] = await connection.query<{
    outcome: string | null;
    category: string | null;
    subcause: string | null;
  }>(`select outcome, category, subcause from runs where project_id = $1 and id = $2`, [project, id]);
  if (run === undefined) return 'no-run';
  const label =
    said === 'right'
      ? run.outcome === 'healthy'
        ? { category: 'healthy', subcause: null }
        : run
      : said === 'healthy'
        ? { category: said, subcause: null }
        : { category: causeOf(said).category, subcause: said };
  if (label.category === null || (label.category !== 'healthy' && label.subcause === null))
    return 'no-verdict';
  await connection.query(
    `insert into feedback (run_id, digest, category, subcause, said_by)
     select id, digest, $3, $4, $5 from runs where project_id = $1 and id = $2
     on conflict (run_id) do update set digest = excluded.digest, category = excluded.category,
       subcause = excluded.subcause, said_by = excluded.said_by, said = now()`,
    [project, id, label.category, label.subcause, by],
  );
  return 'kept';
}

/** What was said of the files as they are; null where nothing was. */
export async function feedbackOf(connection: Connection, id: string): Promise<Feedback | null> {
  const [row] = await connection.query<Feedback>(
    `select f.category, f.subcause, f.said_by, f.said from feedback f join runs r on r.id = f.run_id and r.digest = f.digest
     where f.run_id = $1`,
    [id],
  );
  return row ?? null;
}

const most = 500;

/** In the order of their ids, from after one of them on. */
export function labelledRuns(
  connection: Connection,
  project: string,
  after: string | undefined,
): Promise<LabelledRun[]> {
  return connection.query(
    `select r.id, r.name, r.files, f.category, f.subcause, f.said_by, f.said
     from feedback f join runs r on r.id = f.run_id and r.digest = f.digest
     where r.project_id = $1 and r.id > $2::uuid order by r.id limit ${most}`,
    [project, after ?? '00000000-0000-0000-0000-000000000000'],
  );
}
