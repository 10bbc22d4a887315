// Which notebooks paths, folders and globs mean, and how they are split over machines.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { findNotebooks } from '../../src/pipeline/find.js';
import { inShard } from '../../src/pipeline/shard.js';
import { scratch } from '../grus.js';

const files: Readonly<Record<string, string>> = {
  '.git/config': '',
  '.gitignore': 'drafts/\n*-old.ipynb\n',
  'a.ipynb': '',
  'a-old.ipynb': '',
  'notes.md': '',
  'drafts/d.ipynb': '',
  'lessons/one/l.ipynb': '',
  'lessons/one/l-old.ipynb': '',
  'lessons/.grusignore': 'slow.ipynb\n!keep-old.ipynb\n',
  'lessons/slow.ipynb': '',
  'lessons/keep-old.ipynb': '',
  'lessons/.ipynb_checkpoints/l-checkpoint.ipynb': '',
  'node_modules/x/x.ipynb': '',
};

describe('finding notebooks', () => {
  const folder = scratch();
  beforeAll(() => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  });

  const cases: readonly [string, readonly string[], readonly string[]][] = [
    [
      'a folder, without what ignore files leave out',
      ['.'],
      ['a.ipynb', 'lessons/keep-old.ipynb', 'lessons/one/l.ipynb'],
    ],
    ['a folder inside a repository, with the rules above it', ['lessons/one'], ['lessons/one/l.ipynb']],
    ['a glob', ['lessons/**/*.ipynb'], ['lessons/keep-old.ipynb', 'lessons/one/l.ipynb']],
    ['a glob without folders, of this folder alone', ['*.ipynb'], ['a.ipynb']],
    ['what is named, even if it is ignored', ['drafts/d.ipynb'], ['drafts/d.ipynb']],
    [
      'each once',
      ['a.ipynb', '.', './a.ipynb', 'lessons'],
      ['a.ipynb', 'lessons/keep-old.ipynb', 'lessons/one/l.ipynb'],
    ],
  ];
  it.each(cases)('takes %s', async (_, paths, expected) => {
    expect(await findNotebooks(paths, folder)).toEqual(expected);
  });

  it('says when a folder holds none', async () => {
    await expect(findNotebooks(['lessons/.ipynb_checkpoints/none'], folder)).resolves.toHaveLength(1);
    await expect(findNotebooks(['missing/*.ipynb'], folder)).rejects.toThrow(/no notebook was found/);
  });
});

describe('a shard', () => {
  const paths = Array.from({ length: 300 }, (_, index) => `lessons/n${index}.ipynb`);
  const part = (index: number, of = paths) => of.filter((path) => inShard(path, { index, count: 3 }));

  it('splits everything, each notebook once, about evenly', () => {
    const parts = [1, 2, 3].map((index) => part(index));
    expect(parts.flat().sort()).toEqual([...paths].sort());
    for (const one of parts) expect(one.length).toBeGreaterThan(70);
  });

  it('stays as it is when another notebook comes or the order changes', () => {
    const more = ['another.ipynb', ...paths].reverse();
    expect(
      part(2, more)
        .filter((path) => path !== 'another.ipynb')
        .sort(),
    ).toEqual(part(2).sort());
  });
});
