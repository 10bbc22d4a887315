// The JunoBench report as one self-contained page: the tables of the terminal, and every prediction of every method.
import type { JunobenchReport } from '../junobench/run.js';
import { junobenchSections } from './junobench.js';

const style = `
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: .5rem 0 2rem; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .7rem; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; position: sticky; left: 0; background: #fff; }
.scroll { overflow-x: auto; }
.right { background: #e5f3e5; } .wrong { background: #f8dede; } .silent { color: #888; }
@media (prefers-color-scheme: dark) {
  body, th:first-child, td:first-child { background: #181818; color: #ddd; }
  .right { background: #1e3a1e; } .wrong { background: #4a2020; } th, td { border-color: #333; }
}`;

export function renderJunobenchHtml(report: JunobenchReport): string {
  const sections = junobenchSections(report, table).map(
    ({ title, body }) => `<h2>${escapeHtml(title)}</h2>${body}`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>JunoBench</title><style>${style}</style></head>
<body><h1>JunoBench</h1>
${sections.join('\n')}
<h2>Every prediction</h2>${predictions(report)}
</body></html>
`;
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = headings.map((text) => `<th>${escapeHtml(text)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((text) => `<td>${escapeHtml(text)}</td>`).join('')}</tr>`);
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}

function predictions({ methods, predictions: rows }: JunobenchReport): string {
  const names = Object.keys(methods);
  const byInstance = new Map<string, Map<string, (typeof rows)[number]>>();
  for (const row of rows) {
    const known = byInstance.get(row.instance) ?? new Map<string, (typeof rows)[number]>();
    byInstance.set(row.instance, known.set(row.method, row));
  }
  const lines = [...byInstance].map(([instance, predicted]) => {
    const cells = names.map((name) => {
      const row = predicted.get(name);
      if (row === undefined) return '<td>–</td>';
      const sort = row.outcome === 'unknown' ? 'silent' : row.correct ? 'right' : 'wrong';
      return `<td class="${sort}" title="${escapeHtml(row.explanation)}">${row.outcome}</td>`;
    });
    const actual = [...predicted.values()][0]?.actual ?? '';
    return `<tr><td>${escapeHtml(instance)}</td><td>${actual}</td>${cells.join('')}</tr>`;
  });
  const head = ['instance', 'really', ...names].map((text) => `<th>${escapeHtml(text)}</th>`).join('');
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${lines.join('')}</tbody></table></div>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
