// Re-creates scenarios of the catalogue and says whether each still fails as recorded.
import { join } from 'node:path';
import { accountOf } from './account.js';
import { loadManifest, type Scenario } from './catalogue.js';
import { differences } from './compare.js';
import { type Recorder, record, withScratch } from './record.js';

export interface CheckedScenario {
  readonly id: string;
  readonly state: 'same' | 'different' | 'not recorded';
  readonly differences: readonly string[];
}

export async function checkScenarios(
  recorder: Recorder,
  chosen: readonly Scenario[],
): Promise<CheckedScenario[]> {
  const recordings = join(recorder.folder, 'recorded');
  const manifest = await loadManifest(recordings);
  const checked: CheckedScenario[] = [];
  await withScratch(async (scratch) => {
    for (const { entry, recorded } of chosen) {
      const before = manifest[entry.id];
      if (!before) {
        checked.push({ id: entry.id, state: 'not recorded', differences: [] });
        continue;
      }
      await record(recorder, { ids: [entry.id] }, scratch);
      const now = (await loadManifest(scratch))[entry.id]!;
      const found = differences(
        entry,
        await accountOf(recorded, before.exit_code),
        await accountOf(join(scratch, entry.id), now.exit_code),
      );
      checked.push({ id: entry.id, state: found.length > 0 ? 'different' : 'same', differences: found });
    }
  });
  return checked;
}
