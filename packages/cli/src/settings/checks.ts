// The names of checks in a file of settings, as the ladder takes them: one that no check has is an error.
import { dirname, relative, resolve, sep } from 'node:path';
import { GrusError, nearest } from '@grus/core';
import { type CheckOptions, checks } from '@grus/notebook';
import ignore from 'ignore';
import type { Settings } from './find.js';

/** What the settings say about the checks of a notebook; the path is null for code that is in none. */
export function checkSettings(settings: Settings, path: string | null): Pick<CheckOptions, 'silenced'> {
  assertChecks(settings);
  const silenced = ignoredIn(settings, path);
  return silenced.length === 0 ? {} : { silenced };
}

/** The checks, or families of them, that the project silences in a notebook; null for code that is in none. */
export function ignoredIn({ file, values }: Settings, path: string | null): string[] {
  const everywhere = values.ignore ?? [];
  if (file === null || path === null) return everywhere;
  const place = relative(dirname(file), resolve(path)).split(sep).join('/');
  if (!ignore.isPathValid(place)) return everywhere;
  const here = Object.entries(values['ignore-in'] ?? {}).filter(([pattern]) =>
    ignore().add(pattern).ignores(place),
  );
  return [...everywhere, ...here.flatMap(([, checks]) => checks)];
}

function assertChecks({ file, values }: Settings): void {
  const known = new Set(checks.flatMap(({ id }) => [id, id.split('/')[0]!]));
  for (const name of [...(values.ignore ?? []), ...Object.values(values['ignore-in'] ?? {}).flat()]) {
    if (known.has(name)) continue;
    const [near] = nearest(name, known, 1);
    throw new GrusError(`${file}: there is no check "${name}"`, {
      advice: near === undefined ? 'List them with `grus checks`.' : `Did you mean ${near}?`,
    });
  }
}
