// Judges scenarios before they count: script, label, artefacts, and whether the catalogue has them already.
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, accountOf } from './account.js';
import { loadContribution, loadManifest, type Manifest, type Scenario } from './catalogue.js';
import { judgeLabel } from './consistency.js';
import { sameArtefacts, sameRun } from './duplicates.js';
import { type Recorder, record, withScratch } from './record.js';

export interface ValidatedScenario {
  readonly id: string;
  readonly complaints: readonly string[];
  readonly doubts: readonly string[];
}

/** Entries of the catalogue against their recordings. */
export async function validateRecorded(
  recorder: Recorder,
  chosen: readonly Scenario[],
  all: readonly Scenario[],
): Promise<ValidatedScenario[]> {
  const manifest = await loadManifest(join(recorder.folder, 'recorded'));
  const accounts = await accountsOf(all, manifest);
  const validated: ValidatedScenario[] = [];
  for (const scenario of chosen)
    validated.push(await judge(scenario, accounts.get(scenario.entry.id), all, accounts));
  return validated;
}

/** A contribution: runs it, then judges it against the whole catalogue. */
export async function validateContribution(
  recorder: Recorder,
  folder: string,
  all: readonly Scenario[],
): Promise<ValidatedScenario> {
  return withScratch(async (scratch) => {
    const scenario = await loadContribution(folder, scratch);
    const taken = all.some((other) => other.entry.id === scenario.entry.id);
    await record(recorder, { from: folder }, scratch);
    const accounts = await accountsOf(all, await loadManifest(join(recorder.folder, 'recorded')));
    const made = (await loadManifest(scratch))[scenario.entry.id]!;
    const account = await accountOf(scenario.recorded, made.exit_code);
    const verdict = await judge(scenario, account, all, accounts);
    return taken
      ? { ...verdict, complaints: ['the id is in the catalogue already', ...verdict.complaints] }
      : verdict;
  });
}

async function accountsOf(scenarios: readonly Scenario[], manifest: Manifest): Promise<Map<string, Account>> {
  const accounts = new Map<string, Account>();
  for (const { entry, recorded } of scenarios) {
    const made = manifest[entry.id];
    if (made) accounts.set(entry.id, await accountOf(recorded, made.exit_code));
  }
  return accounts;
}

async function judge(
  scenario: Scenario,
  account: Account | undefined,
  all: readonly Scenario[],
  accounts: ReadonlyMap<string, Account>,
): Promise<ValidatedScenario> {
  const { entry, script } = scenario;
  const readable = await access(script).then(
    () => true,
    () => false,
  );
  if (!readable) return { id: entry.id, complaints: [`there is no script ${entry.script}`], doubts: [] };
  if (!account) return { id: entry.id, complaints: ['it was not recorded'], doubts: [] };
  const opinion = judgeLabel(entry, account);
  const complaints = [...opinion.complaints];
  for (const other of all) {
    if (other === scenario || other.entry.id === entry.id) continue;
    const twin = accounts.get(other.entry.id);
    const why =
      (await sameRun(scenario, other)) ?? (twin ? sameArtefacts(account.record, twin.record) : null);
    if (why) complaints.push(`duplicate of ${other.entry.id}: ${why}`);
  }
  return { id: entry.id, complaints, doubts: opinion.doubts };
}
