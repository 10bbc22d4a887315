// A server in this process, and someone who asks it.
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerSettings, startServer } from '../../src/index.js';
import { giveDatabase } from './embedded.js';

const root = join(import.meta.dirname, '..', '..', '..', '..');
/** Built by `npm run build`, as the tests of the command need it too. */
export const thread = join(root, 'packages', 'cli', 'dist', 'bundle', 'judge.cjs');
export const recorded = (name: string): string => join(root, 'scenarios', 'recorded', name);

export interface Asked {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what a server answers is what the test looks at
  readonly body: any;
}

export async function testServer(settings: Partial<ServerSettings> = {}) {
  const data = settings.data ?? mkdtempSync(join(tmpdir(), 'grus-server-'));
  if (settings.database === undefined) await giveDatabase(data);
  const troubles: string[] = [];
  const server = await startServer({
    data,
    thread,
    workers: 1,
    jobSeconds: 60,
    jobMegabytes: 512,
    onTrouble: (text) => troubles.push(text),
    host: '127.0.0.1',
    port: 0,
    publicHosts: [],
    limits: { file: 1_000_000, run: 1_500_000, requests: 1_000 },
    version: 'test',
    ...settings,
  });
  const ask = async (path: string, init: RequestInit & { token?: string } = {}): Promise<Asked> => {
    const { token = server.token, ...rest } = init;
    const headers = { authorization: `Bearer ${token}`, ...(rest.headers as Record<string, string>) };
    const response = await fetch(`${server.url}${path}`, { ...rest, headers });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  };
  const post = (path: string, json: unknown, token?: string): Promise<Asked> =>
    ask(path, {
      method: 'POST',
      body: JSON.stringify(json),
      headers: { 'content-type': 'application/json' },
      ...(token === undefined ? {} : { token }),
    });
  return {
    server,
    data,
    troubles,
    ask,
    post,
    /** Waits until every run of the project was judged or given up. */
    settled: async (project: string): Promise<void> => {
      for (;;) {
        const { body } = await ask(`/api/projects/${project}/runs?state=waiting&limit=1`);
        if (body.runs.length === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    stop: async (): Promise<void> => {
      await server.stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}
