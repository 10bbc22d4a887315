// What a pretty-printed Python value is read into. Integers and floats stay apart, because a recorded `0` and `0.0` say
// different things about a dtype; whatever has no literal syntax is kept as the text of its repr.

export interface PyInt {
  readonly type: 'int';
  readonly value: number;
  readonly digits: string;
}

export interface PyFloat {
  readonly type: 'float';
  readonly value: number;
}

export interface PySequence {
  readonly type: 'list' | 'tuple' | 'set';
  readonly items: readonly PyValue[];
  /** True when an ellipsis or the end of the text stands where more was. */
  readonly cut: boolean;
}

export interface PyDict {
  readonly type: 'dict';
  readonly entries: readonly (readonly [PyValue, PyValue])[];
  readonly cut: boolean;
}

/** `torch.Size([3, 4])`, `dtype('int64')`, `np.float64(0.5)`: a call written out. */
export interface PyCall {
  readonly type: 'call';
  readonly name: string;
  readonly args: readonly PyValue[];
  readonly keywords: Readonly<Record<string, PyValue>>;
}

/** `<class 'set'>`, `torch.float64`, or anything that could not be read. */
export interface PyOpaque {
  readonly type: 'opaque';
  readonly text: string;
}

export type PyValue = null | boolean | string | PyInt | PyFloat | PySequence | PyDict | PyCall | PyOpaque;

export function isDict(value: PyValue | undefined): value is PyDict {
  return typeof value === 'object' && value !== null && value.type === 'dict';
}

export function isSequence(value: PyValue | undefined): value is PySequence {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value.type === 'list' || value.type === 'tuple' || value.type === 'set')
  );
}

export function isCall(value: PyValue | undefined): value is PyCall {
  return typeof value === 'object' && value !== null && value.type === 'call';
}

/** The entry of a dict under a string key. */
export function get(dict: PyValue | undefined, key: string): PyValue | undefined {
  if (!isDict(dict)) return undefined;
  return dict.entries.find(([candidate]) => candidate === key)?.[1];
}

export function asNumber(value: PyValue | undefined): number | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return value.type === 'int' || value.type === 'float' ? value.value : undefined;
}

export function asString(value: PyValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asBoolean(value: PyValue | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** The string keys of a dict. */
export function stringKeys(value: PyValue | undefined): string[] {
  if (!isDict(value)) return [];
  return value.entries.map(([key]) => key).filter((key): key is string => typeof key === 'string');
}
