// Cells as people write them: magics in every place IPython allows, and positions that must stay exact.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCell, placeOf, walk } from '../src/index.js';

/** So many times as many random inputs: GRUS_FUZZ=46 makes 100,000 of all such tests together. */
const more = Number(process.env['GRUS_FUZZ'] ?? 1);

function dump(source: string): string[] {
  const cell = parseCell(source);
  expect(cell.problem).toBeNull();
  return cell.body.map((statement) => `${statement.nodeType} ${JSON.stringify(cell.text(statement))}`);
}

describe('magics', () => {
  it.each([
    ['%matplotlib inline\nx = 1', ['Expr "%"', 'Assign "x = 1"'], 'line:matplotlib'],
    ['files = !ls -l *.csv\ny = files', ['Assign "files = !"', 'Assign "y = files"'], 'shell:sx'],
    ['x = %pwd', ['Assign "x = %"'], 'line:pwd'],
    ['!pip install foo \\\n  bar\nimport foo', ['Expr "!"', 'Import "import foo"'], 'shell:system'],
    ['np.array?', ['Expr "n"'], 'help:pinfo'],
    ['df.head??\nz = 1', ['Expr "d"', 'Assign "z = 1"'], 'help:pinfo2'],
    ['?len', ['Expr "?"'], 'help:pinfo'],
    ['if True:\n    !ls\n    x = 1', ['If "if True:\\n    !ls\\n    x = 1"'], 'shell:system'],
    ['%time y = f(2)\nz = y', ['Expr "%"', 'Assign "y = f(2)"', 'Assign "z = y"'], 'line:time'],
    ['%%time\na = 1\nb = a', ['Assign "a = 1"', 'Assign "b = a"'], 'cell:time'],
    ['%%capture out\n%ls\na = 1', ['Expr "%"', 'Assign "a = 1"'], 'cell:capture line:ls'],
  ])('%j', (source, statements, magics) => {
    expect(dump(source)).toEqual(statements);
    expect(
      parseCell(source)
        .magics.map((magic) => `${magic.form}:${magic.name}`)
        .join(' '),
    ).toBe(magics);
  });

  it.each([
    'x = a %b',
    'x = (1\n%2)',
    '"""\n%time x\n!ls\n"""',
    'x = [\n  1,\n  !2]'.replace('!', '-'),
    's = "a?"',
  ])('leaves Python alone: %j', (source) => {
    const cell = parseCell(source);
    expect(cell.magics).toEqual([]);
    expect(cell.problem).toBeNull();
  });

  it.each([
    '%%bash\nrm -rf x',
    '%%html\n<b>',
    '%%writefile a.py\nimport x',
    '%%unheard_of\nx = 1',
    '%%timeit x = 5\ny = x',
  ])('treats %j as foreign', (source) => {
    const cell = parseCell(source);
    expect(cell.foreign).toBe(true);
    expect(cell.body).toEqual([]);
    expect(cell.problem).toBeNull();
  });

  it('says what a magic may change', () => {
    const effects = (source: string) => parseCell(source).magics[0]!.effects;
    expect(effects('%run other.py').names).toBe(true);
    expect(effects('%pip install x')).toMatchObject({ modules: true, names: false });
    expect(effects('%cd data')).toMatchObject({ directory: true, names: false });
    expect(effects('!wget x')).toMatchObject({ files: true, names: false });
    expect(effects('%matplotlib inline')).toEqual({
      names: false,
      files: false,
      directory: false,
      modules: false,
    });
    expect(effects('%load_ext autoreload')).toMatchObject({ names: false, modules: true });
    expect(effects('%load_ext cudf.pandas').names).toBe(true);
    expect(effects('%something_new')).toEqual({ names: true, files: true, directory: true, modules: true });
  });

  it('knows cell magics that hide exceptions', () => {
    expect(parseCell('%%capture\nx').cellMagic?.swallowsErrors).toBe(true);
    expect(parseCell('%%time\nx').cellMagic?.swallowsErrors).toBe(false);
  });

  it('puts the call that IPython makes in place of a magic', () => {
    const [statement] = parseCell('x = !ls').body;
    expect(statement).toMatchObject({
      value: { nodeType: 'Call', func: { attr: 'getoutput', value: { func: { id: 'get_ipython' } } } },
    });
  });
});

describe('positions', () => {
  it('are columns of the cell when it is indented or pasted from a session', () => {
    const indented = parseCell('    x = 1\n    yy = x');
    expect(placeOf(indented.body[1]!)).toEqual({ line: 2, column: 4, endLine: 2, endColumn: 10 });
    const pasted = parseCell('>>> x = 1\n>>> yy = x');
    expect(pasted.text(pasted.body[1]!)).toBe('yy = x');
  });

  it('count UTF-16 units behind letters outside ASCII', () => {
    const cell = parseCell('s = "é日𝒳"; tail = s');
    expect(cell.text(cell.body[1]!)).toBe('tail = s');
  });

  it('give back the name of every Name node', () => {
    const cell = parseCell('df = f(é)["ü"].b if x else [c for c in ("ö", d)]\nprint(f"é {df!r:>{w}}", y)');
    for (const node of walk(cell.module)) if (node.nodeType === 'Name') expect(cell.text(node)).toBe(node.id);
  });
});

describe('literals', () => {
  it.each([
    ['1', 'int'],
    ['1.0', 'float'],
    ['1e3', 'float'],
    ['0xE1', 'int'],
    ['1j', 'complex'],
    ['b"x"', 'bytes'],
    ['rb"x"', 'bytes'],
    ['"b"', 'str'],
    ['...', 'ellipsis'],
    ['"..."', 'str'],
    ['None', 'none'],
    ['True', 'bool'],
    ['12345678901234567890123', 'int'],
  ])('%s is %s', (source, kind) => {
    expect(parseCell(source).body[0]).toMatchObject({ value: { nodeType: 'Constant', kind } });
  });
});

describe('private names', () => {
  const names = (source: string) =>
    [...walk(parseCell(source).module)].flatMap((node) =>
      node.nodeType === 'Attribute' ? [node.attr] : node.nodeType === 'FunctionDef' ? [node.name] : [],
    );

  it.each([
    ['class _Box:\n    def __open(self): self.__lid', ['_Box__open', '_Box__lid']],
    ['class Box:\n    class Lid:\n        def turn(self): self.__turned', ['turn', '_Lid__turned']],
    ['class Box:\n    def __init__(self): self._lid, self.__dict__', ['__init__', '_lid', '__dict__']],
    ['class __:\n    def open(self): self.__lid', ['open', '__lid']],
    ['class Box(base.__kind): pass\nbox.__lid', ['__kind', '__lid']],
  ])('%j', (source, stored) => {
    expect(names(source)).toEqual(stored);
  });
});

describe('any text', () => {
  it('is read without throwing, with positions inside the cell', () => {
    const piece = fc.constantFrom(
      ...[
        'x',
        '=',
        '%',
        '!',
        '?',
        '%%',
        '\n',
        '    ',
        '"',
        "'''",
        '(',
        ')',
        '\\\n',
        '#',
        'é',
        '𝒳',
        'def f():',
        ':',
        '%time ',
      ],
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((parts) => parts.join('')),
        ),
        (source) => {
          const cell = parseCell(source);
          if (cell.problem) {
            expect(cell.problem.place.line).toBeGreaterThanOrEqual(1);
            expect(cell.problem.place.line).toBeLessThanOrEqual(cell.lines.length);
          }
        },
      ),
      { numRuns: 2000 * more },
    );
  });
});
