// Real services of others, from PyPI, as processes of one test file. `npm test` installs them and names their Python.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

/** Undefined where they are not installed. */
export const servicesPython = process.env['GRUS_SERVICES_PYTHON'];

export interface Service {
  stop(): Promise<void>;
}

/** Answers when `ready` is. */
export async function startService(
  args: readonly string[],
  { cwd, ready, env = {} }: { cwd: string; ready: string; env?: Readonly<Record<string, string>> },
): Promise<Service> {
  // A group of its own, because some start others.
  const service = spawn(servicesPython!, args, {
    cwd,
    stdio: 'ignore',
    env: { ...process.env, ...env },
    detached: true,
  });
  while (!(await answers(ready))) {
    if (hasEnded(service)) throw new Error(`${args.join(' ')} ended with ${service.exitCode}`);
    await wait(200);
  }
  return {
    stop: async () => {
      if (hasEnded(service)) return;
      const ended = once(service, 'exit');
      process.kill(-service.pid!, 'SIGKILL');
      await ended;
    },
  };
}

/** What a script prints. */
export async function runPython(script: string): Promise<string> {
  const child = spawn(servicesPython!, ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the script ended with ${code}`);
  return said;
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
