// The list of runs: one row each, narrowed by what is in the address.
import { causes } from '@grus/training';
import { html } from 'hono/html';
import { filters, type RunFilter, type RunList, type RunRow } from '../../store/runs.js';
import { type Html, hours, layout, projectPath, when } from './layout.js';

const outcomes = ['failed', 'degraded', 'unknown', 'healthy'] as const;

export function listPage(project: string, filter: RunFilter, { runs, next }: RunList): Html {
  const base = projectPath(project);
  const waiting = runs.some(({ state, running }) => state === 'waiting' || running);
  return layout(
    { title: `Runs of ${project}`, project, ...(waiting && filter.after === undefined ? { again: 10 } : {}) },
    html`${filterForm(base, filter)}
${
  runs.length === 0
    ? html`<p>No run. Send one: <code>grus push RUN --server URL --project ${project}</code></p>`
    : html`<form method="get" action="${base}/compare"><table class="runs">
<thead><tr><th>Run</th><th>Verdict</th><th>Loss</th><th>Node</th><th>Person</th><th>Time (UTC)</th></tr></thead>
<tbody>${runs.map((run) => rowOf(base, run))}</tbody></table>
<p><button>Compare what is ticked</button> <small>two or more ( x to tick, c to compare )</small></p></form>`
}
${next === null ? '' : html`<p><a rel="next" href="${base}?${withFilter(filter, next)}">Older runs</a></p>`}`,
  );
}

function filterForm(base: string, filter: RunFilter): Html {
  const kept = filters.filter(
    (name) => !['outcome', 'subcause'].includes(name) && filter[name] !== undefined,
  );
  return html`<form class="filters" method="get" action="${base}" role="search">
<input type="search" name="q" value="${filter.q ?? ''}" placeholder="Words in names and evidence ( / )" aria-label="Words">
<select name="outcome" aria-label="Outcome"><option value="">any outcome</option>
${outcomes.map((name) => html`<option ${name === filter.outcome ? 'selected' : ''}>${name}</option>`)}</select>
<select name="subcause" aria-label="Cause"><option value="">any cause</option>
${Object.keys(causes).map((name) => html`<option ${name === filter.subcause ? 'selected' : ''}>${name}</option>`)}</select>
${kept.map((name) => html`<label>${name} <input name="${name}" value="${filter[name]!}"></label>`)}
<button>Show</button> <a href="${base}">all</a></form>`;
}

function rowOf(base: string, run: RunRow): Html {
  return html`<tr><td><input type="checkbox" name="run" value="${run.id}" aria-label="Compare ${run.name}"> <a data-row href="${base}/runs/${run.id}">${run.name}</a>${run.running ? html` <small>running</small>` : ''}</td>
<td>${verdictOf(run)}</td><td>${sparkline(run.spark ?? [])}</td>
<td>${run.node === null ? '' : html`<a href="${base}?node=${encodeURIComponent(run.node)}">${run.node}</a>`}</td>
<td>${run.person === null ? '' : html`<a href="${base}?person=${encodeURIComponent(run.person)}">${run.person}</a>`}</td><td>${when(run.updated)} <small>${hours(run.gpu_hours)}</small></td></tr>`;
}

export function verdictOf(run: RunRow): Html {
  if (run.state === 'waiting') return html`<span class="faint">waits for its diagnosis</span>`;
  if (run.state === 'unreadable') return html`<span class="unknown">not read: ${run.trouble ?? ''}</span>`;
  return html`<span class="${run.outcome ?? 'unknown'}">${run.headline ?? ''}</span>${run.subcause === null ? '' : html` <small>${run.subcause}</small>`}`;
}

/** A gap where the value was no number. */
export function sparkline(values: readonly (number | null)[]): Html {
  const numbers = values.filter((value) => value !== null);
  if (numbers.length < 2) return html``;
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const points = values.flatMap((value, at) => {
    if (value === null) return [];
    const x = (at / (values.length - 1)) * 116 + 2;
    const y = high === low ? 14 : 26 - ((value - low) / (high - low)) * 24;
    return [`${x.toFixed(1)},${y.toFixed(1)}`];
  });
  return html`<svg class="spark" viewBox="0 0 120 28" role="img" aria-label="loss from ${numbers[0]} to ${numbers.at(-1)}"><polyline points="${points.join(' ')}"/></svg>`;
}

function withFilter(filter: RunFilter, after: string): string {
  const kept = Object.entries(filter).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams([
    ...(kept.filter(([name]) => name !== 'after') as [string, string][]),
    ['after', after],
  ]).toString();
}
