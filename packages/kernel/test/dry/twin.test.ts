// Kernels whose libraries do not survive a fork: a fresh process is given what the cell needs, and nothing is run in the
// kernel itself. What cannot be carried makes it abstain.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachKernel, dryRun, type Kernel } from '../../src/index.js';
import { childrenOf, kernelWith, run } from '../agent/support.js';

let kernel: Kernel;
beforeAll(async () => {
  kernel = await kernelWith(`
import numpy as np
import polars as pl
frame = pl.DataFrame({"a": np.arange(1000), "b": ["x", "y"] * 500})
frame.group_by("b").agg(pl.col("a").sum())

class Base:
    def __init__(self):
        self.kept = []

class Model(Base):
    calls = 0
    def __init__(self):
        super().__init__()
        self.frame = frame
    def run(self, column):
        Model.calls += 1
        return self.frame.select(pl.col(column).mean())

def scale(frame, by=2, *, column="a"):
    return frame.select(pl.col(column) * by)

def maker(n):
    return lambda: frame.head(n)

model, three = Model(), maker(3)
lines = (line for line in ["a"])
large = pl.DataFrame({"a": np.arange(400_000), "b": np.arange(400_000.0)})
rows = len(large)
class Rows:
    def __iter__(self):
        return iter(frame["a"].head(rows_wanted))
rows_wanted, holder = 2, {"rows": Rows()}
class Setting:
    width = 3
import pickle
saved = pickle.dumps(Setting())
np.random.seed(7)
np.seterr(divide="raise")
expected = np.random.RandomState(7).rand()
`);
});
afterAll(() => kernel.close());

const judge = (cell: string) => dryRun(kernel, [cell], { budgetMs: 20_000, twinLoadMs: 60_000 });

it.each([
  ['frame.group_by("b").agg(pl.col("a").mean())', null],
  ['model.run("a")\nassert Model.calls == 1', null],
  ['assert len(three()) == 3', null],
  ['scale(frame, by=3)', null],
  ['pl\nassert list(holder["rows"]) == [0, 1]', null],
  ['frame\nassert np.random.rand() == expected', null],
  ['frame\nnp.ones(1) / 0', 'FloatingPointError'],
  ['z = 1\nmodel.run("missing")', 'ColumnNotFoundError'],
  ['scale(frame, column="missing")', 'ColumnNotFoundError'],
  ['frame["a"].nothing()', 'AttributeError'],
])('%s', async (cell, type) => {
  const result = await judge(cell);
  expect(result).toMatchObject({
    status: 'ok',
    ended: 'done',
    twin: { reason: { code: 'library-threads', library: 'polars' } },
  });
  expect(result).toMatchObject({
    cells: [
      type === null
        ? { status: 'finished', doubt: null }
        : { type, line: cell.split('\n').length, doubt: null },
    ],
  });
});

it('does not answer for a name that only a file or a text asks for', async () => {
  for (const cell of [
    'frame.head()\nprint(pickle.loads(saved).width)',
    'frame.head()\ntry:\n    pickle.loads(saved)\nexcept AttributeError:\n    pass',
  ])
    expect(await judge(cell)).toMatchObject({ cells: [{ doubt: { code: 'names-left-behind' } }] });
  // The class is asked for by the cell itself, or by nobody.
  for (const [cell, type] of [
    ['frame.head()\nassert isinstance(pickle.loads(saved), Setting)', null],
    ['frame.head()\npickle.loads(b"c__main__\\nNothing\\n.")', 'AttributeError'],
  ] as const)
    expect(await judge(cell)).toMatchObject({
      cells: [type === null ? { status: 'finished', doubt: null } : { type, doubt: null }],
    });
});

it('names what it cannot carry', async () => {
  for (const cell of ['frame.select("a")\nnext(lines)', 'frame.select("a")\n"x" in globals()'])
    expect(await judge(cell)).toMatchObject({
      ended: 'failed',
      reason: { code: 'cannot-carry', name: 'lines' },
    });
});

describe('of what is too large, a sample', () => {
  const sampled = (cell: string) =>
    dryRun(kernel, [cell], { budgetMs: 10_000, twinLoadMs: 30_000, carryMb: 2 });

  it('tells what cannot depend on the rows left out', async () => {
    const result = await sampled('large.select("a").nothing()');
    expect(result).toMatchObject({
      twin: { sampled: ['large'] },
      cells: [{ type: 'AttributeError', line: 1, doubt: null }],
    });
  });

  it.each(['large[rows - 1]', 'assert len(large) == rows', 'large.filter(pl.col("a") == 399_999).row(0)'])(
    'doubts what may: %s',
    async (cell) => {
      expect(await sampled(cell)).toMatchObject({
        cells: [{ doubt: { code: expect.stringMatching(/^rows-/) } }],
      });
    },
  );

  it('doubts a clean finish', async () => {
    expect(await sampled('large.head()')).toMatchObject({
      cells: [{ status: 'finished', doubt: { code: 'rows-sampled', names: ['large'] } }],
    });
  });
});

it('leaves the kernel as it was, and forks it for cells without that library', async () => {
  expect(await run(kernel, 'print(Model.calls, next(lines), len(frame))')).toBe('0 a 1000\n');
  expect(await judge('x = 1\nx.y')).toMatchObject({ twin: null, cells: [{ type: 'AttributeError' }] });
});

it('forks twins from a spare process, which is no child of the kernel and ends with it', async () => {
  const other = await kernelWith('import polars as pl\nframe = pl.DataFrame({"a": [1]})\nframe.select("a")');
  const asked = (readyTwin: boolean) =>
    dryRun(other, ['frame["a"].nothing()'], { budgetMs: 20_000, twinLoadMs: 60_000, readyTwin });
  const finding = { twin: { objects: 1 }, cells: [{ type: 'AttributeError', doubt: null }] };
  expect(await asked(false)).toMatchObject(finding);
  expect(sparesOf(other)).toEqual([]);
  expect(await asked(true)).toMatchObject(finding);
  await expect.poll(() => sparesOf(other)).toHaveLength(1);
  const spares = sparesOf(other);
  expect(await asked(true)).toMatchObject(finding);
  await expect.poll(() => sparesOf(other)).toEqual(spares);
  const client = await attachKernel(other.connectionFile!);
  expect(
    await dryRun(client, ['frame["a"].nothing()'], { budgetMs: 20_000, twinLoadMs: 60_000 }),
  ).toMatchObject(finding);
  await client.close();
  await expect.poll(() => sparesOf(other)).toEqual(spares);
  await expect.poll(() => childrenOf(other)).toBe('');
  process.kill(spares[0]!, 'SIGKILL');
  await expect.poll(() => sparesOf(other)).toEqual([]);
  // Without the spare the twin is a fresh process; the next one has a spare again.
  for (const _ of [1, 2]) expect(await asked(true)).toMatchObject(finding);
  await expect.poll(() => sparesOf(other)).toHaveLength(1);
  const [fresh] = sparesOf(other);
  await other.close();
  await expect.poll(() => existsSync(`/proc/${fresh}`), { timeout: 20_000 }).toBe(false);
});

/** Process numbers of what was started for this kernel with the kernel's number as its last argument. */
function sparesOf({ pid }: Kernel): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
        return words[1] === '-c' && words.at(-2) === String(pid);
      } catch {
        return false;
      }
    })
    .map(Number);
}

describe('training', () => {
  const cut = (cells: readonly string[]) =>
    dryRun(kernel, cells, { budgetMs: 60_000, twinLoadMs: 60_000, cut: true });
  const training = `
history = {"loss": [], "epoch": []}
def fit(rounds):
    state = np.zeros(50)
    for epoch in range(rounds):
        for step in range(5000):
            state = state * 0.9 + 1e-3
        history["loss"].append(float(state.sum()))
        history["epoch"].append(epoch)
    return state`;

  it('is cut short in a twin, and what comes behind it is judged', { timeout: 120_000 }, async () => {
    await run(kernel, training);
    expect(await cut(['pl\nlast = fit(100_000)', 'np.asarray(history["accuracy"])'])).toMatchObject({
      twin: {},
      cells: [
        { status: 'finished', clipped: [{ what: 'loop', of: 100_000 }] },
        { type: 'KeyError', doubt: null },
      ],
    });
    expect(await cut(['pl\nlast = fit(100_000)', 'np.asarray(history["loss"]).mean()'])).toMatchObject({
      cells: [{ status: 'finished' }, { status: 'finished', doubt: { code: 'finished-cut' } }],
    });
  });

  it('knows the text of the cells that functions come from', async () => {
    await run(kernel, training);
    const source = 'pl\nimport inspect\nassert "rounds" in inspect.getsource(fit)';
    expect(await judge(source)).toMatchObject({ cells: [{ status: 'finished', doubt: null }] });
  });
});
