// A counter that its number is glued to counts like any other, wherever it stands in the line; a path, a layer or a version does not.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRun } from '../../src/readers/index.js';
import { findSeries } from '../../src/record/run-record.js';
import { temporaryRun } from './run-of.js';

const epochs = 7;
const loss = (epoch: number): string => (2 / epoch).toFixed(3);

async function read(line: (epoch: number) => string) {
  const text = Array.from({ length: epochs }, (_, at) => `${line(at + 1)}\n`).join('');
  return readRun(join(temporaryRun({ 'train.log': text }), 'train.log'));
}

describe('a counter with its number glued to it', () => {
  it('what guessing loses is no loss of training', async () => {
    const line = (at: number) => (at === 1 ? 'chance loss = 4.158' : `ep${at} loss=${loss(at)}`);
    const losses = (await read(line)).series.filter(({ metric }) => metric === 'loss');
    expect(losses.map(({ values }) => values[0])).toEqual([1]);
  });

  it.each([
    (at: number) => `epoch ${at} loss ${loss(at)} best=ep1`,
    (at: number) => `[${at}/2000] loss ${loss(at)} next save: step500`,
  ])('leaves a line its own: %#', async (line) => {
    expect([...findSeries(await read(line), 'loss')!.steps]).toEqual(
      Array.from({ length: epochs }, (_, at) => at + 1),
    );
  });

  it.each([
    ['epochs', (at: number) => `ep0${at} loss=${loss(at)} top1=0.2`],
    ['epochs', (at: number) => `epoch${at}: loss ${loss(at)}`],
    ['epochs', (at: number) => `ep${at}/40 loss ${loss(at)}`],
    ['epochs', (at: number) => `10:00:0${at} INFO trainer ep${at} | loss ${loss(at)}`],
    ['epochs', (at: number) => `[ep${at}] loss=${loss(at)} acc=0.5`],
    ['steps', (at: number) => `step000${at} loss=${loss(at)} lr=0.1`],
    ['steps', (at: number) => `it${at}, loss ${loss(at)}`],
  ])('counts %s: %#', async (counts, line) => {
    const curve = findSeries(await read(line), 'loss')!;
    expect(curve.counts).toBe(counts);
    expect([...curve.steps]).toEqual(Array.from({ length: epochs }, (_, at) => at + 1));
    expect(curve.values[1]).toBeCloseTo(1);
  });

  it.each([
    (at: number) => `ckpt/step${at}.pt score=${loss(at)}`,
    (at: number) => `conv${at} score ${loss(at)}`,
    (at: number) => `run-ep${at}_final score=${loss(at)}`,
    (at: number) => `S${at} score ${loss(at)}`,
    (at: number) => `step${at} rmse 2.1 step${at + 11} rmse 2.4`,
  ])('is none inside of a name: %#', async (line) => {
    expect(
      (await read(line)).series.filter(({ hasSteps }) => hasSteps).map(({ steps }) => steps.at(-1)),
    ).not.toContain(epochs);
  });
});
