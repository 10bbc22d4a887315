// What a notebook has changed in its libraries, beside its own objects: a twin from the spare process has it too, or says that
// it has not. Each case stands beside a healthy one, and the kernel itself says what is right.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dryRun, type Kernel } from '../../src/index.js';
import { kernelWith, run } from '../agent/support.js';

let kernel: Kernel;
beforeAll(async () => {
  kernel = await kernelWith(`
import polars, torch, torch.nn as nn
import torch.autograd.forward_ad as forward
from collections import Counter
from torch.distributions import Distribution, Normal
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
polars.DataFrame({"a": [1, 2]}).group_by("a").agg(polars.len())
torch.manual_seed(1)
x, w, net, hits = torch.ones(4, 3), torch.ones(3, requires_grad=True), nn.Linear(3, 2), Counter()
double = lambda v: v * 2
`);
}, 300_000);
afterAll(() => kernel.close());

const changed = { code: 'libraries-changed' };
const before = { code: 'compiled-before' };
type Judged = [cell: string, raised: string | null, doubt?: object];
const cases: [name: string, change: string, judged: Judged[], undo?: string][] = [
  [
    'hooks of all modules',
    `def only_float(module, args):
    if args[0].dtype == torch.float64: raise TypeError("doubles")
guard = register_module_forward_pre_hook(only_float)`,
    [
      ['nn.Tanh()(x.double())', 'TypeError'],
      ['torch.tanh(x.double())', null],
      ['guard.remove()\nnn.Tanh()(x.double())', null],
    ],
  ],
  [
    'hooks that cannot be carried',
    `busy = (n for n in range(3))
next(busy)
guard = register_module_forward_hook(lambda module, args, out, busy=busy: None)`,
    [['net(x)', null, changed]],
    'guard.remove()',
  ],
  [
    'a default of a class',
    'Distribution.set_default_validate_args(False)',
    [
      ['Normal(0.0, -1.0)', null],
      ['assert Distribution._validate_args', 'AssertionError'],
    ],
    'Distribution.set_default_validate_args(True)',
  ],
  [
    'the same default',
    '',
    [
      ['Normal(0.0, -1.0)', 'ValueError'],
      ['Normal(0.0, 1.0)', null],
    ],
  ],
  [
    'lower precision that is left on',
    'amp = torch.autocast("cpu", dtype=torch.bfloat16)\namp.__enter__()',
    [
      ['net(x).detach().numpy()', 'TypeError'],
      ['net(x).detach().float().numpy()', null],
      ['amp.__exit__(None, None, None)\nnet(x).detach().numpy()', null],
    ],
  ],
  [
    'tensors made for inference',
    'with torch.inference_mode():\n    made = net(x)',
    [
      ['made.add_(1)', 'RuntimeError'],
      ['(made * w.sum()).sum().backward()', 'RuntimeError'],
      ['made.clone().add_(1)', null],
    ],
  ],
  [
    'inference that is left on',
    'modes = torch.inference_mode()\nmodes.__enter__()',
    [
      ['(w * 2).sum().backward()', 'RuntimeError'],
      ['assert (w * 2).is_inference()', null],
    ],
    'modes.__exit__(None, None, None)',
  ],
  [
    'a level of forward gradients that is left open',
    'level = forward.dual_level()\nlevel.__enter__()\ndual = forward.make_dual(x, torch.ones_like(x))',
    [
      ['assert torch.equal(forward.unpack_dual(dual * 2).tangent, 2 * torch.ones_like(x))', null],
      ['forward.unpack_dual(x).tangent.shape', 'AttributeError'],
      ['level.__exit__(None, None, None)\nassert forward.unpack_dual(dual).tangent is None', null],
    ],
  ],
  [
    'hooks of saved tensors',
    `packs = []
context = torch.autograd.graph.saved_tensors_hooks(lambda t: packs.append(1) or t, lambda t: t)
context.__enter__()`,
    [
      ['n = len(packs)\n(w ** 2).sum().backward()\nassert len(packs) > n', null],
      ['n = len(packs)\n(w ** 2).sum().backward()\nassert len(packs) == n', 'AssertionError'],
      ['context.__exit__(None, None, None)\nn = len(packs)\n(w ** 2).sum()\nassert len(packs) == n', null],
    ],
  ],
  [
    'data of another form beside steps that are kept',
    `table = nn.Embedding(4, 3)
kept = table(torch.tensor([1]))
table.weight.data = torch.ones(6, 3)`,
    [
      ['table(torch.tensor([1])).sum().backward()', 'RuntimeError', { code: 'steps-left-behind' }],
      ['table(torch.tensor([5])).sum().item()', null],
      ['table(torch.tensor([6]))', 'IndexError'],
      ['net(x).sum().backward()', null],
    ],
    'table = kept = None',
  ],
  [
    'hooks of a tensor',
    `def note(grad):
    hits["note"] += 1
    return grad * 0.5
handle = net.weight.register_hook(note)`,
    [
      ['hits.clear()\nnet(x).sum().backward()\nassert hits["note"] == 1', null],
      ['hits.clear()\nnet(x).sum().backward()\nassert not hits', 'AssertionError'],
      ['handle.remove()\nhits.clear()\nnet(x).sum().backward()\nassert not hits', null],
    ],
  ],
  [
    'hooks after a gradient is there',
    `def step(p):
    p.grad = None
for p in net.parameters(): p.register_post_accumulate_grad_hook(step)`,
    [
      ['net(x).sum().backward()\nnet.weight.grad.norm()', 'AttributeError'],
      ['net(x).sum().backward()\nassert net.weight.grad is None', null],
    ],
    'net = nn.Linear(3, 2)',
  ],
  [
    'a compiler that may not compile again',
    'doubled = torch.compile(double, backend="eager")\ndoubled(x)\ntorch.compiler.set_stance("fail_on_recompile")',
    [
      ['doubled(x)', null, before],
      ['doubled(x.double())', 'RuntimeError', before],
      ['double(x).nothing', 'AttributeError'],
    ],
    'torch.compiler.set_stance("default")',
  ],
  [
    'a compiler that was set to fail when it compiles again',
    'doubled(x)\ntorch._dynamo.config.error_on_recompile = True',
    [
      ['doubled(x.half())', 'RecompileError', before],
      ['double(x.half())', null],
    ],
    'torch._dynamo.config.error_on_recompile = False',
  ],
];

it.each(cases)('%s', { timeout: 300_000 }, async (_name, change, judged, undo = '') => {
  await run(kernel, change);
  for (const [source, raised, doubt = null] of judged) {
    const cell = `polars\n${source}`;
    const result = await dryRun(kernel, [cell], { budgetMs: 60_000, twinLoadMs: 100_000 });
    expect.soft(result, cell).toMatchObject({
      ended: 'done',
      twin: {},
      cells: [
        doubt !== null
          ? { doubt }
          : raised === null
            ? { status: 'finished', doubt }
            : { type: raised, doubt },
      ],
    });
    // What the kernel itself does.
    const done = run(kernel, cell);
    await (raised === null ? done : expect(done).rejects.toThrow(raised));
  }
  await run(kernel, undo);
});
