// Names that libraries once had, and what to use in their place.
import type { Fact } from '../../reasoning/facts.js';

const ofModules: Record<string, Record<string, string>> = {
  numpy: {
    float: '`float` or `np.float64`',
    int: '`int` or `np.int64`',
    bool: '`bool` or `np.bool_`',
    object: '`object`',
    str: '`str`',
    complex: '`complex`',
    float_: '`np.float64`',
    complex_: '`np.complex128`',
    unicode_: '`np.str_`',
    string_: '`np.bytes_`',
    NaN: '`np.nan`',
    NAN: '`np.nan`',
    Inf: '`np.inf`',
    Infinity: '`np.inf`',
    infty: '`np.inf`',
    product: '`np.prod`',
    cumproduct: '`np.cumprod`',
    sometrue: '`np.any`',
    alltrue: '`np.all`',
    in1d: '`np.isin`',
    trapz: '`np.trapezoid`',
    row_stack: '`np.vstack`',
    asscalar: '`array.item()`',
    round_: '`np.round`',
    mat: '`np.asmatrix`',
    float128: '`np.longdouble`',
  },
  pandas: {
    rolling_mean: '`series.rolling(n).mean()`',
    scatter_matrix: '`pd.plotting.scatter_matrix`',
    Panel: 'a MultiIndex frame',
    Int64Index: '`pd.Index`',
    datetime: 'the `datetime` module',
    value_counts: '`series.value_counts()`',
  },
};

const ofClasses: Record<string, Record<string, string>> = {
  'polars.DataFrame': {
    groupby: '`.group_by`',
    apply: '`.map_rows`',
    with_column: '`.with_columns`',
    melt: '`.unpivot`',
    with_row_count: '`.with_row_index`',
    iloc: 'plain indexing or `.slice`',
    loc: '`.filter` and `.select`',
  },
};

const ofKinds: Partial<Record<Fact['kind'], Record<string, string>>> = {
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
  ndarray: {
    append: '`np.append(array, …)`',
    head: '`array[:5]`',
    values: 'the array itself',
    columns: 'the columns of the frame it came from',
    iloc: 'plain indexing, `array[…]`',
    loc: 'plain indexing, `array[…]`',
    drop: '`np.delete`',
    numpy: 'the array itself',
    to_numpy: 'the array itself',
    value_counts: '`pd.Series(array).value_counts()`',
    unique: '`np.unique(array)`',
    join: '`np.hstack` or a frame made of the array',
    fillna: '`np.nan_to_num`',
    isnull: '`np.isnan`',
    describe: '`pd.DataFrame(array).describe()`',
    corr: '`np.corrcoef`',
    apply: '`np.apply_along_axis` or a comprehension',
    map: 'a vectorised expression or a comprehension',
  },
  'keras-model': {
    predict_classes: '`(model.predict(x) > 0.5).astype("int32")` or `model.predict(x).argmax(axis=-1)`',
    predict_proba: '`model.predict(x)`',
    fit_generator: '`model.fit`',
    predict_generator: '`model.predict`',
    evaluate_generator: '`model.evaluate`',
  },
};

export function successorOf(fact: Fact, name: string): string | undefined {
  const table =
    fact.kind === 'module' || fact.kind === 'library'
      ? ofModules[fact.name]
      : (ofClasses[fact.class ?? ''] ?? ofKinds[fact.kind]);
  return table && Object.hasOwn(table, name) ? table[name] : undefined;
}
