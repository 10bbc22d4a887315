// A real run that goes on, watched and sent to a real server, which is away for a while.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { giveDatabase } from '../../server/test/support/embedded.js';
import { freePort } from '../../server/test/support/postgres.js';
import { grus, python, scratch, start } from './grus.js';

/** Writes a step whenever it is asked to, so that the test and not a clock decides how far it is. */
const script = `
import os, sys, time
folder = sys.argv[1]
print("Training begins", flush=True)
for step in range(60):
    while step >= 20 and not os.path.exists(os.path.join(folder, "go-on")):
        time.sleep(0.05)
    loss = float("nan") if step >= 40 else 3.0 / (step + 1) + 0.1
    print(f"step {step}: loss={loss:.4f}", flush=True)
`;

const folder = scratch();
const data = join(folder, 'data');
const alive = new Set<ChildProcess>();

async function serve(port: string, kept = data): Promise<ChildProcess> {
  const child = start(['server', '--data', kept, '--port', port]);
  alive.add(child);
  let text = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      text += chunk;
      if (text.includes('serving on')) resolve();
    });
    child.once('exit', () => reject(new Error(text)));
  });
  return child;
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
  alive.delete(child);
}

afterAll(async () => {
  for (const child of alive) await stop(child, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

// Two starts of a server with the embedded database.
it('shows a run while it goes on, loses nothing when the server is away, and keeps one state of its files', async () => {
  const port = String(await freePort());
  const server = await serve(port);
  const token = readFileSync(join(data, 'admin-token'), 'utf8').trim();
  // biome-ignore lint/suspicious/noExplicitAny: what a server answers is what the test looks at
  const ask = async (path: string): Promise<any> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/projects/default/runs${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return response.json();
  };
  const until = async (holds: (run: Record<string, unknown>) => boolean) => {
    for (;;) {
      const [run] = (await ask('')).runs;
      if (run !== undefined && holds(run)) return run;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };

  writeFileSync(join(folder, 'train.py'), script);
  const run = join(folder, 'run');
  const env = { GRUS_SERVER: `http://127.0.0.1:${port}`, GRUS_TOKEN: token };
  const watched = grus(
    [
      'watch',
      run,
      '--server',
      '--every',
      '0.2',
      '--name',
      'live',
      '--json',
      '--',
      python,
      join(folder, 'train.py'),
      folder,
    ],
    { env },
  );
  const early = await until(({ state, running }) => state === 'judged' && running === true);
  expect(early).toMatchObject({ name: 'live', running: true });

  await stop(server, 'SIGKILL');
  const again = await serve(port);
  writeFileSync(join(folder, 'go-on'), '');
  const { code, stdout, stderr } = await watched;
  expect(code, stderr).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'failed', warnings: [{ warning: 'non-finite' }] });

  const ended = await until(({ state, running }) => state === 'judged' && running === false);
  expect(ended).toMatchObject({ id: early.id, outcome: 'failed' });
  const whole = await ask(`/${ended.id}`);
  expect(whole.warnings).toMatchObject([{ warning: 'non-finite' }]);
  const kept = readdirSync(join(data, 'files'), { recursive: true, withFileTypes: true });
  expect(
    kept
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...new Set(whole.files.map(({ digest }: { digest: string }) => digest))].sort());
  // Sent again by hand, nothing is new.
  const pushed = await grus(['push', run, '--name', 'live', '--json'], { env });
  expect(JSON.parse(pushed.stdout).runs).toMatchObject([{ id: ended.id, status: 'known', sent: 0 }]);
  await stop(again, 'SIGTERM');
}, 300_000);

/** A training whose hooks record it, without a framework. It goes on until a file says so, and then ends as told. */
const recorded = `
import os, sys, time
from grus_hooks.run_log import RunLog
folder, ending = sys.argv[1:]
log = RunLog(os.path.join(folder, ending))
log.begin()
for step in range(40):
    log.row(step, {"loss": 3.0 / (step + 1) + 0.1 if step < 30 else float("nan")})
    while step == 20 and not os.path.exists(os.path.join(folder, "end-" + ending)):
        time.sleep(0.05)
if ending == "killed":
    os.kill(os.getpid(), 9)
log.end("completed")
`;

// One start of a server with the embedded database; the sender looks every ten seconds.
it('shows what hooks record where they are asked to send it, also of a training that is killed', async () => {
  const own = join(folder, 'hooks');
  mkdirSync(own);
  const port = String(await freePort());
  const kept = join(own, 'data');
  await giveDatabase(kept);
  const server = await serve(port, kept);
  const token = readFileSync(join(kept, 'admin-token'), 'utf8').trim();
  const address = `http://127.0.0.1:${port}`;
  const runs = async (): Promise<Record<string, unknown>[]> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${address}/api/projects/default/runs`, { headers });
    return ((await answer.json()) as { runs: Record<string, unknown>[] }).runs;
  };
  const until = async (ending: string, holds: (run: Record<string, unknown>) => boolean) => {
    for (;;) {
      const run = (await runs()).find(({ name }) => String(name).endsWith(join(own, ending)));
      if (run?.['state'] === 'judged' && holds(run)) return run;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const hooks = join(import.meta.dirname, '..', '..', '..', 'hooks', 'src');
  const env = { ...process.env, PYTHONPATH: hooks, GRUS_SERVER: address, GRUS_TOKEN: token };
  const train = (ending: string, more: Record<string, string>) => {
    const child = spawn(python, ['-c', recorded, own, ending], { env: { ...env, ...more }, stdio: 'pipe' });
    alive.add(child);
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    return once(child, 'exit').then(([code, signal]) => {
      alive.delete(child);
      return { code, signal, stderr };
    });
  };
  const endings = ['completed', 'killed', 'silent', 'alone', 'refused'];
  const ways: Record<string, Record<string, string>> = {
    silent: {},
    alone: { GRUS_SEND: '1', GRUS_SERVER: `http://127.0.0.1:${await freePort()}` },
    refused: { GRUS_SEND: '1', GRUS_TOKEN: 'grus_none' },
  };
  const trained = endings.map((ending) => train(ending, ways[ending] ?? { GRUS_SEND: '1' }));
  for (const ending of ['completed', 'killed']) await until(ending, ({ running }) => running === true);
  for (const ending of endings) writeFileSync(join(own, `end-${ending}`), '');
  const [completed, killed, silent, alone, refused] = await Promise.all(trained);
  expect(completed).toEqual({ code: 0, signal: null, stderr: '' });
  expect(killed).toMatchObject({ signal: 'SIGKILL' });
  for (const ending of ['completed', 'killed'])
    expect(await until(ending, ({ running }) => running === false)).toMatchObject({
      outcome: 'failed',
      onset_step: 30,
    });
  // Who did not ask for it sends nothing, and no server changes how a training ends.
  expect(silent).toEqual({ code: 0, signal: null, stderr: '' });
  expect(alone).toMatchObject({ code: 0, stderr: expect.stringContaining('cannot be sent now') });
  expect(refused).toMatchObject({ code: 0, stderr: expect.stringContaining('answered 401') });
  expect(await runs()).toHaveLength(2);
  const again = await grus(['push', join(own, 'completed'), '--json'], { env });
  expect(JSON.parse(again.stdout).runs).toMatchObject([{ status: 'known', sent: 0 }]);
  await stop(server, 'SIGTERM');
}, 300_000);

it('ends as the run does when there is no server, and says how to send it later', async () => {
  const run = join(folder, 'alone');
  const port = await freePort();
  const { code, stderr } = await grus(
    ['watch', run, '--server', `http://127.0.0.1:${port}`, '--', python, '-c', 'print("step 1 loss 0.5")'],
    { env: { GRUS_TOKEN: 'grus_none' } },
  );
  expect(code, stderr).toBe(0);
  expect(existsSync(run)).toBe(true);
  expect(stderr).toContain(`Send the run later: grus push ${run}`);
});
