// The page of a comparison: how the runs ended, what most likely made the difference, and everything that differs.
import { conclusion, type Difference, type RunComparison, shownValue } from '@grus/training';
import { html } from 'hono/html';
import type { ComparedRow } from '../../store/runs.js';
import type { ComparedRuns } from '../api/comparison.js';
import { type Html, layout, projectPath, when } from './layout.js';
import { sparkline, verdictOf } from './list.js';

const mostRows = 200;

export function comparisonPage(project: string, { first, others }: ComparedRuns): Html {
  const base = projectPath(project);
  const ids = [first, ...others.map(({ run }) => run)].map(({ id }) => `run=${id}`).join('&');
  const row = (
    run: ComparedRow,
  ): Html => html`<tr><td><a data-row href="${base}/runs/${run.id}">${run.name}</a></td>
<td>${verdictOf(run)}</td><td>${sparkline(run.spark ?? [])}</td><td>${when(run.created)}</td>
<td>${run === first ? html`<strong>compared with</strong>` : html`<a href="${base}/compare?${ids}&with=${run.id}">compare with this one</a>`}</td></tr>`;
  return layout(
    { title: `Runs of ${project} compared`, project },
    html`<h1>${others.length + 1} runs compared</h1>
<table class="runs"><thead><tr><th>Run</th><th>Verdict</th><th>Loss</th><th>Since (UTC)</th><th></th></tr></thead>
<tbody>${row(first)}${others.map(({ run }) => row(run))}</tbody></table>
${others.map(({ run, comparison }) => comparedWith(first, run, comparison))}`,
  );
}

function comparedWith(first: ComparedRow, second: ComparedRow, comparison: RunComparison): Html {
  const { differences, not_compared } = comparison;
  const seen = differences.filter(({ lever }) => lever !== null);
  const unseen = differences.filter(({ lever }) => lever === null);
  return html`<section><h2>First: ${first.name}. Second: ${second.name}.</h2>
<p class="conclusion">${conclusion(comparison)}</p>
${seen.length === 0 ? '' : differenceTable(seen)}
${unseen.length === 0 ? '' : html`<p>Never an explanation: ${unseen.map(({ name }) => name).join(', ')}.</p>`}
${not_compared.length === 0 ? '' : html`<p class="faint">Not compared: ${not_compared.join('; ')}.</p>`}</section>`;
}

function differenceTable(differences: readonly Difference[]): Html {
  const shown = differences.slice(0, mostRows);
  return html`<table class="runs"><thead><tr><th>What differs</th><th>First</th><th>Second</th><th>Change</th><th>How well it explains</th></tr></thead>
<tbody>${shown.map(
    ({ name, aspect, before, after, change, weight }) => html`<tr><td>${name} <small>${aspect}</small></td>
<td>${shownValue(before)}</td><td>${shownValue(after)}</td><td>${change}</td>
<td>${weight === 0 ? '' : html`<svg class="bars" viewBox="0 0 120 12" role="img" aria-label="${weight}"><rect class="bar" width="${(weight * 120).toFixed(1)}" height="12"/></svg>`}</td></tr>`,
  )}</tbody></table>
${differences.length > shown.length ? html`<p>... and ${differences.length - shown.length} more</p>` : ''}`;
}
