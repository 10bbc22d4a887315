// The work of `grus checks` and `grus explain`: the documentation pages that the build put into the bundle.
import { GrusError, nearest } from '@grus/core';
import { pages } from '../generated/pages.js';
import { exitCodes, printJson } from '../terminal/output.js';
import { styleFor } from '../terminal/style.js';

export function listChecks({ json }: { readonly json?: boolean }): number {
  const entries = pages.map(({ kind, id, title, rung, status, subcause }) => ({
    kind,
    id,
    title,
    rung,
    status,
    subcause,
  }));
  if (json) {
    printJson(entries);
    return exitCodes.nothingBad;
  }
  const { bold } = styleFor(process.stdout);
  const headings = {
    check: 'Checks of notebook cells',
    rung: 'What the dry run and a model say',
    detector: 'Detectors of training failures',
  };
  for (const [kind, heading] of Object.entries(headings)) {
    const own = pages.filter((page) => page.kind === kind);
    const width = Math.max(0, ...own.map((page) => page.id.length));
    const lines = own.map(
      (page) => `  ${page.id.padEnd(width)}  ${page.title}${page.status === 'preview' ? ' (preview)' : ''}`,
    );
    process.stdout.write(`${bold(heading)}\n${lines.join('\n')}\n\n`);
  }
  return exitCodes.nothingBad;
}

export function explain(id: string, { json }: { readonly json?: boolean }): number {
  const page = pages.find((candidate) => candidate.id === id);
  if (!page) {
    const [near] = nearest(
      id,
      pages.map((candidate) => candidate.id),
    );
    throw new GrusError(`there is no page "${id}"`, {
      advice: near
        ? `Did you mean ${near}? \`grus checks\` lists them all.`
        : '`grus checks` lists them all.',
    });
  }
  if (json) printJson(page);
  else process.stdout.write(`${page.text}\n`);
  return exitCodes.nothingBad;
}
