// The libraries that the reasoning knows. They are registered once, when the product is loaded; the interpreter asks them
// here and imports none.

import { registerKinds } from './kinds.js';
import { languageKinds } from './language-kinds.js';
import type { Hooks, LibraryModel, Manners, QuestionRules, Transfers } from './library.js';
import { registerNames, topPackage } from './names.js';

registerKinds(languageKinds);

let models: readonly LibraryModel[] = [];
let transfers: readonly Transfers[] = [];

export function registerLibraries(all: readonly LibraryModel[]): void {
  models = all;
  transfers = all.flatMap((model) => model.transfers ?? []);
  for (const { kinds } of all) if (kinds) registerKinds(kinds);
  registerNames(all.flatMap((model) => model.publicName ?? []));
}

export function allLibraries(): readonly LibraryModel[] {
  return models;
}

export function allTransfers(): readonly Transfers[] {
  return transfers;
}

/** The first answer of a library; undefined when none has one. */
export function firstAnswer<T>(ask: (transfers: Transfers) => T | undefined): T | undefined {
  for (const each of transfers) {
    const answer = ask(each);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

export function firstHooked<T>(ask: (hooks: Hooks) => T | undefined): T | undefined {
  for (const { hooks } of models) {
    const answer = hooks && ask(hooks);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

export function everyHook(run: (hooks: Hooks) => void): void {
  for (const { hooks } of models) if (hooks) run(hooks);
}

export function firstQuestion<T>(ask: (rules: QuestionRules) => T | undefined): T | undefined {
  for (const { questions } of models) {
    const answer = questions && ask(questions);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** Whether a package is known to leave alone what it is given, and the classes of others. */
export function isKnownPackage(name: string): boolean {
  return someManners(({ keepingArguments }) => keepingArguments?.includes(topPackage(name)));
}

export function someManners(test: (manners: Manners) => boolean | undefined): boolean {
  return models.some(({ manners }) => manners !== undefined && test(manners) === true);
}
