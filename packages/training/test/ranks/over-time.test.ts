// Ranks over many turns: who holds up the others, whose weights drift, and how it is drawn.
import { describe, expect, it } from 'vitest';
import { drawLanes, lanesSvg } from '../../src/diagnose/rank-picture.js';
import { diagnoseRecord } from '../../src/index.js';
import { lanesOf } from '../../src/ranks/verdict/picture.js';
import { runOf } from '../readers/run-of.js';

/** One console of all ranks, as `line` has it for each step. */
async function told(ranks: number, count: number, line: (rank: number, step: number) => string) {
  const lines = Array.from({ length: count }, (_, step) =>
    Array.from(
      { length: ranks },
      (_, rank) => `[2026-03-01 10:00:00] [rank=${rank}] ${line(rank, step)}\n`,
    ).join(''),
  );
  const { ranks: found, subcause } = diagnoseRecord(await runOf({ 'console.log': lines.join('') }));
  return { first: found?.first?.rank ?? null, subcause };
}

describe('times of the phases of a step', () => {
  const phases = (fwd: number, bwd: number, step: number) =>
    `iteration ${step}/40 | loss: ${(2 - step / 40).toFixed(3)} | fwd_ms: ${fwd + (step % 3)} | bwd_ms: ${bwd - (step % 3)}`;

  it('show the rank whose whole work takes longer', async () => {
    const whole = (seconds: number, step: number) =>
      `step ${step} loss ${(2 - step / 40).toFixed(3)} fwd_bwd_s ${seconds}`;
    const slow = await told(4, 24, (rank, step) => whole(rank === 2 ? 3.4 : 1.02, step));
    expect(slow).toEqual({ first: 2, subcause: 'straggler' });
    const even = await told(4, 24, (rank, step) => whole(1 + rank / 100, step));
    expect(even.subcause).not.toBe('straggler');
  });

  it('show the rank that is slow in one and never waits in the other', async () => {
    const slow = await told(4, 24, (rank, step) =>
      rank === 2 ? phases(240, 12, step) : phases(40, 211, step),
    );
    expect(slow).toEqual({ first: 2, subcause: 'straggler' });
  });

  it('show none where one rank is slow for a few steps, or slow without anybody waiting', async () => {
    for (const own of [
      (step: number) => (step < 4 ? phases(240, 12, step) : phases(40, 211, step)),
      (step: number) => phases(70, 211, step),
    ])
      expect(await told(4, 24, (rank, step) => (rank === 2 ? own(step) : phases(40, 211, step)))).toEqual({
        first: null,
        subcause: null,
      });
  });
});

describe('a number that moves alike on all ranks', () => {
  const line = (step: number, loss: number, more: string) =>
    `iteration ${step}/40 | loss: ${loss.toFixed(4)} | ${more}`;
  const own = (rank: number, step: number) => 2 - step / 40 + rank / 50 + ((step * 7 + rank * 3) % 5) / 100;
  const shared = (step: number) => 3.2 + Math.sin(step) / 4;

  it('and differs on one from some step on is a replica that drifts, whatever it is called', async () => {
    for (const name of ['weights_crc', 'embedding_sum'])
      expect(
        await told(3, 24, (rank, step) =>
          line(
            step,
            own(rank, step),
            `${name}: ${(shared(step) + (rank === 1 && step > 9 ? 0.4 : 0)).toFixed(6)}`,
          ),
        ),
      ).toEqual({ first: 1, subcause: 'replica_drift' });
  });

  it.each([
    ['stays equal', (_rank: number, step: number) => `weights_crc: ${shared(step).toFixed(6)}`],
    ['was never equal', (rank: number, step: number) => `shard_sum: ${(shared(step) + rank).toFixed(6)}`],
    [
      'differs once',
      (rank: number, step: number) => `crc: ${shared(step) + (rank === 1 && step === 9 ? 1 : 0)}`,
    ],
    [
      'is memory that did not move',
      (rank: number, step: number) => `cached_mb: ${rank === 1 && step > 9 ? 900 : 800}`,
    ],
    [
      'counts samples',
      (rank: number, step: number) => `seen: ${step * 64 - (rank === 1 && step > 20 ? 9 : 0)}`,
    ],
  ])('is no drift where it %s', async (_name, more) => {
    expect(await told(3, 24, (rank, step) => line(step, own(rank, step), more(rank, step)))).toMatchObject({
      first: null,
    });
  });
});

describe('the picture', () => {
  const ranks = (size: number, first: number) => {
    const others = Array.from({ length: size }, (_, rank) => rank).filter((rank) => rank !== first);
    return {
      world_size: size,
      present: Array.from({ length: size }, (_, rank) => rank),
      missing: [],
      first: { rank: first, host: null, device: null, step: null, file: null, line: null },
      behind: [first],
      groups: [
        { name: '0', ranks: [], operation: 'all_reduce', sequence: 9, waiting: others, behind: [first] },
      ],
    };
  };
  const dumps = (size: number, first: number) =>
    Array.from({ length: size }, (_, rank) => ({
      rank,
      file: '',
      groups: [],
      calls: Array.from({ length: rank === first ? 5 : 9 }, (_, turn) => ({
        group: '0',
        sequence: turn + 1,
        pair: false,
        operation: 'all_reduce',
        sizes: '',
        types: '',
        state: 'completed' as const,
        time: turn * 10,
        frame: null,
      })),
    }));

  it.each([8, 1024])('of %i ranks is two lanes: where it began, and all that wait', (size) => {
    const lanes = lanesOf(ranks(size, 3), dumps(size, 3));
    expect(lanes.map(({ state, ranks: { length } }) => [state, length])).toEqual([
      ['first', 1],
      ['waits', size - 1],
    ]);
    const drawn = drawLanes(lanes, 80);
    expect(drawn[0]).toMatch(/^rank 3 +█+× +it began here$/);
    expect(drawn[1]).toMatch(/█+░+ waiting$/);
    expect(Math.max(...drawn.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lanesSvg(lanes).match(/<g /g)).toHaveLength(2);
  });
});
