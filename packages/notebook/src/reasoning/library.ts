// How library behaviour is taught to the reasoning: transfer functions that derive the facts of a result from the facts
// of the operands. A transfer that answers undefined knows nothing, and the operands are treated as possibly changed.

import type { NodeOf } from '@grus/python';
import type { CallArguments, Operand } from './events.js';
import type { Fact, Ref } from './facts.js';
import type { Interpreter } from './interpreter/interpreter.js';

export interface CallSite {
  readonly node: NodeOf<'Call'>;
  readonly target: string | null;
  readonly receiver: Operand | null;
  readonly method: string | null;
  readonly args: CallArguments;
}

export type CallTransfer = (site: CallSite, interpreter: Interpreter) => Ref | undefined;
export type AttributeTransfer = (receiver: Operand, interpreter: Interpreter) => Ref | undefined;

/** What iteration yields: all elements, or one object whose facts hold for each. */
export interface Elements {
  readonly items?: readonly Ref[];
  readonly element?: Ref;
  readonly count?: number;
  /** What drawing from it raises: at once, or after some elements. */
  readonly refusal?: { readonly exception: string; readonly message: string; readonly later?: boolean };
  /** Where not all are listed: its ends. */
  readonly first?: Ref;
  readonly last?: Ref;
  /** Some objects that are certainly among the elements. */
  readonly witnesses?: readonly Ref[];
}

export type ByKind<T> = { readonly [Kind in Fact['kind']]?: T };

export interface Library {
  /** By public qualified name. */
  readonly functions?: { readonly [name: string]: CallTransfer };
  /** By kind of the receiver, then by method name; "*" answers for all others. */
  readonly methods?: ByKind<{ readonly [name: string]: CallTransfer }>;
  readonly attributes?: ByKind<{ readonly [name: string]: AttributeTransfer }>;
  /** For attributes that depend on the object, such as columns. */
  readonly anyAttribute?: ByKind<
    (receiver: Operand, name: string, interpreter: Interpreter) => Ref | undefined
  >;
  readonly loadItem?: ByKind<(container: Operand, key: Operand, interpreter: Interpreter) => Ref | undefined>;
  /** Answers true when it has recorded the effect of the store. */
  readonly storeItem?: ByKind<
    (container: Operand, key: Operand, value: Operand, interpreter: Interpreter) => boolean
  >;
  readonly deleteItem?: ByKind<(container: Operand, key: Operand, interpreter: Interpreter) => boolean>;
  readonly storeAttribute?: ByKind<
    (receiver: Operand, name: string, value: Operand, interpreter: Interpreter) => boolean
  >;
  readonly binary?: (
    operator: string,
    left: Operand,
    right: Operand,
    interpreter: Interpreter,
  ) => Ref | undefined;
  readonly unary?: (operator: string, operand: Operand, interpreter: Interpreter) => Ref | undefined;
  readonly iterate?: ByKind<(iterable: Operand, interpreter: Interpreter) => Elements | undefined>;
}
