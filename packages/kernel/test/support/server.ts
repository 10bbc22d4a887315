// A real Jupyter server with a token, for as long as a test file runs.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePorts } from '../../src/local/ports.js';
import { python } from './python.js';

export interface TestServer {
  readonly url: string;
  readonly token: string;
  stop(): Promise<void>;
}

export async function startServer(): Promise<TestServer> {
  const root = await mkdtemp(join(tmpdir(), 'grus-server-'));
  const [port] = await freePorts(1);
  const token = 'a-token-for-tests';
  const args = [
    '--no-browser',
    '--allow-root',
    `--ServerApp.port=${port}`,
    '--ServerApp.port_retries=0',
    `--ServerApp.root_dir=${root}`,
    `--IdentityProvider.token=${token}`,
    '--ServerApp.jpserver_extensions={}',
  ];
  const env = { ...process.env, JUPYTER_CONFIG_DIR: root, JUPYTER_RUNTIME_DIR: root, JUPYTER_NO_CONFIG: '1' };
  const server = spawn(python, ['-m', 'jupyter_server', ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (data: Buffer) => {
      log += data.toString();
      if (/is running at/.test(log)) {
        resolve();
      }
    });
    void exited.then(() => reject(new Error(`jupyter server did not start: ${log}`)));
  });
  const url = `http://127.0.0.1:${port}/`;
  // It says that it runs before it answers.
  while (server.exitCode === null && !(await answers(url))) await wait(50);
  return {
    url,
    token,
    stop: async () => {
      server.kill('SIGTERM');
      await exited;
      await rm(root, { recursive: true, force: true });
    },
  };
}

function answers(url: string): Promise<boolean> {
  return fetch(`${url}api`).then(
    () => true,
    () => false,
  );
}
