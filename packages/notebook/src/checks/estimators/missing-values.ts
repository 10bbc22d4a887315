/**
 * # Missing values or infinity in the data of an estimator that accepts none
 *
 * ## What
 * X or y contains NaN or infinity, and the estimator's policy is to reject them.
 *
 * ## Why it crashes
 * The common validation raises `ValueError: Input X contains NaN` (or infinity) unless the class declares that it can cope.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 * from sklearn.linear_model import LinearRegression
 *
 * X = pd.DataFrame({"age": [30.0, None, 50.0]})
 * y = [1, 2, 3]
 * ```
 * ```python cell
 * LinearRegression().fit(X, y)
 * ```
 *
 * ## Fix
 * Fill or drop the missing values, put an imputer before the estimator, or use one that accepts NaN
 * (`HistGradientBoostingClassifier`).
 * ```python fixed
 * LinearRegression().fit(X.fillna(X.mean()), y)
 * ```
 *
 * ## When it stays silent
 * For all estimators that accept missing values in some version (scalers, trees, forests, imputers, encoders), for distances
 * that can cope, for pipelines, and when no missing value was seen.
 */
import type { Literal } from '@grus/kernel/snapshot';
import type { Operand } from '../../reasoning/events.js';
import type { Fact, ValueFacts } from '../../reasoning/facts.js';
import { pythonRepr } from '../../reasoning/literals.js';
import { defineCheck } from '../define-check.js';
import { type MethodCall, methodCall, parameterValue, refusesData } from './shared.js';

const byDistance =
  /^(KNeighbors|RadiusNeighbors|NearestNeighbors|DBSCAN|OPTICS|LocalOutlierFactor|Agglomerative)/;

export default defineCheck({
  id: 'estimators/missing-values',
  title: 'Missing values or infinity in the data of an estimator that accepts none',
  rung: 'contracts',
  libraries: ['sklearn'],
  on: {
    call(event, context) {
      const call = methodCall(event);
      if (!call?.X) return;
      if (
        byDistance.test(call.name) &&
        !isPlainDistance(parameterValue(context, call.estimator, 'metric', 'minkowski'))
      )
        return;
      const claim = claimFor(call);
      if (!claim) return;
      const { operand, what, where } = claim;
      const given = context.text(operand.node);
      const place = where === undefined ? given : `the column ${pythonRepr(where)} of ${given}`;
      const isY = operand === call.y;
      context.report({
        exception: 'ValueError',
        message:
          what === 'NaN'
            ? `Input ${isY ? 'y' : 'X'} contains NaN.${isY ? '' : `\n${call.name} does not accept missing values encoded as NaN natively.…`}`
            : `Input ${isY ? 'y' : 'X'} contains infinity or a value too large for dtype('float64').`,
        evidence: [{ fact: `${place} contains ${what}`, source: context.source(operand) }],
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${place} contains ${what}, which ${call.name} does not accept.`,
        remedy:
          what === 'NaN'
            ? `Fill or drop the missing values first, for example with SimpleImputer, or use an estimator that accepts them.`
            : 'Replace infinite values first: `np.isfinite` tells where they are.',
      });
    },
  },
});

function isPlainDistance(metric: Literal | undefined): boolean {
  return typeof metric === 'string' && metric !== 'precomputed' && !metric.startsWith('nan');
}

interface Found {
  readonly operand: Operand;
  readonly what: 'NaN' | 'infinity';
  readonly where?: Literal | undefined;
}

function claimFor(call: MethodCall): Found | undefined {
  const inX =
    found(call.X!.fact, refusesData(call, 'nan'), refusesData(call, 'infinity')) ??
    (refusesData(call, 'nan') && refusesData(call, 'text') ? somewhere(call.X!.fact) : undefined);
  if (inX) return { operand: call.X!, ...inX };
  if (!call.y || !refusesData(call, 'target_nan')) return undefined;
  const inY = found(call.y.fact, true, true);
  return inY && { operand: call.y, ...inY };
}

function found(fact: Fact, nan: boolean, infinity: boolean): Omit<Found, 'operand'> | undefined {
  if (fact.kind === 'dataframe') {
    for (const column of fact.columns ?? []) {
      const what = isNumeric(column.dtype) ? whatIsIn(column.values, nan, infinity) : undefined;
      if (what) return { what, where: column.label };
    }
    return undefined;
  }
  if (fact.kind !== 'series' && fact.kind !== 'ndarray') return undefined;
  const what = isNumeric(fact.dtype) ? whatIsIn(fact.values, nan, infinity) : undefined;
  return what && { what };
}

/** NaN in a column that is not known: whichever of these types it has, it is refused. */
function somewhere(fact: Fact): Omit<Found, 'operand'> | undefined {
  if (fact.kind !== 'dataframe' || fact.hasNan !== true) return undefined;
  const dtypes = fact.dtypes ?? fact.columns?.map(({ dtype }) => dtype) ?? [];
  return dtypes.length > 0 && dtypes.every((dtype) => /^(u?int|float|bool|object)\d*$/.test(dtype ?? ''))
    ? { what: 'NaN' }
    : undefined;
}

function isNumeric(dtype: string | undefined): boolean {
  return dtype !== undefined && /^(float(16|32|64)?|Float(32|64))$/.test(dtype);
}

function whatIsIn(
  values: ValueFacts | undefined,
  nan: boolean,
  infinity: boolean,
): 'NaN' | 'infinity' | undefined {
  if (nan && values?.hasNan === true) return 'NaN';
  if (infinity && values?.hasInf === true && values.hasNan === false) return 'infinity';
  return undefined;
}
