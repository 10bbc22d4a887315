// What a class gets from elsewhere: from its bases through `super()`, from its metaclass, from code in its body. And names that
// come from elsewhere: a `with` whose manager swallowed an exception, a scope that is over, the shell.
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
class Elsewhere(Counting):
    __module__ = "elsewhere"
class Imported(metaclass=Elsewhere): pass
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
      `${family}[each.__name__ for each in Newfoundland.__mro__], Newfoundland.mro()[0].__qualname__`,
      'class Account:\n    def __init__(self): self.__balance = 100\n    def grow(self):\n        self.__balance *= 1.5\n        return self\nclass Savings(Account):\n    def __init__(self):\n        super().__init__()\n        self.__balance = "other"\nSavings().grow()._Account__balance',
      'class Plugin:\n    def __init_subclass__(cls, **rest):\n        super().__init_subclass__(**rest)\n        cls.label = cls.__name__.upper()\nclass Csv(Plugin): pass\nCsv.label, Csv().label',
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
    check: 'attributes/missing-attribute',
    name: 'of a class that nobody changes after its body',
    setup: base,
    crash: 'class Plain:\n    size = 1\nPlain.size, Plain.mro(), Plain.weight',
    raises: 'AttributeError',
    line: 3,
    healthy: [
      'class Plain:\n    size: int = 1\nPlain.mro(), Plain.__annotations__["size"]',
      'class Told:\n    def __init_subclass__(cls):\n        cls.label = cls.__name__\nclass Child(Told): pass\nChild.label, Child().label',
      'def made(**fields):\n    class Made: pass\n    for name, value in fields.items(): setattr(Made, name, value)\n    return Made\nmade(a=1).a, made(b=2)().b',
      'Counted.mro()',
    ],
  },
  {
    check: 'attributes/missing-attribute',
    name: 'of a class of an earlier cell, whose class is `type`',
    setup: `${base}import abc
class Shape(metaclass=abc.ABCMeta): pass
class Kind(type):
    def twin(cls): return cls()
class Thing(metaclass=Kind): pass`,
    crash: 'Named.twin()',
    raises: 'AttributeError',
    line: 1,
    healthy: ['Thing.twin()', 'Shape.register(int)'],
  },
  {
    check: 'attributes/missing-attribute',
    name: 'of an object with private attributes',
    setup: `${base}class Kept:
    def __init__(self): self.__inside = 1
kept = Kept()`,
    crash: 'Kept()._Other__inside',
    raises: 'AttributeError',
    line: 1,
    healthy: [
      'kept._Kept__inside, Kept()._Kept__inside',
      'class Safe:\n    def __init__(self): self.__code = 1\n    def __open(self, __by=1): return self.__code + __by\nSafe()._Safe__code, Safe()._Safe__open()',
      'class Two(Kept):\n    def __init__(self):\n        super().__init__()\n        self.__inside = None\n    def sum(self): return self._Kept__inside + 1\nTwo().sum(), Two()._Two__inside',
    ],
  },
  {
    check: 'values/certain-raise',
    name: 'in a method that nothing stands in front of',
    setup: `${base}import functools
def calmly(method):
    @functools.wraps(method)
    def run(self, *given):
        try: return method(self, *given)
        except ValueError: return None
    return run
class Earlier:
    @calmly
    def __init__(self, size): raise ValueError(size)`,
    crash: 'class Strict:\n    def __call__(self, size): raise ValueError("no size")\nStrict()(1)',
    raises: 'ValueError',
    line: 3,
    healthy: [
      'class Calm:\n    @calmly\n    def __init__(self): raise ValueError\n    @calmly\n    def __call__(self, size): raise ValueError(size)\nCalm()(1)',
      'Earlier(1)',
    ],
  },
  {
    check: 'attributes/missing-attribute',
    name: 'of an object whose methods are called by nobody',
    setup: `${base}class Lamp:
    def light(self): self.lit = True`,
    crash: 'lamp = Lamp()\nlist(map(lambda one: one, [lamp.light]))\nlamp.lit',
    raises: 'AttributeError',
    line: 3,
    healthy: 'lamp = Lamp()\nlist(map(lambda one: one(), [lamp.light]))\nlamp.lit',
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
      'class Colours(Imported):\n    red\n    green\nColours.green',
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
    check: 'names/undefined-name',
    name: 'in a function that was made in a scope that is over',
    setup: base,
    crash: 'late = [lambda: nowhere for each in range(2)]\n[one() for one in late], nowhere',
    raises: 'NameError',
    line: 2,
    healthy: [
      'late = [lambda: each for each in range(2)]\n[one() for one in late]',
      'def adding(n):\n    return lambda m: n + m\nadding(1)(2)',
      'def counted():\n    count = 0\n    def more():\n        nonlocal count\n        count += 1\n        return count\n    return more\nstep = counted()\nstep() + step()',
    ],
  },
  {
    check: 'names/missing-imported-name',
    name: 'of a module that is made by the notebook',
    setup: `${base}import sys, types\nmade_up = types.ModuleType("made_up")\nsys.modules["made_up"] = made_up\nfound = made_up\n`,
    crash: 'from made_up import anything',
    raises: 'ImportError',
    line: 1,
    healthy: ['found.__getattr__ = lambda name: name\nfrom made_up import anything\ndel found.__getattr__'],
  },
  {
    check: 'names/undefined-name',
    name: 'beside a name of the shell',
    setup: `${base}shell = get_ipython()\n`,
    crash: 'len(dir()) + pushed_by_nobody',
    raises: 'NameError',
    line: 1,
    healthy: ['shell.push({"pushed": 3})\npushed + 1'],
  },
  {
    check: 'calls/wrong-arguments',
    name: 'of a class of the cell',
    setup: base,
    crash: 'class Planet:\n    def __init__(self, mass, radius): self.mass = mass\nPlanet("red")',
    raises: 'TypeError',
    line: 3,
    healthy: [
      'from enum import Enum\nclass Planet(Enum):\n    EARTH = (5.9, 6.3)\n    MARS = (0.6, 3.3)\n    def __init__(self, mass, radius): self.mass = mass\n    @classmethod\n    def _missing_(cls, value): return cls.MARS\nPlanet("red").mass',
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
