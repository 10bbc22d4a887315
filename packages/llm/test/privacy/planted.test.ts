// Secrets planted in a real kernel and looked for in the real request, as `grus snapshot --as-sent` shows it: at the levels
// `shapes` and `statistics` none of them may be told. A third of them are drawn anew in every run.
import type { RedactionLevel } from '@grus/core';
import type { Kernel } from '@grus/kernel';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestKernel } from '../support/kernel.js';
import { bodyAt } from './body.js';
import { forms, randomFrom, type Secret, secretOf, tells } from './forms.js';
import { places } from './places.js';

const batchSize = 30;
const levels = ['shapes', 'statistics'] as const satisfies readonly RedactionLevel[];

interface Case {
  readonly place: string;
  readonly secret: Secret;
}

let kernel: Kernel;
/** Cells that ended in an error. */
let tripped = 0;
beforeAll(async () => {
  kernel = await startTestKernel();
});
afterAll(() => kernel.close());

/** Plants all cases of a batch, asks once for each level, and names the secrets that are told. */
async function leaksOf(cases: readonly Case[], batch: string): Promise<string[]> {
  const planted = cases.map(({ place, secret }, index) => ({
    place,
    secret,
    ...places[place]!(`item_${batch}_${index}`, secret.text),
  }));
  // A cell that trips over its own secret is sent like the others; it has made nothing that could be touched.
  const touches: string[] = [];
  for (const { touch, cell } of planted) {
    const { status } = await kernel.execute(cell);
    if (status === 'ok' && touch !== '') touches.push(touch);
    else if (status !== 'ok') tripped += 1;
  }
  const target = `print(${touches.join(', ')})\nfor _ in range(2):\n    pass`;
  const told: string[] = [];
  for (const level of levels) {
    const body = await bodyAt(kernel, level, target);
    expect(body).toContain('TARGET');
    for (const { place, secret, cell, core } of planted)
      if (tells(body!, { ...secret, core: core ?? secret.core }))
        told.push(`${level}: ${secret.form} as ${place}: ${cell}`);
  }
  return told;
}

async function leaksOfAll(cases: readonly Case[], batch: string): Promise<string[]> {
  const told: string[] = [];
  for (let start = 0; start < cases.length; start += batchSize)
    told.push(...(await leaksOf(cases.slice(start, start + batchSize), `${batch}${start}`)));
  return told;
}

const allForms = Object.keys(forms);
const allPlaces = Object.keys(places);

/** Every form three times, every place in turn. */
function writtenCases(): Case[] {
  const random = randomFrom(20);
  return [0, 1, 2].flatMap((round) =>
    allForms.map((form, index) => ({
      place: allPlaces[(index * 7 + round * 17) % allPlaces.length]!,
      secret: secretOf(form, random),
    })),
  );
}

describe('at shapes and statistics', () => {
  it('tells none of the secrets that were written down', async () => {
    const cases = writtenCases();
    expect(cases.length).toBeGreaterThanOrEqual(200);
    expect(await leaksOfAll(cases, 'w')).toEqual([]);
    expect(tripped).toBeLessThan(cases.length / 20);
  });

  it('tells none of the secrets that are drawn anew', async () => {
    const drawn = fc.array(
      fc.record({ form: fc.constantFrom(...allForms), place: fc.constantFrom(...allPlaces), seed: fc.nat() }),
      { minLength: 168, maxLength: 168 },
    );
    const seed = Number(process.env['GRUS_SEED'] ?? Date.now() % 2 ** 31);
    const [cases] = fc.sample(drawn, { seed, numRuns: 1 });
    const told = await leaksOfAll(
      cases!.map(({ form, place, seed: own }) => ({ place, secret: secretOf(form, randomFrom(own)) })),
      'd',
    );
    expect(told, `GRUS_SEED=${seed} draws these again`).toEqual([]);
  });
});
