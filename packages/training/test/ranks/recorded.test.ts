// Real jobs of several Gloo ranks, each with one fault, as torchrun and the flight recorders left them: the rank that was made to
// fail is named, and no other.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnoseRecord, readRun } from '../../src/index.js';

const folder = resolve(import.meta.dirname, '..', '..', '..', '..', 'scenarios', 'ranks', 'recorded');
const jobs = readdirSync(folder).map((name) => {
  const label = JSON.parse(readFileSync(join(folder, name, 'label.json'), 'utf8'));
  return { name, ...label } as { name: string; fault: string; world_size: number; rank: number | null };
});

const subcauses: Readonly<Record<string, string | null>> = {
  none: null,
  exception: 'label_out_of_range',
  stall: 'collective_timeout',
  kill: 'terminated',
  skip: 'collective_mismatch',
  operation: 'collective_mismatch',
  type: 'collective_mismatch',
};

describe.each(jobs)('the job $name', ({ name, fault, world_size: size, rank }) => {
  it('has its fault, its first rank and nobody else named', async () => {
    const { ranks, action, subcause } = diagnoseRecord(await readRun(join(folder, name)));
    expect(subcause).toBe(subcauses[fault]);
    expect(ranks).toMatchObject({ world_size: size, first: rank === null ? null : { rank } });
    expect(ranks?.behind.filter((other) => other !== rank)).toEqual([]);
    expect(action).not.toBe('restart');
  });
});
