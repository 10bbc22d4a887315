// Names that frames and categoricals have in any released version of pandas. A name that is in none of them, and is no
// column or label, is absent everywhere; whether a removed name still exists is a question for the live object.
import type { Literal } from '@grus/kernel/snapshot';
import type { Fact } from '../../reasoning/facts.js';

const lists: Record<string, string> = {
  'pandas.DataFrame':
    'T _repr_html_ abs add add_prefix add_suffix agg aggregate align all any append apply applymap as_blocks as_matrix asfreq asof assign astype at at_time attrs axes backfill between_time bfill blocks bool boxplot clip clip_lower clip_upper columns combine combine_first compare consolidate convert_dtypes convert_objects copy corr corrwith count cov cummax cummin cumprod cumsum describe diff div divide dot drop drop_duplicates droplevel dropna dtypes duplicated empty eq equals eval ewm expanding explode ffill fillna filter first first_valid_index flags floordiv from_arrow from_csv from_dict from_records ftypes ge get get_dtype_counts get_ftype_counts get_value get_values groupby gt head hist iat idxmax idxmin iloc index infer_objects info insert interpolate is_copy isetitem isin isna isnull items iteritems iterrows itertuples ix join keys kurt kurtosis last last_valid_index le loc lookup lt mad map mask max mean median melt memory_usage merge min mod mode mul multiply ndim ne nlargest notna notnull nsmallest nunique pad pct_change pipe pivot pivot_table plot pop pow prod product quantile query radd rank rdiv reindex reindex_axis reindex_like rename rename_axis reorder_levels replace resample reset_index rfloordiv rmod rmul rolling round rpow rsub rtruediv sample select select_dtypes sem set_axis set_flags set_index set_value shape shift size skew slice_shift sort sort_index sort_values sortlevel sparse squeeze stack std style sub subtract sum swapaxes swaplevel tail take to_clipboard to_csv to_dense to_dict to_excel to_feather to_hdf to_html to_iceberg to_json to_latex to_markdown to_msgpack to_numpy to_orc to_panel to_parquet to_period to_pickle to_records to_sparse to_sql to_stata to_string to_timestamp to_xarray to_xml transform transpose truediv truncate tshift tz_convert tz_localize unstack update value_counts values var where xs',
  'pandas.Categorical':
    'T add_categories argmax argmin argsort as_ordered as_unordered astype base categories check_for_ordered codes copy count data delete describe dropna dtype duplicated equals factorize fillna flags from_array from_codes get_values insert interpolate is_dtype_equal isin isna isnull item itemsize labels level levels map max memory_usage min mode nbytes ndim notna notnull ordered put ravel remove_categories remove_unused_categories rename_categories reorder_categories repeat replace reshape round searchsorted set_categories set_ordered shape shift size sort sort_values swapaxes take to_dense to_list to_numpy tolist transpose unique value_counts view',
};

export const pandasMembers: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(lists).map(([name, text]) => [name, text.split(' ')]),
);

/** A frame has its methods and, where they are plain names, its columns. */
export function membersOf(fact: Fact): readonly string[] | undefined {
  if (fact.class === 'pandas.Categorical') return pandasMembers.get(fact.class);
  // With several levels, the labels of the first are attributes too.
  if (fact.kind !== 'dataframe' || !fact.columns || fact.columnLevels !== undefined) return undefined;
  if (fact.class === undefined) return undefined;
  const columns = fact.columns
    .map(({ label }): Literal => label)
    .filter((label) => typeof label === 'string');
  return [...pandasMembers.get('pandas.DataFrame')!, ...columns];
}
