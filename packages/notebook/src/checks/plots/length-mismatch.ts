/**
 * # Coordinates of different lengths
 *
 * ## What
 * `plot`, `scatter`, `bar` or the like gets x and y with different numbers of points, or colours, sizes, labels, weights or
 * error bars that are not one for each point.
 *
 * ## Why it crashes
 * Each point needs both coordinates and an entry of whatever is given beside them; matplotlib raises `ValueError`.
 *
 * ## Example
 * ```python state
 * import matplotlib.pyplot as plt
 *
 * epochs = range(10)
 * losses = [1.0] * 9
 * ```
 * ```python cell
 * plt.plot(epochs, losses)
 * ```
 *
 * ## Fix
 * Make x from y: `range(len(losses))`; or plot `losses` alone.
 * ```python fixed
 * plt.plot(range(len(losses)), losses)
 * ```
 *
 * ## When it stays silent
 * When a length is not known, and for bars where one side has a single value.
 */
import { needOf } from '../../libraries/matplotlib/needs.js';
import { argument } from '../../reasoning/arguments.js';
import type { Operand } from '../../reasoning/events.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import type { CallEvent } from '../torch/shared.js';
import { shapeText } from '../wording.js';
import { drawnRows, drawnShape, plotFunction } from './shared.js';

const second: Record<string, readonly [string, string]> = {
  plot: ['x', 'y'],
  semilogx: ['x', 'y'],
  semilogy: ['x', 'y'],
  loglog: ['x', 'y'],
  step: ['x', 'y'],
  scatter: ['x', 'y'],
  bar: ['x', 'height'],
  barh: ['y', 'width'],
};

export default defineCheck({
  id: 'plots/length-mismatch',
  title: 'Coordinates of different lengths',
  rung: 'contracts',
  libraries: ['matplotlib'],
  on: {
    call(event, context) {
      const name = plotFunction(event);
      if (name === undefined || event.args.keywords.has('data')) return;
      if (!coordinates(name, event, context)) entriesBeside(name, event, context);
    },
  },
});

/** Whether the two coordinates were found to differ. */
function coordinates(name: string, event: CallEvent, context: CheckContext): boolean {
  if (!Object.hasOwn(second, name)) return false;
  const [first, other] = second[name]!;
  const byName = name === 'scatter' || name.startsWith('bar');
  const x = byName ? argument(event, 0, first) : event.args.positional[0];
  const y = byName ? argument(event, 1, other) : event.args.positional[1];
  const isLine = !byName;
  const shapeGiven = (operand: Operand) => {
    const rows = isLine ? drawnRows(context, operand) : undefined;
    return drawnShape(context, operand) ?? (rows === undefined ? undefined : [rows]);
  };
  const a = x && shapeGiven(x);
  const b = y && shapeGiven(y);
  if (!x || !y || !a || !b || a.length === 0 || b.length === 0) return false;
  const size = (shape: readonly number[]) => shape.reduce((product, dim) => product * dim, 1);
  const isBar = name.startsWith('bar');
  if (isBar && (a.length > 1 || b.length > 1 || a[0] === 1 || b[0] === 1)) return false;
  const fits = name === 'scatter' ? size(a) === size(b) : a[0] === b[0];
  if (fits) return false;
  const names = [context.text(x.node), context.text(y.node)];
  context.report({
    exception: 'ValueError',
    message:
      name === 'scatter'
        ? 'x and y must be the same size'
        : isBar
          ? `shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between … with shape ${shapeText(a)} and … with shape ${shapeText(b)}.`
          : `x and y must have same first dimension, but have shapes ${shapeText(a)} and ${shapeText(b)}`,
    evidence: [
      { fact: `${names[0]} has ${a[0]} points`, source: context.source(x) },
      { fact: `${names[1]} has ${b[0]} points`, source: context.source(y) },
    ],
    explanation: `\`${context.text(event.node)}\` raises ValueError: ${names[0]} has ${a[0]} points and ${names[1]} has ${b[0]}.`,
    remedy: `Give both the same length, for example \`range(len(${names[1]}))\` for the first.`,
  });
  return true;
}

function entriesBeside(name: string, event: CallEvent, context: CheckContext): void {
  const need = needOf(name);
  const given = need && argument(event, 0, need.points);
  const points = given && count(context, given);
  if (!need || !given || points === undefined) return;
  for (const { position, name: parameter, message, apart = [] } of need.beside) {
    const operand = argument(event, position, parameter);
    const entries = operand && count(context, operand);
    if (!operand || entries === undefined || entries === points || entries === 1 || apart.includes(entries))
      continue;
    const names = [context.text(given.node), context.text(operand.node)];
    context.report({
      exception: 'ValueError',
      message: message(entries, points),
      evidence: [
        { fact: `${names[0]} has ${points} entries`, source: context.source(given) },
        { fact: `${names[1]} has ${entries} entries`, source: context.source(operand) },
      ],
      explanation: `\`${context.text(event.node)}\` raises ValueError: \`${parameter}\` needs one entry for each of the ${points} points, and ${names[1]} has ${entries}.`,
      remedy: `Make \`${parameter}\` from the same rows as the points.`,
    });
    return;
  }
}

/** The number of entries of something flat. */
function count(context: CheckContext, operand: Operand): number | undefined {
  const shape = drawnShape(context, operand);
  return shape?.length === 1 ? shape[0] : undefined;
}
