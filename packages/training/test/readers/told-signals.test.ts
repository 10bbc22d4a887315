// How programs say themselves that a signal ends them, and what only sounds so.
import { describe, expect, test } from 'vitest';
import { logOf } from './run-of.js';

const steps = (from: number, to: number): string =>
  Array.from(
    { length: to - from },
    (_, at) => `step ${from + at} loss ${(2 - 0.01 * (from + at)).toFixed(3)}`,
  ).join('\n');

const signalsIn = async (line: string, behind = '') =>
  (await logOf(`${steps(0, 30)}\n${line}\n${behind}`)).exits.map(({ signal }) => signal);

describe('a program ends', () => {
  test.each([
    ['caught signal 15 (SIGTERM), exiting', 'SIGTERM'],
    ['received SIGINT, shutting down', 'SIGINT'],
    ['got signal 15', 'SIGTERM'],
    ['Terminated by signal 15', 'SIGTERM'],
    ['SIGTERM received, exiting', 'SIGTERM'],
    ['2031-02-03 10:00:00,123 INFO Received SIGTERM: 15', 'SIGTERM'],
    ['Trainer received signal 10, saving checkpoint and exiting', 'SIGUSR1'],
    ['Received signal: SIGINT', 'SIGINT'],
  ])('%s', async (line, signal) => {
    expect(await signalsIn(line)).toEqual([signal]);
    // What is flushed behind it changes nothing.
    expect(await signalsIn(line, `${steps(30, 31)}\ncheckpoint written\n`)).toEqual([signal]);
  });

  test('and says of which rank it was', async () => {
    const run = await logOf(`[rank1]: ${steps(0, 1)}\n[rank1]: received SIGTERM, exiting\n`);
    expect(run.exits).toEqual([
      expect.objectContaining({ source: 'python', signal: 'SIGTERM', rank: 1, step: 0 }),
    ]);
  });
});

test.each([
  'installed handler for SIGTERM',
  'registered signal handlers for SIGTERM, SIGINT',
  'SIGUSR1: dumping stacks',
  'received SIGUSR1, continuing after the checkpoint',
  'received SIGHUP, reloading config',
  'received SIGTERM, ignoring it',
  'Bypassing SIGTERM: 15',
  'will exit on SIGTERM',
  'if SIGTERM is received, the job exits',
  'srun: got SIGCONT',
  'got signal SIGUSR1',
  'SIGHUP: cleaning up',
  'Received SIGUSR1, saving checkpoint',
  'caught SIGUSR1 (10): terminating profiler',
  'prefetcher got SIGTERM: shutting down',
  'SIGTERM: stopping data workers',
  'SIGTERM: saving a checkpoint on it is on',
  'Received 15 death signal, shutting down workers',
  'received signal 15 samples',
  'got signal-to-noise ratio 15',
])('no end: %s', async (line) => {
  expect(await signalsIn(line)).toEqual([]);
});

test.each(['caught signal 15 (SIGTERM), exiting', 'got SIGTERM'])(
  'no end of what goes on: %s',
  async (line) => {
    expect(await signalsIn(line, steps(30, 40))).toEqual([]);
  },
);

test('how the process ended outweighs what it said', async () => {
  const run = await logOf(`${steps(0, 5)}\ngot SIGTERM\nProcess finished with exit code 0\n`);
  expect(run.exits.map(({ reason }) => reason)).toEqual(['completed']);
});
