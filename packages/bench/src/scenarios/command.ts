// The words of `npm run scenario`: list, record, check, validate. Returns the exit code.
import { join } from 'node:path';
import { GrusError } from '@grus/core';
import { loadCatalogue, loadManifest, type Scenario } from './catalogue.js';
import { checkScenarios } from './check.js';
import { type Recorder, record } from './record.js';
import { type ValidatedScenario, validateContribution, validateRecorded } from './validate.js';

export async function scenarioCommand(
  words: readonly string[],
  recorder: Recorder,
  print: (line: string) => void,
): Promise<number> {
  const [verb, ...names] = words;
  const all = await loadCatalogue(recorder.folder);
  if (verb === 'list') return list(all, recorder, print);
  if (verb === 'validate' && names.some((name) => /[/\\.]/.test(name))) {
    const verdicts = [];
    for (const name of names) verdicts.push(await validateContribution(recorder, name, all));
    return tell(verdicts, print);
  }
  const chosen = choose(all, names);
  if (verb === 'validate') return tell(await validateRecorded(recorder, chosen, all), print);
  if (verb !== 'record' && verb !== 'check')
    throw new GrusError(verb ? `there is no command ${verb}` : 'no command was given', {
      advice: 'Use list, record ID..., check ID..., validate ID... or validate FOLDER.',
    });
  const here = chosen.filter(({ entry }) => names.length > 0 || entry.device === 'cpu');
  const ids = here.map(({ entry }) => entry.id);
  if (verb === 'record') {
    await record(recorder, { ids }, join(recorder.folder, 'recorded'));
    return 0;
  }
  const checked = await checkScenarios(recorder, here);
  for (const { id, state, differences } of checked)
    print(`${id}: ${state}${differences.map((line) => `\n  ${line}`).join('')}`);
  return checked.every(({ state }) => state === 'same') ? 0 : 1;
}

function choose(all: readonly Scenario[], names: readonly string[]): readonly Scenario[] {
  if (names.length === 0) return all;
  const byId = new Map(all.map((scenario) => [scenario.entry.id, scenario]));
  return names.map((name) => {
    const scenario = byId.get(name);
    if (!scenario)
      throw new GrusError(`${name} is not in the catalogue`, {
        advice: 'npm run scenario -- list names them.',
      });
    return scenario;
  });
}

function tell(verdicts: readonly ValidatedScenario[], print: (line: string) => void): number {
  for (const { id, complaints, doubts } of verdicts) {
    const lines = [
      ...complaints.map((line) => `  ${line}`),
      ...doubts.map((line) => `  look again: ${line}`),
    ];
    print([`${id}: ${complaints.length > 0 ? 'not valid' : 'valid'}`, ...lines].join('\n'));
  }
  return verdicts.every(({ complaints }) => complaints.length === 0) ? 0 : 1;
}

async function list(
  all: readonly Scenario[],
  recorder: Recorder,
  print: (line: string) => void,
): Promise<number> {
  const manifest = await loadManifest(join(recorder.folder, 'recorded'));
  const label = ({ entry }: Scenario): string => `${entry.category} ${entry.subcause ?? ''}`.trim();
  for (const name of [...new Set(all.map(label))].sort()) {
    print(name);
    for (const scenario of all.filter((candidate) => label(candidate) === name)) {
      const { id, architecture, optimizer, framework, format } = scenario.entry;
      const state = manifest[id] ? '' : ' (not recorded)';
      print(`  ${id}: ${[architecture, optimizer, framework, format].join(', ')}${state}`);
    }
  }
  return 0;
}
