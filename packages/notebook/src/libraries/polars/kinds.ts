// What is known of Polars' frames, lazy frames, groups, series and expressions.
import type { Common } from '../../reasoning/facts.js';
import type { KindTable } from '../../reasoning/kinds.js';

export interface PolarsColumn {
  readonly label: string;
  /** As Polars prints it: "Int64". */
  readonly dtype?: string;
}

/** A column that an expression reads. */
export interface Read {
  readonly label: string;
  /** It is one of several that are named together; Polars words their absence otherwise. */
  readonly amongMany?: boolean;
}

/** Columns that a call wants and that are not there: at least one; any of them may be the first that Polars misses. */
export interface Missing {
  readonly labels: readonly string[];
  readonly amongMany: boolean;
  /** The columns that are there. */
  readonly columns: readonly string[];
}

/** A column that a call makes. */
export interface Output {
  readonly label: string;
  /** The column of which it is an unchanged copy. */
  readonly copyOf?: string;
}

/** What an expression asks of the types of columns. */
export type Demand =
  | { readonly is: 'number'; readonly left: string; readonly right: string }
  | { readonly is: 'text'; readonly column: string; readonly method: string };

export interface PolarsFrame extends Common {
  readonly kind: 'polars-frame';
  /** All columns in order. */
  readonly columns?: readonly PolarsColumn[];
  readonly rows?: number;
}
export interface PolarsLazyFrame extends Common {
  readonly kind: 'polars-lazy';
  readonly columns?: readonly PolarsColumn[];
  /** Collecting it will fail because of these. */
  readonly missing?: Missing;
}
export interface PolarsGroups extends Common {
  readonly kind: 'polars-groups';
  readonly of: 'polars-frame' | 'polars-lazy';
  readonly columns?: readonly PolarsColumn[];
  readonly keys?: readonly Output[];
  /** Aggregating will fail because of these. */
  readonly missing?: Missing;
}
export interface PolarsSeries extends Common {
  readonly kind: 'polars-series';
  readonly dtype?: string;
  readonly name?: string;
  readonly rows?: number;
}
export interface PolarsExpression extends Common {
  readonly kind: 'polars-expression';
  /** Columns without which it fails, in the order in which they are met. */
  readonly reads: readonly Read[];
  readonly demands: readonly Demand[];
  /** What it gives; missing when that depends on the frame. */
  readonly outputs?: readonly Output[];
  /** Of `pl.col("x").str`: "str". */
  readonly space?: string;
}

declare module '../../reasoning/facts.js' {
  interface FactKinds {
    'polars-frame': PolarsFrame;
    'polars-lazy': PolarsLazyFrame;
    'polars-groups': PolarsGroups;
    'polars-series': PolarsSeries;
    'polars-expression': PolarsExpression;
  }
}

const changing = new Set(
  'append drop_in_place extend hstack insert_column replace_column scatter set shrink_to_fit sort vstack'.split(
    ' ',
  ),
);

export const kinds: KindTable = {
  'polars-frame': {
    isApart: true,
    summary: true,
    compared: ['rows', 'columns'],
    hasPlainAttributes: true,
    length: ({ rows }) => rows,
    shape: ({ rows, columns }) => [rows ?? null, columns?.length ?? null],
    isChangedBy: (method) => method !== 'sort' && changing.has(method),
  },
  'polars-series': {
    summary: true,
    compared: ['rows', 'dtype'],
    length: ({ rows }) => rows,
    shape: ({ rows }) => [rows ?? null],
    isChangedBy: (method) => changing.has(method),
  },
  'polars-lazy': { lasting: 'all', isChangedBy: () => false },
  'polars-groups': { lasting: 'all', mandatory: ['of'], isChangedBy: () => false },
  'polars-expression': { lasting: 'all', mandatory: ['reads', 'demands'], isChangedBy: () => false },
};
