// Failures together: how often each cause came and where, and those that come again.
import { causeOf, type Subcause, subcauses } from '@grus/training';
import { html } from 'hono/html';
import { type CauseCount, type Grouping, groupings } from '../../store/causes.js';
import type { Recurrence } from '../../store/recurrences.js';
import { type Html, hours, layout, projectPath, when } from './layout.js';

export function causesPage(project: string, by: Grouping, counts: readonly CauseCount[]): Html {
  const base = projectPath(project);
  const most = Math.max(1, ...counts.map(({ runs }) => runs));
  return layout(
    { title: `Causes in ${project}`, project },
    html`<h1>Failures of the last ninety days</h1>
<p>${(Object.keys(groupings) as Grouping[]).map((one) => (one === by ? html`<strong>by ${one}</strong> ` : html`<a href="${base}/causes?by=${one}">by ${one}</a> `))}</p>
${
  counts.length === 0
    ? html`<p>None.</p>`
    : html`<table class="rows"><thead><tr><th>${by}</th><th>Cause</th><th class="number">Runs</th><th></th><th class="number">Cost</th></tr></thead>
<tbody>${counts.map(
        (one) => html`<tr><td>${one.place}</td>
<td><a data-row href="${base}?${addressOf(by, one)}">${titleOf(one.subcause)}</a></td><td class="number">${one.runs}</td>
<td><svg class="bars" viewBox="0 0 120 12" aria-hidden="true"><rect class="bar" width="${((one.runs / most) * 120).toFixed(1)}" height="12"/></svg></td>
<td class="number">${hours(one.gpu_hours)}</td></tr>`,
      )}</tbody></table>`
}`,
  );
}

function addressOf(by: Grouping, { place, subcause }: CauseCount): string {
  return new URLSearchParams({
    ...(subcause === 'unknown' ? {} : { subcause }),
    ...(by === 'day' || place === 'unknown' ? {} : { [by]: place }),
  }).toString();
}

function titleOf(subcause: string): string {
  return (subcauses as readonly string[]).includes(subcause)
    ? causeOf(subcause as Subcause).title
    : 'Cause not established';
}

export function recurrencesPage(project: string, list: readonly Recurrence[], mayWrite: boolean): Html {
  const base = projectPath(project);
  return layout(
    { title: `Recurrences in ${project}`, project },
    html`<h1>The same failure, again</h1>
${
  list.length === 0
    ? html`<p>None yet.</p>`
    : html`<table class="rows"><thead><tr><th>Failure</th><th class="number">Runs</th><th class="number">Nodes</th><th>First and last seen</th><th class="number">Cost</th><th>Who looks after it</th></tr></thead>
<tbody>${list.map(
        (
          one,
        ) => html`<tr><td><a data-row class="${one.muted ? 'faint' : ''}" href="${base}?fingerprint=${one.fingerprint}">${one.headline}</a>${one.muted ? html` <small>muted</small>` : ''}</td>
<td class="number">${one.runs}</td><td class="number">${one.nodes}</td><td>${when(one.first_seen)}<br>${when(one.last_seen)}</td>
<td class="number">${hours(one.gpu_hours)}</td><td>${mayWrite ? decisionForm(base, one) : (one.assignee ?? '')}</td></tr>`,
      )}</tbody></table>`
}`,
  );
}

function decisionForm(base: string, { fingerprint, assignee, muted }: Recurrence): Html {
  return html`<form method="post" action="${base}/recurrences/${fingerprint}"><input name="assignee" aria-label="Who" value="${assignee ?? ''}" size="10">
<label><input type="checkbox" name="muted" value="yes" ${muted ? 'checked' : ''}> mute</label> <button>Keep</button></form>`;
}
