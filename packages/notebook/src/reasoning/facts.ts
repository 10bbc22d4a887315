// What the reasoning knows of a Python object. Every field beyond `kind` may be missing, and a missing field means
// "not known": joining two paths keeps the fields on which they agree, and a possible mutation removes fields. The kinds
// here are those of the language; kinds.ts says how each of them, and each that a library adds, joins and is forgotten.
import type { Literal, Parameter } from '@grus/kernel/snapshot';
import type { FunctionNode, NodeOf } from '@grus/python';

/** Names one object of the abstract heap; two names with the same ref are the same Python object. */
export type Ref = number;
/** One dimension of a shape; null when its size is not known. */
export type Dim = number | null;
export type Shape = readonly Dim[];

/** What may be known of an object of any kind. */
export interface Common {
  /** Public qualified name of the class: "pandas.DataFrame". */
  readonly class?: string;
  readonly bases?: readonly string[];
  /** Where the facts were read, for evidence: "kernel: df", "line 3". */
  readonly source?: string;
  /** Objects that may share their contents carry the same token. */
  readonly memory?: number;
  readonly attributes?: ReadonlyMap<string, Ref>;
  /** What it was made with, where the walked code made it. What its attributes hold may be something else. */
  readonly options?: ReadonlyMap<string, Ref>;
  /** All names that static lookup finds; missing when the list is not complete. */
  readonly members?: readonly string[];
  /** True when `__getattr__` may invent attributes. */
  readonly dynamic?: boolean;
  readonly callable?: boolean;
  readonly iterable?: boolean;
  readonly subscriptable?: boolean;
  readonly hashable?: boolean;
  readonly signature?: readonly Parameter[];
  readonly length?: number;
  /** Dotted path by which the kernel can find the same, unchanged object. */
  readonly path?: string;
  /** Step by which a copy of the kernel can make an object of the same form. */
  readonly recipe?: number;
}

/** Value-based facts of an array, a series or a column. */
export interface ValueFacts {
  readonly min?: number;
  readonly max?: number;
  readonly hasNan?: boolean;
  readonly hasInf?: boolean;
  readonly unique?: number;
  /** How often the rarest and the commonest value occur. */
  readonly rarest?: number;
  readonly commonest?: number;
  readonly examples?: readonly Literal[];
  /** True when `examples` lists every distinct value. */
  readonly examplesComplete?: boolean;
  readonly elementTypes?: readonly string[];
  /** An element that `float()` or `int()` refuses. */
  readonly notFloat?: Literal;
  readonly notInt?: Literal;
  /** Elements that are sequences of different lengths. */
  readonly ragged?: boolean;
  readonly categories?: readonly Literal[];
  /** The regressor whose predictions these are. */
  readonly predictedBy?: string;
  /** True when every element was looked at. */
  readonly exhaustive?: boolean;
}

export interface Unknown extends Common {
  readonly kind: 'unknown';
}
export interface None extends Common {
  readonly kind: 'none';
}
export type ScalarType = 'bool' | 'int' | 'float' | 'complex' | 'str' | 'bytes';
export interface Scalar extends Common {
  readonly kind: 'scalar';
  readonly type: ScalarType;
  readonly value?: string | number | bigint | boolean;
}
export interface Sequence extends Common {
  readonly kind: 'list' | 'tuple' | 'set' | 'frozenset';
  /** All elements in order; missing when not all are known. */
  readonly items?: readonly Ref[];
  /** An object whose facts hold for every element. */
  readonly element?: Ref;
  /** Some of the elements, in order from the first. */
  readonly samples?: readonly Ref[];
  readonly values?: ValueFacts;
  /** While a loop body is walked for any iteration: how many elements it has added so far. */
  readonly grown?: Growth;
}
export interface Growth {
  readonly count: number;
  /** True when the list was empty before the loop. */
  readonly onlyNew: boolean;
}
export interface DictEntry {
  readonly key: Literal;
  readonly value: Ref;
}
export interface Dict extends Common {
  readonly kind: 'dict';
  /** Known entries by `keyOf(key)`, in order. */
  readonly entries?: ReadonlyMap<string, DictEntry>;
  /** True when there are no other entries. */
  readonly complete?: boolean;
}
export interface Range extends Common {
  readonly kind: 'range';
  readonly start?: number;
  readonly stop?: number;
  readonly step?: number;
}
export interface Slice extends Common {
  readonly kind: 'slice';
  readonly lower?: Ref;
  readonly upper?: Ref;
  readonly step?: Ref;
}
export interface UserFunction extends Common {
  readonly kind: 'function';
  readonly name: string;
  readonly node: FunctionNode | NodeOf<'Lambda'>;
  /** The scope in which it was defined. */
  readonly scope: number;
  readonly defaults: ReadonlyMap<string, Ref>;
  /** Values captured from an enclosing function that is no longer running. */
  readonly closure?: ReadonlyMap<string, Ref>;
  /** Where the source stands, when it is not in the target cell: "cell [4]". */
  readonly home?: string;
  /** The class whose body defined it. */
  readonly owner?: Ref;
}
export interface Class extends Common {
  readonly kind: 'class';
  readonly name: string;
  /** Of a class whose body was walked: its own names, and its bases in order. */
  readonly namespace?: ReadonlyMap<string, Ref>;
  readonly parents?: readonly Ref[];
  /** Code out of sight may have added to it. */
  readonly open?: boolean;
}
/** Something a library or the builtins hold, by its public qualified name: a function, class, submodule or constant. */
export interface LibraryMember extends Common {
  readonly kind: 'library';
  readonly name: string;
  /** The name as the cell's own imports spell it, by which it can be found for certain. */
  readonly spelled?: string;
}
export interface Module extends Common {
  readonly kind: 'module';
  readonly name: string;
}
/** An attribute of an object that is known by name only; mostly, but not provably, a method. */
export interface Method extends Common {
  readonly kind: 'method';
  readonly receiver: Ref;
  readonly name: string;
  /** The user's function behind it, if any. */
  readonly function?: Ref;
}
/** What `super()` answers: an object, looked at from behind one of its classes. */
interface Super extends Common {
  readonly kind: 'super';
  readonly receiver: Ref;
  /** The class that is skipped, with all in front of it; undefined when it is not known. */
  readonly behind: Ref | undefined;
}
/** An object of any class. A library may merge in what it knows of its own objects. */
export interface Instance extends Common {
  readonly kind: 'instance';
  /** The user's class, when its body is known. */
  readonly of?: Ref;
  /** True when `attributes` lists all instance attributes. */
  readonly complete?: boolean;
  readonly values?: ValueFacts;
}
/** A named part of something composed: a layer of a model, a step of a pipeline. */
export interface Layer {
  readonly name: string;
  readonly class: string;
  readonly object?: Ref;
}
export interface Iterator extends Common {
  readonly kind: 'iterator';
  /** Some objects that are certainly among the elements. */
  readonly witnesses?: readonly Ref[];
  /** True when at least one element is sure to come. */
  readonly nonEmpty?: boolean;
  /** The first and the last element, where the others are not listed. */
  readonly first?: Ref;
  readonly last?: Ref;
  /** What drawing from it raises: at once, or after some elements. */
  readonly refusal?: { readonly exception: string; readonly message: string; readonly later?: boolean };
  readonly items?: readonly Ref[];
  readonly element?: Ref;
}
/** The kinds of fact. These are Python's own; a library adds its kinds by merging them into this interface. */
export interface FactKinds {
  unknown: Unknown;
  none: None;
  scalar: Scalar;
  list: Sequence;
  tuple: Sequence;
  set: Sequence;
  frozenset: Sequence;
  dict: Dict;
  range: Range;
  slice: Slice;
  function: UserFunction;
  class: Class;
  library: LibraryMember;
  module: Module;
  method: Method;
  super: Super;
  instance: Instance;
  iterator: Iterator;
}

export type FactKind = keyof FactKinds;
export type Fact = FactKinds[FactKind];
export type FactOf<Kind extends FactKind> = FactKinds[Kind];

export const unknown: Unknown = { kind: 'unknown' };

/** Without the fields that are undefined: they are not known. */
export function known<T extends object>(fields: T): T {
  const entries = Object.entries(fields);
  const isClean = entries.every(([, value]) => value !== undefined);
  return isClean ? fields : (Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as T);
}
