// A run comes in, or comes again: the same files are known already, other files of the same run replace those before. The run and its job
// are one transaction, so that no run waits for a diagnosis that nobody was asked for.
import type { ArtefactStore } from '../artefacts/files.js';
import { digestOf, type ManifestFile } from '../artefacts/manifest.js';
import type { Queue } from '../queue/queue.js';
import { type Author, note } from './audit.js';
import type { Connection, Database } from './database.js';
import { jsonOf } from './json.js';
import { announceVerdict } from './notifications.js';
import { apart } from './words.js';

export interface Submission {
  readonly name: string;
  readonly files: readonly ManifestFile[];
  readonly running: boolean;
  readonly node: string | null;
  readonly person: string | null;
}

/**
 * `known`: these very files were here before. `incomplete`: files of these digests must be sent first. `other-size`: a file is not as long
 * as the submission says.
 */
export type Submitted =
  | { readonly id: string; readonly status: 'new' | 'updated' | 'known'; readonly missing: readonly [] }
  | { readonly id: null; readonly status: 'incomplete'; readonly missing: readonly string[] }
  | { readonly id: null; readonly status: 'other-size'; readonly missing: readonly [] };

interface SubmitParts {
  readonly database: Database;
  readonly queue: Queue;
  readonly artefacts: ArtefactStore;
}

export async function submit(
  parts: SubmitParts,
  author: Author,
  project: string,
  submission: Submission,
): Promise<Submitted> {
  const { database, queue, artefacts } = parts;
  const { name, files, running, node, person } = submission;
  const digest = digestOf(files);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  let superseded: readonly ManifestFile[] = [];
  const submitted = await database.transaction(async (connection): Promise<Submitted> => {
    // Two pushes of one name, or of the same files, go one after the other, and no file is removed meanwhile.
    await lockProject(connection, project);
    const sizes = await sizesOf(artefacts, project, new Set(files.map((file) => file.digest)));
    const missing = [...sizes].flatMap(([one, size]) => (size === null ? [one] : []));
    if (missing.length > 0) return { id: null, status: 'incomplete', missing };
    if (files.some((file) => sizes.get(file.digest) !== file.size))
      return { id: null, status: 'other-size', missing: [] };
    const [same] = await connection.query<{ id: string; running: boolean }>(
      'select id, running from runs where project_id = $1 and digest = $2 order by (name = $3) desc limit 1',
      [project, digest, name],
    );
    if (same !== undefined) {
      if (same.running !== running) {
        await connection.query('update runs set running = $2, updated = now() where id = $1', [
          same.id,
          running,
        ]);
        await announceVerdict(connection, queue.notifications, same.id);
      }
      return { id: same.id, status: 'known', missing: [] };
    }
    const [before] = await connection.query<{ files: ManifestFile[] }>(
      'select files from runs where project_id = $1 and name = $2 and running',
      [project, name],
    );
    superseded = before?.files ?? [];
    const [row] = await connection.query<{ id: string; is_new: boolean }>(
      `insert into runs (project_id, name, digest, files, bytes, running, node, person, search)
       values ($1, $2, $3, $4, $5, $6, $7, $8, to_tsvector('simple', ${apart('$2::text')}))
       on conflict (project_id, name) do update set digest = excluded.digest, files = excluded.files,
         bytes = excluded.bytes, running = excluded.running, state = 'waiting', trouble = null, updated = now()
       returning id, (xmax = 0) as is_new`,
      [project, name, digest, jsonOf(files), bytes, running, node, person],
    );
    const { id, is_new } = row!;
    await queue.add({ run: id, digest }, connection);
    const status = is_new ? 'new' : 'updated';
    await note(connection, author, { project, action: `run ${status}`, subject: id });
    return { id, status, missing: [] };
  });
  // Of a log that grows, only the last state is kept.
  if (superseded.length > 0)
    await removeUnnamed(
      parts,
      project,
      superseded.map((file) => file.digest),
    );
  return submitted;
}

/** In a bucket each is a request. */
const askedAtOnce = 32;

async function sizesOf(
  artefacts: ArtefactStore,
  project: string,
  digests: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number | null>> {
  const sizes = new Map<string, number | null>();
  const left = [...digests];
  const ask = async (): Promise<void> => {
    for (let one = left.pop(); one !== undefined; one = left.pop())
      sizes.set(one, await artefacts.sizeOf(project, one));
  };
  await Promise.all(Array.from({ length: askedAtOnce }, ask));
  return sizes;
}

function lockProject(connection: Connection, project: string): Promise<unknown> {
  return connection.query('select 1 from projects where id = $1 for update', [project]);
}

/** Files that no run names, unless they are younger: no push can name one of them meanwhile. */
export async function removeUnnamed(
  { database, artefacts }: Pick<SubmitParts, 'database' | 'artefacts'>,
  project: string,
  digests: Iterable<string>,
  ageMs = 0,
): Promise<void> {
  await database.transaction(async (connection) => {
    await lockProject(connection, project);
    for (const digest of new Set(digests)) {
      const [named] = await connection.query(
        'select 1 from runs where project_id = $1 and files @> $2::jsonb limit 1',
        [project, JSON.stringify([{ digest }])],
      );
      if (named === undefined) await artefacts.removeOld(project, digest, ageMs);
    }
  });
}
