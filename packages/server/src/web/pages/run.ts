// The page of one run: the verdict and its evidence, what to do, the ranks, and the curves with the onset marked.
import { chartData, lanesSvg, type Panel } from '@grus/training';
import { html, raw } from 'hono/html';
import type { WholeRun } from '../../store/runs.js';
import { type Html, hours, layout, projectPath, when } from './layout.js';
import { verdictOf } from './list.js';

type Verdict = NonNullable<WholeRun['verdict']>;

const headings = [
  ['do', 'What to do'],
  ['avoid', 'What will not help here'],
  ['collect', 'What to record for the next run'],
] as const;

export function runPage(project: string, run: WholeRun): Html {
  const { verdict, shown } = run;
  const goesOn = run.running || run.state === 'waiting';
  const frame = { title: run.name, project, charts: shown !== null, ...(goesOn ? { again: 10 } : {}) };
  return layout(
    frame,
    html`<header class="${run.state === 'judged' ? run.outcome : 'unknown'}"><h1>${verdictOf(run)}</h1>
<p>${run.name}${run.running ? ', still running' : ''}</p>
<p class="faint">${[run.node, run.person, run.framework].filter((part) => part !== null).join(', ')}, ${when(run.updated)} ${hours(run.gpu_hours)}</p>
${shown?.actor ? html`<p>${shown.actor}</p>` : ''}</header>
${verdict === null || shown === null ? '' : told(project, run, verdict)}
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
${run.fingerprint === null ? '' : html`<p><a href="${base}?fingerprint=${run.fingerprint}">Runs that failed the same way</a></p>`}`;
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
