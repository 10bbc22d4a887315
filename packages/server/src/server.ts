// Starts everything: the database, the queue, workers in this process, and the web application.
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { GrusError } from '@grus/core';
import { serve } from '@hono/node-server';
import { openBucket } from './artefacts/bucket.js';
import { openArtefacts } from './artefacts/files.js';
import { inBucket } from './artefacts/in-bucket.js';
import { backup, restore } from './backup.js';
import type { SourceSettings } from './ingest/define.js';
import { startIngest } from './ingest/start.js';
import type { Bounds } from './judging/bounded-thread.js';
import { type NotebookSettings, startChecker } from './judging/checker.js';
import { openComparer } from './judging/comparer.js';
import type { RunningWorker } from './judging/loop.js';
import { startWorker } from './judging/worker.js';
import type { NotifySettings } from './notify/config.js';
import { startNotifier } from './notify/notifier.js';
import type { OidcSettings } from './oidc/config.js';
import { openIssuer } from './oidc/issuer.js';
import { openQueue } from './queue/queue.js';
import { keepChannels } from './store/notifications.js';
import { openDatabase, type StoreSettings } from './store/open.js';
import { ensureProject } from './store/projects.js';
import { dropOld } from './store/retention.js';
import { createToken, findToken } from './store/tokens.js';
import { startUpkeep } from './store/upkeep.js';
import { webApp } from './web/app.js';
import type { Limits, Oidc, Parts, StoreParts } from './web/context.js';

export interface WorkSettings extends StoreSettings {
  /** The built file of `judging/thread.ts`. */
  readonly thread: string;
  /** Diagnoses at the same time in this process. */
  readonly workers: number;
  /** What one diagnosis may take. */
  readonly jobSeconds: number;
  readonly jobMegabytes: number;
  /** Judge notebooks too. */
  readonly notebooks?: NotebookSettings | undefined;
  readonly onTrouble: (text: string) => void;
}

export interface ServerSettings extends WorkSettings {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly publicHosts: readonly string[];
  readonly limits: Limits;
  /** Where the server looks for runs by itself, and how often. */
  readonly sources?: readonly SourceSettings[];
  readonly lookMs?: number;
  /** Who is told of failures; without it, nobody. */
  readonly notify?: NotifySettings | undefined;
  /** How people of a team sign in; without it, with tokens alone. */
  readonly oidc?: OidcSettings | undefined;
  /** Days after which a run is dropped; without it, never. */
  readonly keepDays?: number | undefined;
  readonly version: string;
}

export interface RunningServer {
  readonly url: string;
  /** Where the admin's token is kept. */
  readonly tokenFile: string;
  readonly token: string;
  stop(): Promise<void>;
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];
/** Beyond the time of a diagnosis: for what comes before and after it. */
const graceSeconds = 5;
const defaultLookMs = 30_000;
/** Longer than proxies keep an idle connection, so that none sends into one that is being closed here. */
const idleMs = 75_000;

export async function startServer(settings: ServerSettings): Promise<RunningServer> {
  const { parts, workers, close } = await openParts(settings);
  const { token, tokenFile } = await adminToken(parts, settings.data);
  const isOpen = !loopback.includes(settings.host) && settings.host !== '::1';
  const oidc = settings.oidc === undefined ? null : await oidcFor(settings.oidc, parts);
  const named = [
    ...settings.publicHosts,
    ...(oidc === null ? [] : [new URL(oidc.settings.address).hostname]),
  ];
  const hosts = isOpen && named.length === 0 ? null : [...loopback, ...named];
  const comparer = openComparer(parts.artefacts, boundsOf(settings));
  const { limits, version } = settings;
  const app = webApp({ ...parts, comparer, limits, oidc }, { version, hosts });
  const server = serve({
    fetch: app.fetch,
    hostname: settings.host,
    port: settings.port,
    overrideGlobalObjects: false,
    serverOptions: { keepAliveTimeout: idleMs },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve).once('error', reject);
  }).catch(async (cause: Error) => {
    await close();
    throw new GrusError(`port ${settings.port} cannot be used: ${cause.message}`, {
      advice: 'Choose another with --port.',
      cause,
    });
  });
  const notifier = await notifierFor(settings, parts);
  const { sources = [], lookMs: everyMs = defaultLookMs, keepDays, onTrouble } = settings;
  const ingest = startIngest(parts, { sources, everyMs, keepDays, limits, onTrouble });
  const dropping = keepOnly(settings, parts);
  const upkeep = startUpkeep(parts.database, settings.onTrouble);
  const { port } = server.address() as AddressInfo;
  const shown = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
  return {
    url: `http://${shown}:${port}`,
    token,
    tokenFile,
    stop: async () => {
      clearInterval(dropping);
      await upkeep.stop();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      });
      await ingest.stop();
      await comparer.close();
      await notifier?.stop();
      await Promise.all(workers.map((worker) => worker.stop()));
      await close();
    },
  };
}

/** The projects that the settings open to groups are there from the start. */
async function oidcFor(settings: OidcSettings, { database }: StoreParts): Promise<Oidc> {
  for (const { project } of settings.access) if (project !== '*') await ensureProject(database, project);
  // A cookie of this prefix cannot be set by a neighbour of the host.
  const prefix = settings.address.startsWith('https:') ? '__Host-' : '';
  const cookies = { signIn: `${prefix}grus_sign_in`, session: `${prefix}grus_session` };
  return { settings, issuer: openIssuer(settings), cookies };
}

/** Without channels nobody is to be told anything, also by workers elsewhere. */
async function notifierFor({ notify, onTrouble }: ServerSettings, { database, queue }: StoreParts) {
  if (notify === undefined) {
    await keepChannels(database, []);
    return null;
  }
  return startNotifier({ database, queue: queue.notifications, settings: notify, onTrouble });
}

const hourMs = 3_600_000;

/** Looks every hour for what is too old. */
function keepOnly(
  { keepDays, onTrouble }: ServerSettings,
  { database, artefacts }: StoreParts,
): NodeJS.Timeout | undefined {
  if (keepDays === undefined) return undefined;
  const drop = (): void =>
    void dropOld(database, artefacts, { days: keepDays, unusedMs: 24 * hourMs }).catch((error: Error) =>
      onTrouble(error.message),
    );
  drop();
  return setInterval(drop, hourMs);
}

/** The embedded database is open to one process: there, stop the server first. */
export async function backupTo(settings: StoreSettings, folder: string): Promise<void> {
  const database = await openDatabase(settings);
  try {
    await backup(database, settings.bucket === undefined ? filesOf(settings) : null, folder);
  } finally {
    await database.close();
  }
}

export async function restoreFrom(settings: StoreSettings, folder: string): Promise<void> {
  await mkdir(settings.data, { recursive: true, mode: 0o700 });
  const database = await openDatabase(settings);
  const queue = await openQueue(database, graceSeconds);
  try {
    await restore({ database, queue }, settings.bucket === undefined ? filesOf(settings) : null, folder);
  } finally {
    await queue.close();
    await database.close();
  }
}

/** Workers without a web application, on any machine that reaches the database and the files. */
export async function startWorkers(settings: WorkSettings): Promise<RunningWorker> {
  const { workers, close } = await openParts(settings);
  return {
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
      await close();
    },
  };
}

async function openParts(
  settings: WorkSettings,
): Promise<{ parts: StoreParts; workers: RunningWorker[]; close: () => Promise<void> }> {
  await mkdir(settings.data, { recursive: true, mode: 0o700 });
  const database = await openDatabase(settings);
  const queue = await openQueue(database, settings.jobSeconds + graceSeconds);
  const here = openArtefacts(filesOf(settings));
  const artefacts = settings.bucket === undefined ? here : inBucket(openBucket(settings.bucket), here);
  const bounds = boundsOf(settings);
  const { notebooks, onTrouble } = settings;
  const workers = Array.from({ length: settings.workers }, () =>
    startWorker({ database, queue, artefacts, bounds, onTrouble }),
  );
  if (notebooks !== undefined) workers.push(startChecker({ database, queue, notebooks, onTrouble }));
  return {
    parts: { database, queue, artefacts },
    workers,
    close: async () => {
      await queue.close();
      await database.close();
    },
  };
}

/** With a bucket, only what is worked with lies here. */
function filesOf({ data, bucket }: StoreSettings): string {
  return join(data, bucket === undefined ? 'files' : 'cache');
}

function boundsOf({ thread, jobSeconds, jobMegabytes }: WorkSettings): Bounds {
  return { thread, seconds: jobSeconds, megabytes: jobMegabytes };
}

/** Drawn at the first start, and kept where only the owner of the folder reads it. */
async function adminToken(
  { database }: Pick<Parts, 'database'>,
  data: string,
): Promise<{ token: string; tokenFile: string }> {
  const tokenFile = join(data, 'admin-token');
  const kept = (await readFile(tokenFile, 'utf8').catch(() => '')).trim();
  if (kept !== '' && (await findToken(database, kept)) !== null) return { token: kept, tokenFile };
  await ensureProject(database, 'default');
  const name = `admin-${randomUUID().slice(0, 8)}`;
  const { token } = await createToken(database, { name, role: 'admin', project: null });
  await writeFile(tokenFile, `${token}\n`, { mode: 0o600 });
  await chmod(tokenFile, 0o600);
  return { token, tokenFile };
}
