import { describe, expect, test } from 'vitest';
import { mayMatch, wordsOf } from '../../src/detectors/shared/words-of-pattern.js';

const words: readonly (readonly [RegExp, readonly string[] | null])[] = [
  [/CUDA out of memory/, ['cuda out of memory']],
  [
    /killed by signal: Bus error|insufficient shared memory/i,
    ['killed by signal: bus error', 'insufficient shared memory'],
  ],
  [/expected (?:Long|Int)? ?tensors?/, ['expected ']],
  [/Errno (\d+) on (host|disk)/, ['errno ']],
  [/(?:refused|reset) by/, ['refused', 'reset']],
  [/worker (?!Bus)died+ early/, ['worker ']],
  [/(?<=rank )lost\b/, ['lost']],
  [/(?<who>rank|node) \1 gone/, [' gone']],
  [/\x41bc\u0042def/, ['def']],
  [/colou?r|gr[ae]y/, null],
  [/no|nan/, null],
  [/\w+ [^\]]* loss\{/, [' loss{']],
  [/straße/iu, null],
  [/потери total/, [' total']],
];

describe('words of a pattern', () => {
  test.each(words)('%s', (pattern, expected) => {
    expect(wordsOf(pattern)).toEqual(expected);
  });

  const matched: readonly (readonly [RegExp, string])[] = [
    [/CUDA out of memory/, 'RuntimeError: CUDA out of memory. Tried to allocate'],
    [/cuda OUT of memory/i, 'Cuda Out Of Memory'],
    [/expected (?:Long|Int)? ?tensors?/, 'expected tensor'],
    [/worker (?!Bus)died+ early/, 'worker dieddd early'],
    [/(?<=rank )lost\b/, 'rank lost'],
    [/\x41bc\u0042def/, 'AbcBdef'],
    [/colou?r|gr[ae]y/, 'grey'],
    [/straße/iu, 'STRAẞE'],
  ];
  test.each(matched)('%s is tried on what it matches', (pattern, text) => {
    expect(pattern.test(text)).toBe(true);
    expect(mayMatch(pattern, text)).toBe(true);
  });

  test('a pattern without a word in the text is not tried', () => {
    expect(mayMatch(/out of memory|oom[-_ ]kill/i, 'ValueError: Expected 4 columns')).toBe(false);
  });
});
