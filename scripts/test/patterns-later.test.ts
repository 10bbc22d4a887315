// The patterns of the bundle match what the patterns of the sources match, and are compiled only where they may.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { LaterPattern } from '../lib/later-pattern.mjs';
import { givenOf, withPatternsLater } from '../lib/patterns-later.mjs';
import { wordsOf } from '../lib/words-of-pattern.mjs';

const root = join(import.meta.dirname, '..', '..');

const later = (pattern: RegExp) => new LaterPattern(...givenOf(pattern));

describe('the words of a pattern', () => {
  const words: readonly (readonly [RegExp, unknown])[] = [
    [/CUDA out of memory/, [['cuda out of memory']]],
    [/killed by signal: Bus error|shared memory/i, [['killed by signal: bus error'], ['shared memory']]],
    [/expected (?:Long|Int)? ?tensors?/, [['expected ', 'tensor']]],
    [/Errno (\d+) on (host|disk)/, [['errno ', ' on ']]],
    [
      /(?:refused|reset) by/,
      [
        [' by', 'refused'],
        [' by', 'reset'],
      ],
    ],
    [/worker (?!Bus)died+ early/, [['worker ', ' early']]],
    [/(?<=rank )lost\b/, [['lost']]],
    [
      /(?<who>rank|node) \1 gone/,
      [
        [' gone', 'rank'],
        [' gone', 'node'],
      ],
    ],
    [/\x41bc\u0042def/, [['def']]],
    [/colou?r|gr[ae]y/, [['colo'], ['gr']]],
    [/\w+|nan/, null],
    [/\w+ [^\]]* loss\{/, [[' loss{']]],
    [/straße/iu, null],
    [/step\tloss/, [['step', 'loss']]],
    [/one	tab/, [['one', 'tab']]],
    [/потери total/, [[' total']]],
    [/Killed|已杀死/, [['killed'], ['已杀死']]],
  ];
  test.each(words)('%s', (pattern, expected) => {
    expect(wordsOf(pattern)).toEqual(expected);
  });
});

describe('a late pattern', () => {
  const texts = [
    'RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB',
    'Cuda Out Of Memory',
    'worker dieddd early',
    'rank lost',
    'AbcBdef',
    'grey',
    'STRAẞE',
    'RANK rank gone',
    'ſhared memory',
    '',
  ];
  const patterns = [
    /CUDA out of memory/,
    /cuda OUT of memory/i,
    /worker (?!Bus)died+ early/,
    /(?<=rank )lost\b/,
    /\x41bc\u0042def/,
    /colou?r|gr[ae]y/,
    /straße/iu,
    /(?<who>rank|node) \1 gone/i,
    /shared MEMORY/i,
    /^$/,
    /rank/g,
    /o/g,
    /out of|rank/gi,
  ];
  test.each(patterns)('%s answers as the pattern does', (pattern) => {
    for (const text of texts) {
      const [one, other] = [new RegExp(pattern), later(pattern)];
      // From where the last call ended, where the pattern keeps its place.
      for (let call = 0; call < 3; call++) {
        expect(other.exec(text)).toEqual(one.exec(text));
        expect(other.test(text)).toBe(one.test(text));
        expect(other.lastIndex).toBe(one.lastIndex);
      }
      expect(text.match(later(pattern))).toEqual(text.match(pattern));
      if (pattern.global) {
        expect([...text.matchAll(later(pattern))]).toEqual([...text.matchAll(pattern)]);
        expect(text.replaceAll(later(pattern), '<$&>')).toBe(text.replaceAll(pattern, '<$&>'));
      }
      expect(text.search(later(pattern))).toBe(text.search(pattern));
      expect(text.replace(later(pattern), '<$&>')).toBe(text.replace(pattern, '<$&>'));
      expect(text.split(later(pattern))).toEqual(text.split(pattern));
    }
  });

  test('is not compiled where its words stand in several texts, and none has them all', () => {
    const pattern = later(/worker .* exited/);
    for (const text of ['worker 3 began', 'node 4 exited', 'began', 'worker 3 began'])
      expect(pattern.test(text)).toBe(false);
    expect(pattern.compiled).toBeNull();
    expect(pattern.test('worker 3 has exited')).toBe(true);
  });

  test('is compiled for a text that has its words, or after many that do not', () => {
    const pattern = later(/out of memory|oom[-_ ]kill/i);
    expect(pattern.test('ValueError: Expected 4 columns')).toBe(false);
    expect(pattern.compiled).toBeNull();
    expect(pattern.test('an OOM_kill')).toBe(true);
    expect(pattern.compiled).not.toBeNull();
    const seldom = later(/out of memory/);
    for (let line = 0; line < 200; line++) seldom.test(`step ${line}`);
    expect(seldom.compiled).not.toBeNull();
  });

  test('every pattern of the sources is tried on the lines that it matches', () => {
    const modules = ['core', 'training'].flatMap((name) => filesBelow(`packages/${name}/src`, '.ts'));
    const lines = new Set(
      filesBelow('scenarios/recorded', '.log')
        .slice(0, 12)
        .flatMap(({ text }) => text.split('\n')),
    );
    const made = modules
      .map(({ path, text }) => withPatternsLater(text, '', path))
      .flatMap((text) => [...text.matchAll(/new GrusPattern\((".*?"),("[a-z]*"),(".*?")\); /g)])
      .map(([, ...given]) => given.map((one): string => JSON.parse(one)) as [string, string, string]);
    expect(made.length).toBeGreaterThan(700);
    let matches = 0;
    for (const [text, flags, needs] of made) {
      const plain = new RegExp(text, flags);
      for (const line of lines) {
        if (!plain.test(line)) continue;
        expect(new LaterPattern(text, flags, needs).test(line), `${plain} on ${line}`).toBe(true);
        matches++;
      }
    }
    expect(matches).toBeGreaterThan(100);
  });
});

function filesBelow(folder: string, end: string): { path: string; text: string }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => join(root, folder, name))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

test('a pattern is made once, above the module, and one that keeps a place stays', () => {
  const made = withPatternsLater(
    [
      'export const loss = /loss (\\d+)/i;',
      'const unit = "(?:ms|s)"; const slow = new RegExp("took \\\\d+ " + unit, "i");',
      'export const times = (text) => [...text.matchAll(/x/g)].length + Number(/step/.test(text));',
      'const named = (words: string): RegExp => new RegExp(`error (?:${words})`); const ended = named("lost|gone");',
      'export const places = (text) => { const each = /y/g; return each.exec(text); };',
    ].join('\n'),
    './later.mjs',
  );
  expect(made.split('\n')).toHaveLength(5);
  expect(made).toContain(String.raw`new GrusPattern("loss (\\d+)","i","loss ")`);
  expect(made).toContain(String.raw`new GrusPattern("took \\d+ (?:ms|s)","i"`);
  expect(made).toContain('new GrusPattern("error (?:lost|gone)",""');
  expect(made).toContain('new GrusPattern("x","g"');
  expect(made).toContain('/y/g');
  expect(made).toMatch(/Number\(grusPattern\d\.test\(text\)\)/);
});

test('words that stood in two lines are found in a text of both', async () => {
  vi.resetModules();
  const { LaterPattern: Fresh } = await import('../lib/later-pattern.mjs');
  const later = new Fresh('begins apart[\\s\\S]*ends apart', '', 'begins apart\tends apart');
  const [first, second] = ['it begins apart here', 'it ends apart there'];
  expect(later.test(first)).toBe(false);
  expect(later.test(second)).toBe(false);
  expect(later.test(`${first}\n${second}`)).toBe(true);
});
