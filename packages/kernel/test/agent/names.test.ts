// What a cell's names need: presence, code and where it was defined, paths, imports, files and syntax.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Kernel, Snapshot } from '../../src/index.js';
import { ask, factOf, kernelWith, object } from './support.js';

const cell = `
import math, os, functools, collections
import xml

def helper(value):
    return math.sqrt(value) + undefined_thing

def outer(scale):
    def inner(value, /, offset=0, *rest, flag, **more):
        return helper(value) * scale + offset
    return inner

scaled = outer(3)

class Shape:
    sides = 0

    def __init__(self, name, *, size=1):
        self.name = name
        self.size = size

    @property
    def area(self):
        raise RuntimeError("computed")

    @classmethod
    def unit(cls, name):
        return cls(name)

    @staticmethod
    def double(value):
        return 2 * value

    def describe(self, style="short"):
        return formatter(self, style)

class Square(Shape):
    sides = 4

    def __init__(self, size):
        super().__init__("square", size=size)

class Loose:
    def __getattr__(self, name):
        return 1

square = Square(2)
loose = Loose()
fixed = functools.partial(helper, 4)
@functools.lru_cache
def cached(n): return n
async def fetch(url): return url
describe = square.describe
`;

describe('the names of a cell', () => {
  let kernel: Kernel;
  let snapshot: Snapshot;
  beforeAll(async () => {
    kernel = await kernelWith(cell, 'list = [1, 2]', 'x = 3');
    snapshot = await ask(kernel, {
      names: 'scaled square Square loose fixed cached fetch describe math print missing list x'.split(' '),
      paths: [
        'square.size',
        'square.area',
        'square.describe',
        'square.nope',
        'Square.unit',
        'Square.double',
        'Square.nope',
        'loose.anything',
        'math.sqrtt',
        'os.path.join',
        'xml.dom',
        'missing.thing',
        'x.real',
        'x.bit_length',
        'x.append',
      ],
      imports: [
        { module: 'no_such_module', names: ['a'] },
        { module: 'json', names: ['loads', 'load_all'] },
        { module: 'xml.dom.minidom', names: ['parse'] },
        { module: 'xml', names: ['dom', 'nope'] },
        { module: 'sklearn.cross_validation', names: ['train_test_split'] },
        { module: 'collections.nope', names: [] },
        { module: 'pandass', names: [] },
      ],
      files: ['package.json', 'packages', 'package.jsn', 'no/such/folder/file.csv'],
    });
  });
  afterAll(() => kernel.close());

  it('are sorted into present, builtin and absent, those loaded by functions included', () => {
    expect(Object.keys(snapshot.names)).toEqual(
      expect.arrayContaining(['scaled', 'square', 'Square', 'helper']),
    );
    expect(Object.keys(snapshot.builtins)).toEqual(expect.arrayContaining(['print', 'super']));
    expect(snapshot.absent).toEqual(expect.arrayContaining(['missing', 'undefined_thing', 'formatter']));
    expect(snapshot.namespace).toEqual([...snapshot.namespace].sort());
    expect(snapshot.namespace).not.toContain('In');
  });

  it('that shadow a builtin are the user’s', () => {
    expect(factOf(snapshot, 'list')).toMatchObject({ kind: 'list', representation: { callable: false } });
  });

  it('of functions carry signature, source, cell and closure', () => {
    const inner = factOf(snapshot, 'scaled');
    expect(inner.kind).toBe('function');
    expect(inner.structural).toMatchObject({ defined_in: 1, globals: ['helper'], module: '__main__' });
    expect(inner.structural?.source).toContain('return helper(value) * scale + offset');
    expect(inner.representation?.signature).toEqual([
      { name: 'value', kind: 'positional_only', has_default: false },
      { name: 'offset', kind: 'positional_or_keyword', has_default: true },
      { name: 'rest', kind: 'var_positional', has_default: false },
      { name: 'flag', kind: 'keyword_only', has_default: false },
      { name: 'more', kind: 'var_keyword', has_default: false },
    ]);
    expect(object(snapshot, inner.structural?.closure?.['scale']).values?.literal).toBe(3);
    expect(factOf(snapshot, 'fetch').representation?.is_async).toBe(true);
  });

  it('of bound methods, partials and wrapped functions say what is left to pass', () => {
    const names = (fact: {
      representation?: { signature?: { name: string }[] | null | undefined } | undefined;
    }) => fact.representation?.signature?.map((parameter) => parameter.name);
    expect(names(factOf(snapshot, 'describe'))).toEqual(['style']);
    expect(names(factOf(snapshot, 'fixed'))).toEqual([]);
    expect(factOf(snapshot, 'cached').representation?.callable).toBe(true);
    expect(names(object(snapshot, snapshot.paths['square.describe']?.object))).toEqual(['style']);
    expect(names(object(snapshot, snapshot.paths['Square.unit']?.object))).toEqual(['name']);
    expect(names(object(snapshot, snapshot.paths['Square.double']?.object))).toEqual(['value']);
  });

  it('of functions written in C say what they publish, receiver left out', async () => {
    const told = await ask(kernel, {
      paths: ['math.sqrt', 'x.bit_length', 'dict.fromkeys', 'str.split', 'os.getcwd'],
    });
    const names = (path: string) =>
      object(told, told.paths[path]?.object).representation?.signature?.map((parameter) => parameter.name);
    expect(names('math.sqrt')).toEqual(['x']);
    expect(names('x.bit_length')).toEqual([]);
    expect(names('str.split')).toEqual(['self', 'sep', 'maxsplit']);
    expect(names('os.getcwd')).toEqual([]);
  });

  it('of classes carry constructor, methods, bases and source', () => {
    const square = factOf(snapshot, 'Square');
    expect(square.representation?.signature).toEqual([
      { name: 'size', kind: 'positional_or_keyword', has_default: false },
    ]);
    expect(square.structural?.base_classes).toEqual(['__main__.Shape']);
    expect(Object.keys(square.structural?.attributes ?? {})).toEqual(
      expect.arrayContaining(['sides', '__init__', 'area', 'unit', 'describe']),
    );
    expect(square.structural?.source).toMatch(/^class Square\(Shape\):/);
    expect(square.structural?.source_line).toBe(
      cell.trimStart().split('\n').indexOf('class Square(Shape):') + 1,
    );
  });

  it('are followed along dotted paths without computing anything', () => {
    const status = (path: string) => snapshot.paths[path]?.status;
    expect(object(snapshot, snapshot.paths['square.size']?.object).values?.literal).toBe(2);
    expect(snapshot.paths['square.area']).toEqual({ status: 'present', reason: { code: 'value-computed' } });
    expect(status('square.nope')).toBe('absent');
    expect(status('Square.nope')).toBe('absent');
    expect(status('loose.anything')).toBe('unknown');
    expect(snapshot.paths['math.sqrtt']?.siblings?.[0]).toBe('sqrt');
    expect(status('os.path.join')).toBe('present');
    expect(snapshot.paths['missing.thing']).toMatchObject({ status: 'absent', failed_at: 'missing' });
    expect([status('x.real'), status('x.bit_length'), status('x.append')]).toEqual([
      'present',
      'present',
      'absent',
    ]);
  });

  it('of imports are looked up without importing', () => {
    const { modules } = snapshot;
    expect(modules['no_such_module']).toMatchObject({ status: 'absent' });
    expect(modules['json']?.names['loads']?.status).toBe('present');
    expect(modules['json']?.names['load_all']).toMatchObject({ status: 'absent' });
    expect(modules['json']?.names['load_all']?.siblings).toContain('load');
    expect(modules['xml.dom.minidom']).toMatchObject({ status: 'present' });
    expect(modules['xml.dom.minidom']?.names['parse']?.status).toBe('unknown');
    expect(modules['xml']?.names['dom']?.status).toBe('present');
    expect(modules['xml']?.names['nope']?.status).toBe('absent');
    expect(modules['sklearn.cross_validation']?.status).not.toBe('present');
    expect(modules['collections.nope']?.status).toBe('absent');
    expect(modules['pandass']?.siblings?.[0]).toBe('pandas');
  });

  it('of files are looked up from the kernel’s folder', () => {
    expect(snapshot.files['package.json']).toMatchObject({ status: 'file', readable: true });
    expect(snapshot.files['packages']?.status).toBe('directory');
    expect(snapshot.files['package.jsn']).toMatchObject({ status: 'absent', parent: 'directory' });
    expect(snapshot.files['package.jsn']?.siblings?.[0]).toBe('package.json');
    expect(snapshot.files['no/such/folder/file.csv']).toMatchObject({ status: 'absent', parent: 'absent' });
  });

  it.each([
    ['x = (1,\n  2', { status: 'error', type: 'SyntaxError' }],
    ['for i in range(3):\nprint(i)', { status: 'error', type: 'IndentationError', line: 2 }],
    ['return 3', { status: 'error', message: "'return' outside function" }],
    ['%timeit x\nawait f()\n!ls', { status: 'ok', automagic: false }],
    ['pattern = "\\d"', { status: 'ok', automagic: false }],
    ['timeit x', { status: 'ok', automagic: true }],
    ['history = 1', { status: 'ok', automagic: false }],
    ['greet', { status: 'ok', automagic: false }],
  ])('%j is compiled as the kernel would', async (source, expected) => {
    expect((await ask(kernel, { compile: source })).compile).toMatchObject(expected);
  });

  it('include the cells that were run, on request', async () => {
    const { cells } = await ask(kernel, { cells: true });
    expect(cells?.map((entry) => entry.execution_count)).toEqual([1, 2, 3]);
    expect(cells?.[1]?.source).toBe('list = [1, 2]');
  });
});
