// Complete attribute lists of Python's own types. They only grow with newer versions of Python, so a name that is in none of
// them is absent everywhere.
import type { Fact } from '../../reasoning/facts.js';

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
};

const parsed = new Map(
  Object.entries(tables).map(([name, members]) => [name, members === '' ? [] : members.split(' ')]),
);

export function membersOf({ class: name }: Fact): readonly string[] | undefined {
  return name === undefined ? undefined : parsed.get(name);
}
