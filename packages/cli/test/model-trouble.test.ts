// Everything that can go wrong with a model, on the command line: one clear line, and the deterministic verdict stands.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kernel, startKernel } from '@grus/kernel';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Behaviour, type ProviderServer, startProvider } from '../../llm/test/support/server.js';
import { answer } from '../../llm/test/support/settings.js';
import { grus, python, scratch, start } from './grus.js';

let kernel: Kernel;
let file: string;
let server: ProviderServer | undefined;
beforeAll(async () => {
  kernel = await startKernel({ python });
  // Nobody can read the source of this function, so that only a model has an opinion on a call of it.
  await kernel.execute('exec("def opaque(value):\\n    return value")\npieces = [1, 2]');
  file = (kernel as unknown as { connectionFile: string }).connectionFile;
});
afterAll(() => kernel.close());
afterEach(() => server?.close());

function codeFile(source: string): string {
  const path = join(scratch(), 'cell.py');
  writeFileSync(path, source);
  return path;
}
const own = (extra: Record<string, string> = {}) => ({
  GRUS_CACHE_DIR: scratch(),
  GRUS_STATE_DIR: scratch(),
  GRUS_MODEL: '',
  ...extra,
});
const open = 'value = opaque(pieces)';
const flags = (source: string, model: string) => [
  'check',
  '--kernel',
  file,
  '--code',
  codeFile(source),
  '--dry',
  'never',
  '--model',
  model,
];

async function modelThat(behaviour: Behaviour): Promise<string> {
  server = await startProvider(() => behaviour);
  return `compatible:${server.origin}/v1#m`;
}

describe('one clear line, and what is certain stands', () => {
  it.each([
    ['nobody there', null, {}, /compatible:m cannot be reached: .*Check the network/],
    [
      'a wrong key',
      { say: answer(true) },
      { GRUS_MODEL_KEY: 'sk-proj-wrongwrongwrong1234' },
      /rejects the key \(HTTP 401\)/,
    ],
    [
      'an exhausted quota',
      { status: 429, message: 'You exceeded your current quota', code: 'insufficient_quota' },
      {},
      /the quota of compatible:m is used up/,
    ],
    ['prose', { say: 'I think it is fine.' }, {}, /0 of \d answers .*the answer holds no JSON object/],
    ['wrong types', { say: '{"detection": "maybe", "line": "two"}' }, {}, /no boolean "detection"/],
    [
      'a spending limit',
      { say: answer(true) },
      { GRUS_MODEL_PRICE: '9000,9000' },
      /which the limit of \$0\.5 per check does not allow/,
    ],
  ] as const)('%s', async (_what, behaviour, env, line) => {
    const model = behaviour === null ? 'compatible:http://127.0.0.1:9/v1#m' : await modelThat(behaviour);
    const { code, stdout, stderr } = await grus(flags(open, model), { env: own(env) });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/no certain crash found/);
    expect(stdout.replace(/\s*\n\s*/g, ' ')).toMatch(line);
    expect(stdout).not.toContain('wrongwrong');
  });

  it('does not even ask about what is certain', async () => {
    const model = await modelThat({ status: 500, message: 'oops' });
    const { code, stdout } = await grus([...flags('value = not_defined', model), '--json'], { env: own() });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'crash', rung: 'names' });
    expect(server!.seen).toEqual([]);
  });
});

it('keeps a question about a hundred kilobytes within its budget', async () => {
  const model = await modelThat({ say: answer(false) });
  await kernel.execute(
    'big = {f"key_{n}": list(range(50)) for n in range(3000)}\n' +
      'import pandas as pd\nwide = pd.DataFrame({f"column_{n}": [n] for n in range(3000)})',
  );
  const comments = `${'# '.padEnd(80, 'x')}\n`.repeat(1300);
  const source = `${comments}value = opaque((big, wide))`;
  const { code, stdout } = await grus([...flags(source, model), '--json'], {
    env: own({ GRUS_PROMPT_TOKENS: '4000' }),
  });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'ok', rung: 'llm' });
  expect(server!.seen.length).toBeGreaterThan(0);
  for (const { body } of server!.seen) expect(Buffer.byteLength(body)).toBeLessThan(4000 * 5);
});

it('stops asking on Ctrl-C and still tells what is certain', async () => {
  const model = await modelThat({ hang: true });
  const child = start([...flags(open, model), '--json'], { env: own() });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  await expect.poll(() => server!.seen.length, { timeout: 60_000 }).toBeGreaterThan(0);
  child.kill('SIGINT');
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(0);
  const verdict = JSON.parse(stdout);
  expect(verdict).toMatchObject({ outcome: 'unknown' });
  expect(verdict.rungs.at(-1)).toMatchObject({
    rung: 'llm',
    abstained_because: expect.stringMatching(/was cancelled/),
  });
  await expect.poll(() => server!.open(), { timeout: 20_000 }).toBe(0);
});
