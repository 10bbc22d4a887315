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
  return Object.entries(kinds).flatMap(([kind, { folder }]) =>
    readdirSync(join(root, folder), { recursive: true })
      .map(String)
      .filter((file) => file.endsWith('.ts'))
      .sort()
      .flatMap((file) => {
        const page = pageOf(kind, readFileSync(join(root, folder, file), 'utf8'));
        return page ? [page] : [];
      }),
  );
}

function pageOf(kind, source) {
  const block = /^\/\*\*\n([\s\S]*?)\n \*\//.exec(source);
  const id = /\bid: '([^']+)'/.exec(source)?.[1];
  if (!block || !id || !/define(Check|Detector)\(/.test(source)) return null;
  const text = block[1].replace(/^ \* ?/gm, '').trim();
  const title = /^# (.*)$/m.exec(text)?.[1] ?? id;
  const field = (name) => new RegExp(`\\b${name}: '([^']+)'`).exec(source)?.[1] ?? null;
  const status = kind === 'check' && measured.checks[id]?.false_alarms !== 0 ? 'preview' : 'stable';
  return { kind, id, title, rung: field('rung'), status, subcause: field('subcause'), text };
}

/** The files under docs/ that follow from the pages, by path. */
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
