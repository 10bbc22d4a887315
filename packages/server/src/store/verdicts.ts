// What was said of a run, written once, however often it was judged: of its files as they are.
import type { ManifestFile } from '../artefacts/manifest.js';
import { gpuHours } from '../judging/facts.js';
import { fingerprintOf } from '../judging/fingerprint.js';
import type { Judged } from '../judging/judge.js';
import type { Queue, TakenJob } from '../queue/queue.js';
import type { Connection, Database } from './database.js';
import { jsonOf } from './json.js';
import { announceVerdict } from './notifications.js';
import { apart } from './words.js';

export interface WaitingRun {
  readonly project: string;
  readonly name: string;
  readonly files: readonly ManifestFile[];
}

/** The run that a job is about; null when its files have changed since, or it is gone. */
export async function waitingRun(connection: Connection, job: TakenJob): Promise<WaitingRun | null> {
  const [row] = await connection.query<WaitingRun>(
    'select project_id as project, name, files from runs where id = $1 and digest = $2',
    [job.run, job.digest],
  );
  return row ?? null;
}

/** The verdict and the end of its job are one transaction: a worker that dies before it leaves the job to another. */
export async function keepVerdict(
  { database, queue }: { readonly database: Database; readonly queue: Queue },
  job: TakenJob,
  judged: Judged,
): Promise<void> {
  const { verdict, shown } = judged;
  await database.transaction(async (connection) => {
    await connection.query(
      `insert into verdicts (run_id, digest, verdict, shown)
       select id, digest, $3::jsonb, $4::jsonb from runs where id = $1::uuid and digest = $2 on conflict do nothing`,
      [job.run, job.digest, jsonOf(verdict), jsonOf(shown)],
    );
    await showOnRun(connection, job, judged);
    await connection.query(
      `delete from verdicts v using runs r where r.id = $1 and v.run_id = r.id and v.digest <> r.judged_digest`,
      [job.run],
    );
    await announceVerdict(connection, queue.notifications, job.run);
    await queue.done(job, connection);
  });
}

async function showOnRun(connection: Connection, job: TakenJob, { verdict, shown }: Judged): Promise<void> {
  const words = [shown.headline, verdict.subcause ?? '', ...verdict.evidence.map(({ fact }) => fact)];
  await connection.query(
    `update runs set state = 'judged', trouble = null, judged_digest = $2, outcome = $3, category = $4,
       subcause = $5, confidence = $6, onset_step = $7, headline = $8, spark = $9, framework = $10, gpu_hours = $11,
       fingerprint = $12, node = coalesce($13, node), search = to_tsvector('simple', ${apart("left(name || ' ' || $14, 200000)")}),
       updated = now()
     where id = $1 and digest = $2 and state = 'waiting'`,
    [
      job.run,
      job.digest,
      verdict.outcome,
      verdict.category,
      verdict.subcause,
      verdict.confidence,
      verdict.onset_step,
      shown.headline,
      jsonOf(sparkOf(shown.panels)),
      shown.facts.framework,
      gpuHours(shown.facts),
      fingerprintOf(verdict),
      verdict.ranks?.first?.host ?? shown.facts.hosts[0] ?? null,
      words.join(' '),
    ],
  );
}

const sparkPoints = 40;

/** The loss, or what else was drawn, in few points. */
function sparkOf(panels: Judged['shown']['panels']): (number | null)[] {
  const values = panels[0]?.curves[0]?.values ?? [];
  const stride = Math.max(1, values.length / sparkPoints);
  const count = Math.min(sparkPoints, values.length);
  return Array.from({ length: count }, (_, at) => {
    const value = values[at === count - 1 ? values.length - 1 : Math.floor(at * stride)]!;
    return Number.isFinite(value) ? Number(value.toPrecision(4)) : null;
  });
}

/** No verdict is possible: `end` closes the job in the same transaction. */
export async function keepTrouble(
  database: Database,
  job: TakenJob,
  reason: string | null,
  end: (connection: Connection) => Promise<void>,
): Promise<void> {
  await database.transaction(async (connection) => {
    await connection.query(
      `update runs set state = 'unreadable', trouble = coalesce($3, trouble, 'its diagnosis did not end'), updated = now()
       where id = $1 and digest = $2 and state = 'waiting'`,
      [job.run, job.digest, reason],
    );
    await end(connection);
  });
}

/** A try failed and another follows: pages can say why it takes long. */
export async function noteTry(connection: Connection, job: TakenJob, reason: string): Promise<void> {
  await connection.query(`update runs set trouble = $3 where id = $1 and digest = $2 and state = 'waiting'`, [
    job.run,
    job.digest,
    reason,
  ]);
}
