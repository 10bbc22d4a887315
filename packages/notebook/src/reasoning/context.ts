// What the models of libraries may use of the interpreter. It lies beneath both: the interpreter provides it, and imports no
// library; a library is handed it, and imports nothing of the interpreter.
import type { Literal } from '@grus/kernel/snapshot';
import type { Node, NodeOf } from '@grus/python';
import type { CallArguments, Event, Operand } from './events.js';
import type { Fact, Ref } from './facts.js';
import type { Inquiry, NewStep, StepId } from './inquiry/inquiry.js';
import type { State } from './state.js';

/** What is known before the walk begins, beside the facts. */
export interface Setting {
  /** All source that may have run: the cell, earlier cells, functions and classes of the user's. */
  readonly sources: readonly string[];
  /** Installed version of a top-level module as numbers, or null when it is not known. */
  version(module: string): readonly number[] | null;
  /** Whether to import the module runs code that has not run yet. */
  readonly runs?: (module: string) => boolean;
}

/** What one library remembers during a walk; `make` gives the beginning. */
export class Memory<T extends object> {
  constructor(readonly make: (setting: Setting) => T) {}
}

/** What iteration yields: all elements, or one object whose facts hold for each. */
export interface Elements {
  readonly items?: readonly Ref[];
  readonly element?: Ref;
  readonly count?: number;
  /** At least one element is sure to come. */
  readonly nonEmpty?: boolean;
  /** What drawing from it raises: at once, or after some elements. */
  readonly refusal?: { readonly exception: string; readonly message: string; readonly later?: boolean };
  /** Where not all are listed: its ends. */
  readonly first?: Ref;
  readonly last?: Ref;
  /** Some objects that are certainly among the elements. */
  readonly witnesses?: readonly Ref[];
}

/** Objects that a copy of the kernel can make again exactly as the cell will have them. */
export interface Exact {
  /** The step that makes the object; undefined when it cannot be made again. */
  stepOf(ref: Ref): StepId | undefined;
  /** A step on real objects. */
  step(step: NewStep): StepId;
  /** A member of a library, found as the cell finds it. */
  named(fact: Fact): StepId | undefined;
  /** Whether the object was made by a step or is live data, rather than a plain value. */
  isData(ref: Ref): boolean;
  /** Elements of a live container are found through it. */
  adopt(container: Ref, held: Iterable<readonly [Literal, Ref]>): void;
}

export interface Context {
  readonly state: State;
  readonly look: (ref: Ref) => Fact;
  put(fact: Fact): Ref;
  /** An object of which nothing is known. */
  unknown(): Ref;
  putLiteral(literal: Literal): Ref;
  literal(ref: Ref): Literal | undefined;
  operand(node: Node, ref: Ref): Operand;
  emit(event: Event): void;
  /** What the library remembers during this walk. */
  recall<T extends object>(memory: Memory<T>): T;

  elementsOf(iterable: Operand): Elements;
  /** The object that a name means here. */
  named(name: string): Ref | undefined;
  /** Walks a function of the user's, and answers what it returns. */
  enterFunction(node: NodeOf<'Call'>, ref: Ref, args: CallArguments): Ref;
  /** Walks the first of these methods that the user's class of the object has. */
  enterMethod(
    node: NodeOf<'Call'>,
    object: Operand,
    names: readonly string[],
    args: CallArguments,
  ): Ref | undefined;
  /** Walks a callee with each argument in turn, for what fails there; nothing else of the calls is kept. */
  callWithEach(node: NodeOf<'Call'>, callee: Operand, args: readonly Ref[]): void;
  /** A function that a library will call back: forgets what it may change. */
  callbackMayRun(ref: Ref): void;
  /** Code of the user's may run out of sight: forgets what such code may change. */
  userCodeMayRun(): void;
  /** Whether the object is the one whose `__init__` is walked. */
  isBeingMade(ref: Ref): boolean;

  /** Where questions to the real libraries are collected. */
  readonly inquiry: Inquiry | undefined;
  readonly exact: Exact | undefined;
  /** Questions are put only about what is certain to happen. */
  readonly mayInquire: boolean;
  /** Above zero while nothing may be asked: code whose results are asked for as a whole, settings that are not known. */
  mutedInquiry: number;
}
