// Votes over real HTTP: early stop, agreement, repair, limits, cache, recording and replay.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ledger, type LlmSettings, openModel, type PollOptions, poll, type Question } from '@grus/llm';
import { afterEach, describe, expect, it } from 'vitest';
import { answerSchema } from '../src/question/answer.js';
import { instructions } from '../src/question/instructions.js';
import { type Behaviour, type ProviderServer, startProvider } from './support/server.js';
import { answer, scratch, settingsFor } from './support/settings.js';

let server: ProviderServer | undefined;
afterEach(() => server?.close());

const question: Question = {
  instructions,
  prompt: 'df["age"]',
  schema: answerSchema,
  schemaName: 'crash_prediction',
};

async function ask(
  script: (index: number, body: string) => Behaviour,
  settings: Partial<LlmSettings> = {},
  options: Partial<PollOptions> = {},
  model = 'compatible:URL#qwen',
) {
  server = await startProvider(script);
  const chosen = settingsFor(model.replace('URL', `${server.origin}/v1`), {
    ...(model.startsWith('openai') ? { url: `${server.origin}/v1` } : {}),
    ...settings,
  });
  const open = await openModel(chosen);
  const again = () => poll(open(), question, { votes: 5, agreement: 4, ...options });
  return { server, settings: chosen, again };
}

const says =
  (...detections: boolean[]) =>
  (index: number): Behaviour => ({ say: answer(detections[index]!) });

describe('agreement', () => {
  it.each([
    ['four that agree', [true, true, true, true], 'crash', 4],
    ['four that agree on no crash', [false, false, false, false], 'ok', 4],
    ['one that dissents', [true, true, false, true, true], 'crash', 5],
    ['a split', [true, false, true, false], 'split', 4],
  ] as const)('stops early at %s', async (_what, detections, outcome, asked) => {
    const { server, again } = await ask(says(...detections), { cache: null, concurrency: 1 });
    const result = await again();
    expect(result).toMatchObject({ outcome, asked });
    expect(server.seen.length).toBe(asked);
  });
});

describe('answers that cannot be read', () => {
  const prose = { say: 'I think that it will probably be fine, but who knows?' };
  it('are asked for once more', async () => {
    const { server, again } = await ask(
      (_, body) => (body.includes('could not be used') ? { say: answer(true) } : prose),
      { cache: null },
    );
    expect(await again()).toMatchObject({ outcome: 'crash', asked: 4, abstained: [] });
    expect(server.seen.length).toBe(8);
  });
  it.each([
    ['prose', prose],
    ['half a JSON object', { say: answer(true).slice(0, 40) }],
    ['JSON of another form', { say: '{"verdict": "crash"}' }],
    ['two answers that contradict each other', { say: `${answer(true)}\n${answer(false)}` }],
    ['the question itself', { say: answer(false, { cause: instructions }) }],
  ])('are abstentions after that: %s', async (_what, behaviour) => {
    const { again } = await ask(() => behaviour, { cache: null });
    const result = await again();
    expect(result).toMatchObject({ outcome: 'split', crash: [], ok: [] });
    expect(result.abstained.length).toBeGreaterThanOrEqual(2);
  });
  it('are read where the object stands among words', async () => {
    const { again } = await ask(() => ({ say: `Sure!\n\`\`\`json\n${answer(true)}\n\`\`\`` }), {
      cache: null,
    });
    expect(await again()).toMatchObject({ outcome: 'crash' });
  });
});

describe('limits', () => {
  const model = 'openai:gpt-5';
  it('keeps what was spent, and what it was spent on', async () => {
    const { settings, again } = await ask(says(true, true, true, true), {}, {}, model);
    const { usage } = await again();
    // 1 000 tokens in at $1.25 and 50 out at $10 per million, four times.
    expect(usage.usd).toBeCloseTo(4 * (0.00125 + 0.0005), 6);
    const ledger = new Ledger(settings.state);
    expect(await ledger.spentToday()).toBeCloseTo(usage.usd!, 6);
    expect((await ledger.lines())[0]).toMatchObject({ model, input_tokens: 1000, output_tokens: 50 });
  });
  it('asks nothing that one check may not cost', async () => {
    const { server, again } = await ask(says(true), { usdPerCheck: 0.01 }, {}, model);
    await expect(again()).rejects.toMatchObject({
      kind: 'spending',
      message: expect.stringContaining('per check'),
    });
    expect(server.seen.length).toBe(0);
  });
  it('asks nothing beyond what a day may cost, whoever spent it', async () => {
    const state = scratch();
    await new Ledger(state).add({ model, input_tokens: 1, output_tokens: 1, usd: 4.99, ms: 1 });
    const { again } = await ask(says(true), { state }, {}, model);
    await expect(again()).rejects.toMatchObject({
      kind: 'spending',
      message: expect.stringContaining('per day'),
    });
  });
  it('asks no model whose price nobody knows', async () => {
    const { again } = await ask(says(true), {}, {}, 'openai:some-new-model');
    await expect(again()).rejects.toMatchObject({ kind: 'spending' });
  });
  it('keeps to the number of questions at the same time', async () => {
    let most = 0;
    const { again } = await ask(
      () => {
        most = Math.max(most, server!.open());
        return { say: answer(true) };
      },
      { cache: null, concurrency: 2 },
    );
    await again();
    expect(most).toBeLessThanOrEqual(2);
  });
});

describe('cache', () => {
  it('answers the same question from the disk', async () => {
    const { server, again } = await ask(says(true, true, true, true));
    await again();
    expect(await again()).toMatchObject({ outcome: 'crash', replayed: 4 });
    expect(server.seen.length).toBe(4);
  });
});

describe('cancellation', () => {
  it('ends a poll at once', async () => {
    const controller = new AbortController();
    const { again } = await ask(() => ({ hang: true }), { cache: null }, { signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    await expect(again()).rejects.toMatchObject({ kind: 'cancelled' });
  });
});

describe('failures', () => {
  it('of single votes are abstentions', async () => {
    const { again } = await ask(
      (index) => (index === 1 ? { status: 500, message: 'oops' } : { say: answer(true) }),
      { cache: null, retries: 0, concurrency: 1 },
    );
    expect(await again()).toMatchObject({
      outcome: 'crash',
      asked: 5,
      abstained: [expect.stringContaining('HTTP 500')],
    });
  });
  it('that last end the poll with the first of them', async () => {
    const { server, again } = await ask(() => ({ status: 401, message: 'no' }), {
      cache: null,
      concurrency: 1,
    });
    await expect(again()).rejects.toMatchObject({ kind: 'key' });
    expect(server.seen.length).toBe(1);
  });
});

it('records answers that can be replayed without a network', async () => {
  server = await startProvider(says(true, false, true, true, true));
  const folder = scratch();
  const settings = settingsFor(`compatible:${server.origin}/v1#qwen`, { cache: null, concurrency: 1 });
  const options = { votes: 5, agreement: 4 };
  const live = await poll((await openModel(settings, { record: folder }))(), question, options);
  await server.close();
  const [file] = readdirSync(folder);
  expect(JSON.parse(readFileSync(join(folder, file!), 'utf8'))).toHaveLength(5);
  const replayed = await poll((await openModel(settingsFor(`recorded:${folder}`)))(), question, options);
  expect(replayed).toMatchObject({ outcome: 'crash', asked: 5, replayed: 5 });
  expect(replayed.crash).toEqual(live.crash);
});

it('replays answers by the name of the question, in the form of the study', async () => {
  const { writeFileSync } = await import('node:fs');
  const folder = scratch();
  const answers = [true, true, false, true, true].map((detection) => ({ reasoning: 'because', detection }));
  writeFileSync(join(folder, 'case_1_reproduced.json'), JSON.stringify(answers));
  const model = (await openModel(settingsFor(`recorded:${folder}`)))();
  const result = await poll(model, { ...question, name: 'case_1_reproduced' }, { votes: 5, agreement: 4 });
  expect(result).toMatchObject({ outcome: 'crash', asked: 5, crash: { length: 4, 0: { cause: 'because' } } });
  await expect(poll(model, question, { votes: 5, agreement: 4 })).rejects.toMatchObject({
    kind: 'not-recorded',
  });
});
