// What the parts of the interpreter use of it, beyond what libraries may: names and scopes, paths, exits, budget. The parts
// import this type and each other downwards; only cell-interpreter.ts imports them all.
import type { Expression, Node, Statement } from '@grus/python';
import type { Context } from '../context.js';
import type { Operand } from '../events.js';
import type { FactOf, Ref } from '../facts.js';
import type { ExactObjects } from '../inquiry/exact.js';
import type { ScopeId, State } from '../state.js';
import type { OpenHandlers } from './open-handlers.js';

/** What functions do to something outside: change its contents, set its attributes, or bind its name to something else. */
export type Change = 'contents' | 'attributes' | 'name';

/** A call of a user's function that is being walked. */
export interface Activation {
  readonly call: Node;
  readonly function: FactOf<'function'>;
  readonly returns: { value: Ref; state: State }[];
  readonly scope: ScopeId;
}

export type Body = readonly (Statement | { readonly nodeType: 'Comment' })[];

/** How often control may have left in each way; constructs compare before and after. */
export interface Exits {
  return: number;
  leave: number;
  break: number;
  continue: number;
}

export interface Interpreter extends Context {
  state: State;
  scope: ScopeId;
  /** Where the walked source stands, when it is not the target cell. */
  home: string | undefined;
  /** Names of what bodies of the user's functions change outside of them. */
  readonly changedInFunctions: ReadonlyMap<string, Change>;
  readonly activations: Activation[];
  readonly exits: Exits;
  /** Loops being walked: states in which `break` and `continue` left the body. */
  readonly loops: { breaks: State[]; continues: State[] }[];
  /** `try` bodies being walked: states in which an exception may have left them in the middle of a statement. */
  readonly escapes: State[][];
  /** `try` bodies being walked that let most exceptions through. */
  readonly handlers: OpenHandlers;
  readonly exact: ExactObjects | undefined;
  /** Callees: an attribute that is called is asked for with its arguments. */
  readonly calledNodes: WeakSet<Node>;
  /** Scopes in which functions were made, which may still use them when they are over. */
  readonly captured: Set<ScopeId>;
  /** Scopes of comprehensions: a walrus inside binds in the scope around them. */
  readonly comprehensions: Set<ScopeId>;
  readonly depthLeft: number;
  /** Share of the step budget that is left, between 0 and 1. */
  readonly budgetLeft: number;
  /** Whether to import the module runs code that has not run yet. */
  runs(module: string): boolean;
  /** Counts one node; throws when the budget is spent. */
  step(): void;
  newScope(): ScopeId;
  evaluate(node: Expression): Ref;
  evaluateOperand(node: Expression): Operand;
  execute(body: Body): void;
  /** Called before each statement of the cell itself: magics in front of it take effect. */
  enterStatement(node: Node): void;
  /** The place at which a crash at `node` surfaces in the target cell. */
  surface(node: Node): Node;
  /** An exception may leave from here to any handler around. */
  mayEscape(): void;
  /** Walks both ways from here and joins them; `taken` says which way is taken when it is known. */
  branch(taken: boolean | undefined, whenTrue: () => void, whenFalse: () => void): void;
  /** Code that may run any number of times: forgets whatever it may change, and keeps nothing else of it. */
  forgetChangesOf(run: () => void): void;
  /** Runs code for its effects on the state alone. */
  silently(run: () => void): void;
}
