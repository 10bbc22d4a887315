// The whole ladder on a real kernel with a model on top: what goes wrong with the model costs one clear line, the
// deterministic verdict stands, and a fix is offered only when the edited cell really ran.
import type { Verdict } from '@grus/core';
import type { Kernel } from '@grus/kernel';
import { llmRung, openModel, questionFor, requestAsSent, verifyFix } from '@grus/llm';
import { type CheckOptions, checkCell } from '@grus/notebook';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runIn, startTestKernel, targetOn } from './support/kernel.js';
import { type Behaviour, type ProviderServer, startProvider } from './support/server.js';
import { answer, scratch, settingsFor } from './support/settings.js';

let kernel: Kernel;
let server: ProviderServer | undefined;
beforeAll(async () => {
  kernel = await startTestKernel();
  await runIn(
    kernel,
    `import json
pieces = ['{"a": ', '1']
exec("def decode(parts):\\n    return json.loads(''.join(parts))")`,
  );
});
afterAll(() => kernel.close());
afterEach(() => server?.close());

/** Crashes with a JSONDecodeError that only running it shows: nobody can read the source of the function. */
const open = 'value = decode(pieces)';
const certain = 'undefined_name + 1';

async function check(
  source: string,
  script: () => Behaviour,
  overrides = {},
  options: CheckOptions = {},
  signal?: AbortSignal,
) {
  server = await startProvider(script);
  const settings = settingsFor(`compatible:${server.origin}/v1#qwen`, {
    cache: null,
    retries: 0,
    timeoutMs: 60_000,
    ...overrides,
  });
  const rung = llmRung({
    settings,
    open: await openModel(settings),
    verify: options,
    ...(signal ? { signal } : {}),
  });
  return { server, verdict: await checkCell(targetOn(kernel, source), { ...options, last: rung }) };
}

const llm = ({ rungs }: Verdict) => rungs.find(({ rung }) => rung === 'llm');

it('commits when the votes agree, with exception, line, evidence and a measured confidence', async () => {
  const { verdict } = await check(open, () => ({
    say: answer(true, {
      exception_type: 'json.JSONDecodeError',
      line: 1,
      cause: 'The text has no closing brace.',
    }),
  }));
  expect(verdict).toMatchObject({
    outcome: 'crash',
    rung: 'llm',
    exception: { type: 'JSONDecodeError' },
    line: 1,
    explanation: 'The text has no closing brace.',
    evidence: [
      {
        fact: expect.stringContaining('4 of 4 answers predict a crash (4200 tokens'),
        source: 'compatible:qwen',
      },
    ],
  });
  expect(verdict.confidence).toBeGreaterThan(0.5);
  expect(verdict.confidence).toBeLessThan(1);
});

it('counts no crash that the answers themselves doubt', async () => {
  const { verdict } = await check(open, () => ({
    say: answer(true, { cause: 'This may fail when the text is cut.' }),
  }));
  expect(verdict.outcome).toBe('unknown');
  expect(llm(verdict)?.abstained_because).toContain('no agreement');
});

describe('one clear line and an unharmed verdict', () => {
  it.each([
    ['a wrong key', { status: 401, message: 'Incorrect API key' }, /rejects the key \(HTTP 401\)/],
    [
      'an exhausted quota',
      { status: 429, message: 'You exceeded your current quota' },
      /quota .* is used up/,
    ],
    ['prose', { say: 'I am just a language model.' }, /0 of \d answers .* holds no JSON object/],
    ['a hanging server', { hang: true }, /did not answer within/],
    ['a broken server', { status: 500, message: 'oops' }, /failed \(HTTP 500\)/],
  ] as const)('%s', async (_what, behaviour, line) => {
    const hurry = 'hang' in behaviour ? { timeoutMs: 500 } : {};
    const { verdict } = await check(open, () => behaviour, hurry);
    expect(verdict.outcome).toBe('unknown');
    expect(llm(verdict)?.abstained_because).toMatch(line);
    expect(llm(verdict)?.abstained_because).not.toContain('\n');
    const { verdict: sure } = await check(certain, () => behaviour);
    expect(sure).toMatchObject({ outcome: 'crash', rung: 'names' });
  });
  it('nobody there', async () => {
    const { verdict } = await check(open, () => ({ hang: true }), { url: 'http://127.0.0.1:9/v1' });
    expect(llm(verdict)?.abstained_because).toMatch(/cannot be reached/);
  });
  it('a cancellation by the user', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 300);
    const { verdict } = await check(
      open,
      () => ({ hang: true }),
      { timeoutMs: 30_000 },
      {},
      controller.signal,
    );
    expect(llm(verdict)?.abstained_because).toMatch(/was cancelled/);
  });
});

describe('with a dry run', () => {
  const dry: CheckOptions = { dry: { policy: 'always' } };
  it('is not asked about a cell that finished: that is proof, whatever a model would say', async () => {
    const { server, verdict } = await check('total = len(pieces)', () => ({ say: answer(true) }), {}, dry);
    expect(verdict).toMatchObject({ outcome: 'ok', rung: 'dry run' });
    expect(server.seen).toEqual([]);
  });
  it('offers a fix only when the edited cell ran', async () => {
    const target = targetOn(kernel, open);
    const good = {
      firstLine: 1,
      lastLine: 1,
      replacement: "value = decode([*pieces, '}'])",
    };
    const fixed = await verifyFix(target, good, { check: dry, proven: false, run: true });
    expect(fixed).toMatchObject({ proof: 'ran', source: good.replacement });
    const bad = { firstLine: 1, lastLine: 1, replacement: "value = decode([*pieces, ']'])" };
    expect(await verifyFix(target, bad, { check: dry, proven: false, run: true })).toBeNull();
    const outside = { firstLine: 4, lastLine: 9, replacement: 'pass' };
    expect(await verifyFix(target, outside, { check: dry, proven: false, run: true })).toBeNull();
  });
});

it('takes a proven crash as gone when the check that found it is silent about the edit', async () => {
  const target = targetOn(kernel, certain);
  const fix = { firstLine: 1, lastLine: 1, replacement: 'len(pieces) + 1' };
  expect(await verifyFix(target, fix, { check: {}, proven: true, run: false })).toMatchObject({
    proof: 'gone',
  });
  expect(
    await verifyFix(
      target,
      { ...fix, replacement: 'other_undefined + 1' },
      { check: {}, proven: true, run: false },
    ),
  ).toBeNull();
  expect(await verifyFix(target, fix, { check: {}, proven: false, run: false })).toBeNull();
});

it('shows byte for byte what it would send', async () => {
  const state = scratch();
  const { server, verdict } = await check(open, () => ({ say: answer(false) }), { state });
  expect(verdict).toMatchObject({ outcome: 'ok', rung: 'llm' });
  const settings = settingsFor(`compatible:${server.origin}/v1#qwen`, { state });
  let shown: string | undefined;
  await checkCell(targetOn(kernel, open), {
    last: {
      name: 'llm',
      run: async (context, earlier) => {
        shown = (await requestAsSent(settings, await questionFor(context, earlier, { settings })))?.body;
        return { outcome: 'unknown', reason: { code: 'only-shown' } };
      },
    },
  });
  expect(shown).toBe(server.seen[0]!.body);
});
