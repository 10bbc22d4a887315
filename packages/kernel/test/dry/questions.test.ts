// Questions to the libraries: one copy answers all rounds of a check, and gives way to the user's next cell.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InquireOptions, inquire, type Kernel, type Step } from '../../src/index.js';
import { ask, kernelWith, run } from '../agent/support.js';

const unhurried = { budgetMs: 20_000, cpuMs: 10_000 };

/** What the last step gives, or why it gives nothing. */
async function answerTo(kernel: Kernel, steps: readonly Step[], options: InquireOptions): Promise<unknown> {
  const wanted = steps.at(-1)!.id;
  const answer = (await inquire(kernel, { steps, wanted: [wanted] }, options)).get(wanted);
  if (answer?.status !== 'value') return answer;
  return answer.value.kind === 'object'
    ? answer.value.objects[answer.value.ref]?.values?.literal
    : answer.value;
}

const method = (id: number, receiver: number, name: string, ...args: number[]): Step => ({
  id,
  op: 'method',
  receiver,
  name,
  args,
  real: true,
});

describe('a copy that is asked', () => {
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await kernelWith(`
class Counter:
    count = 0
    def up(self):
        self.count += 1
        return self.count
    def work(self):
        while True:
            self.count += 1
counter = Counter()`);
    await ask(kernel, {});
  });
  afterAll(() => kernel.close());

  const counter: Step = { id: 0, op: 'live', path: 'counter', real: true };
  const up = (id: number) => method(id, 0, 'up');

  it('answers the rounds of one check, and those of another in a copy of its own', async () => {
    const check = randomUUID();
    expect(await answerTo(kernel, [counter, up(1)], { ...unhurried, check })).toBe(1);
    expect(await answerTo(kernel, [counter, up(2)], { ...unhurried, check })).toBe(2);
    expect(await answerTo(kernel, [counter, up(1)], { ...unhurried, check })).toBe(2 - 1);
    expect(await answerTo(kernel, [counter, up(1)], { ...unhurried, check: randomUUID() })).toBe(1);
    expect(await run(kernel, 'print(counter.count)')).toBe('0\n');
  });

  it('is not asked any more once a cell of the user has run', async () => {
    const check = randomUUID();
    expect(await answerTo(kernel, [counter, up(1)], { ...unhurried, check })).toBe(1);
    await run(kernel, 'pass');
    expect(await answerTo(kernel, [counter, up(2)], { ...unhurried, check })).toBeUndefined();
  });

  it('describes a brief value only where nothing came of it', async () => {
    const steps = [counter, up(1), method(2, 1, 'bit_length'), method(3, 1, 'no_such_method')];
    const told = async (wanted: readonly number[]) =>
      await inquire(kernel, { steps, wanted, brief: [1] }, { ...unhurried, check: randomUUID() });
    const went = await told([1, 2]);
    expect(went.get(1)).toMatchObject({ status: 'value', value: { kind: 'brief' } });
    expect(went.get(2)).toMatchObject({ status: 'value', value: { kind: 'object' } });
    const stopped = await told([1, 3]);
    expect(stopped.get(1)).toMatchObject({ status: 'value', value: { kind: 'object' } });
    expect(stopped.get(3)).toMatchObject({ status: 'raised', type: 'AttributeError' });
    expect((await told([1])).get(1)).toMatchObject({ status: 'value', value: { kind: 'brief' } });
  });

  it('gives up a step that takes more of the processor than a question may', async () => {
    const check = randomUUID();
    const answer = await answerTo(kernel, [counter, method(1, 0, 'work')], {
      check,
      budgetMs: 20_000,
      cpuMs: 200,
    });
    expect(answer).toMatchObject({ status: 'unknown', reason: { code: 'takes-too-long' } });
  });
});
