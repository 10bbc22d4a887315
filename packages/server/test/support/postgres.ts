// A real PostgreSQL for one test file, from the binaries of the system, in a temporary folder.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export interface RealPostgres {
  readonly url: string;
  /** As the power would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** A database of its own. */
  fresh(): string;
  stop(): Promise<void>;
}

const debian = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root. */
const nobody = 65_534;
const unprivileged = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

/** Folder of the programs; null where PostgreSQL is not installed. */
export function findPostgres(): string | null {
  const versions = existsSync(debian)
    ? readdirSync(debian).map((version) => join(debian, version, 'bin'))
    : [];
  const folders = [...versions, ...(process.env['PATH'] ?? '').split(delimiter)];
  return (
    folders.find((folder) => ['postgres', 'initdb'].every((name) => existsSync(join(folder, name)))) ?? null
  );
}

export async function startPostgres(programs: string): Promise<RealPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'grus-postgres-'));
  if ('uid' in unprivileged) chownSync(folder, nobody, nobody);
  chmodSync(folder, 0o700);
  const data = join(folder, 'data');
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-A', 'trust', '-U', 'grus', '-E', 'UTF8', '--no-sync'],
    {
      ...unprivileged,
      cwd: folder,
      stdio: 'pipe',
    },
  );
  const port = await freePort();
  const address = `postgres://grus@127.0.0.1:${port}`;
  let server: ChildProcess;
  let databases = 0;
  const psql = (sql: string): void => {
    execFileSync(join(programs, 'psql'), [`${address}/postgres`, '-q', '-c', sql], { stdio: 'pipe' });
  };
  const start = async (): Promise<void> => {
    server = spawn(
      join(programs, 'postgres'),
      ['-D', data, '-p', String(port), '-k', folder, '-h', '127.0.0.1'],
      {
        ...unprivileged,
        cwd: folder,
        stdio: 'ignore',
      },
    );
    const ready = ['-h', '127.0.0.1', '-p', String(port)];
    while (spawnSync(join(programs, 'pg_isready'), ready).status !== 0)
      await new Promise((resolve) => setTimeout(resolve, 100));
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  await start();
  return {
    url: `${address}/postgres`,
    start,
    kill: () => end('SIGKILL'),
    fresh: () => {
      const name = `fresh_${++databases}`;
      psql(`create database ${name}`);
      return `${address}/${name}`;
    },
    stop: async () => {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Below those that systems give to connections, so that none takes it before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
