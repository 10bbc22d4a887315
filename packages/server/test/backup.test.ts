// A backup of the embedded database, restored into a PostgreSQL where there is one; and what is too old.
import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openArtefacts } from '../src/artefacts/files.js';
import { pushRun } from '../src/client/index.js';
import { backupTo, restoreFrom } from '../src/index.js';
import { openDatabase } from '../src/store/open.js';
import { dropOld } from '../src/store/retention.js';
import { filesOf } from './support/files.js';
import { findPostgres, type RealPostgres, startPostgres } from './support/postgres.js';
import { recorded, testServer } from './support/server.js';

const programs = findPostgres();
const folder = mkdtempSync(join(tmpdir(), 'grus-backup-'));
const [old, copy] = [join(folder, 'old'), join(folder, 'copy')];
let postgres: RealPostgres | null = null;

beforeAll(async () => {
  postgres = programs === null ? null : await startPostgres(programs);
});
afterAll(async () => {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

// Five starts of a server, three of them with the embedded database.
it('brings every run, verdict and token to another database, and judges what waited', async () => {
  const run = (name: string) => ({
    name,
    files: filesOf(recorded(name)),
    running: false,
    node: null,
    person: null,
  });
  const first = await testServer({ data: old });
  const to = { server: first.server.url, token: first.server.token, project: 'default' };
  const { id } = await pushRun(to, run('shape-flatten-cnn'));
  await first.settled('default');
  const before = (await first.ask(`/api/projects/default/runs/${id}`)).body;
  await first.server.stop();
  const idle = await testServer({ data: old, workers: 0 });
  await pushRun({ ...to, server: idle.server.url }, run('cuda-hf-oom'));
  await idle.server.stop();
  await backupTo({ data: old }, copy);
  // Again, over one that was interrupted: what is there in part is made whole.
  const copied = () => readdirSync(join(copy, 'files'), { recursive: true, encoding: 'utf8' }).sort();
  const whole = copied();
  const lost = join(copy, 'files', whole.find((path) => path.length > 64)!);
  renameSync(lost, `${lost}.unfinished`);
  await backupTo({ data: old }, copy);
  expect(copied()).toEqual(whole);

  const place = { data: join(folder, 'new'), database: postgres?.fresh() };
  const broken = join(folder, 'broken');
  cpSync(copy, broken, { recursive: true });
  rmSync(join(broken, 'runs.jsonl'));
  await expect(restoreFrom(place, broken)).rejects.toThrow('holds no whole backup');
  // As the version before feedback wrote it.
  rmSync(join(copy, 'feedback.jsonl'));
  await expect(restoreFrom(place, copy)).rejects.toThrow('holds no whole backup');
  writeFileSync(join(copy, 'backup.json'), JSON.stringify({ migration: '003-lists' }));
  await restoreFrom(place, copy);
  await expect(restoreFrom(place, copy)).rejects.toThrow('there are runs in this database already');
  const second = await testServer(place);
  await second.settled('default');
  const asked = await second.ask(`/api/projects/default/runs/${id}`, { token: first.server.token });
  expect(asked.body).toEqual(before);
  const { body } = await second.ask('/api/projects/default/runs?q=memory');
  expect(body.runs).toMatchObject([{ subcause: 'gpu_capacity', state: 'judged' }]);
  await second.server.stop();

  const database = await openDatabase(place);
  const kept = join(place.data, 'files');
  expect(await dropOld(database, openArtefacts(kept), { days: 1, unusedMs: 0 })).toBe(0);
  const files = () =>
    readdirSync(kept, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files().length).toBeGreaterThan(1);
  // One that never said that it ended, and one that goes on.
  await database.query(`update runs set running = true`);
  await database.query(`update runs set updated = now() - interval '3 days' where id = $1`, [id]);
  expect(await dropOld(database, openArtefacts(kept), { days: 2, unusedMs: 0 })).toBe(1);
  expect(await dropOld(database, openArtefacts(kept), { days: 0, unusedMs: 0 })).toBe(1);
  expect(files()).toEqual([]);
  await database.close();
}, 300_000);
