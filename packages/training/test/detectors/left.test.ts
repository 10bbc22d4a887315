// Which courses left their best for good, as a table: how they leave, how long they are, how much they waver; and what only looks so.
import { describe, expect, it } from 'vitest';
import { isProven, leftForGood } from '../../src/detectors/shared/left.js';

const wobble = (at: number) => Math.sin(at * 12.9898) * Math.cos(at * 4.1);
const learns = (share: number) => 0.2 + 2 * Math.exp(-6 * share);

/** `share`: how much of the run is over; `since`: how much of what is left after the onset. */
const ways: Record<string, (since: number) => number> = {
  'jumps to where it began': () => 2.2,
  'creeps back': (since) => learns(0.6) + 2 * Math.min(1, 1.4 * since),
  'rises ever faster': (since) => 0.3 * Math.exp(6 * since),
  'rises by stairs': (since) => 0.8 + 0.8 * Math.floor(2.99 * since),
};
const passes: Record<string, (since: number) => number> = {
  'goes on to fall': (since) => learns(0.6 + 0.4 * since),
  'has a spike that heals': (since) => (since < 0.1 ? 3 : learns(0.6 + 0.4 * since)),
  'is thrown back and falls again': (since) => 0.25 + 1.5 * Math.exp(-5 * since),
  'stands still': () => learns(0.6),
};

const course = (after: (since: number) => number, count: number, wavers: number): number[] =>
  Array.from({ length: count }, (_, at) => {
    const share = at / (count - 1);
    const value = share < 0.6 ? learns(share) : after((share - 0.6) / 0.4);
    return value * (1 + wavers * wobble(at));
  });

const left = (values: readonly number[]): boolean => {
  const found = leftForGood(values);
  return found !== null && isProven(found);
};

const sizes = [12, 30, 200].flatMap((count) => [0.01, 0.1].map((wavers) => [count, wavers] as const));

describe.each(sizes)('of %i points that waver by %f', (count, wavers) => {
  it.each(Object.entries(ways))('what %s has left', (_name, after) => {
    expect(left(course(after, count, wavers))).toBe(true);
  });

  it.each(Object.entries(passes))('what %s has not', (_name, after) => {
    expect(left(course(after, count, wavers))).toBe(false);
  });

  it('a score that falls says the same with its sign turned', () => {
    const scores = course(ways['jumps to where it began']!, count, wavers).map((loss) => loss - 2.4);
    expect(left(scores)).toBe(true);
  });
});

describe('of a few points', () => {
  it.each([
    [[5.2, 8.9, 42, 980], true],
    [[2.3, 2.2, 4.9, 6], true],
    [[2.3, 2.2, 2.6, 2.5], false],
    [[1.4, 13.8, 14.1, 13.9, 13.8, 13.8, 13.9, 13.5, 14, 13.7, 13.5, 13.8], false],
  ])('%j', (values, expected) => {
    expect(left(values)).toBe(expected);
  });

  it('two courses prove together what neither does alone', () => {
    const [trained, held] = [leftForGood([0.9, 2.6])!, leftForGood([1.1, 3.4])!];
    expect([isProven(trained), isProven(held), isProven(trained, [held])]).toEqual([false, false, true]);
  });
});

describe('a course that had left before', () => {
  const stays = (...levels: readonly number[]) =>
    levels.flatMap((level) => Array.from({ length: 30 }, (_, at) => level * (1 + 0.05 * wobble(at))));

  it.each([
    ['and came back each time: parts that are trained in turn', stays(2, 0.2, 1.9, 0.2, 2, 0.2, 1.9), false],
    ['for a moment', [...stays(2, 0.2), 2, 2, ...stays(0.2, 2, 2)], true],
    ['before it was ever low', stays(2, 2, 2, 0.2, 0.2, 2), true],
  ])('%s', (_name, values, expected) => {
    expect(left(values)).toBe(expected);
  });
});

describe('a course that went back to where it had stood', () => {
  const falls = [1.29, 0.87, 0.66, 0.47, 0.37, 0.24];
  const stands = [0.21, 0.2, 0.25, 0.2, 0.22, 0.37];
  const [easy, back] = [
    [0.027, 0.044, 0.025],
    [0.21, 0.23],
  ];

  it.each([
    ['after a few easy batches has not left them', [...falls, ...stands, ...easy, ...back], false],
    ['and beyond has', [...falls, ...stands, ...easy, 0.9, 1.1], true],
    ['after a long time at its best has', [...falls, ...stands, ...easy, ...easy, ...easy, ...back], true],
    ['but only came through it on its way down has', [...falls, ...easy, ...back], true],
  ])('%s', (_name, values, expected) => {
    expect(left(values)).toBe(expected);
  });
});
