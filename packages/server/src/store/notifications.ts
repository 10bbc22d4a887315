// What is to be told of a run, to every channel that wants it, once: the row and its job are written with what they tell of.
import { visible } from '@grus/core';
import type { Facts, NotifyEvent } from '../notify/facts.js';
import type { NotifyQueue } from '../queue/queue.js';
import type { Connection, Database } from './database.js';
import { jsonOf } from './json.js';
import type { KeptWarning } from './warnings.js';

export interface ChannelRow {
  readonly name: string;
  readonly events: readonly NotifyEvent[];
  /** Null: every project. */
  readonly projects: readonly string[] | null;
}

export type NotificationState = 'waiting' | 'sending' | 'sent' | 'refused' | 'unclear';

/** Those of the configuration, and no others. */
export async function keepChannels(database: Database, channels: readonly ChannelRow[]): Promise<void> {
  await database.transaction(async (connection) => {
    await connection.query('lock table channels');
    await connection.query('delete from channels');
    for (const { name, events, projects } of channels)
      await connection.query('insert into channels (name, events, projects) values ($1, $2, $3)', [
        name,
        events,
        projects,
      ]);
  });
}

interface ToldRun {
  readonly project_id: string;
  readonly project: string;
  readonly run: string;
  readonly running: boolean;
  readonly outcome: string | null;
  readonly headline: string | null;
  readonly category: string | null;
  readonly subcause: string | null;
  readonly node: string | null;
  readonly person: string | null;
  readonly muted: boolean;
  readonly evidence: string | null;
  readonly remedies: readonly { readonly kind: string; readonly text: string }[] | null;
  readonly times: number;
  readonly first_seen: Date | null;
}

async function toldRun(connection: Connection, id: string): Promise<ToldRun | null> {
  const [row] = await connection.query<ToldRun>(
    `select r.project_id, p.name as project, r.name as run, r.running, r.outcome, r.headline, r.category, r.subcause,
       r.node, r.person, coalesce(d.muted, false) as muted, v.verdict -> 'evidence' -> 0 ->> 'fact' as evidence,
       v.verdict -> 'remedies' as remedies, same.times, same.first_seen
     from runs r join projects p on p.id = r.project_id
     left join verdicts v on v.run_id = r.id and v.digest = r.judged_digest
     left join recurrences d on d.project_id = r.project_id and d.fingerprint = r.fingerprint
     cross join lateral (
       select count(*)::int as times, min(created) as first_seen from runs s
       where s.project_id = r.project_id and s.fingerprint = r.fingerprint and s.id <> r.id and s.created <= r.created
     ) same
     where r.id = $1`,
    [id],
  );
  return row ?? null;
}

/** After its verdict, or its end: whether it failed, and whether others failed so before. */
export async function announceVerdict(connection: Connection, queue: NotifyQueue, id: string): Promise<void> {
  if (!(await hasChannels(connection))) return;
  const run = await toldRun(connection, id);
  if (run === null || run.muted || !['failed', 'degraded'].includes(run.outcome ?? '')) return;
  const cause = run.subcause ?? run.category ?? '';
  if (run.running) {
    const headline = `Still running: ${run.headline ?? ''}`;
    await announce(connection, queue, id, run, { event: 'warning', key: `warning ${cause}`, headline });
  } else {
    const event = run.times > 0 ? 'recurrence' : 'failure';
    await announce(connection, queue, id, run, {
      event,
      key: `failure ${cause}`,
      headline: run.headline ?? '',
    });
  }
}

export async function announceWarnings(
  connection: Connection,
  queue: NotifyQueue,
  id: string,
  warnings: readonly KeptWarning[],
): Promise<void> {
  if (warnings.length === 0 || !(await hasChannels(connection))) return;
  const run = await toldRun(connection, id);
  if (run === null) return;
  for (const { warning, title, expected_failure, subcause, step } of warnings) {
    const where = step === null ? '' : ` (step ${step})`;
    await announce(connection, queue, id, run, {
      event: 'warning',
      key: `warning ${subcause ?? warning}`,
      headline: `${title}: ${expected_failure}${where}`,
    });
  }
}

async function hasChannels(connection: Connection): Promise<boolean> {
  return (await connection.query('select 1 from channels limit 1')).length > 0;
}

interface Announcement {
  readonly event: NotifyEvent;
  readonly key: string;
  readonly headline: string;
}

async function announce(
  connection: Connection,
  queue: NotifyQueue,
  id: string,
  run: ToldRun,
  { event, key, headline }: Announcement,
): Promise<void> {
  // A failure that comes again is a failure too.
  const wanted = event === 'recurrence' ? ['failure', 'recurrence'] : [event];
  const added = await connection.query<{ id: string }>(
    `insert into notifications (project_id, run_id, channel, key, facts)
     select $1, $2, c.name, $3, $4 from channels c
     where c.events && $5::text[] and (c.projects is null or $6 = any(c.projects))
     on conflict (channel, key) do nothing returning id`,
    [run.project_id, id, `${id} ${key}`, jsonOf(factsOf(id, run, event, headline)), wanted, run.project],
  );
  for (const { id: notification } of added) await queue.add(notification, connection);
}

function factsOf(id: string, run: ToldRun, event: NotifyEvent, headline: string): Facts {
  const isWarning = event === 'warning';
  const { times, first_seen } = run;
  const again =
    event === 'recurrence'
      ? `The same failure as in ${times === 1 ? '1 run' : `${times} runs`} before, first ${first_seen?.toISOString().slice(0, 10)}.`
      : '';
  return {
    event,
    project: run.project,
    run: visible(run.run),
    run_id: id,
    outcome: isWarning ? '' : (run.outcome ?? ''),
    headline: visible(headline),
    category: run.category ?? '',
    subcause: run.subcause ?? '',
    node: visible(run.node ?? ''),
    person: visible(run.person ?? ''),
    evidence: isWarning ? '' : (run.evidence ?? ''),
    remedy: isWarning ? '' : (run.remedies?.find(({ kind }) => kind === 'do')?.text ?? ''),
    again,
  };
}

export interface BegunTry {
  readonly channel: string;
  readonly facts: Facts;
  readonly tries: number;
}

/** Null where there is nothing to send: it was sent, or a try died in the middle. */
export async function beginTry(database: Database, id: string): Promise<BegunTry | null> {
  const [row] = await database.query<BegunTry>(
    `update notifications set state = 'sending', tries = tries + 1, changed = now() where id = $1 and state = 'waiting'
     returning channel, facts, tries`,
    [id],
  );
  if (row !== undefined) return row;
  await database.query(
    `update notifications set state = 'unclear', trouble = 'the server ended while it was sent', changed = now()
     where id = $1 and state = 'sending'`,
    [id],
  );
  return null;
}

export async function endTry(
  connection: Connection,
  id: string,
  state: NotificationState,
  trouble: string | null,
): Promise<void> {
  await connection.query('update notifications set state = $2, trouble = $3, changed = now() where id = $1', [
    id,
    state,
    trouble,
  ]);
}

export interface NotificationRow {
  readonly channel: string;
  readonly run_id: string;
  readonly event: NotifyEvent;
  readonly state: NotificationState;
  readonly trouble: string | null;
  readonly created: Date;
}

/** The latest first. */
export function listNotifications(connection: Connection, project: string): Promise<NotificationRow[]> {
  return connection.query(
    `select channel, run_id, facts ->> 'event' as event, state, trouble, created from notifications
     where project_id = $1 order by created desc limit 500`,
    [project],
  );
}
