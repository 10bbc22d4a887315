// The diagnosis as one self-contained page: the same words as in the terminal, and the six panels as interactive charts. The
// chart library is inlined, nothing is fetched, and everything that came from a log is escaped.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { visibleIn } from '@grus/core';
import { lanesOf, pictureOf } from '../ranks/verdict/picture.js';
import type { RunRecord } from '../record/run-record.js';
import type { Diagnosis, Remedy } from '../rules/diagnosis.js';
import { chartScript } from './page-charts.js';
import { isDrawnByLog, type Panel, panelsOf } from './panels.js';
import { lanesSvg } from './rank-picture.js';
import { headline, whoActs } from './report.js';

const maxPoints = 2000;

export function renderHtml(told: Diagnosis, record: RunRecord): string {
  const diagnosis = visibleIn(told);
  const panels = visibleIn(panelsOf(record)).filter((panel) => panel.curves.length > 0);
  const library = chartLibrary();
  const actor = whoActs(diagnosis);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(headline(diagnosis))}</title>
<style>${library.style}
${pageStyle}</style>
</head>
<body>
<header class="${diagnosis.outcome}">
<h1>${escapeHtml(headline(diagnosis))}</h1>
<p>${escapeHtml(diagnosis.path)} · ${escapeHtml(diagnosis.category)}${diagnosis.subcause ? ` / ${escapeHtml(diagnosis.subcause)}` : ''}${
    diagnosis.onset_step === null ? '' : ` · from step ${diagnosis.onset_step} on`
  }</p>
${actor === null ? '' : `<p>${escapeHtml(actor)}</p>\n`}</header>
<main>
${section(
  'Evidence',
  diagnosis.evidence.map((entry) => `${escapeHtml(entry.fact)} <small>${escapeHtml(placeOf(entry))}</small>`),
)}
${section('Ranks', diagnosis.ranks ? pictureOf(diagnosis.ranks).map(escapeHtml) : [])}
${diagnosis.ranks?.first ? lanesSvg(lanesOf(diagnosis.ranks, record.dumps)) : ''}
${section('What to do', words(diagnosis.remedies, 'do'))}
${section('What will not help here', words(diagnosis.remedies, 'avoid'))}
${section('What to record for the next run', words(diagnosis.remedies, 'collect'))}
${section(
  'Hypotheses',
  diagnosis.hypotheses.map(
    (entry) =>
      `${escapeHtml(entry.subcause ?? entry.category)} <small>${escapeHtml(entry.category)}, ${Math.round(entry.confidence * 100)} %</small>`,
  ),
)}
<div id="panels"></div>
</main>
<script>${library.script}</script>
<script>const run = ${chartData(diagnosis.onset_step, panels)};
${chartScript}</script>
</body>
</html>
`;
}

/** What the script of the charts draws, as JSON that may stand in a page. */
export function chartData(onset: number | null, panels: readonly Panel[]): string {
  return JSON.stringify({ onset, panels: panels.map(toColumns) }).replaceAll('<', '\\u003c');
}

export function chartLibrary(): { script: string; style: string } {
  const folder = dirname(createRequire(import.meta.url).resolve('uplot/package.json'));
  const read = (name: string): string => readFileSync(join(folder, 'dist', name), 'utf8');
  return {
    script: read('uPlot.iife.min.js').replaceAll('</script', '<\\/script'),
    style: read('uPlot.min.css'),
  };
}

/** One shared column of steps and one of values per curve, thinned evenly, as the chart library wants them. */
function toColumns(panel: Panel) {
  const at = new Map<number, (number | null)[]>();
  panel.curves.forEach((curve, position) => {
    const stride = Math.max(1, Math.ceil(curve.steps.length / maxPoints));
    for (let index = 0; index < curve.steps.length; index += stride) {
      const step = curve.steps[index]!;
      const row = at.get(step) ?? panel.curves.map(() => null);
      const value = curve.values[index]!;
      row[position] = Number.isFinite(value) ? value : null;
      at.set(step, row);
    }
  });
  const steps = [...at.keys()].sort((a, b) => a - b);
  const broken = panel.curves.some((curve) => curve.values.some((value) => !Number.isFinite(value)));
  const log = isDrawnByLog(panel.curves.flatMap((curve) => curve.values));
  return {
    title: `${panel.title}${panel.unit ? ` (${panel.unit})` : ''}${log ? ', log' : ''}${broken ? ', NaN' : ''}`,
    log,
    labels: panel.curves.map((curve) => curve.label),
    data: [steps, ...panel.curves.map((_, position) => steps.map((step) => at.get(step)![position]!))],
  };
}

function placeOf(entry: Diagnosis['evidence'][number]): string {
  const place = entry.line === undefined ? entry.file : `${entry.file}:${entry.line}`;
  return [place, entry.step === undefined ? '' : `step ${entry.step}`]
    .filter((part) => part !== '')
    .join(', ');
}

function words(list: readonly Remedy[], kind: Remedy['kind']): string[] {
  return list
    .filter((entry) => entry.kind === kind)
    .map((entry) => `${escapeHtml(entry.text)} <small>${escapeHtml(entry.because)}</small>`);
}

function section(title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  return `<section><h2>${escapeHtml(title)}</h2><ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul></section>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const pageStyle = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; --ink: #222; --paper: #fff; --grid: #0001; --onset: #c0392b; --first: #2471a3; --second: #b9770e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ddd; --paper: #16191c; --grid: #fff2; --onset: #ff8a7a; --first: #6cb6f0; --second: #f5b041; }
}
html { background: var(--paper); color: var(--ink); }
body { margin: 0 auto; max-width: 1100px; padding: 1rem; }
header { border-left: 6px solid #888; padding-left: 1rem; overflow-wrap: anywhere; }
header.failed { border-color: #c0392b; } header.degraded { border-color: #d68910; }
header.healthy { border-color: #1e8449; } header.unknown { border-color: #2471a3; }
h1 { font-size: 1.4rem; margin: 0; } h2 { font-size: 1rem; margin: 1.2rem 0 .2rem; }
ul { padding-left: 1.2rem; }
.lanes { width: 100%; font-size: 12px; } .lanes text { fill: var(--ink); } .lanes .works { fill: var(--first); } .lanes .waits { fill: var(--grid); stroke: var(--first); }
.lanes .first .works { fill: var(--onset); }
small { opacity: .75; } li { overflow-wrap: anywhere; }
#panels { display: grid; gap: 1.5rem 1rem; grid-template-columns: repeat(auto-fit, minmax(min(320px, 100%), 1fr)); margin-top: 1.5rem; }
#panels > div { min-width: 0; }
.uplot, .u-title, .u-legend { color: var(--ink); font-family: inherit; }
.u-title { font-size: 1rem; } .u-legend { font-size: .8rem; } .u-select { background: var(--grid); }`;
