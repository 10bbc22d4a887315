// Scripts, documented sessions and sources become cells as a person would cut them.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellsOfScript } from '../../src/false-alarms/convert/script.js';
import { cellsOfDocstrings, cellsOfPage } from '../../src/false-alarms/convert/session.js';
import { findExamples } from '../../src/false-alarms/find.js';

describe('scripts', () => {
  it('are cut at their cell markers', () => {
    const script =
      '"""Title."""\n\n# %%\n# Prose.\nimport os\n\nx = 1\n\n########################\n# Prose alone.\n\n# %%\nprint(x)\n';
    expect(cellsOfScript(script)).toEqual(['# Prose.\nimport os\n\nx = 1', 'print(x)']);
  });

  it('are otherwise cut between paragraphs of top-level statements, never inside one', () => {
    const script =
      'import os\nimport sys\n\n\ndef f(x):\n    y = x\n\n    return y\n\n\n@f\ndef g():\n    pass\n# about z\nz = (1,\n\n     2)\n\nprint(z)\n';
    expect(cellsOfScript(script)).toEqual([
      'import os\nimport sys',
      'def f(x):\n    y = x\n\n    return y',
      '@f\ndef g():\n    pass\n# about z\nz = (1,\n\n     2)',
      'print(z)',
    ]);
  });
});

describe('sessions', () => {
  it('are cut at prose; outputs are dropped and continuation lines kept', () => {
    const page =
      'Sums\n----\n\n    >>> a = [1,\n    ...      2]\n    >>> sum(a)\n    3\n\n    >>> a\n    [1, 2]\n\nNow a loop:\n\n>>> for x in a:\n...     print(x)\n...\n1\n2\n';
    expect(cellsOfPage(page)).toEqual(['a = [1,\n     2]\nsum(a)\na', 'for x in a:\n    print(x)']);
  });

  it('leave out what is marked as not to be run, and put an expected exception in a cell of its own', () => {
    const page =
      '>>> f()  # doctest: +SKIP\n>>> a = 1\n>>> a / 0\nTraceback (most recent call last):\n  ...\nZeroDivisionError\n>>> a\n1\n';
    expect(cellsOfPage(page)).toEqual(['a = 1', 'a / 0', 'a']);
  });

  it('are read from docstrings with their escapes resolved', () => {
    const source =
      'def f():\n    """Doc.\n\n    >>> print("a\\\\tb")\n    """\n\n\nclass C:\n    r"""\n    >>> print("\\n")\n    """\n';
    expect(cellsOfDocstrings(source)).toEqual(['print("a\\tb")', 'print("\\n")']);
  });
});

describe('sources', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'grus-sources-'));
    const files: Record<string, string> = {
      'examples/plots/one.py': 'x = 1',
      'doc/guide.rst': '>>> 1\n1',
      'doc/plain.rst': 'no session',
      'notebooks/a.ipynb': '{}',
      'lib/module.py': 'x = 1',
      'lib/documented.py': '""">>> 1"""\n',
      'lib/tests/test_a.py': '""">>> 1"""\n',
      'lib/session.py': '"""\n>>> 1\n"""\n',
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('hold scripts of example folders, notebooks and sessions, but no tests', async () => {
    expect((await findExamples(folder)).map(({ kind, path }) => [kind, path])).toEqual([
      ['session', 'doc/guide.rst'],
      ['script', 'examples/plots/one.py'],
      ['session', 'lib/session.py'],
      ['notebook', 'notebooks/a.ipynb'],
    ]);
  });
});
