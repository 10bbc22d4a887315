// The page of one run: the verdict and its evidence, what to do, the ranks, and the curves with the onset marked.
import { causeOf, chartData, lanesSvg, type Panel, subcauses } from '@grus/training';
import { html, raw } from 'hono/html';
import type { Feedback } from '../../store/feedback.js';
import type { WholeRun } from '../../store/runs.js';
import type { KeptWarning } from '../../store/warnings.js';
import { type Html, hours, layout, projectPath, when } from './layout.js';
import { verdictOf } from './list.js';

type Verdict = NonNullable<WholeRun['verdict']>;

const headings = [
  ['do', 'What to do'],
  ['avoid', 'What will not help here'],
  ['collect', 'What to record for the next run'],
] as const;

interface Beside {
  readonly said: Feedback | null;
  readonly mayWrite: boolean;
  readonly warnings: readonly KeptWarning[];
}

export function runPage(project: string, run: WholeRun, beside: Beside): Html {
  const { verdict, shown } = run;
  const goesOn = run.running || run.state === 'waiting';
  const frame = { title: run.name, project, charts: shown !== null, ...(goesOn ? { again: 10 } : {}) };
  return layout(
    frame,
    html`<header class="${run.state === 'judged' ? run.outcome : 'unknown'}"><h1>${verdictOf(run)}</h1>
<p>${run.name}${run.running ? ', still running' : ''}</p>
<p class="faint">${[run.node, run.person, run.framework].filter((part) => part !== null).join(', ')}, ${when(run.updated)} ${hours(run.gpu_hours)}</p>
${shown?.actor ? html`<p>${shown.actor}</p>` : ''}</header>
${section(
  'Warnings while it ran',
  beside.warnings.map(
    ({ title, expected_failure, step, time }) =>
      html`${title}: ${expected_failure} <small>${step === null ? '' : `step ${step}, `}${when(new Date(time))}</small>`,
  ),
)}
${verdict === null || shown === null ? '' : told(project, run, verdict)}
${run.state === 'judged' ? feedbackPart(`${projectPath(project)}/runs/${run.id}/feedback`, run, beside) : ''}
${facts(run)}
${shown === null ? '' : html`<div id="panels"></div><script type="application/json" id="run-data">${raw(chartData(run.onset_step, shown.panels as Panel[]))}</script>`}`,
  );
}

function told(project: string, run: WholeRun, verdict: Verdict): Html {
  const base = projectPath(project);
  const { ranks = [], lanes = [] } = run.shown ?? {};
  return html`${section(
    'Evidence',
    verdict.evidence.map((entry) => html`${entry.fact} <small>${placeOf(entry)}</small>`),
  )}
${section(
  'Ranks',
  ranks.map((line) => html`${line}`),
)}
${lanes.length === 0 ? '' : raw(lanesSvg(lanes))}
${headings.map(([kind, title]) =>
  section(
    title,
    verdict.remedies
      .filter((remedy) => remedy.kind === kind)
      .map(({ text, because }) => html`${text} <small>${because}</small>`),
  ),
)}
${section(
  'Hypotheses',
  verdict.hypotheses.map(
    ({ category, subcause, confidence }) =>
      html`${subcause ?? category} <small>${category}, ${Math.round(confidence * 100)} %</small>`,
  ),
)}
${run.fingerprint === null ? '' : html`<p><a href="${base}?fingerprint=${run.fingerprint}">Runs that failed the same way</a></p>`}
${run.outcome === 'healthy' ? '' : html`<p><a href="${base}/runs/${run.id}/compare">Compare with the last run that did not fail</a></p>`}`;
}

function feedbackPart(address: string, run: WholeRun, { said, mayWrite }: Beside): Html {
  const canBeRight = run.outcome === 'healthy' || run.subcause !== null;
  return html`<section><h2>Was this right?</h2>
${said === null ? '' : html`<p>${said.said_by} said: <strong>${said.subcause ?? said.category}</strong> <small>${when(said.said)}</small></p>`}
${
  mayWrite
    ? html`<form class="filters" method="post" action="${address}">
${canBeRight ? html`<button name="said" value="right">This was right</button>` : ''}</form>
<form class="filters" method="post" action="${address}"><select name="said" aria-label="What it was">
<option value="healthy">nothing was wrong</option>
${subcauses.map((name) => html`<option value="${name}">${causeOf(name).title}</option>`)}</select> <button>It was this</button></form>`
    : ''
}</section>`;
}

function section(title: string, items: readonly Html[]): Html {
  return items.length === 0
    ? html``
    : html`<section><h2>${title}</h2><ul>${items.map((item) => html`<li>${item}</li>`)}</ul></section>`;
}

function placeOf({ file, line, step }: Verdict['evidence'][number]): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return [place, step === undefined ? '' : `step ${step}`].filter((part) => part !== '').join(', ');
}

function facts({ shown, files }: WholeRun): Html {
  const rows = Object.entries({ ...shown?.facts.versions, ...shown?.facts.settings });
  return html`<details><summary>Settings, versions and files</summary>
<dl class="facts">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${String(value)}</dd>`)}</dl>
<ul>${files.map(({ path, size }) => html`<li>${path} <small>${size} bytes</small></li>`)}</ul></details>`;
}
