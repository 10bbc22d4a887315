// What a cell asks the kernel for: everything its code may touch, whichever scope the code stands in.
import { describe, expect, it } from 'vitest';
import { cellUses, parseCell } from '../src/index.js';

const uses = (source: string) => cellUses(parseCell(source));

describe('uses of a cell', () => {
  it('are global names loaded anywhere, not locals', () => {
    const { names } = uses(`
def f(a, b=default):
    local = a + outer
    return [item for item in local if wanted(item)]
class C(Base):
    attr = seen
    def m(self): return helper(self)
total += f(1)
del gone
`);
    expect(names).toEqual(
      ['Base', 'default', 'f', 'gone', 'helper', 'outer', 'seen', 'total', 'wanted'].sort(),
    );
  });

  it('are attribute paths on those names with their prefixes', () => {
    const { paths } = uses(
      'y = model.fc.in_features + np.float(3)\ndf.groupby("a").mean()\n(lambda s: s.x)(1)',
    );
    expect(paths).toEqual(['df.groupby', 'model.fc', 'model.fc.in_features', 'np.float']);
  });

  it('are imported modules with the names taken from each', () => {
    const { imports } = uses(
      'import numpy as np, os.path\nfrom sklearn.svm import SVC as S, NuSVC\nfrom a import *\nfrom . import b\nnp.bool',
    );
    expect(imports).toEqual([
      { module: 'a', names: [] },
      { module: 'numpy', names: ['bool'] },
      { module: 'os.path', names: [] },
      { module: 'sklearn.svm', names: ['NuSVC', 'SVC'] },
    ]);
  });

  it('are files given to readers, through constants of the cell', () => {
    const { files } = uses(`
from PIL import Image
from pathlib import Path
import pandas as pd, os
folder = 'data'
df = pd.read_csv(os.path.join(folder, 'train.csv'))
other = pd.read_csv(filepath_or_buffer=f'{folder}/test.csv')
remote = pd.read_csv('https://example.org/x.csv')
image = Image.open(Path(folder) / 'a.png')
text = (Path('notes') / 'n.txt').read_text()
with open('c.json') as handle: pass
unknown = pd.read_csv(name)
`);
    expect(files).toEqual(['c.json', 'data/a.png', 'data/test.csv', 'data/train.csv', 'notes/n.txt']);
  });

  it('may fold live values', () => {
    const cell = parseCell('pd.read_csv(root + "/x.csv")');
    expect(
      cellUses(cell, { value: (path) => (path === 'root' ? { kind: 'str', value: '/in' } : undefined) })
        .files,
    ).toEqual(['/in/x.csv']);
  });

  it('of a foreign or broken cell are nothing', () => {
    for (const source of ['%%bash\nls', 'x = = 1'])
      expect(uses(source)).toEqual({ names: [], paths: [], imports: [], files: [] });
  });
});
