// The model on the command line: nothing is sent without one, and what it says is told like any other verdict.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { grus, notebook, scratch } from './grus.js';

let server: Server | undefined;
const bodies: string[] = [];
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  bodies.length = 0;
});

/** A server of chat completions that always gives the same answer. */
async function modelServer(detection: boolean): Promise<string> {
  const answer = JSON.stringify({
    cause: 'The text has no closing brace.',
    detection,
    exception_type: detection ? 'JSONDecodeError' : null,
    line: detection ? 1 : null,
    confidence: 0.9,
    fix: null,
  });
  const chunk = (choices: unknown[], extra: object = {}) =>
    `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...extra })}\n\n`;
  server = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      chunk([{ index: 0, delta: { role: 'assistant', content: answer }, finish_reason: null }]) +
        chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]) +
        chunk([], { usage: { prompt_tokens: 900, completion_tokens: 60, total_tokens: 960 } }) +
        'data: [DONE]\n\n',
    );
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `compatible:http://127.0.0.1:${(server.address() as AddressInfo).port}/v1#m`;
}

const cells = [
  "import json\napi_key = 'sk-proj-Zx81kQm2Lw93Vb74Nt65'\npieces = ['{', '1']\n" +
    // Nobody can read the source of this function, and no copy can know what a person types.
    "exec('def decode(parts):\\n    return json.loads(str().join(parts))')",
  'value = decode([*pieces, input()])',
];
const own = () => ({ GRUS_CACHE_DIR: scratch(), GRUS_STATE_DIR: scratch(), GRUS_MODEL: '' });

describe('grus check --model', () => {
  it('asks about what stays open, records the answers, and replays them without a network', async () => {
    const path = notebook(scratch(), cells);
    const model = await modelServer(true);
    const folder = scratch();
    const asked = await grus(
      ['llm', 'record', path, '--cell', '2', '--model', model, '-o', folder, '--json'],
      { env: own() },
    );
    expect(asked.stderr).toBe('');
    expect(asked.code).toBe(1);
    const verdict = JSON.parse(asked.stdout);
    expect(verdict).toMatchObject({
      outcome: 'crash',
      rung: 'llm',
      exception: { type: 'JSONDecodeError' },
      line: 1,
    });
    expect(bodies.length).toBe(4);
    for (const body of bodies) expect(body).not.toContain('sk-proj');
    server!.close();
    const replayed = await grus(['check', path, '--cell', '2', '--model', `recorded:${folder}`, '--json'], {
      env: own(),
    });
    expect(JSON.parse(replayed.stdout)).toMatchObject({
      outcome: 'crash',
      rung: 'llm',
      confidence: verdict.confidence,
    });
  });
});

describe('grus snapshot --as-sent', () => {
  it('prints the request that a check sends, byte for byte', async () => {
    const path = notebook(scratch(), cells);
    const model = await modelServer(false);
    // Marks are drawn from a key of the user's own.
    const env = own();
    const shown = await grus(['snapshot', path, '--cell', '2', '--as-sent', '--model', model], { env });
    expect(bodies).toEqual([]);
    const checked = await grus(['check', path, '--cell', '2', '--model', model, '--votes', '1'], { env });
    expect(checked.code).toBe(0);
    expect(shown.stdout).toBe(`${bodies[0]}\n`);
  });
});

describe('grus llm test', () => {
  it('says that the model works and what a check costs', async () => {
    const model = await modelServer(true);
    const env = { ...own(), GRUS_MODEL: model, GRUS_MODEL_PRICE: '1,10' };
    const { code, stdout } = await grus(['llm', 'test'], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/compatible:m works: .*900 tokens in, 60 out.*rightly/);
    // Four times 900 tokens at $1 and 60 at $10 per million.
    expect(stdout).toContain('about $0.0060');
  });
  it('says that none is configured', async () => {
    const { code, stderr } = await grus(['llm', 'test'], { env: own() });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^grus: no model is configured.*\n$/);
  });
  it('says what is wrong with the setting', async () => {
    const { code, stderr } = await grus(['llm', 'test', '--model', 'gpt-5'], { env: own() });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^grus: "gpt-5" names no model\. Write it as openai:gpt-5.*\n$/);
  });
});
