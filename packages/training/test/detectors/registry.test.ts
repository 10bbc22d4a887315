// Every detector has a page, an id that is its file's name, and fixtures: one that fails and one that only looks so.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderRegistry } from '../../../../scripts/lib/detectors.mjs';
import { examine } from '../../src/detectors/examine.js';
import { detectors } from '../../src/detectors/registry.js';
import { readRun } from '../../src/readers/index.js';

const source = join(import.meta.dirname, '../../src/detectors');
const families = ['memory', 'platform', 'distributed', 'optimization', 'data', 'model'];
const files = families.flatMap((family) =>
  readdirSync(join(source, family)).map((name) => `${family}/${name.replace(/\.ts$/, '')}`),
);
const recorded: Record<string, { subcause: string | null }> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/runs/labels.json'), 'utf8'),
);

const jobs = join(import.meta.dirname, '../../../../scenarios/ranks/recorded');
const records = await Promise.all(readdirSync(jobs).map((job) => readRun(join(jobs, job))));
const seenInJobs = new Set(
  records.flatMap((record) => examine(record).symptoms.map((symptom) => symptom.detector)),
);

describe('the table of detectors', () => {
  it('holds every file once, under its own name', () => {
    expect(detectors.map((detector) => detector.id).sort()).toEqual(files.sort());
  });

  it('is what the files say: run npm run generate', () => {
    expect(readFileSync(join(source, 'registry.ts'), 'utf8')).toBe(renderRegistry());
  });

  it.each(detectors.map((detector) => [detector.id, detector] as const))(
    '%s has a page and a failing fixture',
    (id, detector) => {
      const text = readFileSync(join(source, `${id}.ts`), 'utf8');
      for (const heading of ['# ', '## What', '## Why', '## Example', '## Stays silent'])
        expect(text).toContain(` * ${heading}`);
      const written = existsSync(join(import.meta.dirname, '../fixtures/detectors', id, 'failing.log'));
      const ran = Object.values(recorded).some((label) => label.subcause === detector.subcause);
      expect(written || ran || seenInJobs.has(id), 'no run shows this symptom').toBe(true);
    },
  );
});
