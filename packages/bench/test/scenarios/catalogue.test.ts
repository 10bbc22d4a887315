// The committed catalogue: every entry is complete, has its script and is recorded; every recording has its entry and its line in the manifest.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadCatalogue, loadManifest } from '../../src/scenarios/index.js';
import { scenarios } from './scratch-catalogue.js';

it('matches scripts and recordings', async () => {
  const catalogue = await loadCatalogue(scenarios);
  const recordings = join(scenarios, 'recorded');
  const manifest = await loadManifest(recordings);
  const recorded = (await readdir(recordings)).filter((name) => name !== 'manifest.json');
  const ids = catalogue.map(({ entry }) => entry.id);
  expect(catalogue.filter(({ script }) => !existsSync(script)).map(({ script }) => script)).toEqual([]);
  expect(recorded.sort()).toEqual(ids.sort());
  expect(Object.keys(manifest).sort()).toEqual(ids);
});
