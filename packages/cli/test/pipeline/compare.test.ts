// What a change breaks: of a notebook, and of the packages under it. Two versions of a small package stand for any library.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { grus, notebook, python, scratch } from '../grus.js';

describe('grus diff', () => {
  it('tells what breaks and what is repaired, and is red for what breaks', async () => {
    const folder = scratch();
    writeFileSync(join(folder, 'rows.txt'), '3');
    const old = notebook(scratch(), ['rows = open("rows.txt").read()', 'print(total)']);
    const now = notebook(folder, [
      'rows = open("rows.txt").read()',
      'total = 1\nprint(total)',
      'rows.push(1)',
    ]);
    const page = join(folder, 'page.md');
    const answer = await grus(['diff', old, now, '--format', 'json', '--format', `markdown=${page}`]);
    expect(answer.code, answer.stderr).toBe(1);
    const { breaks, repairs, still, uncovers } = JSON.parse(answer.stdout);
    expect(breaks).toMatchObject([{ cell: 3, exception: { type: 'AttributeError' } }]);
    expect(repairs).toMatchObject([{ cell: 2, exception: { type: 'NameError' } }]);
    expect([still, uncovers]).toEqual([[], []]);
    expect(readFileSync(page, 'utf8')).toMatch(
      /\| 3 \| 1 \| ` AttributeError[\s\S]*is repaired; it crashed with/,
    );
  });

  it('blames a change for no crash that came before, or that nothing got to before', async () => {
    const folder = scratch();
    const told = async (before: string[], after: string[]) => {
      const [old, now] = [notebook(folder, before, {}, 'a.ipynb'), notebook(folder, after, {}, 'b.ipynb')];
      const { code, stdout } = await grus(['diff', old, now, '--quick']);
      return [code, stdout.replace(/ \(.* s\)/, '')];
    };
    expect(await told(['a', 'b'], ['a = 1', 'b'])).toEqual([
      0,
      expect.stringMatching(/cell 2 would crash, and was not judged before: NameError[\s\S]*1 repaired\n$/),
    ]);
    expect(await told(['x = 1', 'b'], ['x = 2', 'w = 3', 'b'])).toEqual([
      0,
      expect.stringMatching(/cell 3 would crash as before: NameError.*\n1 as before\n$/),
    ]);
    expect(await told(['x = 1'], ['x = 2'])).toEqual([0, 'nothing broken, nothing repaired\n']);
    const { code, stderr } = await grus(['diff', join(folder, 'a.ipynb'), join(folder, 'none.ipynb')]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('none.ipynb')]);
  });
});

/** An interpreter that has this version of the package. */
function withBirds(folder: string, version: string, source: string): string {
  const site = join(folder, version);
  mkdirSync(join(site, `birds-${version}.dist-info`), { recursive: true });
  writeFileSync(join(site, 'birds.py'), source);
  const about = join(site, `birds-${version}.dist-info`);
  writeFileSync(join(about, 'METADATA'), `Metadata-Version: 2.1\nName: birds\nVersion: ${version}\n`);
  writeFileSync(join(about, 'top_level.txt'), 'birds\n');
  const wrapper = join(site, 'python');
  writeFileSync(wrapper, `#!/bin/sh\nPYTHONPATH="${site}" exec "${python}" "$@"\n`);
  chmodSync(wrapper, 0o755);
  return wrapper;
}

/** A package as pip installs it. */
function wheel(folder: string, name: string, version: string, files: Record<string, string>): void {
  const about = `${name}-${version}.dist-info`;
  const all = {
    ...files,
    [`${about}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`,
    [`${about}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  };
  const record = [...Object.keys(all), `${about}/RECORD`].map((path) => `${path},,`).join('\n');
  const packed = JSON.stringify({ ...all, [`${about}/RECORD`]: `${record}\n` });
  const program =
    'import json, sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], "w") as wheel:\n    for path, text in json.loads(sys.argv[2]).items():\n        wheel.writestr(path, text)';
  execFileSync(python, ['-c', program, join(folder, `${name}-${version}-py3-none-any.whl`), packed]);
}

describe('grus check --against', () => {
  it('names the package that changed it: names, members and arguments that are gone', async () => {
    const folder = scratch();
    const whole =
      'def crane(legs=2): return legs\ndef heron(): return 1\nclass Bird:\n    def fly(self): return 1\n';
    const old = withBirds(folder, '1.4', whole);
    const now = withBirds(folder, '2.0', 'def crane(): return 2\nclass Bird: pass\n');
    const cells = ['import birds as b\nfrom birds import crane', 'b.crane()'];
    notebook(folder, [...cells, 'n = 1\nb.crane(legs=4)'], {}, 'nb/argument.ipynb');
    notebook(folder, [...cells, 'bird = b.Bird()', 'bird.fly()'], {}, 'nb/member.ipynb');
    notebook(folder, ['from birds import heron', 'heron()'], {}, 'nb/name.ipynb');
    notebook(folder, cells, {}, 'nb/sound.ipynb');
    const { code, stdout, stderr } = await grus([
      ...['check', join(folder, 'nb'), '--python', old, '--against', now],
      ...['--jobs', '2', '--format', 'json', '--format', `text=${join(folder, 'told.txt')}`],
    ]);
    expect(code, stderr).toBe(1);
    const told = JSON.parse(stdout);
    expect(told.against).toBe(now);
    const version = { package: 'birds', before: '1.4', after: '2.0' };
    expect(
      told.notebooks.map(({ breaks }: { breaks: { cell: number; because_of: unknown }[] }) =>
        breaks.map(({ cell, because_of }) => [cell, because_of]),
      ),
    ).toEqual([
      [[3, [{ ...version, names_gone: [], arguments_gone: ['birds.crane(legs=)'] }]]],
      [[4, [{ ...version, names_gone: ['birds.Bird.fly'], arguments_gone: [] }]]],
      [[1, [{ ...version, names_gone: ['birds.heron'], arguments_gone: [] }]]],
      [],
    ]);
    const text = readFileSync(join(folder, 'told.txt'), 'utf8');
    expect(text).toContain('since birds 1.4 → 2.0: birds.heron is gone');
    expect(text).toContain('3 broken');
  });

  it('makes an environment from a file of requirements, and judges in it', async () => {
    const folder = scratch();
    const old = withBirds(folder, '1.4', 'def crane(): return 2\ndef heron(): return 1\n');
    wheel(folder, 'birds', '2.0', {
      'birds.py': 'def crane(): return 2\n',
      'birds-2.0.dist-info/top_level.txt': 'birds\n',
    });
    // Nothing is downloaded: the kernel's own packages are those of the tests, by their path.
    const site = execFileSync(python, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))']);
    wheel(folder, 'ipykernel', '99', { 'of_the_tests.pth': site.toString() });
    const file = join(folder, 'requirements.txt');
    writeFileSync(file, `--no-index\n--find-links ${folder}\nbirds==2.0\n`);
    const path = notebook(folder, ['import birds', 'birds.crane()', 'birds.heron()']);
    const env = { XDG_CACHE_HOME: join(folder, 'cache') };
    const { code, stdout, stderr } = await grus(
      ['check', path, '--python', old, '--against', file, '--format', 'json'],
      { env },
    );
    expect(code, stderr).toBe(1);
    const [{ breaks }] = JSON.parse(stdout).notebooks;
    expect(breaks).toMatchObject([
      {
        cell: 3,
        because_of: [{ package: 'birds', before: '1.4', after: '2.0', names_gone: ['birds.heron'] }],
      },
    ]);
  });

  it('says why packages could not be installed, and what is no interpreter', async () => {
    const folder = scratch();
    const path = notebook(folder, ['x = 1']);
    const file = join(folder, 'requirements.txt');
    writeFileSync(file, '--no-index\nno-such-bird==3.1\n');
    const env = { XDG_CACHE_HOME: join(folder, 'cache') };
    const failed = await grus(['check', path, '--against', file], { env });
    expect(failed.code).toBe(2);
    expect(failed.stderr).toMatch(
      /requirements\.txt could not be installed\. ERROR: .*No matching distribution/,
    );
    const wrong = await grus(['check', path, '--against', join(folder, 'nothing')]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('neither a Python nor')]);
  });
});
