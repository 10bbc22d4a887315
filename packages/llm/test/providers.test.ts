// Every provider over real HTTP, against a server that accepts only what the provider's documentation allows.

import { openModel } from '@grus/llm';
import { afterAll, describe, expect, it } from 'vitest';
import type { ModelRequest } from '../src/model/model.js';
import { answerSchema } from '../src/question/answer.js';
import { type Behaviour, type ProviderServer, startProvider } from './support/server.js';
import { answer, providers, settingsFor } from './support/settings.js';

const servers: ProviderServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function serverWith(script: Parameters<typeof startProvider>[0]): Promise<ProviderServer> {
  const server = await startProvider(script);
  servers.push(server);
  return server;
}

const request: ModelRequest = {
  instructions: 'Judge the cell.',
  prompt: 'df["age"]',
  schema: answerSchema,
  schemaName: 'crash_prediction',
  vote: 0,
};

async function modelFor(name: string, script: (index: number) => Behaviour, overrides = {}) {
  const server = await serverWith(script);
  const { model, path } = providers[name]!;
  const settings = settingsFor(model, { url: server.origin + path, cache: null, ...overrides });
  return { model: (await openModel(settings))(), server };
}

// They mostly wait.
describe.concurrent.each(Object.keys(providers))('%s', (name) => {
  it('sends a request that the documentation allows, and collects the streamed answer with its tokens', async () => {
    const { model, server } = await modelFor(name, () => ({ say: answer(true) }));
    const reply = await model.ask(request);
    expect(server.malformed).toEqual([]);
    expect(JSON.parse(reply.text)).toMatchObject({ detection: true, exception_type: 'KeyError' });
    expect(reply.usage).toMatchObject({ inputTokens: 1000, outputTokens: 50 });
    expect(server.seen[0]!.body).toContain('Judge the cell.');
    expect(server.seen[0]!.body).toContain('detection');
  });

  it('waits as long as Retry-After says, then asks again', async () => {
    const { model, server } = await modelFor(name, (index) =>
      index === 0
        ? { status: 429, message: 'slow down', code: 'rate_limit', headers: { 'retry-after': '1' } }
        : { say: answer(false) },
    );
    await model.ask(request);
    expect(server.seen.length).toBe(2);
    expect(server.seen[1]!.at - server.seen[0]!.at).toBeGreaterThanOrEqual(990);
  });

  it('understands a date in Retry-After', async () => {
    const { model, server } = await modelFor(name, (index) =>
      index === 0
        ? {
            status: 503,
            message: 'later',
            headers: { 'retry-after': new Date(Date.now() + 2_000).toUTCString() },
          }
        : { say: answer(false) },
    );
    await model.ask(request);
    // Dates are told in whole seconds.
    expect(server.seen[1]!.at - server.seen[0]!.at).toBeGreaterThanOrEqual(800);
  });

  it('tries again after a server error', async () => {
    const { model, server } = await modelFor(name, (index) =>
      index === 0 ? { status: 500, message: 'oops' } : { say: answer(false) },
    );
    expect(JSON.parse((await model.ask(request)).text).detection).toBe(false);
    expect(server.seen.length).toBe(2);
  });

  it.each([
    [
      'an exhausted quota',
      { status: 429, message: 'You exceeded your current quota', code: 'insufficient_quota' },
      'quota',
      1,
    ],
    ['a lasting server error', { status: 503, message: 'down' }, 'server', 3],
    ['a connection that is cut', { say: answer(true), cutAfter: 2 }, 'cut', 3],
    ['an answer that ends too soon', { say: answer(true), cutAfter: 3, politely: true }, 'cut', 3],
    ['a page instead of an answer', { raw: '<html>hello</html>' }, 'cut', 3],
    ['a body that is shorter than promised', { raw: 'data: {', length: 9_000 }, 'cut', 3],
    [
      'a long wait that is asked for',
      { status: 429, message: 'no', headers: { 'retry-after': '3600' } },
      'busy',
      1,
    ],
    ['a model it does not know', { status: 404, message: 'no such model' }, 'unknown-model', 1],
  ] as const)('names %s', async (_what, behaviour, kind, attempts) => {
    const { model, server } = await modelFor(name, () => behaviour, { retries: 2 });
    const error = await model.ask(request).then(
      () => null,
      (failure: unknown) => failure,
    );
    expect(error).toMatchObject({ kind });
    expect((error as Error).message).not.toContain('\n');
    expect(server.seen.length).toBe(attempts);
  });

  it('names a wrong key and does not repeat it', async () => {
    const { model, server } = await modelFor(name, () => ({ say: '' }), {
      key: 'sk-proj-wrongwrongwrongwrong1234',
    });
    const failure = await model.ask(request).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'key' });
    expect((failure as Error).message).not.toContain('wrongwrong');
    expect(server.seen).toEqual([]);
  });

  it('reads an answer under another content type, and one that drips in', async () => {
    const { model } = await modelFor(name, (index) =>
      index === 0
        ? { say: answer(true), type: 'application/octet-stream' }
        : { say: answer(true), dripMs: 0 },
    );
    for (const _ of [0, 1]) expect(JSON.parse((await model.ask(request)).text).detection).toBe(true);
  });

  it('gives up on an answer that drips too slowly', async ({ expect }) => {
    const { model, server } = await modelFor(name, () => ({ say: answer(true), dripMs: 40 }), {
      timeoutMs: 400,
    });
    await expect(model.ask(request)).rejects.toMatchObject({ kind: 'timeout' });
    await expect.poll(() => server.open()).toBe(0);
  });

  it.skipIf(name === 'google')(
    'tries again when the server gives up in the middle of an answer',
    async () => {
      const { model, server } = await modelFor(name, (index) =>
        index === 0 ? { say: answer(true), breakAfter: 3 } : { say: answer(false) },
      );
      expect(JSON.parse((await model.ask(request)).text).detection).toBe(false);
      expect(server.seen.length).toBe(2);
    },
  );

  it('gives up on a server that hangs', async () => {
    const { model } = await modelFor(name, () => ({ hang: true }), { timeoutMs: 300 });
    await expect(model.ask(request)).rejects.toMatchObject({ kind: 'timeout' });
  });

  it('stops at once when it is cancelled, and closes the connection', async ({ expect }) => {
    const { model, server } = await modelFor(name, () => ({ hang: true }));
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const started = performance.now();
    await expect(model.ask({ ...request, signal: controller.signal })).rejects.toMatchObject({
      kind: 'cancelled',
    });
    expect(performance.now() - started).toBeLessThan(2_000);
    await expect.poll(() => server.open()).toBe(0);
  });
});

describe('the server of these tests', () => {
  const paths: Record<string, string> = {
    openai: '/v1/responses',
    anthropic: '/v1/messages',
    google: '/v1beta/models/m:streamGenerateContent?alt=sse',
    ollama: '/v1/chat/completions',
  };
  it.each(Object.entries(paths))(
    'refuses what the documentation of %s does not allow',
    async (name, path) => {
      const { model, server } = await modelFor(name, () => ({ say: answer(true) }));
      await model.ask(request);
      const good = JSON.parse(server.seen[0]!.body) as Record<string, unknown>;
      const send = async (body: string, type = 'application/json') => {
        const headers = {
          'content-type': type,
          authorization: 'Bearer right-key',
          'x-api-key': 'right-key',
          'x-goog-api-key': 'right-key',
          'anthropic-version': '2023-06-01',
        };
        const response = await fetch(server.origin + path, { method: 'POST', headers, body });
        await response.text();
        return response.status;
      };
      expect(await send(JSON.stringify(good))).toBe(200);
      expect(await send(JSON.stringify({ ...good, invented: 1 }))).toBe(400);
      expect(await send(JSON.stringify(good), 'text/plain')).toBe(400);
      expect(await send('{')).toBe(400);
      for (const field of Object.keys(good).filter(
        (known) => !['text', 'output_config', 'response_format', 'store', 'include'].includes(known),
      ))
        expect([field, await send(JSON.stringify({ ...good, [field]: undefined }))]).toEqual([field, 400]);
    },
  );
});

it('says that nobody is there', async () => {
  const settings = settingsFor('ollama:llama3', { url: 'http://127.0.0.1:9/v1', cache: null, retries: 0 });
  await expect((await openModel(settings))().ask(request)).rejects.toMatchObject({ kind: 'offline' });
});

it('asks a server that knows no schemas without one', async () => {
  const server = await serverWith((_, body) =>
    body.includes('response_format')
      ? { status: 400, message: 'response_format json_schema is not supported' }
      : { say: answer(true) },
  );
  const settings = settingsFor(`compatible:${server.origin}/v1#qwen`, { cache: null });
  expect(JSON.parse((await (await openModel(settings))().ask(request)).text).detection).toBe(true);
  expect(server.seen.length).toBe(2);
});
