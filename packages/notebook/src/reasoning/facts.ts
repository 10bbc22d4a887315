// What the reasoning knows of a Python object. Every field beyond `kind` may be missing, and a missing field means
// "not known": joining two paths keeps the fields on which they agree, and a possible mutation removes fields.
import type { Literal, Parameter } from '@grus/kernel/snapshot';
import type { FunctionNode, NodeOf } from '@grus/python';

/** Names one object of the abstract heap; two names with the same ref are the same Python object. */
export type Ref = number;
/** One dimension of a shape; null when its size is not known. */
export type Dim = number | null;
export type Shape = readonly Dim[];

interface Common {
  /** Public qualified name of the class: "pandas.DataFrame". */
  readonly class?: string;
  readonly bases?: readonly string[];
  /** Where the facts were read, for evidence: "kernel: df", "line 3". */
  readonly source?: string;
  /** Objects that may share their contents carry the same token. */
  readonly memory?: number;
  readonly attributes?: ReadonlyMap<string, Ref>;
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

export interface Column {
  readonly label: Literal;
  readonly dtype?: string;
  readonly values?: ValueFacts;
}

/** Row labels of a frame or series. */
export interface IndexFacts {
  readonly names?: readonly Literal[];
  readonly dtype?: string;
  readonly unique?: boolean;
  /** All labels in order. */
  readonly labels?: readonly Literal[];
  /** A range index: labels start, start+step … before stop. */
  readonly range?: { readonly start: number; readonly stop: number; readonly step: number };
  /** Labels that were dropped and did not come back. */
  readonly absent?: readonly Literal[];
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
  /** Of a training history: points per metric. */
  readonly history?: ReadonlyMap<string, number>;
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
export interface Instance extends Common {
  readonly kind: 'instance';
  /** The user's class, when its body is known. */
  readonly of?: Ref;
  /** True when `attributes` lists all instance attributes. */
  readonly complete?: boolean;
  readonly values?: ValueFacts;
  readonly history?: ReadonlyMap<string, number>;
  readonly grid?: readonly number[];
  /** Of a symbolic or TensorFlow tensor. */
  readonly shape?: Shape;
  /** Of a torch device: "cpu", "cuda:0". */
  readonly text?: string;
}
export interface Frame extends Common {
  readonly kind: 'dataframe';
  /** All columns in order. */
  readonly columns?: readonly Column[];
  /** True when the order of `columns` is not that of the frame. */
  readonly unordered?: boolean;
  readonly columnLevels?: number;
  /** Number of columns, where they are too many to be listed. */
  readonly width?: number;
  readonly hasNan?: boolean;
  readonly rows?: number;
  readonly index?: IndexFacts;
}
export interface Series extends Common {
  readonly kind: 'series';
  readonly dtype?: string;
  readonly rows?: number;
  readonly name?: Literal;
  readonly index?: IndexFacts;
  readonly values?: ValueFacts;
  /** Elements by `keyOf(label)`, of a row whose cells are known in part. */
  readonly cells?: ReadonlyMap<string, Ref>;
}
export interface PandasIndex extends Common {
  readonly kind: 'index';
  readonly dtype?: string;
  readonly labels?: readonly Literal[];
  readonly unordered?: boolean;
  readonly levels?: number;
  /** The frame or series whose rows or columns it labels. */
  readonly owner?: Ref;
}
export interface GroupBy extends Common {
  readonly kind: 'groupby';
  readonly frame?: Ref;
  /** Grouping columns, and the selection made on the groups. */
  readonly keys?: readonly Literal[];
  readonly selection?: readonly Literal[];
  readonly single?: boolean;
  readonly asIndex?: boolean;
}
export interface Indexer extends Common {
  readonly kind: 'indexer';
  readonly accessor: 'loc' | 'iloc' | 'at' | 'iat';
  readonly owner: Ref;
}
export interface ArrayLike extends Common {
  readonly kind: 'ndarray' | 'tensor';
  readonly dtype?: string;
  readonly shape?: Shape;
  readonly device?: string;
  readonly requiresGrad?: boolean;
  readonly values?: ValueFacts;
  /** An object whose facts hold for every element of an object array (axes of a grid). */
  readonly element?: Ref;
}
export interface Estimator extends Common {
  readonly kind: 'estimator';
  readonly fitted?: boolean;
  readonly features?: number;
  readonly featureNames?: readonly string[];
  readonly parameters?: ReadonlyMap<string, Ref>;
  readonly classes?: readonly Literal[];
  /** Steps of a pipeline, parts of a union or column transformer, in order. */
  readonly steps?: readonly Layer[];
  /** Rows that it was fitted on. */
  readonly samples?: number;
  /** All names that its constructor takes. */
  readonly accepts?: readonly string[];
  /** Made by the code that is walked: parameters that are not listed have their defaults. */
  readonly fresh?: boolean;
}
/** Yields batches: a torch loader, a tf.data dataset; or holds samples: a torch dataset. */
export interface Loader extends Common {
  readonly kind: 'loader';
  /** One entry for each part of a batch. */
  readonly spec?: readonly { readonly shape?: Shape; readonly dtype?: string }[];
  readonly dataset?: Ref;
  readonly samples?: readonly Ref[];
}
export interface Layer {
  readonly name: string;
  readonly class: string;
  readonly object?: Ref;
}
export interface Model extends Common {
  readonly kind: 'torch-module' | 'keras-model' | 'keras-layer';
  readonly layers?: readonly Layer[];
  readonly inputs?: readonly (Shape | null)[];
  readonly outputs?: readonly (Shape | null)[];
  readonly compiled?: boolean;
  readonly loss?: string;
  readonly parameters?: ReadonlyMap<string, Ref>;
  /** The user's class, when its body is known. */
  readonly of?: Ref;
  readonly complete?: boolean;
  /** Hooks, or a `forward` of its own, decide what a call does. */
  readonly hooked?: boolean;
  /** Of a Sequential that the walked code builds: what it was given, in order. */
  readonly stack?: readonly Ref[];
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
export type Fact =
  | Unknown
  | None
  | Scalar
  | Sequence
  | Dict
  | Range
  | Slice
  | UserFunction
  | Class
  | LibraryMember
  | Module
  | Method
  | Instance
  | Frame
  | Series
  | PandasIndex
  | GroupBy
  | Indexer
  | ArrayLike
  | Estimator
  | Loader
  | Model
  | Iterator;

export type FactOf<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }>;

export const unknown: Unknown = { kind: 'unknown' };
