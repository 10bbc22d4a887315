// Loads runs: the scenarios of this repository (catalogue and recordings), or any folder with a `labels.json`.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GrusError } from '@grus/core';
import type { TrainingCase } from './case.js';
import { caseOf } from './label.js';

/** The cases of a folder: scenarios when it holds `catalog/` and `recorded/`, else runs named by its `labels.json`. */
export function loadCases(folder: string): TrainingCase[] {
  if (isScenarios(folder)) return scenarios(folder);
  if (existsSync(join(folder, 'labels.json'))) return labelled(folder);
  throw new GrusError(`${folder} holds neither scenarios nor a labels.json`, {
    advice:
      'Give a folder of runs with a labels.json: {"run-1": {"category": "optimization", "subcause": "divergence"}, "run-2": "healthy"}.',
  });
}

export function isScenarios(folder: string): boolean {
  return existsSync(join(folder, 'catalog')) && existsSync(join(folder, 'recorded'));
}

function scenarios(folder: string): TrainingCase[] {
  const catalogue = readdirSync(join(folder, 'catalog'))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => readJson<readonly Record<string, unknown>[]>(join(folder, 'catalog', name)));
  return catalogue
    .filter(({ id }) => holdsRun(join(folder, 'recorded', String(id))))
    .map((entry) =>
      caseOf(String(entry['id']), join(folder, 'recorded', String(entry['id'])), entry, 'the catalogue'),
    );
}

function labelled(folder: string): TrainingCase[] {
  const file = join(folder, 'labels.json');
  const labels = readJson<Record<string, unknown>>(file);
  return Object.entries(labels).map(([id, label]) => {
    const path = [join(folder, id), join(folder, 'runs', id)].find(existsSync);
    if (path === undefined)
      throw new GrusError(`${file} names ${id}, which is not in ${folder}`, {
        advice: 'Each key of labels.json is a run folder or a file beside it.',
      });
    return caseOf(id, path, label, file);
  });
}

function holdsRun(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory() && readdirSync(path).length > 0;
}

function readJson<Value>(file: string): Value {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Value;
  } catch (cause) {
    throw new GrusError(`${file} is not JSON`, { advice: 'Repair the file; it must be plain JSON.', cause });
  }
}
