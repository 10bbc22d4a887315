/**
 * # A subplot outside of its grid
 *
 * ## What
 * `plt.subplot(rows, columns, index)` with an index below 1 or above rows × columns.
 *
 * ## Why it crashes
 * Positions count from 1 to rows × columns; matplotlib raises `ValueError`.
 *
 * ## Example
 * ```python state
 * import matplotlib.pyplot as plt
 * ```
 * ```python cell
 * for i in range(4):
 *     plt.subplot(2, 2, i)
 * ```
 *
 * ## Fix
 * Count from 1 (`i + 1`), or make the grid larger.
 * ```python fixed
 * for i in range(4):
 *     plt.subplot(2, 2, i + 1)
 * ```
 *
 * ## When it stays silent
 * When one of the numbers is not known.
 */
import { defineCheck } from '../define-check.js';

export default defineCheck({
  id: 'plots/subplot-position',
  title: 'A subplot outside of its grid',
  rung: 'contracts',
  libraries: ['matplotlib'],
  on: {
    call(event, context) {
      const isFigure =
        event.method === 'add_subplot' && event.receiver?.fact.class === 'matplotlib.figure.Figure';
      if (event.target !== 'matplotlib.pyplot.subplot' && !isFigure) return;
      const numbers = event.args.positional.map((operand) => context.literal(operand.ref));
      if (
        !event.args.complete ||
        !numbers.every((value): value is number => typeof value === 'number' && Number.isInteger(value))
      )
        return;
      const parts =
        numbers.length === 1 && numbers[0]! >= 100 && numbers[0]! <= 999
          ? [...String(numbers[0])].map(Number)
          : numbers;
      const [rows, columns, index] = parts;
      if (
        parts.length !== 3 ||
        rows === undefined ||
        columns === undefined ||
        index === undefined ||
        rows < 1 ||
        columns < 1
      )
        return;
      if (index >= 1 && index <= rows * columns) return;
      context.report({
        exception: 'ValueError',
        message: `num must be an integer with 1 <= num <= ${rows * columns}, not ${index}`,
        evidence: [
          {
            fact: `a grid of ${rows} × ${columns} has ${rows * columns} positions`,
            source: `line ${event.node.lineno}`,
          },
        ],
        explanation: `\`${context.text(event.node)}\` raises ValueError: position ${index} of a grid with ${rows * columns}.`,
        remedy: index === 0 ? 'Positions count from 1.' : 'Make the grid larger, or draw fewer plots.',
      });
    },
  },
});
