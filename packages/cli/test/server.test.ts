// Real processes on a real PostgreSQL, killed at any moment: no run is lost, and none is told twice.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findPostgres,
  freePort,
  type RealPostgres,
  startPostgres,
} from '../../server/test/support/postgres.js';
import { grus, start } from './grus.js';

const programs = findPostgres();
const scenarios = join(import.meta.dirname, '..', '..', '..', 'scenarios', 'recorded');
const count = 40;

describe.skipIf(programs === null)('a fleet whose parts are killed (skipped without PostgreSQL)', () => {
  let postgres: RealPostgres;
  const folder = mkdtempSync(join(tmpdir(), 'grus-fleet-'));
  const data = join(folder, 'data');
  const alive = new Set<ChildProcess>();

  const launch = async (args: readonly string[], ready: RegExp): Promise<ChildProcess> => {
    const child = start([...args, '--data', data, '--database', postgres.url, '--job-seconds', '8']);
    alive.add(child);
    child.once('exit', () => alive.delete(child));
    let text = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr.on('data', (chunk) => {
        text += chunk;
        if (ready.test(text)) resolve();
      });
      child.once('exit', () => reject(new Error(text)));
    });
    return child;
  };
  const kill = async (child: ChildProcess): Promise<void> => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  const query = async <Row>(sql: string): Promise<Row[]> => {
    const client = new pg.Client(postgres.url);
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const judged = async (): Promise<number> =>
    (await query<{ n: number }>(`select count(*)::int as n from runs where state = 'judged'`))[0]!.n;
  const until = async (enough: number): Promise<void> => {
    while ((await judged()) < enough) await new Promise((resolve) => setTimeout(resolve, 100));
  };

  beforeAll(async () => {
    postgres = await startPostgres(programs!);
    const names = readdirSync(scenarios)
      .filter((name) => name.startsWith('cuda-'))
      .slice(0, count);
    for (const name of names) cpSync(join(scenarios, name), join(folder, 'runs', name), { recursive: true });
  });
  afterAll(async () => {
    await Promise.all([...alive].map(kill));
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('keeps every run, and says of each exactly one thing', async () => {
    const port = String(await freePort());
    const serverArgs = ['server', '--workers', '0', '--port', port];
    let server = await launch(serverArgs, /serving on/);
    const first = await launch(['worker'], /at work/);
    const address = ['--server', `http://127.0.0.1:${port}`, '--json'];
    const env = { GRUS_TOKEN: readFileSync(join(data, 'admin-token'), 'utf8').trim() };
    const pushing = grus(['push', join(folder, 'runs'), ...address], { env });

    await until(2);
    await kill(server);
    await kill(first);
    server = await launch(serverArgs, /serving on/);
    const second = await launch(['worker'], /at work/);
    const pushed = await pushing;
    expect(pushed.code, pushed.stderr).toBe(0);
    const { runs } = JSON.parse(pushed.stdout);
    expect(new Set(runs.map(({ id }: { id: string }) => id)).size).toBe(runs.length);
    expect(runs.length).toBeGreaterThanOrEqual(count - 5);

    await until(10);
    await postgres.kill();
    await postgres.start();
    await kill(second);
    await launch(['worker', '--workers', '2'], /at work/);
    await until(runs.length);

    const told = await query<{ runs: number; verdicts: number; judged: number }>(
      `select (select count(*)::int from runs) as runs, (select count(*)::int from verdicts) as verdicts,
              (select count(*)::int from audit where action = 'run new') as judged`,
    );
    expect(told).toEqual([{ runs: runs.length, verdicts: runs.length, judged: runs.length }]);

    // Pushed again, nothing is new, nothing is sent.
    const again = await grus(['push', join(folder, 'runs'), ...address], { env });
    for (const run of JSON.parse(again.stdout).runs) expect(run).toMatchObject({ status: 'known', sent: 0 });

    // What was pushed is diagnosed already: the table of all of them, the failed ones first.
    const fleet = ['diagnose', '--fleet', join(folder, 'runs'), ...address];
    const diagnosed = await grus(fleet, { env });
    expect(diagnosed.code, diagnosed.stderr).toBe(1);
    const answer = JSON.parse(diagnosed.stdout);
    expect(answer).toMatchObject({ paths: [join(folder, 'runs')], not_read: [] });
    expect(answer.runs.map(({ path }: { path: string }) => path).sort()).toEqual(
      runs.map(({ path }: { path: string }) => path).sort(),
    );
    const table = await grus(fleet.slice(0, -1), { env });
    expect(table.stdout).toMatch(new RegExp(`: ${runs.length} runs \\(\\d+ failed.*\\)\n\nfailed `));
    await kill(server);
  });
});

it('says what is missing', async () => {
  const nowhere = await grus(['push', scenarios, '--server', 'http://127.0.0.1:1']);
  expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('Set GRUS_TOKEN') });
  const worker = await grus(['worker'], { env: { GRUS_DATABASE: '' } });
  expect(worker).toMatchObject({ code: 2, stderr: expect.stringContaining('No database was named') });
  const two = await grus(['diagnose', scenarios, scenarios]);
  expect(two).toMatchObject({ code: 2, stderr: expect.stringContaining('2 paths were given') });
  const folder = mkdtempSync(join(tmpdir(), 'grus-oidc-'));
  const file = join(folder, 'oidc.toml');
  writeFileSync(file, 'client_id = "grus"\naddress = "https://grus.example"\n');
  const server = await grus(['server', '--oidc', file, '--data', folder]);
  expect(server).toMatchObject({ code: 2, stderr: expect.stringContaining('signing in: issuer') });
  rmSync(folder, { recursive: true });
});
