// What a class gets from elsewhere: from its bases through `super()`, from its metaclass, from code in its body. And what is
// left of a `with` whose manager swallowed an exception.
import type { CheckCase } from '../../libraries/cases/case.js';

const base = `import contextlib
class Named:
    def __init__(self, name="n", **rest):
        self.name, self.rest = name, rest
class Numbers(dict):
    def __missing__(self, key):
        if key.startswith("__"): raise KeyError(key)
        self[key] = len(self)
        return self[key]
class Counting(type):
    @classmethod
    def __prepare__(meta, name, bases): return Numbers()
    def __new__(meta, name, bases, found): return super().__new__(meta, name, bases, dict(found))
class Counted(metaclass=Counting): pass
`;
const family = `class Animal:
    def __init__(self, **rest):
        self.rest = rest
class Dog(Animal):
    def __init__(self, age=1, **rest):
        super().__init__(**rest)
        self.age = age
class Swimmer(Animal):
    def __init__(self, depth=2):
        super(Swimmer, self).__init__()
        self.depth = depth
class Newfoundland(Dog, Swimmer):
    pass
`;

export const inheritance: readonly CheckCase[] = [
  {
    check: 'attributes/missing-attribute',
    name: 'of an object whose bases set attributes through super()',
    setup: base,
    crash: `${family}Newfoundland(age=3, depth=4).weight`,
    raises: 'AttributeError',
    line: 14,
    healthy: [
      `${family}Dog(colour="brown").rest["colour"], Swimmer().rest, Newfoundland(depth=5).depth, Newfoundland().rest`,
      'class Pet(Named):\n    def __init__(self):\n        super().__init__("pet")\nPet().name, Pet().rest',
      'class Pet(Named):\n    def __init__(self):\n        up = super()\n        up.__init__("pet")\nPet().name',
      'class Holder:\n    def fill(self): self.inside = 1\nclass Box(Holder):\n    def __init__(self): super().fill()\nBox().inside',
      'class Base:\n    @classmethod\n    def made(cls):\n        cls.count = 1\n        return cls()\nclass Derived(Base):\n    @classmethod\n    def made(cls): return super().made()\nDerived.made().count',
    ],
  },
  {
    check: 'attributes/missing-attribute',
    name: 'of a class whose body sets no more than it shows',
    setup: base,
    crash: 'class Fields:\n    for size in range(3):\n        last = size\nFields.first',
    raises: 'AttributeError',
    line: 4,
    healthy: [
      'class Fields:\n    for size in range(3):\n        locals()[f"field{size}"] = size\nFields.field2',
      'class Fields:\n    exec("made = 1")\nFields.made',
    ],
  },
  {
    check: 'names/undefined-name',
    name: 'in the body of a class',
    setup: base,
    crash: 'class Colours(Named):\n    red\n    green = 1',
    raises: 'NameError',
    line: 2,
    healthy: [
      'class Colours(metaclass=Counting):\n    red\n    green\nColours.green',
      'class Colours(Counted):\n    red\n    green\nColours.green',
      'class Inner(Counted): pass\nclass Colours(Inner):\n    red\nColours.red',
    ],
  },
  {
    check: 'names/undefined-name',
    name: 'after a with that lets exceptions through',
    setup: base,
    crash: 'with open("/dev/null") as nothing:\n    bound = 1\nbound + not_bound',
    raises: 'NameError',
    line: 3,
    healthy: [
      'with contextlib.suppress(ValueError):\n    bound = 1\n    raise ValueError\nbound + 1',
      'with contextlib.ExitStack() as stack:\n    stack.push(lambda *told: True)\n    order = [1]\n    if order:\n        more = 2\n        raise RuntimeError("swallowed")\nlen(order) + more',
    ],
  },
  {
    check: 'attributes/attribute-of-none',
    name: 'of what display answers',
    setup: base,
    crash: 'shown = display("x")\nshown.update("y")',
    raises: 'AttributeError',
    line: 2,
    healthy: ['shown = display("x", display_id=True)\nshown.update("y")'],
  },
];
