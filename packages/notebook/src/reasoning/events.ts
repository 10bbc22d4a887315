// What happens while a cell is walked, in the order in which Python would do it. Checks listen to these; each event
// carries the operands with the facts that hold at that moment.
import type { Literal } from '@grus/kernel/snapshot';
import type { Expression, Node, NodeOf, ParsedCell } from '@grus/python';
import type { Fact, Ref } from './facts.js';
import type { NameState } from './state.js';

/** A value that takes part in an event. */
export interface Operand {
  readonly ref: Ref;
  readonly fact: Fact;
  readonly node: Node;
}

export interface CallArguments {
  readonly positional: readonly Operand[];
  readonly keywords: ReadonlyMap<string, Operand>;
  /** False when `*args` or `**kwargs` of unknown contents take part: counts and absences prove nothing. */
  readonly complete: boolean;
  /** A keyword that is given twice: by name and in `**options`. */
  readonly duplicate?: string;
}

export interface LoadName {
  readonly type: 'loadName';
  readonly node: NodeOf<'Name'>;
  readonly name: string;
  readonly binding: NameState;
  /** `local`: a variable of the running function, class body or comprehension; `enclosing`: of a function around it. */
  readonly scope: NameScope;
}
export type NameScope = 'global' | 'local' | 'enclosing';
export interface DeleteName {
  readonly type: 'deleteName';
  readonly node: NodeOf<'Name'>;
  readonly name: string;
  readonly binding: NameState;
  readonly scope: NameScope;
}
export interface LoadAttribute {
  readonly type: 'loadAttribute';
  readonly node: NodeOf<'Attribute'>;
  readonly receiver: Operand;
  readonly name: string;
  /** What static lookup says; `unknown` whenever anything may invent or have set the attribute. */
  readonly found: 'present' | 'absent' | 'unknown';
  /** Names that do exist on the receiver, when known. */
  readonly siblings: readonly string[];
}
export interface StoreAttribute {
  readonly type: 'storeAttribute';
  /** An assignment, or a call of `setattr`. */
  readonly node: NodeOf<'Attribute' | 'Call'>;
  readonly receiver: Operand;
  readonly name: string;
  readonly value: Operand;
}
export interface Call {
  readonly type: 'call';
  readonly node: NodeOf<'Call'>;
  readonly callee: Operand;
  /** Public qualified name of a library callable or class ("pandas.concat"), null for anything else. */
  readonly target: string | null;
  /** Of a method call: the object and the method's name. */
  readonly receiver: Operand | null;
  readonly method: string | null;
  readonly args: CallArguments;
}
export interface Subscript {
  readonly type: 'loadItem' | 'storeItem' | 'deleteItem';
  readonly node: NodeOf<'Subscript'>;
  readonly container: Operand;
  readonly key: Operand;
  /** The stored value. */
  readonly value?: Operand;
}
export interface Binary {
  readonly type: 'binary';
  readonly node: Node;
  readonly operator: string;
  readonly left: Operand;
  readonly right: Operand;
  /** `a += b` rather than `a + b`. */
  readonly inPlace: boolean;
}
export interface Unary {
  readonly type: 'unary';
  readonly node: Node;
  readonly operator: string;
  readonly operand: Operand;
}
export interface Compare {
  readonly type: 'compare';
  readonly node: NodeOf<'Compare'>;
  readonly operator: string;
  readonly left: Operand;
  readonly right: Operand;
}
/** A value is asked whether it is true: `if`, `while`, `and`, `or`, `not`, `assert`. */
export interface Truth {
  readonly type: 'truth';
  readonly node: Node;
  readonly operand: Operand;
}
export interface Iterate {
  readonly type: 'iterate';
  readonly node: Node;
  readonly iterable: Operand;
}
export interface Unpack {
  readonly type: 'unpack';
  readonly node: Node;
  readonly value: Operand;
  /** Number of plain targets, and whether one is starred. */
  readonly targets: number;
  readonly starred: boolean;
}
export interface Format {
  readonly type: 'format';
  readonly node: Node;
  readonly value: Operand;
  /** The constant format spec; null when computed. */
  readonly spec: string | null;
}
export interface Import {
  readonly type: 'import';
  readonly node: NodeOf<'Import' | 'ImportFrom'>;
  readonly alias: NodeOf<'Alias'>;
  /** Absolute module name, "" for a relative import that cannot be resolved. */
  readonly module: string;
  /** The name taken from the module; null for a plain import. */
  readonly name: string | null;
}
export interface EnterContext {
  readonly type: 'enterContext';
  readonly node: Expression;
  readonly manager: Operand;
}
/** An element is put into a set or used as a dict key. */
export interface HashKey {
  readonly type: 'hashKey';
  readonly node: Node;
  readonly key: Operand;
}
/** The real library, asked in a copy of the kernel, raises whatever the data hold. */
export interface LibraryRefusal {
  readonly type: 'refusal';
  readonly node: Node;
  readonly exception: string;
  readonly message: string;
  /** The library was asked about the very objects of the cell. */
  readonly isReal?: boolean;
}
/** An assert statement whose test is known to be false, or a raise that is certainly reached. */
export interface Raise {
  readonly type: 'raise';
  readonly node: NodeOf<'Raise' | 'Assert'>;
  readonly exception: string | null;
  readonly message: Literal | undefined;
}

/** Before anything runs: the cell as a whole, also when it does not parse. */
export interface Cell {
  readonly type: 'cell';
  readonly node: Node;
  readonly cell: ParsedCell;
}

export type Event =
  | LibraryRefusal
  | Cell
  | LoadName
  | DeleteName
  | LoadAttribute
  | StoreAttribute
  | Call
  | Subscript
  | Binary
  | Unary
  | Compare
  | Truth
  | Iterate
  | Unpack
  | Format
  | Import
  | EnterContext
  | HashKey
  | Raise;

export type EventType = Event['type'];
export type EventOf<Type extends EventType> = Event extends infer One
  ? One extends Event
    ? Type extends One['type']
      ? One
      : never
    : never
  : never;
