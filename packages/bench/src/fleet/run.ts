// Many runs through a real server: how many a second are taken and diagnosed with one, two and four workers, how long pages take when all of them
// are there, and whether its memory stays flat.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pushRun, type RunToPush, request, type ServerAddress } from '@grus/server/client';
import { quantile } from '../statistics/index.js';

export interface FleetRound {
  readonly workers: number;
  readonly runs: number;
  readonly seconds: number;
  readonly runsPerSecond: number;
  /** Runs that no verdict could be given for. */
  readonly unreadable: number;
  /** Megabytes of the server at every tenth of the round, and when it had ended. */
  readonly megabytes: readonly number[];
}

export interface PageTimes {
  readonly median: number;
  readonly p95: number;
}

export interface FleetReport {
  readonly benchmark: 'fleet';
  readonly database: 'pglite' | 'postgres';
  readonly runs: number;
  readonly points: number;
  readonly rounds: readonly FleetRound[];
  /** On disk, when all runs were there: the database with verdicts and curves, and the files. */
  readonly kilobytesPerRun: { readonly database: number; readonly files: number };
  /** Milliseconds, with all runs in the project. */
  readonly pages: Readonly<Record<TimedPage, PageTimes>>;
}

const timedPages = ['list', 'run', 'causes', 'recurrences', 'comparison'] as const;
type TimedPage = (typeof timedPages)[number];

export interface FleetOptions {
  /** The file that Node runs as `grus`. */
  readonly entry: string;
  /** A folder of recorded runs, which are taken in turn. */
  readonly data: string;
  /** In all: a tenth in every round but the last, which brings the others. */
  readonly runs: number;
  readonly workers: readonly number[];
  readonly database?: string;
  readonly progress?: (text: string) => void;
}

const points = 1_000;
/** A prime: so many runs have a curve of their own. */
const curves = 999_983;
const pushers = 8;
const pageRequests = 100;
const lookMs = 200;

export async function runFleet(options: FleetOptions): Promise<FleetReport> {
  const folder = await mkdtemp(join(tmpdir(), 'grus-fleet-'));
  const recorded = await recordedRuns(options.data);
  const rounds: FleetRound[] = [];
  const project = `bench-${Date.now()}`;
  let measured: Pick<FleetReport, 'pages' | 'kilobytesPerRun'> | null = null;
  let from = 0;
  try {
    for (const [at, workers] of options.workers.entries()) {
      const isLast = at === options.workers.length - 1;
      const to = isLast ? options.runs : from + Math.ceil(options.runs / 10);
      const { server, url } = await startServer(folder, workers, options);
      try {
        const token = (await readFile(join(folder, 'admin-token'), 'utf8')).trim();
        const address = { server: url, token, project };
        if (at === 0) await request(address, '/projects', { method: 'POST', json: { name: project } });
        rounds.push(await round(address, { workers, from, to, recorded, progress: options.progress }));
        if (isLast)
          measured = {
            kilobytesPerRun: await sizes(address, join(folder, 'files'), options.runs),
            pages: await timePages(address),
          };
      } finally {
        server.kill();
        await once(server, 'exit');
      }
      from = to;
    }
    const database = options.database === undefined ? 'pglite' : 'postgres';
    return { benchmark: 'fleet', database, runs: options.runs, points, rounds, ...measured! };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function startServer(
  folder: string,
  workers: number,
  { entry, database }: FleetOptions,
): Promise<{ server: ChildProcess; url: string }> {
  const place = ['--port', '0', '--data', folder, ...(database ? ['--database', database] : [])];
  const server = spawn(
    process.execPath,
    [entry, 'server', ...place, '--workers', String(workers), '--rate', '100000'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    server.stderr!.on('data', (chunk) => {
      said += chunk;
      const [, address] = /serving on (\S+),/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    });
    server.once('exit', () => reject(new Error(said)));
  });
  return { server, url };
}

type Recorded = RunToPush['files'];

async function recordedRuns(data: string): Promise<Recorded[]> {
  const names = (await readdir(data, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  return Promise.all(names.map(({ name }) => filesIn(join(data, name))));
}

async function filesIn(folder: string): Promise<Recorded> {
  const paths = await readdir(folder, { recursive: true });
  const files = await Promise.all(
    paths.map(async (path) => {
      const absolute = join(folder, path);
      const stats = await stat(absolute);
      return stats.isFile() ? [{ path, absolute, size: stats.size }] : [];
    }),
  );
  return files.flat();
}

/** A recorded run with a curve of its own, so that no two are the same. */
function runOf(index: number, recorded: readonly Recorded[]): RunToPush {
  const rows = Array.from({ length: points }, (_, step) => {
    const loss = 2 / (1 + step / 50) + ((step * 7_919 + index * 104_729) % curves) / (20 * curves);
    return JSON.stringify({ step, 'bench/loss': loss });
  });
  const content = Buffer.from(rows.join('\n'));
  const curve = { path: 'bench.jsonl', absolute: '', size: content.length, content };
  const files = [...recorded[index % recorded.length]!, curve];
  return { name: `run-${index}`, files, running: false, node: `node-${index % 16}`, person: null };
}

async function round(
  address: ServerAddress,
  { workers, from, to, recorded, progress }: RoundOptions,
): Promise<FleetRound> {
  const started = performance.now();
  const megabytes: number[] = [];
  const tenth = Math.ceil((to - from) / 10);
  let next = from;
  const push = async (): Promise<void> => {
    for (let index = next++; index < to; index = next++) {
      if (index % 50 === 0) progress?.(`${workers} workers, run ${index - from} of ${to - from}`);
      await pushRun(address, runOf(index, recorded));
      if ((index - from + 1) % tenth === 0) megabytes.push(await megabytesOf(address));
    }
  };
  await Promise.all(Array.from({ length: pushers }, push));
  while ((await count(address, 'waiting', 1)) > 0)
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  const seconds = (performance.now() - started) / 1_000;
  megabytes.push(await megabytesOf(address));
  return {
    workers,
    runs: to - from,
    seconds,
    runsPerSecond: (to - from) / seconds,
    unreadable: await count(address, 'unreadable', 500),
    megabytes,
  };
}

interface RoundOptions {
  readonly workers: number;
  readonly from: number;
  readonly to: number;
  readonly recorded: readonly Recorded[];
  readonly progress: FleetOptions['progress'];
}

async function megabytesOf(address: ServerAddress): Promise<number> {
  return Math.round((await metric(address, 'process_resident_memory_bytes')) / 1e6);
}

async function metric({ server }: ServerAddress, name: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', server))).text();
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1]);
}

async function sizes(
  address: ServerAddress,
  folder: string,
  runs: number,
): Promise<FleetReport['kilobytesPerRun']> {
  const files = await filesIn(folder);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return { database: (await metric(address, 'grus_database_bytes')) / runs / 1e3, files: bytes / runs / 1e3 };
}

/** So many at most: whether there are any is what matters. */
async function count(address: ServerAddress, state: string, most: number): Promise<number> {
  const { runs } = await request<{ runs: unknown[] }>(
    address,
    `/projects/${address.project}/runs?state=${state}&limit=${most}`,
  );
  return runs.length;
}

/** As a browser asks for them. */
async function timePages(address: ServerAddress): Promise<FleetReport['pages']> {
  const { runs } = await request<{ runs: { id: string }[] }>(
    address,
    `/projects/${address.project}/runs?limit=${pageRequests}`,
  );
  const queries = ['', '?outcome=failed', '?q=memory', '?node=node-3', '?subcause=gpu_leak&outcome=failed'];
  const groupings = ['day', 'node', 'framework', 'person'];
  const id = (at: number): string => runs[at % runs.length]!.id;
  const paths: Readonly<Record<TimedPage, (at: number) => string>> = {
    list: (at) => queries[at % queries.length]!,
    run: (at) => `/runs/${id(at)}`,
    causes: (at) => `/causes?by=${groupings[at % groupings.length]}`,
    recurrences: () => '/recurrences',
    comparison: (at) => `/compare?run=${id(at)}&run=${id(at + 1)}`,
  };
  const times: Partial<Record<TimedPage, PageTimes>> = {};
  for (const page of timedPages) times[page] = await timed(address, paths[page]);
  return times as FleetReport['pages'];
}

async function timed(address: ServerAddress, pathOf: (at: number) => string): Promise<PageTimes> {
  const times: number[] = [];
  for (let at = 0; at < pageRequests; at++) {
    const started = performance.now();
    const response = await fetch(new URL(`/p/${address.project}${pathOf(at)}`, address.server), {
      headers: { authorization: `Bearer ${address.token}` },
    });
    await response.text();
    if (!response.ok) throw new Error(`a page was answered with ${response.status}`);
    times.push(performance.now() - started);
  }
  return { median: quantile(times, 0.5)!, p95: quantile(times, 0.95)! };
}
