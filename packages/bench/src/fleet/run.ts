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
  readonly seconds: number;
  readonly runsPerSecond: number;
  /** Runs that no verdict could be given for. */
  readonly unreadable: number;
  /** Megabytes of the server when the round had ended. */
  readonly megabytes: number;
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
  /** Milliseconds, with the runs of every round in the database. */
  readonly pages: Readonly<Record<TimedPage, PageTimes>>;
}

const timedPages = ['list', 'run', 'causes', 'recurrences', 'comparison'] as const;
type TimedPage = (typeof timedPages)[number];

export interface FleetOptions {
  /** The file that Node runs as `grus`. */
  readonly entry: string;
  /** A folder of recorded runs, which are taken in turn. */
  readonly data: string;
  readonly runs: number;
  readonly workers: readonly number[];
  readonly database?: string;
  readonly progress?: (text: string) => void;
}

const points = 1_000;
const pushers = 8;
const pageRequests = 100;
const lookMs = 200;

export async function runFleet(options: FleetOptions): Promise<FleetReport> {
  const folder = await mkdtemp(join(tmpdir(), 'grus-fleet-'));
  const recorded = await recordedRuns(options.data);
  const rounds: FleetRound[] = [];
  let pages: FleetReport['pages'] | null = null;
  try {
    for (const workers of options.workers) {
      const { server, url } = await startServer(folder, workers, options);
      try {
        const token = (await readFile(join(folder, 'admin-token'), 'utf8')).trim();
        const address = { server: url, token, project: `bench-${Date.now()}-${workers}` };
        await request(address, '/projects', { method: 'POST', json: { name: address.project } });
        rounds.push(await round(address, workers, recorded, options));
        if (workers === options.workers.at(-1)) pages = await timePages(address);
      } finally {
        server.kill();
        await once(server, 'exit');
      }
    }
    const database = options.database === undefined ? 'pglite' : 'postgres';
    return { benchmark: 'fleet', database, runs: options.runs, points, rounds, pages: pages! };
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
    const loss = 2 / (1 + step / 50) + ((step * 7_919 + index * 104_729) % 1_000) / 20_000;
    return JSON.stringify({ step, 'bench/loss': loss });
  });
  const content = Buffer.from(rows.join('\n'));
  const curve = { path: 'bench.jsonl', absolute: '', size: content.length, content };
  const files = [...recorded[index % recorded.length]!, curve];
  return { name: `run-${index}`, files, running: false, node: `node-${index % 16}`, person: null };
}

async function round(
  address: ServerAddress,
  workers: number,
  recorded: readonly Recorded[],
  { runs, progress }: FleetOptions,
): Promise<FleetRound> {
  const started = performance.now();
  let next = 0;
  const push = async (): Promise<void> => {
    for (let index = next++; index < runs; index = next++) {
      if (index % 50 === 0) progress?.(`${workers} workers, run ${index} of ${runs}`);
      await pushRun(address, runOf(index, recorded));
    }
  };
  await Promise.all(Array.from({ length: pushers }, push));
  while ((await count(address, 'waiting')) > 0) await new Promise((resolve) => setTimeout(resolve, lookMs));
  const seconds = (performance.now() - started) / 1_000;
  const metrics = await (await fetch(new URL('/metrics', address.server))).text();
  const [, bytes = '0'] = /^process_resident_memory_bytes (\d+)/m.exec(metrics) ?? [];
  return {
    workers,
    seconds,
    runsPerSecond: runs / seconds,
    unreadable: await count(address, 'unreadable'),
    megabytes: Math.round(Number(bytes) / 1e6),
  };
}

/** As many as are on one page: whether there are any is what matters. */
async function count(address: ServerAddress, state: string): Promise<number> {
  const { runs } = await request<{ runs: unknown[] }>(
    address,
    `/projects/${address.project}/runs?state=${state}&limit=500`,
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
