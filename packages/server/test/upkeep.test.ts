// The embedded database keeps its statistics by itself, and a list that is narrowed is read from an index, not sorted.
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openQueue } from '../src/queue/queue.js';
import type { Database } from '../src/store/database.js';
import { openDatabase } from '../src/store/open.js';
import { tidier } from '../src/store/upkeep.js';

const data = mkdtempSync(join(tmpdir(), 'grus-upkeep-'));
let database: Database;

beforeAll(async () => {
  database = await openDatabase({ data, database: undefined });
  await (await openQueue(database, 60)).close();
  await database.script(`
    insert into projects (name) values ('many');
    insert into runs (project_id, name, digest, files, bytes, state, outcome, node, updated)
      select id, 'run-' || n, n::text, '[]', 0, 'judged', case when n % 3 = 0 then 'failed' else 'healthy' end,
        'node-' || n % 16, now() - n * interval '1 minute'
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

it.each(['outcome', 'node', 'state'])('reads a list narrowed by %s in its order', async (column) => {
  const plan = await database.query<Record<string, string>>(
    `explain select id from runs where project_id = (select id from projects) and ${column} = 'failed'
     order by updated desc, id desc limit 51`,
  );
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toContain(`runs_by_${column}`);
  expect(text).not.toContain('Sort');
});
