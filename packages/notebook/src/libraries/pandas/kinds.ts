// What is known of frames, series, indexes and groups.
import type { Literal } from '@grus/kernel/snapshot';
import type { Common, Ref, ValueFacts } from '../../reasoning/facts.js';
import type { KindTable } from '../../reasoning/kinds.js';

export interface Column {
  readonly label: Literal;
  readonly dtype?: string;
  readonly values?: ValueFacts;
}

/** Row labels of a frame or series. */
export interface IndexFacts {
  readonly names?: readonly Literal[];
  readonly dtype?: string;
  readonly unique?: boolean;
  /** All labels in order. */
  readonly labels?: readonly Literal[];
  /** A range index: labels start, start+step … before stop. */
  readonly range?: { readonly start: number; readonly stop: number; readonly step: number };
  /** Labels that were dropped and did not come back. */
  readonly absent?: readonly Literal[];
}

export interface Frame extends Common {
  readonly kind: 'dataframe';
  /** All columns in order. */
  readonly columns?: readonly Column[];
  /** True when the order of `columns` is not that of the frame. */
  readonly unordered?: boolean;
  readonly columnLevels?: number;
  /** Number of columns, where they are too many to be listed. */
  readonly width?: number;
  /** The distinct types of the columns, where they are not listed. */
  readonly dtypes?: readonly string[];
  readonly hasNan?: boolean;
  readonly rows?: number;
  readonly index?: IndexFacts;
}
export interface Series extends Common {
  readonly kind: 'series';
  readonly dtype?: string;
  readonly rows?: number;
  readonly name?: Literal;
  readonly index?: IndexFacts;
  readonly values?: ValueFacts;
  /** Elements by `keyOf(label)`, of a row whose cells are known in part. */
  readonly cells?: ReadonlyMap<string, Ref>;
}
export interface PandasIndex extends Common {
  readonly kind: 'index';
  readonly dtype?: string;
  readonly labels?: readonly Literal[];
  readonly unordered?: boolean;
  readonly levels?: number;
  /** The frame or series whose rows or columns it labels. */
  readonly owner?: Ref;
}
export interface GroupBy extends Common {
  readonly kind: 'groupby';
  readonly frame?: Ref;
  /** Grouping columns, and the selection made on the groups. */
  readonly keys?: readonly Literal[];
  readonly selection?: readonly Literal[];
  readonly single?: boolean;
  readonly asIndex?: boolean;
}
export interface Indexer extends Common {
  readonly kind: 'indexer';
  readonly accessor: 'loc' | 'iloc' | 'at' | 'iat';
  readonly owner: Ref;
}

declare module '../../reasoning/facts.js' {
  interface FactKinds {
    dataframe: Frame;
    series: Series;
    index: PandasIndex;
    groupby: GroupBy;
    indexer: Indexer;
  }
}

const changing = new Set(['insert', 'pop', 'update', 'sort', 'put', '__setitem__', '__delitem__']);
const isChangedBy = (method: string) => changing.has(method);

export const kinds: KindTable = {
  dataframe: {
    isApart: true,
    withoutValues: ({ hasNan: _, dtypes: __, ...fact }) =>
      fact.columns ? { ...fact, columns: fact.columns.map(({ values: _, ...column }) => column) } : fact,
    doubts: ['unordered'],
    summary: true,
    compared: ['rows', 'columns'],
    hasPlainAttributes: true,
    isChangedBy,
    length: ({ rows }) => rows,
    shape: ({ rows, columns, width }) => [rows ?? null, columns?.length ?? width ?? null],
  },
  series: {
    withoutValues: ({ values: _, cells: __, ...rest }) => rest,
    summary: true,
    compared: ['rows', 'dtype'],
    isChangedBy,
    length: ({ rows }) => rows,
    shape: ({ rows }) => [rows ?? null],
  },
  index: {
    lasting: 'all',
    reaches: ({ owner }) => (owner === undefined ? [] : [owner]),
    doubts: ['unordered'],
    compared: ['dtype'],
    isChangedBy,
    length: ({ labels, length }) => labels?.length ?? length,
  },
  groupby: {
    reaches: ({ frame }) => (frame === undefined ? [] : [frame]),
    joinsTo: { kind: 'groupby' },
    isChangedBy,
  },
  indexer: {
    lasting: 'all',
    reaches: ({ owner }) => [owner],
    mandatory: ['owner', 'accessor'],
  },
};
