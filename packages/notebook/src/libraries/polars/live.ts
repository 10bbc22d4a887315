// Live frames and series. A live lazy frame keeps its columns to itself: asking for them would run its plan.
import type { LiveReader } from '../../reasoning/library.js';
import { knownDtype } from '../../reasoning/live/values.js';
import type { PolarsColumn } from './kinds.js';

const frame: LiveReader = {
  classes: /^polars\.DataFrame$/,
  read({ representation = {} }, common) {
    const { columns, columns_complete, length } = representation;
    const listed = columns_complete === true ? columns : undefined;
    return {
      ...common,
      kind: 'polars-frame',
      ...(listed && {
        columns: listed.map(
          ({ label, dtype }): PolarsColumn => ({
            label: String(label),
            ...(dtype !== undefined && knownDtype(dtype) !== undefined && { dtype }),
          }),
        ),
      }),
      ...(length !== undefined && { rows: length }),
    };
  },
};

const series: LiveReader = {
  classes: /^polars\.Series$/,
  read({ representation: { dtype, name, length } = {} }, common) {
    return {
      ...common,
      kind: 'polars-series',
      ...(typeof dtype === 'string' && knownDtype(dtype) !== undefined && { dtype }),
      ...(typeof name === 'string' && { name }),
      ...(length !== undefined && { rows: length }),
    };
  },
};

const lazy: LiveReader = {
  classes: /^polars\.LazyFrame$/,
  read: (_, common) => ({ ...common, kind: 'polars-lazy' }),
};

export const live = { polars_frame: frame, polars_series: series, polars_lazy: lazy };
