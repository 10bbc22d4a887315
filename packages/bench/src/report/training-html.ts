// The training report as one self-contained page: the tables of the terminal, the figures, the confusion matrices, the shape
// functions, and the six panels of any run.
import type { TrainingReport } from '../training/run.js';
import type { Shape } from '../training/shapes.js';
import { interpretability } from '../training/study.js';
import { trainingSections } from './training.js';
import { barFigure, escapeHtml, lineFigure, matrixFigure } from './training-figures.js';
import { panelScript } from './training-panels.js';

const style = `
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 78rem; padding: 0 1rem; color: #222; background: #fff; }
table { border-collapse: collapse; margin: .5rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .7rem; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
.scroll { overflow-x: auto; } .note { white-space: pre-line; opacity: .75; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(22rem, 1fr)); gap: 1.2rem; }
figure { margin: 0; } figcaption { font-weight: 600; }
svg { width: 100%; height: auto; } svg text { font-size: 11px; fill: currentColor; } svg text.small { font-size: 9.5px; }
.rule { stroke: currentColor; stroke-opacity: .15; } .legend { margin: 0; font-size: 12px; }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd; } th, td { border-color: #333; } }`;

export function renderTrainingHtml(report: TrainingReport): string {
  const sections = trainingSections(report, table).map(
    ({ title, body, note }) =>
      `<h2>${escapeHtml(title)}</h2>${body}${note ? `<p class="note">${escapeHtml(note)}</p>` : ''}`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Training benchmark</title><style>${style}</style></head>
<body><h1>Training benchmark</h1>
<div class="grid">${figures(report).join('')}</div>
${sections.join('\n')}
<h2>Confusion matrices (rows: what was; columns: what was answered)</h2><div class="grid">${matrices(report)}</div>
<h2>Shape functions of the explainable boosting machine (first fold)</h2><div class="grid">${report.shapes.map(shapeFigure).join('')}</div>
<h2>Six panels of a run</h2><p><select id="runs"></select></p><div class="grid" id="panels"></div>
<script>const runs=${JSON.stringify(report.panels).replaceAll('<', '\\u003c')};${panelScript}</script>
</body></html>
`;
}

function figures({ methods, lead, importance }: TrainingReport): string[] {
  const names = Object.entries(methods);
  const drawn = [
    figure(
      'Accuracy against interpretability',
      lineFigure(
        [
          {
            name: 'methods',
            joined: false,
            marks: true,
            points: names.map(([label, { accuracy }]) => ({
              x: interpretability[label] ?? 0,
              y: accuracy ?? 0,
              label,
            })),
          },
        ],
        { x: 'interpretability (stated)', y: 'accuracy', from: [0, 0.4], to: [6, 1] },
      ),
    ),
    figure(
      'Reliability',
      lineFigure(
        names.map(([name, { calibration }]) => ({
          name,
          marks: true,
          points: calibration.bins.map(({ confidence, accuracy }) => ({ x: confidence, y: accuracy })),
        })),
        { x: 'confidence', y: 'share right', from: [0, 0], to: [1, 1], diagonal: true },
      ),
    ),
    figure(
      'Risk against coverage',
      lineFigure(
        names.map(([name, { selective }]) => ({
          name,
          steps: true,
          points: selective.curve.map(({ coverage, risk }) => ({ x: coverage, y: risk })),
        })),
        {
          x: 'coverage',
          y: 'share wrong',
          from: [0, 0],
          to: [
            1,
            Math.max(0.1, ...names.flatMap(([, { selective }]) => selective.curve.map(({ risk }) => risk))),
          ],
        },
      ),
    ),
    figure(
      'Loss of accuracy by family shuffled',
      barFigure(
        importance.map(({ family, drop }) => ({ name: family, value: drop })),
        'loss of accuracy',
      ),
    ),
  ];
  if (lead === null) return drawn;
  const { leads } = lead;
  const ahead = (pick: (row: (typeof leads)[number]) => number | null, name: string) => ({
    name,
    marks: true,
    points: leads.flatMap((row) => {
      const y = pick(row);
      return y === null ? [] : [{ x: row.steps_ahead, y }];
    }),
  });
  return [
    ...drawn,
    figure(
      'Ahead of the failure',
      lineFigure(
        [
          ahead((row) => row.warned, 'warned'),
          ahead((row) => row.precision, 'precision'),
          ahead((row) => row.accuracy, 'category right'),
        ],
        { x: 'steps ahead', y: 'share', from: [0, 0], to: [100, 1] },
      ),
    ),
  ];
}

function matrices({ methods }: TrainingReport): string {
  return Object.entries(methods)
    .map(([name, { labels, confusion }]) => figure(name, matrixFigure(labels, confusion)))
    .join('');
}

function shapeFigure(shape: Shape): string {
  const finite = shape.cuts.filter(Number.isFinite);
  const low = finite[0] ?? 0;
  const high = finite.at(-1) ?? 1;
  const margin = 0.1 * (high - low || 1);
  const edges = [low - margin, ...finite, high + margin];
  const flat = shape.scores.slice(1).flat();
  const bins = shape.scores.slice(1, edges.length);
  return figure(
    shape.feature,
    `${lineFigure(
      shape.classes.map((name, target) => ({
        name,
        steps: true,
        points: bins.flatMap((scores, bin) => [
          { x: edges[bin]!, y: scores[target]! },
          { x: edges[bin + 1]!, y: scores[target]! },
        ]),
      })),
      {
        x: shape.feature,
        y: 'contribution',
        from: [edges[0]!, Math.min(...flat)],
        to: [edges.at(-1)!, Math.max(...flat)],
      },
    )}<p class="legend">${escapeHtml(shape.definition)}</p>`,
  );
}

function figure(title: string, body: string): string {
  return `<figure><figcaption>${escapeHtml(title)}</figcaption>${body}</figure>`;
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const head = headings.map((text) => `<th>${escapeHtml(text)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((text) => `<td>${escapeHtml(text)}</td>`).join('')}</tr>`);
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}
