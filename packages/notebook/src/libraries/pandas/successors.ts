// Names that pandas once had or that people expect of it, and what to use in their place.
import type { Successors } from '../../reasoning/library.js';

export const successors: Successors = {
  ofModules: {
    pandas: {
      rolling_mean: '`series.rolling(n).mean()`',
      scatter_matrix: '`pd.plotting.scatter_matrix`',
      Panel: 'a MultiIndex frame',
      Int64Index: '`pd.Index`',
      datetime: 'the `datetime` module',
      value_counts: '`series.value_counts()`',
    },
  },
  ofKinds: {
    dataframe: {
      append: '`pd.concat([frame, other])`',
      ix: '`.loc` or `.iloc`',
      iteritems: '`.items()`',
      as_matrix: '`.to_numpy()`',
      applymap: '`.map`',
      mad: '`(frame - frame.mean()).abs().mean()`',
      lookup: '`.loc` or `.melt`',
      swaplevel: '`.swaplevel`',
      sort: '`.sort_values`',
      get_value: '`.at`',
      set_value: '`.at`',
      to_list: '`.values.tolist()`',
      tolist: '`.values.tolist()`',
      unique: '`.drop_duplicates()` or `.unique()` of one column',
      reshape: '`.to_numpy().reshape`',
    },
    series: {
      append: '`pd.concat([series, other])`',
      ix: '`.loc` or `.iloc`',
      iteritems: '`.items()`',
      as_matrix: '`.to_numpy()`',
      reshape: '`.to_numpy().reshape`',
      sort: '`.sort_values`',
      order: '`.sort_values`',
      contains: '`.str.contains`',
      split: '`.str.split`',
      lower: '`.str.lower`',
      strip: '`.str.strip`',
    },
  },
};
