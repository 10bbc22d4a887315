/**
 * # A colour, marker, line style or style sheet that does not exist
 *
 * ## What
 * A plotting function is given a name that matplotlib does not know.
 *
 * ## Why it crashes
 * matplotlib raises `ValueError` for unknown colours, markers and line styles, and `OSError` for style sheets; the sheets
 * named `seaborn-…` were removed in version 3.8.
 *
 * ## Example
 * ```python state
 * import matplotlib.pyplot as plt
 * ```
 * ```python cell
 * plt.style.use("seaborn-whitegrid")
 * ```
 *
 * ## Fix
 * Use a name that exists, for example `seaborn-v0_8-whitegrid`, or `sns.set_theme(style='whitegrid')`.
 * ```python fixed
 * plt.style.use("seaborn-v0_8-whitegrid")
 * ```
 *
 * ## When it stays silent
 * For names that are not constants, and for colours given through `data`.
 */
import { nearest } from '@grus/core';
import type { Operand } from '../../reasoning/events.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { isAtLeast } from '../estimators/shared.js';
import { colourNames, isColour } from './colours.js';
import { plotFunction } from './shared.js';

const drawing = new Set([
  'plot',
  'scatter',
  'bar',
  'barh',
  'hist',
  'fill_between',
  'axhline',
  'axvline',
  'step',
]);
const markers = new Set([...'.,ov^<>12348spP*hH+xXDd|_', 'None', 'none', ' ', '']);
const lines = new Set([
  '-',
  '--',
  '-.',
  ':',
  'None',
  'none',
  ' ',
  '',
  'solid',
  'dashed',
  'dashdot',
  'dotted',
]);
const removedSheets =
  /^seaborn(-(bright|colorblind|dark|dark-palette|darkgrid|deep|muted|notebook|paper|pastel|poster|talk|ticks|white|whitegrid))?$/;

export default defineCheck({
  id: 'plots/unknown-style',
  title: 'A colour, marker, line style or style sheet that does not exist',
  rung: 'contracts',
  libraries: ['matplotlib'],
  on: {
    call(event, context) {
      if (event.target === 'matplotlib.style.use') return checkSheet(event.args.positional[0], context);
      const name = plotFunction(event);
      if (name === undefined || !drawing.has(name) || event.args.keywords.has('data')) return;
      for (const [keyword, operand] of event.args.keywords) {
        const value = context.literal(operand.ref);
        if (typeof value !== 'string') continue;
        const problem = problemWith(keyword, value, name);
        if (!problem) continue;
        context.report({
          exception: 'ValueError',
          message: problem.message,
          evidence: [
            { fact: `matplotlib knows no ${problem.sort} '${value}'`, source: context.source(operand) },
          ],
          explanation: `\`${context.text(event.node)}\` raises ValueError: '${value}' is not a ${problem.sort}.`,
          remedy:
            problem.near.length > 0
              ? `Did you mean '${problem.near[0]}'?`
              : `Use a ${problem.sort} that exists.`,
        });
        return;
      }
    },
  },
});

function problemWith(keyword: string, value: string, name: string) {
  const isColourWord = keyword === 'color' || (keyword === 'c' && (name === 'plot' || name === 'scatter'));
  if (isColourWord && !isColour(value) && !(name === 'plot' && value === ''))
    return {
      sort: 'colour',
      message: `'${value}' is not a valid value for color…`,
      near: nearest(value, colourNames),
    };
  if (keyword === 'marker' && !markers.has(value) && !/^\$.*\$$/.test(value))
    return { sort: 'marker', message: `Unrecognized marker style '${value}'`, near: [] };
  if ((keyword === 'linestyle' || keyword === 'ls') && name === 'plot' && !lines.has(value))
    return {
      sort: 'line style',
      message: `'${value}' is not a valid value for ls`,
      near: nearest(value, [...lines]),
    };
  return undefined;
}

function checkSheet(operand: Operand | undefined, context: CheckContext): void {
  const value = operand && context.literal(operand.ref);
  if (!operand || typeof value !== 'string' || !removedSheets.test(value)) return;
  if (!isAtLeast(context.version('matplotlib'), 3, 8)) return;
  const successor = value.replace('seaborn', 'seaborn-v0_8');
  context.report({
    exception: 'OSError',
    message: `'${value}' is not a valid package style, path of style file, URL of style file, or library style name (library styles are listed in \`style.available\`)`,
    evidence: [
      {
        fact: `matplotlib ${context.version('matplotlib')?.join('.')} has no style '${value}'`,
        source: 'kernel: matplotlib',
      },
    ],
    explanation: `\`plt.style.use('${value}')\` raises OSError: the style was renamed and its old name removed in matplotlib 3.8.`,
    remedy: `Use '${successor}', or \`sns.set_theme()\`.`,
  });
}
