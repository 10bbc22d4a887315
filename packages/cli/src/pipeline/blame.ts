// Which package a broken cell broke with: what its line asks of the packages, and whether both interpreters offer it.
import { type Offers, offersOf } from '@grus/kernel';
import { askedOfPackages, type CodeCell, modulesOf } from '@grus/notebook';
import type { JudgedCell } from './report.js';

export interface Blame {
  readonly package: string;
  /** Null where it is not installed. */
  readonly before: string | null;
  readonly after: string | null;
  /** Names that the later version does not have. */
  readonly names_gone: readonly string[];
  /** Arguments that the later version does not take: `read_csv(squeeze=)`. */
  readonly arguments_gone: readonly string[];
}

export interface Interpreters {
  readonly before: string;
  readonly after: string;
}

export async function blamesFor(
  cells: readonly CodeCell[],
  { cell, verdict }: JudgedCell,
  interpreters: Interpreters,
): Promise<Blame[]> {
  const asked = askedOfPackages(cells, cell, verdict.line);
  const wanted = { paths: asked.paths, members: asked.members, modules: modulesOf(cells) };
  const [before, after] = await Promise.all([
    offersOf(interpreters.before, wanted),
    offersOf(interpreters.after, wanted),
  ]);
  if (!before || !after) return [];
  return wanted.modules.flatMap((module) => {
    const [old, now] = [before.modules[module] ?? null, after.modules[module] ?? null];
    if (old === null) return [];
    const isOf = (path: string) => path === module || path.startsWith(`${module}.`);
    const names = now === null ? [module] : namesGone(before, after).filter(isOf);
    const gone = argumentsGone(asked.keywords, before, after).filter(isOf);
    if (names.length === 0 && gone.length === 0) return [];
    return [
      {
        package: old.distribution,
        before: old.version,
        after: now?.version ?? null,
        names_gone: names,
        arguments_gone: gone,
      },
    ];
  });
}

function namesGone(before: Offers, after: Offers): string[] {
  const paths = Object.keys(before.paths).filter((path) => before.paths[path] && after.paths[path] === false);
  const members = Object.entries(before.members).flatMap(([member, classes]) =>
    classes.filter((place) => !after.members[member]?.includes(place)).map((place) => `${place}.${member}`),
  );
  return [...paths, ...members];
}

/** A call whose callee is there in both, takes the argument before, and says after which ones it takes. */
function argumentsGone(
  keywords: readonly { readonly of: string; readonly name: string }[],
  before: Offers,
  after: Offers,
): string[] {
  return keywords.flatMap(({ of, name }) =>
    Object.entries(before.parameters)
      .filter(([callee]) => callee === of || (!of.includes('.') && callee.endsWith(`.${of}`)))
      .filter(([callee, had]) => {
        const has = after.parameters[callee];
        return (had === null || had.includes(name)) && Array.isArray(has) && !has.includes(name);
      })
      .map(([callee]) => `${callee}(${name}=)`),
  );
}

export function blameText(blame: Blame): string {
  const { before, after, names_gone: names, arguments_gone: gone } = blame;
  const was = before ?? 'unknown version';
  if (after === null) return `${blame.package} ${was} is not installed there`;
  const parts = [...names, ...gone].slice(0, 4).join(', ');
  return `${blame.package} ${was} → ${after}: ${parts} ${names.length + gone.length === 1 ? 'is' : 'are'} gone`;
}
