// Folding must give what Python gives, or nothing.
import { describe, expect, it } from 'vitest';
import { type FoldContext, type Folded, fold, parseCell } from '../src/index.js';
import { askOracle } from './oracle/python.js';

const live = new Map<string, Folded>([
  ['base', { kind: 'str', value: 'data' }],
  ['number', { kind: 'int', value: 3 }],
  ['folder', { kind: 'path', value: 'a/b' }],
]);
const context: FoldContext = { value: (path) => live.get(path), callee: (path) => path };

function folded(source: string): Folded | undefined {
  const [statement] = parseCell(source).body;
  return statement?.nodeType === 'Expr' ? fold(statement.value, context) : undefined;
}

function plain(value: Folded | undefined): unknown {
  if (!value) return undefined;
  if (value.kind === 'none') return null;
  return 'items' in value ? value.items.map(plain) : value.value;
}

const certain = [
  '"a" "b"',
  '"a" + base + "/x.csv"',
  'f"{base}/part-{number}.csv"',
  'f"{base}/{number:03d}.csv"',
  'f"{number:.2f}"',
  '"{}/{}.csv".format(base, number)',
  '"{0}-{b:02d}-{{}}".format(base, b=number)',
  '"%s/%d%%" % (base, number)',
  'os.path.join(base, "x", "y.csv")',
  'os.path.join(base, "/abs", "y")',
  'os.path.join("a/", "b")',
  'os.path.basename("a/b/c.txt")',
  'Path("a") / "b" / "c.txt"',
  'Path("a//b/./c/", "d")',
  'Path("/", "etc")',
  'Path(".")',
  '(folder / "x.tar.gz").stem',
  '(folder / "x.tar.gz").suffix',
  'Path(".bashrc").suffix',
  'folder.parent / "z"',
  'Path("x").parent',
  'str(folder / "q")',
  'folder.joinpath("c", "d")',
  '"-".join(["a", "b", base])',
  '"ab" * number',
  '7 // 2 - 8 % 3 + 2 ** 5',
  '-7 // 2',
  '-7 % 3',
  '7 / 2',
  '[1, "a", None, True]',
  '(1, 2) + (3,)',
  '["a", "b"][-1]',
  'base',
  '-number',
];

describe('folding', () => {
  const answers = askOracle(
    'evaluate.py',
    certain.map((expression) => JSON.stringify(expression)),
  ) as [string, unknown][];

  it.each(certain.map((expression, index) => [expression, answers[index]!] as const))(
    '%s',
    (expression, [kind, value]) => {
      const result = folded(expression);
      expect(result?.kind).toBe(kind);
      expect(plain(result)).toEqual(value);
    },
  );

  it.each([
    'unknown + "x"',
    'f"{base!r}"',
    'f"{number:>10}"',
    'f(base)',
    '"%5.2f" % number',
    '"{:>8}".format(base)',
    '"{a.b}".format(a=base)',
    'os.path.join(base, *parts)',
    'os.path.expanduser("~/x")',
    '1 / 0',
    '2 ** 100',
    '"\\N{DASH}"',
    'b"x" + base',
    'base if number else "x"',
    'Path.home() / "x"',
  ])('abstains on %s', (expression) => {
    expect(folded(expression)).toBeUndefined();
  });
});
