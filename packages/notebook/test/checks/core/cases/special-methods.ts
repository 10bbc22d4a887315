// Methods that run where no call of them is in sight: what they change of their object, of their class and of other objects.
import type { CheckCase } from '../../libraries/cases/case.js';

const queue = `class Queue:
    limit = None
    def __init__(self): self.items = []
    def __lshift__(self, item): self.items.append(item); return self
    def __eq__(self, other): self.items.append(other); return True
    def __len__(self): self.items.append(0); return 1
    def __bool__(self): self.items.append(True); return True
    def __iter__(self): self.items.append("i"); return iter(self.items)
    def __getitem__(self, key): self.items.append(key); return key
    def __str__(self): self.items.append("s"); return "queue"
    def __neg__(self): self.items.append(-1); return self
    def __call__(self, item): self.items.append(item); return item
    def __enter__(self): self.items.append("in"); return self
    def __exit__(self, *told): self.items.append("out")
    @property
    def last(self): return self.items[-1]
    @last.setter
    def last(self, item): self.items.append(item)
    def length(self): return 0
class Upper(dict):
    def __setitem__(self, key, value): super().__setitem__(key.upper(), value)
upper = Upper()
def drawn(into):
    while True: into.append((yield))
seen = []
drawing = drawn(seen)
next(drawing)
`;

export const specialMethods: readonly CheckCase[] = [
  {
    check: 'labels/position-out-of-bounds',
    name: 'of a list that only methods out of sight fill',
    setup: queue,
    crash: 'queue = Queue()\nqueue.length()\nqueue.items[0]',
    raises: 'IndexError',
    line: 3,
    healthy: [
      'queue << 1',
      'queue == 1',
      'len(queue)',
      'not queue',
      'list(queue)',
      '[*queue]',
      'queue["a"]',
      'print(queue)',
      'f"{queue}"',
      '-queue',
      'sorted([2, 1], key=queue)',
      'list(map(queue, [1]))',
      'with queue: pass',
      'queue.last = 1',
      'for _ in queue: pass',
    ].map((use) => `queue = Queue()\n${use}\nqueue.items[0]`),
  },
  {
    check: 'labels/position-out-of-bounds',
    name: 'of a list that a generator fills when it goes on',
    setup: queue,
    crash: 'first = []\nfirst[0]',
    raises: 'IndexError',
    line: 2,
    healthy: 'drawing.send(1)\nseen[0]',
  },
  {
    check: 'labels/missing-key',
    name: 'of a dict whose class stores under other keys',
    setup: queue,
    crash: 'plain = {}\ndict.__setitem__(plain, "a", 1)\nplain = {}\nplain["a"]',
    raises: 'KeyError',
    line: 4,
    healthy: [
      'upper["a"] = 1\nupper["A"]',
      'plain = {}\ndict.__setitem__(plain, "a", 1)\nplain["a"]',
      'plain = {}\ndict.update(plain, a=1)\nplain["a"]',
    ],
  },
  {
    check: 'attributes/attribute-of-none',
    name: 'of what a class keeps for itself',
    setup: queue,
    crash: 'Queue.limit.bit_length()',
    raises: 'AttributeError',
    line: 1,
    healthy: [
      'class One:\n    made = None\n    def __new__(cls):\n        if cls.made is None: cls.made = super().__new__(cls)\n        return cls.made\n    def name(self): return 1\nOne()\nOne.made.name()',
      'class One:\n    made = None\n    def __init__(self): One.made = self\n    @staticmethod\n    def get():\n        if One.made is None: One()\n        return One.made\n    def name(self): return 1\nOne.get()\nOne.made.name()',
      'class Limits:\n    most = None\ndef kept(function): return function\n@kept\ndef load(): Limits.most = 1\nload()\nLimits.most.bit_length()',
      'class Fixed:\n    size = None\n    def __init__(self): object.__setattr__(self, "size", 3)\nFixed().size.bit_length()',
    ],
  },
];
