// The snapshot: the structured runtime information of a kernel at one moment. Every reply of the agent passes this
// schema before anything else reads it. Facts of an object are kept in the three categories of the study, so that each
// can be left out and measured: structural, representation (types, dtypes, shapes, devices, signatures), values.
// Any fact may be missing: the agent works within a budget and a redaction level removes facts.
import { z } from 'zod';
import { reason } from './reason.js';

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
    /** Module a function was defined in. */
    module: z.string(),
    /** Fully qualified names of the bases of a class, nearest first, without `object`. */
    base_classes: z.array(z.string()),
    /** Of a class of a cell: names that its source defines as methods and that hold something else by now. */
    replaced: z.array(z.string()),
    /** Global names that a function (or the methods of a class) loads. */
    globals: z.array(z.string()),
    /** Values captured by a closure, by name. */
    closure: z.record(z.string(), ref),
    /** What parameters of a function of the notebook fall back to, by name. */
    defaults: z.record(z.string(), ref),
    /** Instance attributes held in `__dict__` or slots, by name; of a class of the notebook, its methods and attributes. */
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
    /** Of a dict subclass: missing keys are made up by `__missing__` (defaultdict, Counter). */
    default: z.boolean(),
    /** Of a dict subclass: it has a `__getitem__` of its own, so an absent key proves nothing. */
    dynamic_keys: z.boolean(),
    /** True when `items`, `keys` or `layers` lists everything. */
    complete: z.boolean(),
    /** Keras and torch layers, pipeline steps, in order: name, class, and the facts of each. */
    layers: z.array(z.object({ name: z.string(), class: z.string(), object: ref.optional() })),
    /** Parameters of an estimator, own parameters of a torch module, defaults of an optimizer, options of a loader. */
    parameters: z.record(z.string(), ref),
    /** Of a torch module: hooks, or a `forward` of its own, decide what a call does. */
    hooked: z.boolean(),
    /** Buffers of a torch module. */
    buffers: z.record(z.string(), ref),
    /** Whether `fit` has run; missing when the class decides by code of its own. */
    fitted: z.boolean(),
    compiled: z.boolean(),
    /** Of a Keras layer or model: its weights exist. */
    built: z.boolean(),
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
    /** As far as the class says; a tuple is only as hashable as its elements. */
    hashable: z.boolean(),
    /** Of a callable, read off its real code object; null when it cannot be known. */
    signature: z.array(parameter).nullable(),
    is_async: z.boolean(),
    /** Column labels of a frame in order, with the dtype of each. */
    columns: z.array(z.object({ label: literal, dtype: z.string() })),
    columns_complete: z.boolean(),
    /** Number of levels of the column labels; 1 for plain columns. */
    columns_levels: z.number(),
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
    /** What a Keras layer demands of its input. */
    input_spec: z
      .object({
        ndim: z.number(),
        min_ndim: z.number(),
        max_ndim: z.number(),
        shape: z.array(z.number().nullable()),
        axes: z.record(z.string(), z.number()),
      })
      .partial(),
    loss: z.string(),
    /** Number of explicitly stored values of a sparse matrix. */
    stored: z.number(),
    grid: z.array(z.number()),
    vocabulary_size: z.number(),
    bytes: z.number(),
  })
  .partial();

/** A value that a conversion refuses, and its position among the elements. */
const witness = z.object({ value: literal, position: z.number() });

const valueFacts = z
  .object({
    /** The value itself, when small and plain. */
    literal: literal,
    /** True when `literal` was cut. */
    cut: z.boolean(),
    min: literal,
    max: literal,
    /** Missing values: NaN, None, NaT, NA. Said only when one was seen or every element was looked at. */
    has_nan: z.boolean(),
    /** Position of a missing value, and how many there are when every element was looked at. */
    nan_position: z.number(),
    nan_count: z.number(),
    has_inf: z.boolean(),
    /** Number of distinct values when known exactly; missing values are not counted. */
    unique: z.number(),
    /** How often the rarest and the commonest of all distinct values occur, when every element was looked at. */
    rarest: z.number(),
    commonest: z.number(),
    /** Distinct values when few, or examples, missing values left out; `examples_complete` says which. */
    examples: z.array(literal),
    examples_complete: z.boolean(),
    classes: z.array(literal),
    classes_complete: z.boolean(),
    /** Categories of a categorical column. */
    categories: z.array(literal),
    categories_complete: z.boolean(),
    /** Python class names found in an object column or list, most frequent first. */
    element_types: z.array(z.string()),
    /** An element that `float()` or `int()` refuses. Absence proves nothing unless `exhaustive`. */
    rejected_by: z.object({ float: witness, int: witness }).partial(),
    /** Elements that are sequences of different lengths were seen. */
    ragged: z.boolean(),
    /** Length of the longest string seen. */
    longest: z.number(),
    /** True when every element was looked at; false when value facts come from a bounded sample. */
    exhaustive: z.boolean(),
    /** Start, stop and step of a range. */
    range: z.array(z.number()),
    /** Of a generator: it has nothing more to give. */
    exhausted: z.boolean(),
    /** Keys of a training history with the number of points of each. */
    history: z.record(z.string(), z.number()),
  })
  .partial();
export type ValueFacts = z.infer<typeof valueFacts>;

const values = valueFacts.extend({
  /** The same facts for each column of a frame, by position in `columns`; empty for columns that were not looked at. */
  columns: z.array(valueFacts).optional(),
});

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
  /** Why the status is what it is. */
  reason: reason.optional(),
  /** The part of a dotted path that is absent or could not be followed, and the object it was looked up on. */
  failed_at: z.string().optional(),
  holder: ref.optional(),
  /** Names that do exist beside an absent one, for near misses. */
  siblings: z.array(z.string()).optional(),
});
export type Member = z.infer<typeof member>;

const compilation = z.discriminatedUnion('status', [
  /** `automagic`: IPython takes the cell for a magic without its escape (`ls`), by the names that the session holds. */
  z.object({ status: z.literal('ok'), automagic: z.boolean() }),
  z.object({
    status: z.literal('error'),
    type: z.string(),
    message: z.string(),
    line: z.number().nullable(),
    column: z.number().nullable(),
    text: z.string().nullable(),
  }),
  z.object({ status: z.literal('unknown'), reason }),
]);
export type Compilation = z.infer<typeof compilation>;

const answer = z.object({
  status: z.enum(['yes', 'no', 'unknown']),
  reason: reason.optional(),
  /** What the library says that refuses. */
  message: z.string().optional(),
  /** Of a path: what is there. */
  is: z.enum(['file', 'directory', 'absent', 'unknown']).optional(),
  object: ref.optional(),
  values: valueFacts.optional(),
  /** Of a file that is not there: what its folder is, and near misses beside it or beside a missing name. */
  parent: z.enum(['file', 'directory', 'absent', 'unknown']).optional(),
  siblings: z.array(z.string()).optional(),
});
export type Answer = z.infer<typeof answer>;

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
      reason: reason.optional(),
      /** To import it runs code that has not run yet, and is not Python's own. */
      runs: z.boolean().optional(),
      version: z.string().optional(),
      siblings: z.array(z.string()).optional(),
      names: z.record(z.string(), member),
    }),
  ),
  files: z.record(
    z.string(),
    z.object({
      status: z.enum(['file', 'directory', 'absent', 'unknown']),
      /** Of an absent file: what its folder is. */
      parent: z.enum(['file', 'directory', 'absent', 'unknown']).optional(),
      size: z.number().optional(),
      readable: z.boolean().optional(),
      siblings: z.array(z.string()).optional(),
    }),
  ),
  /** Installed distributions of the modules involved, by top-level module name. */
  versions: z.record(z.string(), z.string()),
  /** Whether the cell compiles, when asked. `line` counts from 1 in the cell as IPython transforms it. */
  compile: compilation.optional(),
  /** Answers to questions, by their id. */
  answers: z.record(z.string(), answer).default({}),
  /** Inputs that this session has run, when asked. */
  cells: z.array(z.object({ execution_count: z.number(), source: z.string() })).optional(),
  /** What runs in the kernel between cells (threads, tasks, timers, …), when asked: empty when only a message changes it. */
  background: z.array(z.string()).optional(),
  /** Functions of the notebook that IPython calls before the cell: it may find something else than was read. */
  called_first: z.array(ref).optional(),
  /** What was left out and why. */
  omitted: z.array(reason),
});
export type Snapshot = z.infer<typeof snapshotSchema>;
