// The embedded engine with a real model. Opt-in, because node-llama-cpp takes hundreds of megabytes:
//   npm install --prefix DIR node-llama-cpp && GRUS_LLAMA_CPP=DIR npm test -- packages/llm/test/llama
// What must hold without the library is tested always.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openModel, readAnswer } from '@grus/llm';
import { beforeAll, describe, expect, it } from 'vitest';
import { grammarSchema } from '../../src/model/llama/schema.js';
import type { Model, ModelRequest } from '../../src/model/model.js';
import { answerSchema } from '../../src/question/answer.js';
import { scratch, settingsFor } from '../support/settings.js';
import { tinyGguf } from './tiny-gguf.js';

const request: ModelRequest = {
  instructions: 'Judge the cell.',
  prompt: 'df["age"]',
  schema: answerSchema,
  schemaName: 'crash_prediction',
  vote: 0,
};
const folder = scratch();
const file = join(folder, 'tiny.gguf');
const modelFor = async (
  path: string,
  overrides = {},
  env: Record<string, string | undefined> = process.env,
) => (await openModel(settingsFor(`llama:${path}`, { cache: null, ...overrides }), { env }))();

beforeAll(() => writeFileSync(file, tinyGguf()));

it('says in one line how to install the library where it is not there', async () => {
  const failure = await modelFor(file, {}, { GRUS_LLAMA_CPP: folder }).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    message: `node-llama-cpp is not installed in ${folder}`,
    advice: expect.stringContaining('npm install'),
  });
});

it('asks for a grammar in words that the library knows, with texts that end', () => {
  const schema = JSON.stringify(grammarSchema(answerSchema));
  expect(schema).not.toContain('anyOf');
  expect(schema).not.toContain('$schema');
  expect(schema.match(/"type":"string"/g)!.length).toBe(schema.match(/"maxLength":\d+/g)!.length);
});

describe.runIf(process.env['GRUS_LLAMA_CPP'])('a real tiny model', () => {
  let model: Model;
  beforeAll(async () => {
    model = await modelFor(file, { timeoutMs: 60_000, answerTokens: 12_000 });
  });

  it('answers in a form that parses against the schema, whatever its weights', async () => {
    for (let vote = 0; vote < 3; vote++) {
      const { text, usage } = await model.ask({ ...request, vote });
      // A number that overflows is the model's own doing; no grammar forbids it.
      const parsed: unknown = JSON.parse(text, (_, value) => (Math.abs(value) === Infinity ? 0 : value));
      expect(answerSchema.safeParse(parsed).error).toBeUndefined();
      expect(readAnswer(text).problem).toBeNull();
      expect(usage.inputTokens).toBeGreaterThan(20);
      expect(usage.outputTokens).toBeGreaterThan(20);
    }
  });

  it('gives another answer to another vote and the same to the same', async () => {
    const texts = await Promise.all(
      [0, 0, 1].map(async (vote) => (await model.ask({ ...request, vote })).text),
    );
    expect(texts[0]).toBe(texts[1]);
    expect(texts[2]).not.toBe(texts[0]);
  });

  it('stops when it is cancelled', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 30);
    await expect(model.ask({ ...request, signal: controller.signal })).rejects.toMatchObject({
      kind: 'cancelled',
    });
  });

  it('stops when its time is over, and answers the next question', async () => {
    const hurried = await modelFor(file, { timeoutMs: 20, answerTokens: 12_000 });
    await expect(hurried.ask(request)).rejects.toMatchObject({ kind: 'timeout' });
    expect(readAnswer((await model.ask(request)).text).problem).toBeNull();
  });

  it('refuses a question that does not fit instead of forgetting its beginning', async () => {
    await expect(model.ask({ ...request, prompt: 'x = 1\n'.repeat(4_000) })).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(/takes \d+ tokens/),
    });
  });

  it('says that a file is no model', async () => {
    const broken = join(folder, 'broken.gguf');
    writeFileSync(broken, 'words instead of weights');
    await expect(modelFor(broken)).rejects.toThrow('cannot be loaded as a model');
  });
});
