// The work of `grus server` and `grus worker`.
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GrusError, visible } from '@grus/core';
import {
  backupTo,
  type NotebookSettings,
  parseNotify,
  parseOidc,
  restoreFrom,
  type StoreSettings,
  startServer,
  startWorkers,
  type WorkSettings,
} from '@grus/server';
import { pullLabels, request } from '@grus/server/client';
import { version } from '../generated/version.js';
import { addressOf, type ServerOptions } from '../options/server.js';
import type { SourceOption } from '../options/sources.js';
import type { StoreOptions, WorkOptions } from '../options/work.js';
import { printJson } from '../terminal/output.js';

export type WorkerFlags = WorkOptions;

export interface ServerFlags extends WorkOptions {
  readonly port: number;
  readonly host: string;
  readonly publicHost: readonly string[];
  readonly mostFile: number;
  readonly mostRun: number;
  readonly rate: number;
  readonly keepDays?: number;
  readonly notify?: string;
  readonly oidc?: string;
  readonly watch?: readonly SourceOption[];
  readonly mlflow?: readonly SourceOption[];
  readonly s3?: readonly SourceOption[];
  /** Milliseconds. */
  readonly look?: number;
}

export interface TokenFlags extends ServerOptions {
  readonly role: 'read' | 'write' | 'admin';
  readonly json?: boolean;
}

const megabyte = 1024 * 1024;

export async function serve(flags: ServerFlags): Promise<void> {
  const server = await startServer({
    ...workSettings(flags),
    host: flags.host,
    port: flags.port,
    publicHosts: flags.publicHost,
    limits: { file: flags.mostFile * megabyte, run: flags.mostRun * megabyte, requests: flags.rate },
    keepDays: flags.keepDays,
    sources: [...(flags.watch ?? []), ...(flags.mlflow ?? []), ...(flags.s3 ?? [])],
    ...(flags.look !== undefined && { lookMs: flags.look }),
    notify: await readSettings('--notify', flags.notify, parseNotify),
    oidc: await readSettings('--oidc', flags.oidc, parseOidc),
    version,
  });
  process.stderr.write(
    `grus: serving on ${server.url}, token in ${visible(server.tokenFile)}, Ctrl-C to stop\n`,
  );
  await stopSignal();
  await server.stop();
}

/** Undefined where no file was named. */
async function readSettings<Settings>(
  option: string,
  file: string | undefined,
  parsed: (value: unknown, environment: NodeJS.ProcessEnv) => Settings,
): Promise<Settings | undefined> {
  if (file === undefined) return undefined;
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new GrusError(`${file} cannot be read: ${cause.message}`, { advice: `Check ${option}.`, cause });
  });
  const { parse } = await import('smol-toml');
  try {
    return parsed(parse(text), process.env);
  } catch (cause) {
    if (GrusError.isInstance(cause)) throw cause;
    const [reason] = (cause as Error).message.split('\n');
    throw new GrusError(`${file} is no TOML: ${reason}`, { advice: 'Mend it there.', cause });
  }
}

export async function runWorkers(flags: WorkerFlags): Promise<void> {
  const settings = workSettings(flags);
  if (settings.database === undefined)
    throw new GrusError('No database was named', {
      advice:
        'Give --database postgres://…, the one of the server. The embedded database serves one process: there, use grus server --workers N.',
    });
  const workers = await startWorkers(settings);
  process.stderr.write(`grus: ${flags.workers} at work, Ctrl-C to stop\n`);
  await stopSignal();
  await workers.stop();
}

export async function makeToken(name: string, flags: TokenFlags): Promise<void> {
  const address = addressOf(flags);
  const { project } = address;
  await request(address, '/projects', { method: 'POST', json: { name: project } });
  const made = await request<{ id: string; token: string }>(
    address,
    `/projects/${encodeURIComponent(project)}/tokens`,
    { method: 'POST', json: { name, role: flags.role } },
  );
  if (flags.json) printJson({ ...made, name, role: flags.role, project });
  else process.stdout.write(`${made.token}\n`);
}

export interface LabelFlags extends ServerOptions {
  readonly json?: boolean;
}

export async function bringLabels(folder: string, flags: LabelFlags): Promise<void> {
  const runs = await pullLabels(addressOf(flags), folder);
  if (flags.json) printJson({ folder, runs });
  else process.stderr.write(`grus: ${runs} labelled runs are in ${visible(folder)}\n`);
}

export async function backUp(folder: string, flags: StoreOptions): Promise<void> {
  await backupTo(storeSettings(flags), folder);
  process.stderr.write(`grus: everything is in ${visible(folder)}\n`);
}

export async function bringBack(folder: string, flags: StoreOptions): Promise<void> {
  await restoreFrom(storeSettings(flags), folder);
  process.stderr.write('grus: everything is back; start grus server\n');
}

function storeSettings(flags: StoreOptions): StoreSettings {
  return {
    data: flags.data ?? process.env['GRUS_DATA'] ?? defaultFolder(),
    database: flags.database ?? (process.env['GRUS_DATABASE'] || undefined),
    bucket: flags.bucket,
  };
}

function workSettings(flags: WorkOptions): WorkSettings {
  return {
    ...storeSettings(flags),
    workers: flags.workers,
    jobSeconds: flags.jobSeconds,
    jobMegabytes: flags.jobMegabytes,
    notebooks: flags.notebooks === undefined ? undefined : notebooksBelow(flags.notebooks),
    // Beside the bundle that this file is in.
    thread: fileURLToPath(new URL('judge.cjs', import.meta.url)),
    onTrouble: (text) => void process.stderr.write(`grus: ${visible(text)}\n`),
  };
}

/** With the settings that lie beside each, as `grus check` would here. */
function notebooksBelow(folder: string): NotebookSettings {
  return {
    folder,
    judge: async (path, { rehearse }) => {
      const [{ judgeNotebook }, { optionsOf }] = await Promise.all([
        import('../pipeline/judge-notebook.js'),
        import('../pipeline/check-many.js'),
      ]);
      const [options] = await optionsOf([path], { rehearse });
      return judgeNotebook(path, options!);
    },
    end: async () => (await import('@grus/kernel')).closeAllKernels(),
  };
}

function defaultFolder(): string {
  const base = process.env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share');
  return join(base, 'grus', 'server');
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve()).once('SIGTERM', () => resolve());
  });
}
