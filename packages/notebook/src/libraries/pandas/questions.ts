// What may be asked of pandas, in a copy of the kernel.
import { type Context, Memory } from '../../reasoning/context.js';
import type { Operand } from '../../reasoning/events.js';
import type { Fact } from '../../reasoning/facts.js';
import { words } from '../../reasoning/inquiry/planning.js';
import type { KindQuestions, QuestionRules } from '../../reasoning/library.js';
import type { Frame, Indexer, Series } from './kinds.js';

const mostElements = 3_000_000;

/** From release 3 on, changing one object changes no other. */
const sharing = new Memory(({ version }) => ({ copiesOnWrite: (version('pandas')?.[0] ?? 0) >= 3 }));
const changes = (context: Context) => (context.recall(sharing).copiesOnWrite ? 'arrays' : 'everything');

const functions =
  words(`to_datetime to_numeric to_timedelta cut qcut merge merge_asof merge_ordered concat get_dummies
  crosstab pivot_table pivot melt wide_to_long date_range period_range timedelta_range bdate_range interval_range Series
  DataFrame Index MultiIndex DatetimeIndex Categorical CategoricalDtype CategoricalIndex Timestamp Timedelta Period Interval
  isna isnull notna notnull unique factorize array json_normalize DateOffset`);
const quiet =
  /^pandas\.(isna|isnull|notna|notnull|unique|Index|Series|Timestamp|Timedelta|DateOffset|date_range|CategoricalDtype)$/;

const reductions = words('mean std var median sum prod min max cumsum diff round abs');
const hashing = words('nunique unique value_counts drop_duplicates duplicated mode sort_values rank');
/** Columns that take no other values than those of their dtype. */
const strict = /^(category|U?Int|Float|boolean|period|interval)/;

/** Methods that seldom fail, but do with texts among the numbers or with elements of any class. */
function mayRefuse(dtypes: readonly (string | undefined)[], method: string): boolean {
  if (method === 'fillna') return dtypes.some((dtype) => strict.test(dtype ?? ''));
  if (hashing.has(method)) return dtypes.includes('object');
  return reductions.has(method) && dtypes.some((dtype) => dtype === 'object' || dtype === 'str');
}

const frame: KindQuestions = {
  isData: true,
  changes,
  isUsable(fact) {
    const { class: name, rows = Infinity, columns, width = Infinity } = fact as Frame;
    return name === 'pandas.DataFrame' && rows * (columns?.length ?? width) <= mostElements;
  },
  isJudgedItem: (fact) => (fact as Frame).columns !== undefined,
  storesInto: ({ ref }, key, context) => ({ owner: ref, isWhole: context.literal(key.ref) !== undefined }),
};

const series: KindQuestions = {
  isData: true,
  changes,
  isUsable(fact) {
    const { class: name, rows = Infinity } = fact as Series;
    return name === 'pandas.Series' && rows <= mostElements;
  },
  isJudgedItem: (_fact, key, context) => key.fact.kind === 'series' || context.literal(key.ref) === undefined,
  isNumeric: (fact) => /^(u?int|float|bool)/.test((fact as Series).dtype ?? ''),
  storesInto: ({ ref }) => ({ owner: ref, isWhole: false }),
};

const indexer: KindQuestions = {
  leadsOn: true,
  remake(fact, stepOf, exact) {
    const { owner, accessor } = fact as Indexer;
    const receiver = stepOf(owner);
    return receiver === undefined ? undefined : exact.step({ op: 'attribute', receiver, name: accessor });
  },
  storesInto({ fact }: Operand, _key, context) {
    const { owner, accessor } = fact as Indexer;
    const isFrame = context.look(owner).kind === 'dataframe';
    return isFrame ? { owner, name: accessor, isWhole: false } : null;
  },
};

export const questions: QuestionRules = {
  purity(name) {
    if (!name.startsWith('pandas.')) return undefined;
    if (!functions.has(name.split('.')[1] ?? '')) return 'no';
    return quiet.test(name) ? 'quiet' : 'askable';
  },
  quietMethods:
    words(`head tail copy describe mean sum min max std var median count nunique unique value_counts isna isnull notna notnull
    any all tolist to_list to_numpy keys get sort_index reset_index fillna round columns cumsum abs replace size first last
    mode idxmax idxmin info dropna drop_duplicates duplicated sort_values transpose items values squeeze ffill bfill shift
    diff rank`),
  askableMethods:
    words(`add agg aggregate align apply asfreq asof assign astype at_time between between_time clip combine combine_first
    compare convert_dtypes corr corrwith cov cummax cummin cumprod div divide dot drop droplevel eq equals expanding explode
    factorize filter first_valid_index floordiv ge get_group groupby gt infer_objects interpolate isin join kurt
    last_valid_index le lt map mask melt merge mod mul multiply ne nlargest nsmallest pct_change pivot pivot_table pow prod
    quantile reindex reindex_like rename rename_axis reorder_levels repeat resample rolling sample searchsorted select_dtypes
    sem set_axis set_index skew stack sub subtract swaplevel take to_dict to_frame to_period to_timestamp transform truediv
    truncate tz_convert tz_localize unstack where xs nth ngroup cumcount ohlc ewm contains len extract extractall match pad
    slice cat get_dummies floor ceil normalize day_name month_name isocalendar to_pydatetime codes rename_categories
    reorder_categories add_categories remove_categories set_categories as_ordered`),
  inPlaceMethods:
    words(`drop rename fillna dropna drop_duplicates reset_index set_index sort_values sort_index replace ffill bfill clip
    interpolate mask where rename_axis`),
  readers: /^pandas\.read_(csv|table|json|excel|parquet|fwf)$/,
  random: /\.sample$/,
  mayRefuse: {
    series: (fact, method) => mayRefuse([(fact as Series).dtype], method),
    dataframe: (fact, method) => mayRefuse((fact as Frame).columns?.map(({ dtype }) => dtype) ?? [], method),
  },
  classes: /^pandas\./,
  moments: /^pandas\.[\w.]*(Timestamp|Timedelta|Period)$/,
  judgedAttributes: ['loc', 'iloc', 'at', 'iat', 'columns', 'empty'],
  refusingAttributes: { series: ['str', 'dt', 'cat', 'sparse'] },
  kinds: {
    dataframe: frame,
    series,
    indexer,
    index: { isData: true, changes, isUsable: () => true },
    groupby: { leadsOn: true, isUsable: (fact: Fact) => /^pandas\./.test(fact.class ?? '') },
  },
};
