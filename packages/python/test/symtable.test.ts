// The scopes must be CPython's own: compared with its `symtable` on real files of the standard library and of packages.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildScopes, parseCell, type Scope } from '../src/index.js';
import { askOracle, realFiles } from './oracle/python.js';

interface Table {
  readonly line: number;
  readonly symbols: readonly [string, boolean, boolean, string][];
  readonly children: readonly Table[];
}

function tableOf(scope: Scope): Table {
  const symbols = [...scope.symbols.values()]
    .filter((symbol) => symbol.name !== '__class__')
    .map((symbol): [string, boolean, boolean, string] => [
      symbol.name,
      symbol.loads.length > 0,
      symbol.bindings.length > 0 || symbol.deletions.length > 0,
      scope.kind === 'module'
        ? symbol.declared === 'global' || !scope.binds(symbol.name)
          ? 'global'
          : 'local'
        : scope.resolve(symbol.name),
    ])
    .sort((a, b) => (a[0] < b[0] ? -1 : 1));
  const line = scope.kind === 'module' ? 0 : ((scope.node as { lineno?: number }).lineno ?? 0);
  return { line, symbols, children: scope.children.map(tableOf) };
}

/** Order of blocks and of symbols is not meaning, nor are symbols that a block only hands through to inner ones. */
function flat(table: Table, path = ''): string[] {
  const mine = `${path}/${table.line}`;
  const own = table.symbols
    .filter(([, loaded, bound]) => loaded || bound)
    .map((symbol) => `${mine} ${symbol.join(' ')}`);
  return [...own, ...table.children.flatMap((child) => flat(child, mine))].sort();
}

const small = `
import os.path, sys as system
from a import b as c
x: int
y: int = 1
def f(p, *args, q=x, **kw):
    global x
    x = 1
    def g():
        nonlocal p
        p = q
        return [z for z in p if (w := z)]
    del x
    return lambda v: v + y
class C(B):
    attr = attr
    __private = 1
    def m(self):
        return super().m(), self.__private, attr, __private
    values = [attr for _ in attr]
try:
    pass
except E as e:
    pass
with open(x) as (h, i.j): pass
match x:
    case {'k': kk, **rest}: pass
    case [1, *tail] | tail: pass
    case K(attribute=named) as whole: pass
for k, *l in x: k += 1
def last(xs):
    [(n := m) for m in xs]
    return n
`;

describe('scopes', () => {
  it('agree with symtable on every construct', async () => {
    const { mkdtempSync, writeFileSync } = await import('node:fs');
    const { tmpdir } = await import('node:os');
    const { join } = await import('node:path');
    const path = join(mkdtempSync(join(tmpdir(), 'grus-')), 'small.py');
    writeFileSync(path, small.replace(' | tail', ''));
    const [theirs] = askOracle('symbols.py', [path]) as [Table];
    const ours = tableOf(buildScopes(parseCell(readFileSync(path, 'utf8')).module).module);
    expect(flat(ours)).toEqual(flat(theirs));
  });

  it('agree with symtable on real files', () => {
    const files = realFiles(300);
    const answers = askOracle('symbols.py', files) as (Table | null)[];
    let compared = 0;
    for (const [index, file] of files.entries()) {
      const theirs = answers[index];
      const source = readFileSync(file, 'utf8');
      if (!theirs || source.includes('from __future__ import annotations')) continue;
      const cell = parseCell(source);
      if (cell.problem) continue;
      compared++;
      expect(flat(tableOf(buildScopes(cell.module).module)), file).toEqual(flat(theirs));
    }
    expect(compared).toBeGreaterThan(150);
  });
});
