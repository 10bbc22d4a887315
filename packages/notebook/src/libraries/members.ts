// Complete attribute lists of Python's own types. They only grow with newer versions of Python, so a name that is in
// none of them is absent everywhere.
import type { Fact } from '../reasoning/facts.js';
import { pandasMembers } from './pandas/members.js';

const tables: Record<string, string> = {
  'builtins.list': 'append clear copy count extend index insert pop remove reverse sort',
  'builtins.tuple': 'count index',
  'builtins.dict': 'clear copy fromkeys get items keys pop popitem setdefault update values',
  'builtins.set':
    'add clear copy difference difference_update discard intersection intersection_update isdisjoint issubset issuperset pop remove symmetric_difference symmetric_difference_update union update',
  'builtins.str':
    'capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill',
  'builtins.int':
    'as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer numerator real to_bytes',
  'builtins.float': 'as_integer_ratio conjugate fromhex from_number hex imag is_integer real',
  'builtins.bool':
    'as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer numerator real to_bytes',
  'builtins.NoneType': '',
  'builtins.range': 'count index start step stop',
  'numpy.ndarray':
    'T all any argmax argmin argpartition argsort astype base byteswap choose clip compress conj conjugate copy ctypes cumprod cumsum data device diagonal dot dtype dump dumps fill flags flat flatten getfield imag item itemset itemsize mT max mean min nbytes ndim newbyteorder nonzero partition prod ptp put ravel real repeat reshape resize round searchsorted setfield setflags shape size sort squeeze std strides sum swapaxes take to_device tobytes tofile tolist tostring trace transpose var view',
};

const parsed = new Map(
  Object.entries(tables).map(([name, members]) => [name, members === '' ? [] : members.split(' ')]),
);

/** All names that static lookup on the object finds (dunder names aside), when they are known. */
export function membersOf(fact: Fact): readonly string[] | undefined {
  if (fact.members) return fact.members;
  if (fact.class === undefined || (fact.kind === 'dataframe' && !fact.columns) || fact.kind === 'series')
    return undefined;
  if (fact.class === 'pandas.Categorical') return pandasMembers.get(fact.class);
  return parsed.get(fact.class) ?? (fact.kind === 'dataframe' ? frameMembers(fact) : undefined);
}

/** A frame has its methods and, where they are plain names, its columns. */
function frameMembers(fact: Extract<Fact, { kind: 'dataframe' }>): readonly string[] | undefined {
  // With several levels, the labels of the first are attributes too.
  if (fact.columnLevels !== undefined) return undefined;
  const own = pandasMembers.get('pandas.DataFrame');
  const columns = fact.columns?.map((column) => column.label).filter((label) => typeof label === 'string');
  return own && columns && [...own, ...columns];
}
