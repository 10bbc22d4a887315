// Sixteen ranks in tensor, data and pipeline groups: all ranks that stopped are named, and none that only waits for them.
import { describe, expect, it } from 'vitest';
import { ranksOf } from '../../src/ranks/verdict/ranks.js';
import { runOf } from '../run-files.js';
import { type Fault, pipelineJob, type Shape } from './pipeline-job.js';

const shapes: readonly Shape[] = [
  { tensor: 2, data: 2, pipeline: 4 },
  { tensor: 4, data: 4, pipeline: 1 },
  { tensor: 2, data: 8, pipeline: 1 },
  { tensor: 1, data: 4, pipeline: 4 },
  { tensor: 4, data: 2, pipeline: 2 },
  { tensor: 1, data: 2, pipeline: 8 },
];

/** Repeatable. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

function drawn(seed: number, kinds: readonly Fault['kind'][]): Fault[] {
  const next = chance(seed);
  for (let turn = 0; turn < 5; turn++) next(2);
  const ranks = new Set(Array.from({ length: 1 + next(3) }, () => next(16)));
  return [...ranks].map((rank) => ({ rank, call: 3 + next(20), kind: kinds[next(kinds.length)]! }));
}

async function named(files: Readonly<Record<string, string>>) {
  const ranks = ranksOf(await runOf(files));
  return { first: ranks?.first?.rank ?? null, behind: ranks?.behind ?? [] };
}

describe('ranks that stopped in a job of many groups', () => {
  const rounds = Number(process.env['GRUS_JOBS'] ?? 12);

  it.each([
    ['as the recorder writes them', {}],
    ['with times', { timing: true }],
    ['with groups that each rank counts for itself', { ownNames: true }],
    ['with the oldest calls overwritten', { kept: 40 }],
  ])('are all named, %s', async (_title, options) => {
    for (let round = 0; round < rounds; round++) {
      const shape = shapes[round % shapes.length]!;
      const faults = drawn(round + 1, ['host', 'gone']);
      const { files, first } = pipelineJob(shape, faults, options);
      const { behind, first: one } = await named(files);
      const about = { round, shape, faults, behind };
      const faulty = faults.map(({ rank }) => rank);
      expect({ ...about, innocent: behind.filter((rank) => !faulty.includes(rank)) }).toEqual({
        ...about,
        innocent: [],
      });
      expect({ ...about, unnamed: first.filter((rank) => !behind.includes(rank)) }).toEqual({
        ...about,
        unnamed: [],
      });
      if (first.length > 0) expect(behind).toContain(one);
    }
  });

  it('are named where only their device stopped, if the recorder knows what runs; else no innocent rank is', async () => {
    for (let round = 0; round < rounds; round++) {
      const shape = shapes[round % shapes.length]!;
      const [fault] = drawn(round + 1, ['device']) as [Fault];
      const { files, first } = pipelineJob(shape, [fault], { timing: true });
      expect({ round, shape, fault, ...(await named(files)) }).toEqual({
        round,
        shape,
        fault,
        first: first[0] ?? null,
        behind: first,
      });
      const untimed = pipelineJob(shape, [fault]);
      const { first: one } = await named(untimed.files);
      expect({ round, shape, fault, right: one === null || one === fault.rank }).toMatchObject({
        right: true,
      });
    }
  });

  it('are none in a job that goes on', async () => {
    for (const shape of shapes)
      expect(await named(pipelineJob(shape, []).files)).toEqual({ first: null, behind: [] });
  });
});
