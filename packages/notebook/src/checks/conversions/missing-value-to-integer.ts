/**
 * # Missing values are converted to integers
 *
 * ## What
 * `column.astype(int)` on a float column that holds NaN or infinity.
 *
 * ## Why it crashes
 * NumPy integers have no missing value: pandas raises `IntCastingNaNError` (a `ValueError`).
 *
 * ## Example
 * ```python state
 * import pandas as pd
 *
 * df = pd.DataFrame({"age": [30.0, None]})
 * ```
 * ```python cell
 * df["age"].astype(int)
 * ```
 *
 * ## Fix
 * Fill or drop the missing values first, or use the nullable `"Int64"`.
 * ```python fixed
 * df["age"].astype("Int64")
 * ```
 *
 * ## When it stays silent
 * When it is not known whether values are missing.
 */
import { argument } from '../../reasoning/arguments.js';
import { defineCheck } from '../define-check.js';
import { floatDtype } from './numbers.js';

export default defineCheck({
  id: 'conversions/missing-value-to-integer',
  title: 'Missing values are converted to integers',
  rung: 'contracts',
  libraries: ['pandas'],
  on: {
    call(event, context) {
      const series = event.receiver?.fact;
      if (event.method !== 'astype' || series?.kind !== 'series' || !event.args.complete) return;
      const given = argument(event, 0, 'dtype');
      const text = given && context.literal(given.ref);
      const isInteger =
        text === 'int' ||
        (typeof text === 'string' && /^u?int\d+$/.test(text)) ||
        (given?.fact.kind === 'library' && /^(builtins\.int|numpy\.u?int\d*)$/.test(given.fact.name)) ||
        (given?.fact.kind === 'class' && given.fact.name === 'builtins.int');
      const isMissing = series.values?.hasNan === true || series.values?.hasInf === true;
      if (!isInteger || !isMissing || !floatDtype.test(series.dtype ?? '') || argument(event, null, 'errors'))
        return;
      const name = context.text(event.receiver!.node);
      context.report({
        exception: 'IntCastingNaNError',
        message: 'Cannot convert non-finite values (NA or inf) to integer…',
        evidence: [
          {
            fact: `${name} (${series.dtype}) has missing or infinite values`,
            source: context.source(event.receiver!),
          },
        ],
        explanation: `\`${context.text(event.node)}\` raises IntCastingNaNError: ${name} has missing or infinite values, and integers have none.`,
        remedy: 'Fill or drop them first (`.fillna(0)`), or use the nullable type `"Int64"`.',
      });
    },
  },
});
