// A run comes in, or comes again: the same files are known already, other files of the same run replace those before. The run and its job
// are one transaction, so that no run waits for a diagnosis that nobody was asked for.
import { digestOf, type ManifestFile } from '../artefacts/manifest.js';
import type { Queue } from '../queue/queue.js';
import { note } from './audit.js';
import type { Database } from './database.js';
import { jsonOf } from './json.js';
import type { Bearer } from './tokens.js';

export interface Submission {
  readonly name: string;
  readonly files: readonly ManifestFile[];
  readonly running: boolean;
  readonly node: string | null;
  readonly person: string | null;
}

export interface Submitted {
  readonly id: string;
  /** `known`: these very files were here before. */
  readonly status: 'new' | 'updated' | 'known';
}

export async function submit(
  { database, queue }: { readonly database: Database; readonly queue: Queue },
  bearer: Bearer,
  project: string,
  submission: Submission,
): Promise<Submitted> {
  const { name, files, running, node, person } = submission;
  const digest = digestOf(files);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return database.transaction(async (connection) => {
    // Two pushes of one name, or of the same files, go one after the other.
    await connection.query('select 1 from projects where id = $1 for update', [project]);
    const [same] = await connection.query<{ id: string; running: boolean }>(
      'select id, running from runs where project_id = $1 and digest = $2 order by (name = $3) desc limit 1',
      [project, digest, name],
    );
    if (same !== undefined) {
      if (same.running !== running)
        await connection.query('update runs set running = $2, updated = now() where id = $1', [
          same.id,
          running,
        ]);
      return { id: same.id, status: 'known' };
    }
    const [row] = await connection.query<{ id: string; is_new: boolean }>(
      `insert into runs (project_id, name, digest, files, bytes, running, node, person)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (project_id, name) do update set digest = excluded.digest, files = excluded.files,
         bytes = excluded.bytes, running = excluded.running, state = 'waiting', trouble = null, updated = now()
       returning id, (xmax = 0) as is_new`,
      [project, name, digest, jsonOf(files), bytes, running, node, person],
    );
    const { id, is_new } = row!;
    await queue.add({ run: id, digest }, connection);
    const status = is_new ? 'new' : 'updated';
    await note(connection, bearer, { project, action: `run ${status}`, subject: id });
    return { id, status };
  });
}
