// The scenarios on disk: the catalogue with its recordings, or the folder of somebody who contributes one.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GrusError } from '@grus/core';
import { z } from 'zod';
import { readEntry, type ScenarioEntry } from './entry.js';

const manifestSchema = z.record(
  z.string(),
  z.object({ exit_code: z.number(), seconds: z.number(), machine: z.record(z.string(), z.string()) }),
);

export type Manifest = z.infer<typeof manifestSchema>;

export interface Scenario {
  readonly entry: ScenarioEntry;
  /** Where its script stands. */
  readonly script: string;
  /** The folder its artefacts are (or would be) recorded in. */
  readonly recorded: string;
}

/** Every entry of `catalog/*.json` below the scenarios' folder, in the order of the files. Throws on the first bad one. */
export async function loadCatalogue(folder: string): Promise<Scenario[]> {
  const scenarios = new Map<string, Scenario>();
  const files = (await readdir(join(folder, 'catalog'))).filter((name) => name.endsWith('.json')).sort();
  for (const file of files) {
    for (const raw of await readList(join(folder, 'catalog', file))) {
      const entry = accept(raw, `catalog/${file}`);
      if (scenarios.has(entry.id))
        throw new GrusError(`${entry.id} is in the catalogue twice`, {
          advice: 'Give one of them another id.',
        });
      scenarios.set(entry.id, {
        entry,
        script: join(folder, 'scripts', entry.script),
        recorded: join(folder, 'recorded', entry.id),
      });
    }
  }
  return [...scenarios.values()];
}

/** The one scenario of `FOLDER/scenario.json`, recorded (when it will be) below `recordings`. */
export async function loadContribution(folder: string, recordings: string): Promise<Scenario> {
  const [raw, ...more] = await readList(join(folder, 'scenario.json'));
  if (raw === undefined || more.length > 0)
    throw new GrusError(`${folder}/scenario.json must hold one entry`, {
      advice: 'Contribute one at a time.',
    });
  const entry = accept(raw, `${folder}/scenario.json`);
  return { entry, script: join(folder, entry.script), recorded: join(recordings, entry.id) };
}

export async function loadManifest(recordings: string): Promise<Manifest> {
  const text = await readFile(join(recordings, 'manifest.json'), 'utf8').catch(() => '{}');
  return manifestSchema.parse(JSON.parse(text));
}

async function readList(file: string): Promise<unknown[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new GrusError(`${file} cannot be read`, {
      advice: 'See scenarios/README.md for the layout.',
      cause,
    });
  });
  const content: unknown = JSON.parse(text);
  return Array.isArray(content) ? content : [content];
}

function accept(raw: unknown, place: string): ScenarioEntry {
  const read = readEntry(raw);
  if ('entry' in read) return read.entry;
  const id = (raw as { id?: unknown } | null)?.id;
  throw new GrusError(
    `${typeof id === 'string' ? id : 'an entry'} in ${place}: ${read.complaints.join('; ')}`,
    {
      advice: 'scenarios/README.md explains the fields, scenarios/LABELS.md the labels.',
    },
  );
}
