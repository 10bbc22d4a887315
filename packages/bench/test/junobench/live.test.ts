// A live model in the benchmark, over real HTTP: ablation, resuming, spending, the judge in both orders, and recording.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type LlmSettings, openModel } from '@grus/llm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Behaviour, type ProviderServer, startProvider } from '../../../llm/test/support/server.js';
import { answer, scratch, settingsFor } from '../../../llm/test/support/settings.js';
import { recordJunobench } from '../../src/junobench/live/record.js';
import { ablationMethods } from '../../src/junobench/methods/names.js';
import { type JunobenchOptions, runJunobench } from '../../src/junobench/run.js';
import { renderJunobench } from '../../src/report/junobench.js';
import { labels, writeGarden } from './garden.js';

let data: string;
let server: ProviderServer | undefined;
beforeAll(() => {
  data = writeGarden();
});
afterAll(() => rmSync(data, { recursive: true, force: true }));
afterEach(() => server?.close());

const promptOf = (body: string): string =>
  (JSON.parse(body) as { messages: { content: string }[] }).messages[1]!.content;

/** Sees the crash of the shapes only while it is told them; finds the missing method in the code alone. */
function gardener(body: string): Behaviour {
  const prompt = promptOf(body);
  const crash = prompt.includes('bed.water()')
    ? "bed is an array and has no attribute 'water'."
    : prompt.includes('dot(soil, soil)') && prompt.includes('3, 4')
      ? 'np.dot(soil, soil) has shapes that are not aligned.'
      : null;
  return { say: answer(crash !== null, crash === null ? {} : { cause: crash }) };
}

async function settings(
  script: (index: number, body: string) => Behaviour,
  overrides: Partial<LlmSettings> = {},
) {
  server = await startProvider(script);
  return settingsFor(`compatible:${server.origin}/v1#oak`, { retries: 0, ...overrides });
}

async function bench(configured: LlmSettings, options: Partial<JunobenchOptions>) {
  return runJunobench({
    data,
    live: { settings: configured, open: await openModel(configured) },
    ...options,
  });
}

describe('the ablation', () => {
  it('asks with everything and without each category, and says what each is worth', async () => {
    const heard: string[] = [];
    const report = await bench(await settings((_, body) => gardener(body)), {
      methods: ablationMethods,
      onEstimate: ({ questions, answers, cached, usd }) =>
        heard.push(`${questions} questions, ${answers} answers, ${cached} cached, $${usd}`),
      onQuestion: (done, of) => heard.push(`${done} of ${of}`),
    });
    expect(server!.malformed).toEqual([]);
    expect(heard[0]).toBe('20 questions, 100 answers, 0 cached, $0');
    expect(heard.at(-1)).toBe('20 of 20');
    expect(report.methods['live']).toMatchObject({ n: 4, accuracy: 1, false_alarms: 0 });
    expect(report.methods['live:-values']).toMatchObject({ accuracy: 1 });
    expect(report.methods['live:-representation']).toMatchObject({ accuracy: 0.75, recall: 0.5 });
    expect(report.methods['live:code']).toMatchObject({ accuracy: 0.75 });
    expect(report.methods['live']!.diagnosis.accuracy).toBe(1);
    expect(report.methods['live']!.asking).toMatchObject({ answers_per_100: 500, never_asked: 0 });
    expect(renderJunobench(report)).toMatch(/all but representation +\.750 +−\.250/);
  });

  it('leaves out what the method says', async () => {
    await bench(await settings((_, body) => gardener(body), { votes: 1, agreement: 1 }), {
      methods: ['live:-representation', 'live:code'],
    });
    const prompts = server!.seen.map(({ body }) => promptOf(body));
    expect(prompts.some((prompt) => prompt.includes('float64'))).toBe(false);
    expect(prompts.filter((prompt) => prompt.includes('<<<RUNTIME')).length).toBeGreaterThan(0);
  });
});

describe('live:hybrid', () => {
  it('asks only about what the ladder leaves open, and stops early', async () => {
    const report = await bench(await settings((_, body) => gardener(body)), {
      methods: ['live', 'live:hybrid'],
    });
    expect(report.methods['live:hybrid']).toMatchObject({ n: 4, accuracy: 1 });
    // Everything it wants to know was answered for the method before it.
    expect(server!.seen.length).toBe(20);
    expect(report.savings['live:hybrid']).toMatchObject({ never_asked: 0.5 });
    expect(report.savings['live:hybrid']!.saved).toBeGreaterThan(0.3);
  });
});

it('stops where every further question would fail, and goes on there in the next run', async () => {
  let quota = 7;
  const configured = await settings((index, body) =>
    index < quota
      ? gardener(body)
      : { status: 429, message: 'You exceeded your current quota', code: 'insufficient_quota' },
  );
  const first = bench({ ...configured, concurrency: 1 }, { methods: ['live'] });
  await expect(first).rejects.toMatchObject({
    message: expect.stringMatching(/benchmark stopped: the quota .* is used up/),
    advice: expect.stringContaining('goes on where it stopped'),
  });
  const answered = quota;
  quota = Number.POSITIVE_INFINITY;
  const before = server!.seen.length;
  let cached = 0;
  const report = await bench(configured, {
    methods: ['live'],
    onEstimate: (estimate) => {
      cached = estimate.cached;
    },
  });
  expect(report.methods['live']).toMatchObject({ accuracy: 1 });
  expect(cached).toBe(answered);
  expect(server!.seen.length - before).toBe(20 - answered);
});

it('asks nothing when the day’s limit would stop it half-way, and estimates without asking', async () => {
  const dear = await settings(() => ({ say: answer(false) }), {
    price: { input: 100, output: 100 },
    usdPerDay: 0.5,
  });
  await expect(bench(dear, { methods: ['live'] })).rejects.toMatchObject({
    message: expect.stringMatching(/takes about \$\d+\.\d\d, and the limit of \$0\.5 per day leaves \$0\.50/),
  });
  const { estimate, predictions } = await bench(dear, { methods: ['live'], estimateOnly: true });
  expect(estimate!.usd).toBeGreaterThan(0.5);
  expect(predictions).toEqual([]);
  expect(server!.seen).toEqual([]);
});

it('says that no model is configured', async () => {
  await expect(runJunobench({ data, methods: ['live'] })).rejects.toThrow('none is configured');
});

it('has explanations judged in both orders, and reports how far they agree and which place is favoured', async () => {
  const expert = labels.map(({ diagnosis }) => diagnosis);
  const configured = await settings((_, body) => {
    const [, first = ''] = /<<<FIRST \w+\n([\s\S]*?)\n\w+ FIRST>>>/.exec(promptOf(body)) ?? [];
    // Of the shapes it says "the same" only when the expert speaks first.
    const same = promptOf(body).includes('water') || expert.includes(first);
    return { say: JSON.stringify({ reason: 'because', same }) };
  });
  const report = await bench(configured, { methods: ['contracts'], judge: true });
  expect(server!.malformed).toEqual([]);
  expect(report.model_judge).toMatchObject({
    model: 'compatible:oak',
    n: 2,
    unreadable: 0,
    orders_agree: 0.5,
    same_expert_first: 1,
    same_expert_second: 0.5,
    position_bias: 0.5,
  });
  expect(report.judge).toBeNull();
  expect(renderJunobench(report)).toMatch(/bias of place +\+\.500/);
});

it('records a model over the folder; the recording gives the same predictions without a network', async () => {
  const configured = await settings((_, body) => gardener(body));
  const output = join(scratch(), 'elm');
  const recording = await recordJunobench({
    data,
    output,
    modes: ['code+runtime', 'code', 'code+runtime-representation'],
    settings: configured,
  });
  expect(recording).toMatchObject({ model: 'compatible:oak', instances: 4, answers: 60, missing: 0 });
  const live = await bench(configured, { methods: ['live', 'live:code', 'live:-representation'] });
  await server!.close();
  const names = [`recorded:${output}`, `recorded:${output}:code`, `recorded:${output}:-representation`];
  const replayed = await runJunobench({ data, methods: [...names, `hybrid:${output}`] });
  const outcomes = (report: typeof live, method: string) =>
    report.predictions
      .filter((row) => row.method === method)
      .map(({ instance, outcome }) => [instance, outcome]);
  ['live', 'live:code', 'live:-representation'].forEach((method, index) => {
    expect(outcomes(replayed, names[index]!)).toEqual(outcomes(live, method));
  });
  expect(replayed.methods[`hybrid:${output}`]).toMatchObject({ accuracy: 1 });
});
