// The snapshot: the structured runtime information of a kernel at one moment. Every reply of the agent passes this
// schema before anything else reads it. Facts of an object are kept in the three categories of the study, so that each
// can be left out and measured: structural, representation (types, dtypes, shapes, devices, signatures), values.
// Any fact may be missing: the agent works within a budget and a redaction level removes facts.
import { z } from 'zod';

const status = z.enum(['present', 'absent', 'unknown']);

/** A value small and plain enough to be carried literally: None, bool, int, float, str (possibly cut), or a tuple/list of them. */
export type Literal = null | boolean | number | string | { readonly special: string } | readonly Literal[];
const literal: z.ZodType<Literal> = z.lazy(() =>
  z.union([
    z.null(),
    z.boolean(),
    z.number(),
    z.string(),
    /** nan, inf, -inf, an integer beyond 2**53 in digits, bytes, a timestamp: what JSON cannot say. */
    z.object({ special: z.string() }),
    z.array(literal),
  ]),
);

const parameter = z.object({
  name: z.string(),
  kind: z.enum(['positional_only', 'positional_or_keyword', 'var_positional', 'keyword_only', 'var_keyword']),
  has_default: z.boolean(),
});
export type Parameter = z.infer<typeof parameter>;

/** Reference to another object of the snapshot. */
const ref = z.string();

const structural = z
  .object({
    /** Execution count of the cell that bound the name or defined the function or class. */
    defined_in: z.number(),
    /** Source of a function or class that was defined in a cell. */
    source: z.string(),
    /** Line of the defining cell at which `source` starts, counted from 1. */
    source_line: z.number(),
    /** Global names that a function (or the methods of a class) loads. */
    globals: z.array(z.string()),
    /** Values captured by a closure, by name. */
    closure: z.record(z.string(), ref),
    /** Instance attributes held in `__dict__` or slots, by name. */
    attributes: z.record(z.string(), ref),
    /** Names that static lookup on the object finds (class attributes included), when the list is complete. */
    members: z.array(z.string()),
    /** True when the class defines `__getattr__` or `__getattribute__`: an absent name proves nothing. */
    dynamic_attributes: z.boolean(),
    /** For a property or descriptor found by static lookup. */
    descriptor: z.boolean(),
    /** Elements of a small list, tuple, set; of larger ones the first few. */
    items: z.array(ref),
    /** Keys of a dict in order, and the value of each where described. */
    keys: z.array(literal),
    entries: z.array(ref),
    /** True when `items` or `keys` lists everything. */
    complete: z.boolean(),
    /** Keras and torch layers, pipeline steps, in order: name, class, and the facts of each. */
    layers: z.array(z.object({ name: z.string(), class: z.string(), object: ref.optional() })),
    /** Parameters of an estimator, or defaults of an optimizer. */
    parameters: z.record(z.string(), ref),
    fitted: z.boolean(),
    compiled: z.boolean(),
    training: z.boolean(),
    version: z.string(),
    origin: z.string(),
    /** Instance of a class, class of an instance, receiver of a bound method, underlying array … by role. */
    related: z.record(z.string(), ref),
  })
  .partial();

const representation = z
  .object({
    dtype: z.string(),
    shape: z.array(z.number().nullable()),
    ndim: z.number(),
    length: z.number(),
    device: z.string(),
    requires_grad: z.boolean(),
    callable: z.boolean(),
    iterable: z.boolean(),
    subscriptable: z.boolean(),
    hashable: z.boolean(),
    /** Of a callable, read off its real code object; null when it cannot be known. */
    signature: z.array(parameter).nullable(),
    is_async: z.boolean(),
    /** Column labels of a frame in order, with the dtype of each. */
    columns: z.array(z.object({ label: literal, dtype: z.string() })),
    columns_complete: z.boolean(),
    /** False when the columns are known but not their order; a position then says nothing about a label. */
    columns_ordered: z.boolean(),
    /** The distinct dtypes of a frame's columns, where the columns themselves are not listed. */
    dtypes: z.array(z.string()),
    /** Names of the levels of an index; one entry for a plain index. */
    index_names: z.array(literal),
    index_dtype: z.string(),
    index_unique: z.boolean(),
    /** Index labels when few; `index_labels_complete` says whether all are listed. A default range index has none listed but index_range. */
    index_labels: z.array(literal),
    index_labels_complete: z.boolean(),
    index_range: z.object({ start: z.number(), stop: z.number(), step: z.number() }),
    name: literal,
    n_features_in: z.number(),
    feature_names_in: z.array(z.string()),
    n_outputs: z.number(),
    /** Shapes of model inputs and outputs; null stands for a free dimension. */
    input_shape: z.array(z.array(z.number().nullable())),
    output_shape: z.array(z.array(z.number().nullable())),
    element_spec: z.array(z.object({ shape: z.array(z.number().nullable()).nullable(), dtype: z.string() })),
    loss: z.string(),
    grid: z.array(z.number()),
    vocabulary_size: z.number(),
    bytes: z.number(),
  })
  .partial();

const values = z
  .object({
    /** The value itself, when small and plain. */
    literal: literal,
    /** True when `literal` was cut. */
    cut: z.boolean(),
    min: literal,
    max: literal,
    has_nan: z.boolean(),
    has_inf: z.boolean(),
    /** Number of distinct values when known exactly. */
    unique: z.number(),
    /** Distinct values when few, or examples; `examples_complete` says which. */
    examples: z.array(literal),
    examples_complete: z.boolean(),
    classes: z.array(literal),
    /** Python class names found in an object column or list, most frequent first. */
    element_types: z.array(z.string()),
    /** True when every element was looked at; false when value facts come from a bounded sample. */
    exhaustive: z.boolean(),
    /** The same facts for each column of a frame, by position in `columns`. */
    columns: z.array(z.record(z.string(), z.unknown())),
    /** Keys of a training history with the number of points of each. */
    history: z.record(z.string(), z.number()),
  })
  .partial();

export const objectFact = z.object({
  /** What sort of thing it is, in the words of `kinds.ts`. */
  kind: z.string(),
  /** Fully qualified class: "pandas.core.frame.DataFrame". */
  class: z.string(),
  /** Fully qualified names of its bases, nearest first, without `object`. */
  bases: z.array(z.string()).optional(),
  structural: structural.optional(),
  representation: representation.optional(),
  values: values.optional(),
});
export type ObjectFact = z.infer<typeof objectFact>;

const member = z.object({
  status,
  object: ref.optional(),
  /** Why the status is unknown. */
  because: z.string().optional(),
  /** Names that do exist beside an absent one, for near misses. */
  siblings: z.array(z.string()).optional(),
});
export type Member = z.infer<typeof member>;

export const snapshotSchema = z.object({
  version: z.literal(1),
  python: z.object({ version: z.array(z.number()), implementation: z.string(), platform: z.string() }),
  ipython: z.string().optional(),
  cwd: z.string(),
  execution_count: z.number(),
  /** All described objects; keys are given in the order of the walk, so the same state gives the same bytes. */
  objects: z.record(z.string(), objectFact),
  /** Requested names, and those reached through functions, that the user namespace holds. */
  names: z.record(z.string(), ref),
  /** Requested names that are Python builtins and not shadowed. */
  builtins: z.record(z.string(), ref),
  /** Requested names that nothing defines. */
  absent: z.array(z.string()),
  /** Every public name of the user namespace, for near misses; sorted and bounded. */
  namespace: z.array(z.string()),
  paths: z.record(z.string(), member),
  modules: z.record(
    z.string(),
    z.object({
      status,
      because: z.string().optional(),
      version: z.string().optional(),
      siblings: z.array(z.string()).optional(),
      names: z.record(z.string(), member),
    }),
  ),
  files: z.record(
    z.string(),
    z.object({
      status: z.enum(['file', 'directory', 'absent', 'unknown']),
      siblings: z.array(z.string()).optional(),
    }),
  ),
  /** Installed distributions of the modules involved, by top-level module name. */
  versions: z.record(z.string(), z.string()),
  /** What was left out and why: "time budget spent at df", "list big cut at 50 of 1000000". */
  omitted: z.array(z.string()),
});
export type Snapshot = z.infer<typeof snapshotSchema>;
