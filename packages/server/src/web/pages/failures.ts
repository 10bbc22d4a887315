// Failures together: how often each cause came and where, and those that come again.
import { causeOf, type Subcause, subcauses } from '@grus/training';
import { html } from 'hono/html';
import { type CauseCount, type Grouping, groupingNames } from '../../store/causes.js';
import type { Recurrence } from '../../store/recurrences.js';
import { type Html, hours, layout, projectPath, when } from './layout.js';

/** Of one project, or of all that somebody sees. */
export function causesPage(project: string | null, by: Grouping, counts: readonly CauseCount[]): Html {
  const base = project === null ? '' : projectPath(project);
  const most = Math.max(1, ...counts.map(({ runs }) => runs));
  return layout(
    { title: `Causes in ${project ?? 'all projects'}`, ...(project === null ? {} : { project }) },
    html`<h1>Failures of the last thirteen weeks${project === null ? ' in all projects' : ''}</h1>
<p>${groupingNames.map((one) => (one === by ? html`<strong>by ${one}</strong> ` : html`<a href="${one === 'project' ? '' : base}/causes?by=${one}">by ${one}</a> `))}</p>
${
  counts.length === 0
    ? html`<p>None.</p>`
    : html`<table class="rows"><thead><tr><th>${by}</th><th>Cause</th><th class="number">Runs</th><th></th>${by === 'day' ? '' : html`<th>By week</th>`}<th class="number">Cost</th></tr></thead>
<tbody>${counts.map(
        (one) => html`<tr><td>${one.place}</td>
<td>${causeLink(project, by, one)}</td><td class="number">${one.runs}</td>
<td><svg class="bars" viewBox="0 0 120 12" aria-hidden="true"><rect class="bar" width="${((one.runs / most) * 120).toFixed(1)}" height="12"/></svg></td>
${by === 'day' ? '' : html`<td>${weekBars(one.weeks)}</td>`}<td class="number">${hours(one.gpu_hours)}</td></tr>`,
      )}</tbody></table>`
}`,
  );
}

/** To the runs that were counted; a list shows one project. */
function causeLink(project: string | null, by: Grouping, count: CauseCount): Html {
  const place = by === 'project' ? count.place : project;
  const title = titleOf(count.subcause);
  return place === null
    ? html`${title}`
    : html`<a data-row href="${projectPath(place)}?${addressOf(by, count)}">${title}</a>`;
}

function weekBars(weeks: readonly number[]): Html {
  const most = Math.max(1, ...weeks);
  const bars = weeks.map((runs, at) => {
    const height = (runs / most) * 28;
    return html`<rect class="bar" x="${at * 9}" y="${(28 - height).toFixed(1)}" width="7" height="${height.toFixed(1)}"/>`;
  });
  return html`<svg class="spark" viewBox="0 0 120 28" role="img" aria-label="runs by week, the oldest first: ${weeks.join(', ')}">${bars}</svg>`;
}

function addressOf(by: Grouping, { place, subcause }: CauseCount): string {
  return new URLSearchParams({
    ...(subcause === 'unknown' ? {} : { subcause }),
    ...(by === 'day' || by === 'project' || place === 'unknown' ? {} : { [by]: place }),
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
