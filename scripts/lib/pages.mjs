// Reads the doc blocks at the top of checks and detectors: they are the documentation pages.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const measured = JSON.parse(readFileSync(join(root, 'packages/notebook/src/checks/measured.json'), 'utf8'));

const kinds = {
  check: { folder: 'packages/notebook/src/checks', docs: 'docs/checks', heading: 'Checks' },
  detector: { folder: 'packages/training/src/detectors', docs: 'docs/detectors', heading: 'Detectors' },
};

/** Every page: kind, id ("family/name"), title, fields of the definition and the text in Markdown. */
export function readPages() {
  return [
    ...Object.entries(kinds).flatMap(([kind, { folder }]) =>
      filesBelow(folder, '.ts').flatMap((file) => {
        const page = pageOf(kind, readFileSync(join(root, folder, file), 'utf8'));
        return page ? [page] : [];
      }),
    ),
    ...filesBelow('docs/rungs', '.md').map((file) => {
      const text = readFileSync(join(root, 'docs/rungs', file), 'utf8').trim();
      const id = file.slice(0, -'.md'.length);
      return { kind: 'rung', id, title: titleOf(text), rung: null, status: 'stable', subcause: null, text };
    }),
  ];
}

const titleOf = (text) => /^# (.*)$/m.exec(text)?.[1];

function filesBelow(folder, ending) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith(ending))
    .sort();
}

function pageOf(kind, source) {
  const block = /^\/\*\*\n([\s\S]*?)\n \*\//.exec(source);
  const id = /\bid: '([^']+)'/.exec(source)?.[1];
  if (!block || !id || !/define(Check|Detector)\(/.test(source)) return null;
  const text = block[1].replace(/^ \* ?/gm, '').trim();
  const title = titleOf(text) ?? id;
  const field = (name) => new RegExp(`\\b${name}: '([^']+)'`).exec(source)?.[1] ?? null;
  const status = kind === 'check' && measured.checks[id]?.false_alarms !== 0 ? 'preview' : 'stable';
  return { kind, id, title, rung: field('rung'), status, subcause: field('subcause'), text };
}

/** The files under docs/ that follow from the pages, by path; what Grus prints is not in them. */
export function renderDocs(pages) {
  const files = {};
  for (const [kind, { docs, heading }] of Object.entries(kinds)) {
    const own = pages.filter((page) => page.kind === kind).sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const page of own) files[`${docs}/${page.id}.md`] = `${page.text}\n\n\`${page.id}\`\n`;
    const rows = own.map(
      (page) => `| [${page.id}](${page.id}.md) | ${page.title} | ${page.rung ?? page.subcause ?? ''} |`,
    );
    const column = kind === 'check' ? 'rung' : 'sub-cause';
    files[`${docs}/README.md`] = [
      `# ${heading}`,
      '',
      `| id | what it finds | ${column} |`,
      '| --- | --- | --- |',
      ...rows,
      '',
    ].join('\n');
  }
  return files;
}

/**
 * What a page about a check shows: the cells of the notebook so far, the cell that crashes, and the repaired one. The code
 * blocks are marked `state`, `cell` and `fixed`; in the state, a line `# %%` begins another cell, `# %% not-run` and
 * `# %% failed` one that was not run or failed.
 */
export function exampleOf(text) {
  const block = (name) => new RegExp(`^\`{3}python ${name}\n([\\s\\S]*?)\n\`{3}$`, 'm').exec(text)?.[1];
  const [cell, repaired] = [block('cell'), block('fixed')];
  if (cell === undefined || repaired === undefined)
    throw new Error(
      'the page needs a code block `python cell` under Example and one `python fixed` under Fix',
    );
  const cells = (block('state') ?? '')
    .split(/^(?=# %%)/m)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [, mark] = /^# %% (not-run|failed)$/m.exec(part) ?? [];
      return { source: part.replace(/^# %%.*\n/, '').trimEnd(), status: mark ?? 'ok' };
    });
  return { cells, cell, repaired };
}

/** The page with what Grus prints behind the cell that crashes. */
export function withPrinted(page, printed) {
  return page.replace(
    /^```python cell\n[\s\S]*?\n```$/m,
    (cell) => `${cell}\n\nGrus says:\n\n\`\`\`text\n${printed}\n\`\`\``,
  );
}

const printedBlock = /\n\nGrus says:\n\n```text\n([\s\S]*?)\n```$/m;

/** What Grus prints, on a page that was tried. */
export function printedOn(page) {
  return printedBlock.exec(page)?.[1];
}

/** The page as written by hand: without what Grus prints. */
export function withoutPrinted(page) {
  return page.replace(printedBlock, '');
}
