// What Grus knows of one library: a value of this type, exported by the library's folder. Transfer functions derive the
// facts of a result from the facts of the operands; one that answers undefined knows nothing.
import type { Literal, ObjectFact } from '@grus/kernel/snapshot';
import type { Expression, Node, NodeOf } from '@grus/python';
import type { Context, Elements, Exact } from './context.js';
import type { CallArguments, Operand } from './events.js';
import type { Fact, FactKind, Instance, Ref } from './facts.js';
import type { Planned, Purity } from './inquiry/planned.js';
import type { KindTable } from './kinds.js';
import type { CommonFields, ObjectContext } from './live/context.js';

export interface CallSite {
  readonly node: NodeOf<'Call'>;
  /** Public qualified name of a library callable. */
  readonly target: string | null;
  readonly receiver: Operand | null;
  readonly method: string | null;
  readonly args: CallArguments;
}

export type CallTransfer = (site: CallSite, context: Context) => Ref | undefined;
export type AttributeTransfer = (receiver: Operand, context: Context) => Ref | undefined;
export type ByKind<T> = { readonly [Kind in FactKind]?: T };

/** Transfer functions; a library may keep them in several files. */
export interface Transfers {
  /** By public qualified name. */
  readonly functions?: { readonly [name: string]: CallTransfer };
  /** For callables that are known by a pattern, such as all classes of a package. */
  readonly anyFunction?: (site: CallSite, callee: Operand, context: Context) => Ref | undefined;
  /** Calling an object. */
  readonly call?: ByKind<(callee: Operand, site: CallSite, context: Context) => Ref | undefined>;
  /** By kind of the receiver, then by method name. */
  readonly methods?: ByKind<{ readonly [name: string]: CallTransfer }>;
  readonly attributes?: ByKind<{ readonly [name: string]: AttributeTransfer }>;
  /** For attributes that depend on the object, such as columns. */
  readonly anyAttribute?: ByKind<(receiver: Operand, name: string, context: Context) => Ref | undefined>;
  readonly loadItem?: ByKind<(container: Operand, key: Operand, context: Context) => Ref | undefined>;
  /** Answers true when it has recorded the effect of the store. */
  readonly storeItem?: ByKind<
    (container: Operand, key: Operand, value: Operand, context: Context) => boolean
  >;
  readonly deleteItem?: ByKind<(container: Operand, key: Operand, context: Context) => boolean>;
  readonly storeAttribute?: ByKind<
    (receiver: Operand, name: string, value: Operand, context: Context) => boolean
  >;
  readonly binary?: (operator: string, left: Operand, right: Operand, context: Context) => Ref | undefined;
  readonly unary?: (operator: string, operand: Operand, context: Context) => Ref | undefined;
  /** `item in container`, for a plain item. */
  readonly contains?: ByKind<(container: Fact, item: Literal) => boolean | undefined>;
  readonly iterate?: ByKind<(iterable: Operand, context: Context) => Elements | undefined>;
}

/** How the library's calls behave where nothing more precise is known of them. */
export interface Manners {
  /** Packages whose functions leave the form of other people's data alone; their own objects they may change. */
  readonly keepingArguments?: readonly string[];
  /** Functions that write into their arguments all the same. */
  readonly writers?: readonly string[];
  /** Packages whose functions create and remove no files, unless their names say so. */
  readonly writingNoFiles?: readonly string[];
  /** Functions and methods whose names only look as if they wrote files. */
  readonly exports?: readonly string[];
  /** Packages whose context managers let exceptions through. */
  readonly lettingThrough?: readonly string[];
  /** Classes whose objects never change. */
  readonly immutable?: RegExp;
  /** Library classes whose subclasses hold what their bodies assign; others may make something else of it. */
  readonly plainBases?: RegExp;
  /** Library classes whose subclasses are not made when they are called: an enumeration looks its members up. */
  readonly calledOtherwise?: RegExp;
  /** Classes whose `__getattr__` invents nothing: it only words the error. */
  readonly inventingNothing?: RegExp;
  /** Decorators that call the function as it is. */
  readonly transparent?: readonly string[];
  /** Whether the call changes how the library works from then on. */
  readonly changesSettings?: (site: CallSite, context: Context) => boolean;
  /** Functions that decide what becomes of warnings, and of divisions by zero. */
  readonly decidesWarnings?: RegExp;
  /** What comes back holds the arguments themselves. */
  readonly holders?: RegExp;
  /** What comes back holds elements of the arguments. */
  readonly pickers?: RegExp;
}

/** Reads one described live object. */
export interface LiveReader {
  /** Classes that behave as the kind says; an object of another class is an instance of that class. */
  readonly classes?: RegExp;
  read(object: ObjectFact, common: CommonFields, context: ObjectContext): Fact;
}

/** A context manager that the library knows: undoes on leaving what entering did. */
export interface Entered {
  leave?(): void;
  /** Nothing can be asked in its body. */
  readonly mutes?: boolean;
}

/** What may be asked of the real library, in a copy of the kernel. */
export interface QuestionRules {
  /** Whether a function of the library may be asked; undefined: it is not one of this library. */
  purity?(name: string): Purity | undefined;
  /** Methods that change nothing and give the same for the same. `quiet` ones hardly ever fail. */
  readonly quietMethods?: ReadonlySet<string>;
  readonly askableMethods?: ReadonlySet<string>;
  /** Methods with `inplace` that are otherwise pure. */
  readonly inPlaceMethods?: ReadonlySet<string>;
  /** Functions that read a small file or list files, as long as the cell has written none. */
  readonly readers?: RegExp;
  /** Functions and methods whose outcome depends on chance unless they are told where to begin. */
  readonly random?: RegExp;
  /** Functions whose results share their memory with nothing. */
  readonly fresh?: RegExp;
  /** Cheap functions that never fail, but others are made of what they give. */
  readonly makers?: RegExp;
  /** Of methods that hardly ever fail: whether this one may, on this object. */
  readonly mayRefuse?: ByKind<(fact: Fact, method: string) => boolean>;
  /** A call that is asked in a way of its own; null: it is not asked; undefined: as all others. */
  planCall?(site: CallSite, callee: Operand, context: Context, exact: Exact): Planned | null | undefined;
  planItem?(container: Operand, key: Operand, context: Context, exact: Exact): Planned | null | undefined;
  /** Classes of live objects that may be used by name: their methods are the library's own. */
  readonly classes?: RegExp;
  readonly kinds?: ByKind<KindQuestions>;
  /** Attributes that the checks judge by themselves. */
  readonly judgedAttributes?: readonly string[];
  /** Attributes that may refuse when they are looked up, by kind. */
  readonly refusingAttributes?: ByKind<readonly string[]>;
  /** Objects of these classes go together with their like only. */
  readonly moments?: RegExp;
}

export interface KindQuestions {
  /** Operations on it are worth asking. */
  readonly isData?: boolean;
  /** Its own library asks about it, with a stand-in of the same form. */
  readonly byForm?: boolean;
  /** Whether a live object may be used as it is. */
  readonly isUsable?: (fact: Fact) => boolean;
  /** What a change in place may change too: all that shares memory, arrays alone, or whatever was made of it. */
  readonly changes?: (context: Context) => 'everything' | 'arrays' | 'made-of-it';
  /** It is an array: it may be a view of something else. */
  readonly isArray?: boolean;
  /** What the walk knows of it leads to the objects it was made of, so that no answer replaces it. */
  readonly holdsParts?: boolean;
  /** Subscripts that the checks judge by themselves. */
  readonly isJudgedItem?: (fact: Fact, key: Operand, context: Context) => boolean;
  /** Only numbers: what fails with them shows in their shapes. */
  readonly isNumeric?: (fact: Fact) => boolean;
  /** Subscripts, attributes and methods of it are asked although it is no data. */
  readonly leadsOn?: boolean;
  /** Augmented assignment changes it in place, which no step describes. */
  readonly isAugmentedInPlace?: boolean;
  /** The step that makes it of its parts. */
  readonly remake?: (
    fact: Fact,
    stepOf: (ref: Ref) => number | undefined,
    exact: Exact,
  ) => number | undefined;
  /** The object that a store through this one changes, and how it is reached. */
  readonly storesInto?: (container: Operand, key: Operand, context: Context) => StoreTarget | null;
}

export interface StoreTarget {
  readonly owner: Ref;
  readonly name?: string;
  /** A whole column: the checks judge it by themselves. */
  readonly isWhole: boolean;
}

/** Points of the walk at which a library does something of its own. */
export interface Hooks {
  /** Performs a call with a question of the library's own; undefined: it has none. */
  aroundCall?(site: CallSite, callee: Operand, context: Context, perform: () => Ref): Ref | undefined;
  /** The same for operators, subscripts and attributes: `derived` is what the walk knows by itself. */
  aroundBinary?(
    site: { readonly node: Node; readonly operator: string; readonly inPlace: boolean },
    operands: readonly [Operand, Operand],
    derived: Ref | undefined,
    context: Context,
  ): Ref | undefined;
  aroundItem?(
    node: NodeOf<'Subscript'>,
    operands: readonly [Operand, Operand],
    derived: Ref | undefined,
    context: Context,
  ): Ref | undefined;
  askAttribute?(node: NodeOf<'Attribute'>, receiver: Operand, context: Context): Ref | undefined;
  /** The parts of a value that is unpacked. */
  askParts?(value: Operand, count: number, context: Context): readonly Ref[] | undefined;
  /** `len(value)`, where the facts do not say it. */
  askLength?(node: NodeOf<'Call'>, value: Operand, context: Context): Ref | undefined;
  enterManager?(name: string, node: Expression, context: Context): Entered | undefined;
  /** Before `container[key] = value` is recorded. */
  beforeStoreItem?(
    node: NodeOf<'Subscript'>,
    operands: readonly [Operand, Operand, Operand],
    context: Context,
  ): void;
  /** Before `receiver.name = value` is recorded. */
  beforeStoreAttribute?(receiver: Operand, name: string, context: Context): void;
  /** A call of a method was not followed. */
  afterUnknownMethod?(receiver: Operand, context: Context): void;
  /** Code replaced a member of a class: what live objects of it do is not known any more. */
  afterClassChange?(context: Context): void;
  /** The kind of an instance of the user's class with these library classes among its ancestors. */
  instanceKind?(ancestors: readonly string[]): FactKind | undefined;
}

/** Names that the library does not have any more, or that people expect of it: what to use instead, as a sentence has it. */
export interface Successors {
  readonly ofModules?: { readonly [module: string]: { readonly [name: string]: string } };
  /** By the name of the class, where a kind has several. */
  readonly ofClasses?: { readonly [name: string]: { readonly [name: string]: string } };
  readonly ofKinds?: ByKind<{ readonly [name: string]: string }>;
}

export interface LibraryModel {
  /** The name of its folder. */
  readonly name: string;
  readonly kinds?: KindTable;
  readonly transfers?: readonly Transfers[];
  readonly successors?: Successors;
  /** What helps where an object of the library lacks an attribute. */
  readonly adviceOnMissing?: (
    owner: string,
    fact: Fact,
    name: string,
    literal: (ref: Ref) => unknown,
  ) => string | undefined;
  readonly manners?: Manners;
  readonly questions?: QuestionRules;
  readonly hooks?: Hooks;
  /** By the kind that the kernel gives the object. */
  readonly live?: { readonly [kind: string]: LiveReader };
  /** An object of no described kind. */
  readonly liveOther?: (object: ObjectFact, common: CommonFields, context: ObjectContext) => Fact | undefined;
  /** What the library knows of an object that stays an instance. */
  readonly liveInstance?: (object: ObjectFact) => Partial<Instance>;
  /** All names that static lookup on an object of the library finds (dunder names aside), when they are known. */
  readonly members?: (fact: Fact) => readonly string[] | undefined;
  /** The one public name of "package.module.part…"; undefined: not of this library. */
  readonly publicName?: (parts: readonly string[]) => string | undefined;
}
