// Names that Polars once had or that people expect of it, and what to use in their place.
import type { Successors } from '../../reasoning/library.js';

export const successors: Successors = {
  ofClasses: {
    'polars.DataFrame': {
      groupby: '`.group_by`',
      apply: '`.map_rows`',
      with_column: '`.with_columns`',
      melt: '`.unpivot`',
      with_row_count: '`.with_row_index`',
      iloc: 'plain indexing or `.slice`',
      loc: '`.filter` and `.select`',
    },
  },
};
