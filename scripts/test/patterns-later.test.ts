// The patterns of the bundle match what the patterns of the sources match, and are compiled only where they may.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { patternsOf } from '../lib/later-pattern.mjs';
import { tableOf } from '../lib/pattern-table.mjs';
import { withPatternsLater } from '../lib/patterns-later.mjs';
import { beginningsOf, wordsOf } from '../lib/words-of-pattern.mjs';

const root = join(import.meta.dirname, '..', '..');

const later = (pattern: RegExp) => patternsOf(() => tableOf([pattern]))(0);

describe('the words of a pattern', () => {
  const words: readonly (readonly [RegExp, unknown])[] = [
    [/CUDA out of memory/, [['cuda out of memory']]],
    [/killed by signal: Bus error|shared memory/i, [['killed by signal: bus error'], ['shared memory']]],
    [/expected (?:Long|Int)? ?tensors?/, [['expected ', 'tensor']]],
    [/Errno (\d+) on (host|disk)/, [['errno ', ' on ', [['host'], ['disk']]]]],
    [/(?:refused|reset) by/, [[[['refused'], ['reset']], ' by']]],
    [/worker (?!Bus)died+ early/, [['worker ', ' early', 'died']]],
    [/(?<=rank )lost\b/, [['rank ', 'lost']]],
    [/(?<who>rank|node) \1 gone/, [[' gone', [['rank'], ['node']]]]],
    [
      /(?:eg|row)s? (?:wrong|bad)/,
      [
        [
          [['wrong'], ['bad']],
          [['eg'], ['row']],
        ],
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

describe('what a text begins with', () => {
  const beginnings: readonly (readonly [RegExp, string | null])[] = [
    [/^\[rank/, '['],
    [/^(?<rank>\d{1,4}): (?=Traceback|File)/, '0123456789'],
    [/^K/i, 'Kk'],
    [/^[-=]{3,}/, '-='],
    [/^(?:a)?b/, null],
    [/^(?:a|b)c/, null],
    [/^a|b/, null],
    [/^a?b/, null],
    [/^a{0,2}b/, null],
    [/^\bword/, null],
    [/^line/m, null],
    [/rank/, null],
  ];
  test.each(beginnings)('%s', (pattern, expected) => {
    expect(beginningsOf(pattern)).toBe(expected);
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
    const made: RegExp[] = [];
    for (const { path, text } of modules) withPatternsLater(text, made, path);
    expect(made.length).toBeGreaterThan(700);
    const table = tableOf(made, [...lines].join('\n'));
    let matches = 0;
    for (const [number, { source, flags }] of made.entries()) {
      const plain = new RegExp(source, flags);
      const pattern = patternsOf(() => table);
      for (const line of lines) {
        if (!plain.test(line)) continue;
        expect(pattern(number).test(line), `${plain} on ${line}`).toBe(true);
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
  const patterns: RegExp[] = [];
  const made = withPatternsLater(
    [
      'export const loss = /loss (\\d+)/i;',
      'const unit = "(?:ms|s)"; const slow = new RegExp("took \\\\d+ " + unit, "i");',
      'export const times = (text) => [...text.matchAll(/x/g)].length + Number(/step/.test(text));',
      'const named = (words: string): RegExp => new RegExp(`error (?:${words})`); const ended = named("lost|gone");',
      'export const places = (text) => { const each = /y/g; return each.exec(text); };',
    ].join('\n'),
    patterns,
  );
  expect(made.split('\n')).toHaveLength(5);
  expect(patterns.map(String)).toEqual([
    String(/loss (\d+)/i),
    String(/took \d+ (?:ms|s)/i),
    '/x/g',
    '/step/',
    String(/error (?:lost|gone)/),
  ]);
  expect(made).toContain('/y/g');
  expect(made).toMatch(/Number\(grusPattern\d\.test\(text\)\)/);
});

test('words that stood in two lines are found in a text of both', () => {
  const pattern = later(/begins apart[\s\S]*ends apart/);
  const [first, second] = ['it begins apart here', 'it ends apart there'];
  expect(pattern.test(first)).toBe(false);
  expect(pattern.test(second)).toBe(false);
  expect(pattern.test(`${first}\n${second}`)).toBe(true);
});
