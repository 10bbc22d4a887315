// The accessors of a series and the types they are for. On another type pandas raises AttributeError as soon as one is named.
import type { Series } from './kinds.js';

interface Accessor {
  /** Types on which it is refused whatever the values are. */
  readonly refused: RegExp;
  readonly message: string;
  readonly remedy: string;
}

const accessors: Readonly<Record<string, Accessor>> = {
  str: {
    refused: /^(u?int|float|complex|bool|datetime|timedelta)/,
    message: 'Can only use .str accessor with string values…',
    remedy: 'Convert it first: `.astype(str)`.',
  },
  dt: {
    refused: /^(u?int|float|complex|bool|object|str)/,
    message: 'Can only use .dt accessor with datetimelike values',
    remedy: 'Convert it first: `pd.to_datetime(…)`.',
  },
  cat: {
    refused: /^(u?int|float|complex|bool|object|str|datetime|timedelta)/,
    message: "Can only use .cat accessor with a 'category' dtype",
    remedy: "Convert it first: `.astype('category')`.",
  },
};

export function refusedAccessor({ dtype }: Series, name: string): Accessor | undefined {
  const accessor = Object.hasOwn(accessors, name) ? accessors[name] : undefined;
  return dtype !== undefined && accessor?.refused.test(dtype) ? accessor : undefined;
}
