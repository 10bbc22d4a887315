// What is known of scikit-learn's classes. The table was made by trying each of them: packages/notebook/scripts/estimators.py.
import table from './estimators.json' with { type: 'json' };

/**
 * What can be wrong with the data: a column less or more, columns of other names or in another order, one dimension, text,
 * missing values, targets of another length.
 */
export type Fault =
  | 'features'
  | 'names'
  | 'flat'
  | 'text'
  | 'nan'
  | 'infinity'
  | 'lengths'
  | 'labels'
  | 'target_nan'
  | 'unfitted'
  | 'importances';

interface Row {
  readonly module: string;
  /** Parameters of the constructor that may be passed by position. */
  readonly positional?: readonly string[];
  readonly kind?: string;
  /** The methods that refuse the fault with the usual message, `all` of those that were tried; missing where the class could not be tried. */
  readonly refuses?: Readonly<Partial<Record<Fault, string | readonly string[]>>>;
}

const rows = new Map<string, Row>(Object.entries(table.classes));
const boosters = /^(?:xgboost\.XGB|lightgbm\.LGBM)\w*?(Classifier|Regressor)?$/;

/** The row of a class, by its public name or the one that it gives itself: `sklearn.svm.SVC`, `sklearn.svm._classes.SVC`. */
function rowOf(className: string | undefined): Row | undefined {
  const row = rows.get(className?.split('.').at(-1) ?? '');
  return row && className!.startsWith(`${row.module}.`) ? row : undefined;
}

export function isEstimatorClass(name: string): boolean {
  return rowOf(name) !== undefined || boosters.test(name);
}

/** Leading parameters that may be passed by position; everything behind them is keyword-only. */
export function leadingParameters(className: string): readonly string[] {
  return rowOf(className)?.positional ?? [];
}

export function kindOf(className: string | undefined): string | undefined {
  return rowOf(className)?.kind ?? boosters.exec(className ?? '')?.[1]?.toLowerCase();
}

/** Whether the method refuses data with that fault, as far as the class was tried. */
export function refuses(className: string | undefined, method: string, fault: Fault): boolean {
  const methods = rowOf(className)?.refuses?.[fault];
  if (methods !== 'all') return methods?.includes(method) ?? false;
  const startsAnew = method.includes('fit') && ['features', 'names', 'unfitted'].includes(fault);
  return table.methods.includes(method) && !startsAnew;
}

/** Estimators that fit the very objects they were given instead of clones of them. */
export function fitsInPlace(className: string | undefined): boolean {
  return className !== undefined && /\.(Pipeline|FeatureUnion)$/.test(className);
}
