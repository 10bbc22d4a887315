// Ways in where the server looks by itself: a folder, and a real MLflow server where there is one.
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { folderSource } from '../src/ingest/folder.js';
import { freePort } from './support/postgres.js';
import { recorded, testServer } from './support/server.js';
import { runPython, servicesPython, startService } from './support/services.js';

const folder = mkdtempSync(join(tmpdir(), 'grus-ingest-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Listed {
  readonly name: string;
  readonly state: string;
  readonly running: boolean;
  readonly subcause: string | null;
  readonly person: string | null;
}

function asker(one: Awaited<ReturnType<typeof testServer>>, project: string) {
  return async (enough: (runs: readonly Listed[]) => boolean): Promise<readonly Listed[]> => {
    for (;;) {
      const { status, body } = await one.ask(`/api/projects/${project}/runs`);
      const runs: readonly Listed[] = status === 200 ? body.runs : [];
      if (runs.every(({ state }) => state !== 'waiting') && enough(runs)) return runs;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
}

it('takes what comes into a folder, each run once, and sees that it ends', async () => {
  const runs = join(folder, 'runs');
  mkdirSync(runs);
  const one = await testServer({
    sources: [{ kind: 'folder', project: 'watched', path: runs }],
    lookMs: 200,
  });
  try {
    const until = asker(one, 'watched');
    cpSync(recorded('shape-flatten-cnn'), join(runs, '<b>first'), { recursive: true });
    const [first] = await until((found) => found.length === 1 && found[0]?.running === true);
    expect(first).toMatchObject({
      subcause: 'shape_mismatch',
      name: expect.stringContaining('<b>first'),
    });
    writeFileSync(join(runs, 'slurm-1.out'), 'step 1 loss 0.5\nstep 2 loss 0.4\n');
    const long = new Date(Date.now() - 3_600_000);
    utimesSync(join(runs, 'slurm-1.out'), long, long);
    const both = await until((found) => found.length === 2);
    expect(both.find(({ name }) => name.endsWith('slurm-1.out'))).toMatchObject({ running: false });
    const { body } = await one.ask('/api/projects/watched/audit');
    expect(body.audit.map(({ action, token }: Record<string, string>) => `${token}: ${action}`)).toEqual([
      'grus server: run new',
      'grus server: run new',
    ]);
    expect(one.troubles).toEqual([]);
  } finally {
    await one.stop();
  }
});

it('finds a run again that could not be taken', async () => {
  const runs = join(folder, 'again');
  mkdirSync(runs);
  writeFileSync(join(runs, 'slurm-2.out'), 'step 1 loss 0.5\n');
  const source = folderSource('watched', runs);
  const look = () => source.look(new AbortController().signal);
  const away = async (): Promise<void> => {
    for await (const _ of look()) throw new Error('the database is away');
  };
  await expect(away()).rejects.toThrow('away');
  const taken: string[] = [];
  for (const _ of [1, 2]) for await (const { name } of look()) taken.push(name);
  expect(taken).toEqual([expect.stringContaining('slurm-2.out')]);
});

it('takes nothing that would be dropped at once', async () => {
  const runs = join(folder, 'years');
  mkdirSync(runs);
  for (const days of [1, 3]) {
    const then = new Date(Date.now() - days * 24 * 3_600_000);
    writeFileSync(join(runs, `${days}.out`), 'step 1 loss 0.5\n');
    utimesSync(join(runs, `${days}.out`), then, then);
  }
  const taken: string[] = [];
  for await (const { name } of folderSource('watched', runs, 2).look(new AbortController().signal))
    taken.push(name);
  expect(taken).toEqual([expect.stringContaining('1.out')]);
});

describe.skipIf(servicesPython === undefined)(
  'an MLflow server (skipped without GRUS_SERVICES_PYTHON)',
  () => {
    it('brings its runs with their curves, parameters and ends', async () => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const store = join(folder, 'mlflow.db');
      const mlflow = await startService(
        [
          '-m',
          'mlflow',
          'server',
          '--port',
          String(port),
          '--backend-store-uri',
          `sqlite:///${store}`,
          '--workers',
          '1',
        ],
        { cwd: folder, ready: `${url}/health`, env: { MLFLOW_SERVER_ENABLE_JOB_EXECUTION: 'false' } },
      );
      const one = await testServer({ sources: [{ kind: 'mlflow', project: 'tracked', url }], lookMs: 500 });
      try {
        await runPython(`
import math, mlflow
mlflow.set_tracking_uri("${url}")
mlflow.set_experiment("<i>study</i>")
with mlflow.start_run():
    mlflow.log_params({"learning_rate": 5.0, "batch_size": 32})
    for step in range(40):
        mlflow.log_metric("loss", 2.0 / (step + 1) if step < 25 else math.nan, step=step)
`);
        const [run] = await asker(
          one,
          'tracked',
        )((found) => found[0]?.running === false && found[0].state === 'judged');
        expect(run).toMatchObject({ name: expect.stringContaining('<i>study</i>'), outcome: 'failed' });
        const { body } = await one.ask('/api/projects/tracked/runs');
        const whole = (await one.ask(`/api/projects/tracked/runs/${body.runs[0].id}`)).body;
        expect(whole.onset_step).toBe(25);
        expect(
          whole.files.map(({ path }: { path: string }) => path.replace(/^[0-9a-f]{32}/, 'RUN')).sort(),
        ).toEqual(['RUN/meta.yaml', 'RUN/metrics/loss', 'RUN/params/batch_size', 'RUN/params/learning_rate']);
      } finally {
        await mlflow.stop();
        await one.stop();
      }
    }, 300_000);
  },
);
