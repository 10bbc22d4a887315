// A twin whose objects are not those of the kernel must not speak. And what cloudpickle carries, arrives as it was.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dryRun, type Kernel } from '../../src/index.js';
import { kernelWith } from '../agent/support.js';

let kernel: Kernel;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grus-twin-'));
  await writeFile(
    join(folder, 'helpers_of_mine.py'),
    'def half(frame):\n    return frame.head(len(frame) // 2)\n',
  );
  await writeFile(
    join(folder, 'helpers_kept.py'),
    'def half(frame):\n    return frame.head(len(frame) // 2)\n',
  );
  await writeFile(
    join(folder, 'settings_kept.py'),
    `import weakref

class Settings:
    shared = {}

    def __init__(self, found=None):
        self.__dict__ = self.shared
        if not self.shared:
            self.found, self.readers = found, []

    def follow(self, reader):
        self.readers.append(weakref.ref(reader))

class Found(Settings):
    shared = {}

class Changing:
    def __init__(self):
        self.limit = 3
    def __getstate__(self):
        return {"limit": 4}
`,
  );
  await writeFile(join(folder, 'text.txt'), 'one\ntwo\n');
  kernel = await kernelWith(`
import sys, enum, dataclasses
sys.path.insert(0, ${JSON.stringify(folder)})
import polars as pl
import helpers_of_mine, helpers_kept
from settings_kept import Changing, Found, Settings
frame = pl.DataFrame({"a": [1, 2], "b": ["x", "y"]})
frame.group_by("b").agg(pl.col("a").sum())

class Forgetful:
    def __init__(self):
        self.limit, self.cache = 3, {}
    def __getstate__(self):
        return {"cache": {}}

class Honest(Forgetful):
    def __getstate__(self):
        return dict(vars(self))

class Colour(enum.Enum):
    RED = 1

@dataclasses.dataclass
class Row:
    a: int
    colour: Colour = Colour.RED

class Slotted:
    __slots__ = ("a",)
    def __init__(self, a):
        self.a = a
    @property
    def twice(self):
        return self.a * 2
    @classmethod
    def of(cls, a):
        return cls(a)

def bound():
    global counter
    counter += frame.height
    return counter

counter = 0
forgetful, changing, honest = Forgetful(), Changing(), Honest()
holder = [{"deep": Changing()}]
row, slotted = Row(2), Slotted.of(4)
settings, reader = Settings("a device"), Honest()
settings.follow(reader)
found = Found("a device")
reading = open(${JSON.stringify(join(folder, 'text.txt'))})
`);
  await writeFile(join(folder, 'helpers_of_mine.py'), 'def half(frame):\n    return frame.tail(1)\n');
});
afterAll(async () => {
  await kernel.close();
  await rm(folder, { recursive: true });
});

const judge = (cell: string) => dryRun(kernel, [cell], { budgetMs: 20_000, twinLoadMs: 60_000 });

it.each([
  [
    'an object that changes a part of itself',
    'frame\nchanging.limit',
    { code: 'carried-unequal', names: ['changing'] },
  ],
  ['such an object inside another', 'frame\nholder[0]', { code: 'carried-unequal', names: ['holder'] }],
  [
    'a module that was edited',
    'helpers_of_mine.half(frame)',
    { code: 'modules-edited', names: ['helpers_of_mine'] },
  ],
  ['an open file', 'frame\nreading.read()', { code: 'cannot-carry', name: 'reading' }],
])('does not speak: %s', async (_, cell, reason) => {
  const copy = await judge(cell);
  expect(copy).toMatchObject({ status: 'ok', ended: 'failed', cells: [] });
  expect(copy).toMatchObject({ reason });
});

it.each([
  'frame\nassert honest.limit == forgetful.limit == 3',
  'helpers_kept.half(frame)',
  'frame\nassert row.colour is Colour.RED and row == Row(2)',
  'frame\nassert slotted.twice == 8',
  'frame\nassert settings.readers[0]().limit == 3',
  'frame\ndel reader\nassert settings.readers[0]() is None',
  'frame\nassert Settings("another").__dict__ is settings.__dict__ and settings.found == "a device"',
  'frame\nassert Found("another").found == "a device"',
  'assert bound() == 2 and counter == 2\ncounter = 5\nassert bound() == 7',
])('carries equal: %s', async (cell) => {
  const copy = await judge(cell);
  expect('reason' in copy && copy.reason).toBe(null);
  expect(copy).toMatchObject({ status: 'ok', ended: 'done', cells: [{ status: 'finished', doubt: null }] });
});
