// What torch's compiler has kept in the kernel is not in a twin, which compiles anew: what it refuses there proves nothing of
// code that the kernel has compiled before. Settings of torch are carried.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dryRun, type Kernel } from '../../src/index.js';
import { kernelWith, run } from '../agent/support.js';

let kernel: Kernel;
beforeAll(async () => {
  kernel = await kernelWith(`
import polars, torch
polars.DataFrame({"a": [1, 2]}).group_by("a").agg(polars.len())
x = torch.ones(8)

def gated(v):
    if v.sum() > 0:
        return v * 2
    return v - 1

def other(v):
    if v.sum() > 0:
        return v * 2
    return v - 1

def smooth(v):
    return v.tanh()

torch.compile(gated, backend="eager")(x)
filled = torch.compile(smooth, backend="eager", dynamic=False)
for size in range(2, 2 + torch._dynamo.config.recompile_limit):
    filled(torch.ones(size))
torch._dynamo.config.capture_scalar_outputs = True
torch.autograd.set_detect_anomaly(True)
`);
}, 300_000);
afterAll(() => kernel.close());

const fullgraph = 'backend="eager", fullgraph=True';
const before = { code: 'compiled-before' };
it.each([
  ['compiled before, and the kernel takes that', `torch.compile(gated, ${fullgraph})(x)`, before, null],
  ['never compiled', `torch.compile(other, ${fullgraph})(x)`, null, 'Unsupported'],
  [
    'compiled before, and no room for more',
    `torch.compile(smooth, ${fullgraph}, dynamic=False)(torch.ones(50))`,
    before,
    'FailOnRecompileLimitHit',
  ],
  ['compiled before, with room', 'torch.compile(gated, backend="eager")(x)', null, null],
  [
    'compiled before, and another error',
    'torch.compile(gated, backend="eager")(x).nothing',
    null,
    'AttributeError',
  ],
  ['a setting', 'assert torch._dynamo.config.capture_scalar_outputs', null, null],
  [
    'a way of going backward',
    'v = torch.zeros(1, requires_grad=True)\n(v.sqrt() * 0).sum().backward()',
    null,
    'RuntimeError',
  ],
])('%s', { timeout: 120_000 }, async (_name, source, doubt, raised) => {
  const cell = `polars\n${source}`;
  const result = await dryRun(kernel, [cell], { budgetMs: 60_000, twinLoadMs: 100_000 });
  expect(result).toMatchObject({ ended: 'done', twin: {}, cells: [{ doubt }] });
  if (doubt === null)
    expect(result).toMatchObject({
      cells: [raised === null ? { status: 'finished' } : { status: 'raised', type: raised }],
    });
  // What the kernel itself does.
  const done = run(kernel, cell);
  await (raised === null ? done : expect(done).rejects.toThrow(raised));
});
