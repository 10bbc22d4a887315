// A live model in the benchmark from the command line: the estimate first, a recording that replays, and Ctrl-C.
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { writeGarden } from '../../bench/test/junobench/garden.js';
import { type Behaviour, type ProviderServer, startProvider } from '../../llm/test/support/server.js';
import { answer } from '../../llm/test/support/settings.js';
import { grus, scratch, start } from './grus.js';

let data: string;
let server: ProviderServer | undefined;
beforeAll(() => {
  data = writeGarden();
});
afterAll(() => rmSync(data, { recursive: true, force: true }));
afterEach(() => server?.close());

const environment = (extra: Record<string, string> = {}) => ({
  GRUS_CACHE_DIR: scratch(),
  GRUS_STATE_DIR: scratch(),
  ...extra,
});

async function modelThat(script: (index: number) => Behaviour): Promise<string> {
  server = await startProvider(script);
  return `compatible:${server.origin}/v1#elm`;
}

it('says what asking takes, records the answers, and replays them', async () => {
  const GRUS_MODEL = await modelThat(() => ({ say: answer(false) }));
  const env = environment({ GRUS_MODEL, GRUS_MODEL_PRICE: '1,10' });
  const asked = await grus(['bench', 'junobench', '--data', data, '--ablation', '--estimate', '--json'], {
    env,
  });
  expect(asked.code).toBe(0);
  expect(JSON.parse(asked.stdout)).toMatchObject({ model: 'compatible:elm', answers: 100, cached: 0 });
  expect(asked.stderr).toMatch(
    /^grus: asking compatible:elm 20 questions for 100 answers, .* about \$0\.\d\d/,
  );
  expect(server!.seen).toEqual([]);
  const folder = `${scratch()}/elm`;
  const recorded = await grus(['llm', 'record', '--data', data, '-o', folder, '--modes', 'code+runtime'], {
    env,
  });
  expect(recorded.code).toBe(0);
  expect(recorded.stdout).toContain(`20 answers of compatible:elm are in ${folder}`);
  expect(server!.seen.length).toBe(20);
  const replayed = await grus(
    ['bench', 'junobench', '--data', data, '--methods', `recorded:${folder}`, '--json'],
    { env: environment({ GRUS_MODEL: '' }) },
  );
  expect(JSON.parse(replayed.stdout).methods[`recorded:${folder}`]).toMatchObject({ n: 4, accuracy: 0.5 });
});

it('stops on Ctrl-C with one line, and keeps what was answered', async () => {
  const GRUS_MODEL = await modelThat((index) => (index < 5 ? { say: answer(false) } : { hang: true }));
  const env = environment({ GRUS_MODEL, GRUS_CONCURRENCY: '1' });
  const args = ['bench', 'junobench', '--data', data, '--methods', 'live'];
  const child = start(args, { env });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  await expect.poll(() => server!.seen.length, { timeout: 60_000 }).toBe(6);
  child.kill('SIGINT');
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130);
  expect(stderr.trim().split('\n').at(-1)).toMatch(/^grus: stopped\. The same command goes on/);
  const again = await grus([...args, '--estimate', '--json'], { env });
  expect(JSON.parse(again.stdout)).toMatchObject({ answers: 20, cached: 5 });
});

it('says in one line that there is no model', async () => {
  const { code, stderr } = await grus(['bench', 'junobench', '--data', data, '--methods', 'live'], {
    env: environment({ GRUS_MODEL: '' }),
  });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^grus: this method asks a live model, and none is configured\. Name one .*\n$/);
});
