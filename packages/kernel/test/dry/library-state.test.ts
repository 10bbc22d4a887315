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
  [
    'functions, properties and classes that the notebook put into libraries',
    `import builtins, textwrap
drawn, dumped = torch.randn, textwrap.dedent
def small(*shape):
    hits["small"] += 1
    return drawn(*shape) * 0.1
def told(text):
    return "told " + dumped(text)
torch.randn, textwrap.dedent, builtins.RUN, torch.OWN_LIMIT, textwrap.whole = small, told, {"on": [1]}, 7, int
nn.Module.size = property(lambda self: sum(p.numel() for p in self.parameters()))
nn.Linear.named = staticmethod(lambda: "linear")
torch.Tensor.rms = lambda self: 3`,
    [
      [
        'hits.clear()\nassert torch.randn(3).shape == (3,) and hits["small"] == 1 and torch.randn is small',
        null,
      ],
      ['assert textwrap.dedent(" a") == "told a" and textwrap.dedent is told', null],
      ['assert RUN["on"] == [1] and torch.OWN_LIMIT == 7 and textwrap.whole("3") == 3', null],
      ['RUN["off"]', 'KeyError'],
      ['assert net.size == nn.Linear(3, 2).size == 8 and net.named() == "linear" and x.rms() == 3', null],
      ['net.sizes', 'AttributeError'],
      ['torch.randn(3) @ torch.randn(4)', 'RuntimeError'],
    ],
    'torch.randn, textwrap.dedent = drawn, dumped\ndel nn.Module.size, torch.Tensor.rms, builtins.RUN',
  ],
  [
    'a function in a library that cannot be carried',
    `busy = (n for n in range(3))
next(busy)
nn.Module.size = lambda self, busy=busy: 1`,
    [['net(x)', null, changed]],
    'del nn.Module.size',
  ],
  [
    'a function of one package in a class of another, which only an attribute leads to',
    `import copy
from torch.utils.data import DataLoader
loader = DataLoader(range(4), batch_size=2, generator=torch.Generator().manual_seed(3))
type(loader.batch_sampler).again = copy.copy`,
    [
      ['assert loader.batch_sampler.again().batch_size == 2', null],
      ['loader.batch_sampler.agains', 'AttributeError'],
      ['assert loader.generator.initial_seed() == 3', null],
      ['assert loader.generator.initial_seed() == 4', 'AssertionError'],
    ],
    'del type(loader.batch_sampler).again',
  ],
  [
    'memory that objects share',
    `import numpy as np
a = np.arange(6)
t, b = torch.from_numpy(a), bytearray(4)
part, seen, m = t[2:], np.frombuffer(b, np.uint8), torch.zeros(3)
n = m.numpy()`,
    [
      [
        'a[2] = 9\nassert t[2] == 9 and part[0] == 9 and part._base is t and t.data_ptr() == a.ctypes.data',
        null,
      ],
      ['b[1] = 3\nassert seen[1] == 3\nm.fill_(2)\nassert n.sum() == 6', null],
      ['a[6]', 'IndexError'],
      ['a[0] = 5\nassert t[0] == 4', 'AssertionError'],
      ['a @ m.numpy()', 'ValueError'],
    ],
  ],
  [
    'how often a compiler was asked',
    `traced = []
def noting(graph, inputs):
    traced.append(1)
    return graph.forward
tripled = torch.compile(lambda v: v * 3, backend=noting)
tripled(x)`,
    [
      ['n = len(traced)\ntripled(x)\nassert len(traced) == n', null, before],
      ['tripled(x).nothing', 'AttributeError'],
      ['assert len(traced) > 5', 'AssertionError'],
    ],
  ],
  [
    'a logger with what it was given',
    `import io, logging
heard, logger = io.StringIO(), logging.getLogger("of.mine")
logger.setLevel(logging.INFO)
logger.propagate = False
logger.addHandler(logging.StreamHandler(heard))`,
    [
      [
        'assert logging.getLogger("of.mine").level == logging.INFO and logger.handlers[0].stream is heard',
        null,
      ],
      ['logger.info("one")\nassert heard.getvalue() == "one\\n"', null],
      ['logger.handlers[1]', 'IndexError'],
    ],
  ],
  [
    'checks that ask which object it is',
    `from dataclasses import dataclass
kept = (n for n in range(3))
@dataclass(frozen=True)
class Fixed:
    near: float = 1.0
fixed, drawn = Fixed(), torch.Generator().manual_seed(3)`,
    [
      ['fixed.near = 2', 'FrozenInstanceError'],
      ['assert torch.rand(2, generator=drawn.manual_seed(0)).shape == (2,)', null],
      ['assert net.weight.grad_fn is x', 'AssertionError', { code: 'of-one-process' }],
      ['assert net.weight.shape == (9, 9)', 'AssertionError'],
    ],
  ],
  [
    'slots and kept gradients',
    `class Pair:
    __slots__ = ("a", "b")
    def __init__(self):
        self.a = 1
pair, y = Pair(), w * 2
y.retain_grad()
(y * 3).sum().backward()`,
    [
      ['assert not hasattr(pair, "__dict__") and y.grad.sum() == 9', null],
      ['pair.c = 3', 'AttributeError'],
      ['pair.b', 'AttributeError'],
    ],
  ],
  [
    'warnings that are errors',
    'import warnings\nwarnings.filterwarnings("error", message="Detected call")\nsgd = torch.optim.SGD([w], 0.1)\nlater = torch.optim.lr_scheduler.ExponentialLR(sgd, 0.9)',
    [
      ['later.step()', 'UserWarning'],
      ['sgd.step()\nlater.step()', null],
      ['warnings.warn("something else")', null],
    ],
    'warnings.filters.pop(0)',
  ],
  [
    'weak references',
    `import weakref
class Node:
    found = weakref.WeakValueDictionary()
    def __init__(self, key):
        self.near, self.cost = weakref.WeakSet(), weakref.WeakKeyDictionary()
        Node.found[key] = self
    def __reduce__(self):
        raise TypeError("not to be pickled")
one, two = Node("one"), Node("two")
one.near.add(two)
one.cost[two] = 3
two.parent = weakref.proxy(one)`,
    [
      ['assert Node.found["two"] is two and two in one.near and one.cost[two] == 3', null],
      ['assert len(two.parent.near) == 1 and sorted(Node.found) == ["one", "two"]', null],
      ['Node.found["three"]', 'KeyError'],
      ['del one\ntwo.parent.near', 'ReferenceError'],
    ],
  ],
  [
    'named tuples and modules of the notebook',
    `import sys, types
from typing import NamedTuple
class Row(NamedTuple):
    x: int
    y: int = 2
own = types.ModuleType("made_here")
own.scale = 3
sys.modules["made_here"] = own
row = Row(1)`,
    [
      [
        'import made_here\nassert made_here is own and made_here.scale * row.y == 6 and row._fields == ("x", "y")',
        null,
      ],
      ['import made_here\nmade_here.shift', 'AttributeError'],
      ['Row()', 'TypeError'],
    ],
    'del sys.modules["made_here"]',
  ],
  [
    'bytes that somebody looks at',
    'taken, free = bytearray(8), bytearray(8)\nlooking = memoryview(taken)',
    [
      ['taken.append(1)', 'BufferError'],
      ['taken[0] = 1\nfree.append(1)', null],
    ],
    'looking = None',
  ],
  [
    'what a package has left in a class of another',
    `import sklearn.base
made = torch.utils.data.DataLoader.__init__
DataLoader = torch.utils.data.DataLoader
setattr(*[DataLoader, "__init__", eval("lambda init: lambda self, *args, **named: init(self, *args, **named, batch_size=2)", vars(sklearn.base))(made)])`,
    [
      ['DataLoader(x, batch_size=1)', 'TypeError'],
      ['assert next(iter(DataLoader(x))).shape == (2, 3)', null],
    ],
    'DataLoader.__init__ = made',
  ],
  [
    'a wrapper that goes by the name of what it wraps',
    `import functools, sklearn.base
made, DataLoader = torch.utils.data.DataLoader.__init__, torch.utils.data.DataLoader
pairs = eval("lambda init: lambda self, *args, **named: init(self, *args, **named, batch_size=2)", vars(sklearn.base))(made)
setattr(*[DataLoader, "__init__", functools.wraps(made)(pairs)])`,
    [
      ['DataLoader(x, batch_size=1)', 'TypeError'],
      ['assert next(iter(DataLoader(x))).shape == (2, 3)', null],
      ['assert DataLoader.__init__.__wrapped__ is made', null],
    ],
    'DataLoader.__init__ = made',
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
