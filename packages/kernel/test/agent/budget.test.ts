// The agent works within a budget: however large the objects, the work and the answer are bounded, and what was left
// out is said. Asserted by counts, not by the clock.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dryRun, emptyRequest, type Kernel, takeSnapshot } from '../../src/index.js';
import { ask, factOf, kernelWith, object } from './support.js';

const setup = `
import numpy as np, pandas as pd
big_dict = {n: str(n) for n in range(1_000_000)}
mixed_keys = {(n, n): n for n in range(5)}
big_list = list(range(1_000_000))
nested = [[[[[[list(range(100))]]]]]]
many = {"key%d" % n: {"inner%d" % m: [m] * 50 for m in range(50)} for n in range(200)}
tall = pd.DataFrame({"a": np.zeros(50_000_000, dtype="int8"), "b": np.zeros(50_000_000, dtype="float32")})
wide = pd.DataFrame(np.zeros((3, 5000)), columns=["c%d" % n for n in range(5000)])
texts = pd.Series(["7"] * 300_000 + ["seven"])
long_text = "x" * 10_000_000
class Holder: pass
holder = Holder()
for n in range(1000):
    setattr(holder, "field%d" % n, n)
`;

let kernel: Kernel;
beforeAll(async () => {
  kernel = await kernelWith(setup);
});
afterAll(() => kernel.close());

it('a dict of a million keys is cut, and says so', async () => {
  const snapshot = await ask(kernel, { names: ['big_dict'] });
  const fact = factOf(snapshot, 'big_dict');
  expect(fact.representation?.length).toBe(1_000_000);
  expect(fact.structural?.complete).toBe(false);
  expect(fact.structural?.keys?.length).toBeLessThanOrEqual(300);
  expect(snapshot.omitted).toContainEqual({ code: 'items-cut', class: 'dict', shown: 300, total: 1_000_000 });
});

it('a key of a cut dict is asked for', async () => {
  const { answers } = await ask(kernel, {
    questions: [
      { id: 'in', ask: 'has_key', path: 'big_dict', value: 999_999 },
      { id: 'out', ask: 'has_key', path: 'big_dict', value: '999999' },
      { id: 'other', ask: 'has_key', path: 'mixed_keys', value: 'a' },
    ],
  });
  expect([answers['in']?.status, answers['out']?.status, answers['other']?.status]).toEqual([
    'yes',
    'no',
    'unknown',
  ]);
});

it('a long list is sampled and never called complete', async () => {
  const fact = factOf(await ask(kernel, { names: ['big_list'] }), 'big_list');
  expect(fact.structural).toMatchObject({ complete: false });
  expect(fact.values).toMatchObject({ exhaustive: false, element_types: ['int'], min: 0, max: 999_999 });
  expect(fact.values).not.toHaveProperty('unique');
  expect(fact.values).not.toHaveProperty('has_nan');
});

it('fifty million rows are sampled', async () => {
  const fact = factOf(await ask(kernel, { names: ['tall'] }), 'tall');
  expect(fact.values?.columns?.map((column) => column.exhaustive)).toEqual([false, false]);
  expect(fact.values?.columns?.[1]).not.toHaveProperty('has_nan');
});

it('a wide frame lists its first columns, and looks into those the cell names', async () => {
  const fact = factOf(await ask(kernel, { names: ['wide'], labels: ['c1900'] }), 'wide');
  expect(fact.representation).toMatchObject({ shape: [3, 5000], columns_complete: false });
  expect(fact.representation?.columns?.length).toBe(2000);
  expect(fact.values?.columns?.[1900]).toHaveProperty('exhaustive', true);
  expect(fact.values?.columns?.[1899]).toEqual({});
});

it('a rare value of a long column is found when the column is asked for', async () => {
  const sampled = factOf(await ask(kernel, { names: ['texts'] }), 'texts');
  expect(sampled.values).toMatchObject({ exhaustive: false, rejected_by: { float: { value: 'seven' } } });
});

it('depth, attributes and text are bounded', async () => {
  const snapshot = await ask(kernel, { names: ['nested', 'holder', 'long_text'] });
  expect(Object.keys(snapshot.objects).length).toBeLessThan(200);
  expect(Object.keys(factOf(snapshot, 'holder').structural?.attributes ?? {}).length).toBe(80);
  expect(factOf(snapshot, 'long_text')).toMatchObject({
    representation: { length: 10_000_000 },
    values: { cut: true },
  });
  expect(snapshot.omitted).toContainEqual(
    expect.objectContaining({ code: 'attributes-cut', shown: 80, total: 1000 }),
  );
});

it('the byte budget ends the walk, breadth first, with a note', async () => {
  const bytes = 20_000;
  const { snapshot } = await takeSnapshot(kernel, {
    ...emptyRequest,
    names: ['many', 'big_list'],
    budget: { ms: 60_000, bytes },
  });
  expect(snapshot.omitted).toContainEqual({ code: 'bytes-spent' });
  expect(factOf(snapshot, 'big_list').kind).toBe('list');
  const kinds = Object.values(snapshot.objects).map((fact) => fact.kind);
  expect(kinds).toContain('omitted');
  expect(JSON.stringify(snapshot.objects).length).toBeLessThan(4 * bytes);
});

it('a spent time budget still gives an answer that passes the schema', async () => {
  const { snapshot } = await takeSnapshot(kernel, {
    ...emptyRequest,
    names: ['many', 'tall'],
    budget: { ms: 0, bytes: 400_000 },
  });
  expect(snapshot.omitted).toContainEqual({ code: 'time-spent' });
  expect(object(snapshot, snapshot.names['tall']).class).toBe('pandas.DataFrame');
});

it('two thousand globals are named, and none is walked into once the time is spent', async () => {
  await kernel.execute('for n in range(2000): globals()["held%d" % n] = {"inner": [[n] * 50]}');
  const names = Array.from({ length: 2000 }, (_, index) => `held${index}`);
  const { snapshot } = await takeSnapshot(kernel, {
    ...emptyRequest,
    names,
    budget: { ms: 0, bytes: 10_000_000 },
  });
  expect(snapshot.omitted).toContainEqual({ code: 'time-spent' });
  expect(Object.keys(snapshot.names).length).toBe(2000);
  expect(Object.keys(snapshot.objects).length).toBeLessThanOrEqual(2001);
});

it('a pasted cell of 1.8 MB is neither compiled in the kernel nor tried in a copy', async () => {
  const pasted = 'rows = [1, 2, 3]\n'.repeat(110_000);
  const { snapshot } = await takeSnapshot(kernel, { ...emptyRequest, compile: pasted });
  expect(snapshot.compile).toEqual({ status: 'unknown', reason: { code: 'cell-too-long' } });
  expect(await dryRun(kernel, [pasted], { budgetMs: 1_000 })).toMatchObject({
    status: 'refused',
    reason: { code: 'cell-too-long' },
  });
});
