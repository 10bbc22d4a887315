// The embedded database keeps its statistics by itself; a list that is narrowed is read from an index, not sorted, and counts from an index alone.
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openQueue } from '../src/queue/queue.js';
import { countCauses } from '../src/store/causes.js';
import type { Database } from '../src/store/database.js';
import { migrate } from '../src/store/migrate.js';
import { migrations } from '../src/store/migrations/index.js';
import { openDatabase } from '../src/store/open.js';
import { openPglite } from '../src/store/pglite.js';
import { listRecurrences } from '../src/store/recurrences.js';
import { listRuns } from '../src/store/runs.js';
import { tidier } from '../src/store/upkeep.js';
import { giveDatabase } from './support/embedded.js';

const data = mkdtempSync(join(tmpdir(), 'grus-upkeep-'));
let database: Database;

beforeAll(async () => {
  await giveDatabase(data);
  database = await openDatabase({ data, database: undefined });
  await (await openQueue(database, 60)).close();
  await database.script(`
    insert into projects (name) values ('many');
    insert into runs (project_id, name, digest, files, bytes, state, outcome, node, person, updated, category, subcause, headline, fingerprint)
      select id, 'run-' || n, n::text, '[]', 0, 'judged', case when n % 3 = 0 then 'failed' else 'healthy' end,
        'node-' || n % 16, 'person-' || n % 16, now() - n * interval '1 minute', 'data_pipeline', 'cause_' || n % 7, 'failed as ' || n,
        case when n % 3 = 0 then 'print' || n % 30 end
      from projects, generate_series(1, 3000) n;
    insert into audit (token_name, action, subject) select 'ci', 'run new', n::text from generate_series(1, 3000) n;
  `);
});
afterAll(async () => {
  await database.close();
  await rm(data, { recursive: true, force: true });
});

it('counts what is in the tables once they have changed enough, and not again', async () => {
  const tidy = tidier(database);
  const known = async () =>
    (
      await database.query<{ rows: number }>(
        `select reltuples::int as rows from pg_class where relname = 'runs'`,
      )
    )[0];
  expect(await known()).not.toEqual({ rows: 3000 });
  expect(await tidy()).toBe(true);
  expect(await known()).toEqual({ rows: 3000 });
  expect(await tidy()).toBe(false);
});

it.each(['outcome', 'node', 'person', 'state'])(
  'reads a list narrowed by %s in its order',
  async (column) => {
    const plan = await database.query<Record<string, string>>(
      `explain select id from runs where project_id = (select id from projects) and ${column} = 'failed'
     order by updated desc, id desc limit 51`,
    );
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toContain(`runs_by_${column}`);
    expect(text).not.toContain('Sort');
  },
);

it('counts causes and recurrences from an index alone', async () => {
  const asked: string[] = [];
  const explained = {
    query: async <Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> => {
      const plan = await database.query<Record<string, string>>(`explain ${sql}`, values);
      asked.push(plan.map((row) => row['QUERY PLAN']).join('\n'));
      return database.query<Row>(sql, values);
    },
  };
  const [{ id } = { id: '' }] = await database.query<{ id: string }>('select id from projects');
  const projects = [{ id, name: 'many' }];
  const causes = await countCauses(explained, projects, 'node');
  expect(causes.reduce((sum, { runs }) => sum + runs, 0)).toBe(1_000);
  expect(causes.every(({ runs, weeks }) => weeks.length === 13 && weeks[12] === runs)).toBe(true);
  const byProject = await countCauses(explained, projects, 'project');
  expect(new Set(byProject.map(({ place }) => place))).toEqual(new Set(['many']));
  const recurrences = await listRecurrences(explained, id);
  expect(recurrences).toHaveLength(10);
  expect(recurrences[0]).toMatchObject({
    runs: 100,
    headline: expect.stringMatching(/^failed as \d+$/),
    muted: false,
  });
  expect(asked[0]).toContain('Index Only Scan using runs_failed');
  expect(asked[1]).toContain('Index Only Scan using runs_failed');
  expect(asked[2]).toContain('Index Only Scan using runs_recurring');
});

it('brings the tables of the first version up to date, each step once, with what is in them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grus-migrate-'));
  const old = await openPglite(folder);
  try {
    await old.script(`
      create table migrations (name text primary key, applied timestamptz not null default now());
      insert into migrations (name) values ('001-begin');
      ${migrations[0]!.sql}
      insert into projects (name) values ('old');
      insert into runs (project_id, name, digest, files, bytes) select id, 'node-7:/runs/exp-17', 'd', '[]', 0 from projects;
    `);
    await Promise.all([migrate(old), migrate(old)]);
    const applied = await old.query<{ name: string }>('select name from migrations order by name');
    expect(applied.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
    const [{ id } = { id: '' }] = await old.query<{ id: string }>('select id from projects');
    const { runs } = await listRuns(old, id, { q: 'exp-17' });
    expect(runs).toMatchObject([{ name: 'node-7:/runs/exp-17', state: 'waiting' }]);
  } finally {
    await old.close();
    await rm(folder, { recursive: true, force: true });
  }
});
