// A verdict as HTML that fits the theme of whatever shows it: JupyterLab's and VS Code's own colours where they are, and
// those of the page otherwise.
import { type Verdict, visibleIn } from '@grus/core';

const colour = (lab: string, code: string, otherwise: string) => `var(${lab}, var(${code}, ${otherwise}))`;
const red = colour('--jp-error-color1', '--vscode-errorForeground', '#c62828');
const border = colour('--jp-border-color1', '--vscode-panel-border', '#8888');
const mono = 'font-family: var(--jp-code-font-family, var(--vscode-editor-font-family, monospace))';

export function verdictHtml(told: Verdict, source: string): string {
  const verdict = visibleIn(told);
  const { exception, line, explanation, remedy, evidence, outcome } = verdict;
  const crash = outcome === 'crash';
  const title = crash
    ? `This cell would crash: <span style="color: ${red}">${escaped(exception ? `${exception.type}: ${exception.message}` : 'an exception')}</span>`
    : outcome === 'ok'
      ? 'This cell will run.'
      : 'No certain crash found.';
  const offending = crash && line !== null ? source.split('\n')[line - 1] : undefined;
  const rows = [
    ...(offending === undefined
      ? []
      : [`<div style="${mono}; white-space: pre">${line} │ ${escaped(offending)}</div>`]),
    `<div>${escaped(explanation)}</div>`,
    ...evidence.map(({ fact, source: where }) => `<div>Seen: ${escaped(fact)} (${escaped(where)})</div>`),
    ...(remedy === null ? [] : [`<div><b>Do:</b> ${escaped(remedy)}</div>`]),
  ];
  return `<div role="alert" style="border-left: 3px solid ${crash ? red : border}; padding: 4px 12px"><div><b>Grus</b> · ${title}</div>${rows.join('')}</div>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
