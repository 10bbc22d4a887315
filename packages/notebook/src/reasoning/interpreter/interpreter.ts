// The abstract interpreter: walks a cell in the order in which Python would run it, keeps the state, enters the user's
// functions, and tells its listener what happens with which operands.
import type { Literal } from '@grus/kernel/snapshot';
import type { Expression, Node, NodeOf } from '@grus/python';
import type { Event, Operand } from '../events.js';
import { type Fact, type Ref, unknown } from '../facts.js';
import { ExactObjects } from '../inquiry/exact.js';
import type { Inquiry } from '../inquiry/inquiry.js';
import type { Library } from '../library.js';
import { factOfLiteral, literalOf } from '../literals.js';
import { globalScope, type Origin, type ScopeId, State } from '../state.js';
import { callbackMayRun } from './effects.js';
import { evaluate } from './expressions.js';
import { Guards } from './guards.js';

export interface Budget {
  /** Nodes that may be evaluated. */
  readonly steps: number;
  readonly ms: number;
  /** How deep the user's functions are entered. */
  readonly depth: number;
}

export const defaultBudget: Budget = { steps: 25_000, ms: 1_000, depth: 5 };

/** Thrown when the budget of the cell is spent; what was found until then stands. */
export class BudgetSpent extends Error {
  constructor(readonly what: 'steps-spent' | 'time-spent') {
    super(what);
  }
}

/** A call of a user's function that is being walked. */
export interface Activation {
  readonly call: Node;
  readonly function: Extract<Fact, { kind: 'function' }>;
  readonly returns: { value: Ref; state: State }[];
  readonly scope: ScopeId;
}

export interface InterpreterOptions {
  readonly origin: Origin;
  readonly libraries: readonly Library[];
  readonly budget?: Budget;
  /** Names of collections that bodies of the user's functions change. */
  readonly changedInFunctions?: ReadonlySet<string>;
  /** Called for every event on a path that is certain to be walked. */
  readonly listen?: (event: Event, interpreter: Interpreter) => void;
  readonly beforeStatement?: (node: Node, interpreter: Interpreter) => void;
  /** Where questions to the real libraries are collected. */
  readonly inquiry?: Inquiry;
  /** False when something in the notebook switches gradients on or off out of sight. Default true. */
  readonly knowsGradients?: boolean;
  /** False when something in the notebook lets transformers give frames. Default true. */
  readonly transformsGiveArrays?: boolean;
  /** A crash was found: what would come after it is not asked. */
  readonly isSettled?: () => boolean;
  /** pandas copies on write. Default false. */
  readonly copiesOnWrite?: boolean;
}

export class Interpreter {
  state: State;
  scope: ScopeId = globalScope;
  /** Where the walked source stands, when it is not the target cell. */
  home: string | undefined;
  readonly libraries: readonly Library[];
  readonly changedInFunctions: ReadonlySet<string>;
  readonly activations: Activation[] = [];
  /** How often control may have left in each way; constructs compare before and after. */
  readonly exits = { return: 0, leave: 0, break: 0, continue: 0 };
  /** Loops being walked: states in which `break` and `continue` left the body. */
  readonly loops: { breaks: State[]; continues: State[] }[] = [];
  /** `try` bodies being walked: states in which an exception may have left them in the middle of a statement. */
  readonly escapes: State[][] = [];
  /** `try` bodies being walked that let most exceptions through. */
  readonly guards = new Guards();
  /** Above zero while a loop body is walked only for its effects. */
  silent = 0;
  readonly inquiry: Inquiry | undefined;
  /** Objects that a copy of the kernel can make again. */
  readonly exact: ExactObjects | undefined;
  /** Callees: an attribute that is called is asked for with its arguments. */
  readonly calledNodes = new WeakSet<Node>();
  readonly knowsGradients: boolean;
  readonly transformsGiveArrays: boolean;
  /** Above zero while code is walked whose results are asked for as a whole. */
  mutedInquiry = 0;
  /** Above zero inside `torch.no_grad()`. */
  gradientsOff = 0;
  /** Modules that the cell switched to training or evaluation. */
  readonly modes = new Map<Ref, { readonly name: 'train' | 'eval'; readonly turn: number } | 'unknown'>();
  /** The cell replaced parts of a module. */
  rebuiltModules = false;
  private turns = 0;
  private steps = 0;
  private readonly deadline: number;
  private readonly budget: Budget;
  private nextScope = 1;

  constructor(private readonly options: InterpreterOptions) {
    this.state = new State(options.origin);
    this.libraries = options.libraries;
    this.changedInFunctions = options.changedInFunctions ?? new Set();
    this.budget = options.budget ?? defaultBudget;
    this.inquiry = options.inquiry;
    if (options.inquiry) {
      const exact = new ExactObjects(this, options.inquiry, options.copiesOnWrite ?? false);
      this.exact = exact;
      this.state.watch = (ref) => exact.changed(ref);
    }
    this.knowsGradients = options.knowsGradients ?? true;
    this.transformsGiveArrays = options.transformsGiveArrays ?? true;
    this.deadline = performance.now() + this.budget.ms;
  }

  get depthLeft(): number {
    return this.budget.depth - this.activations.length;
  }

  /** Share of the step budget that is left, between 0 and 1. */
  get budgetLeft(): number {
    return 1 - this.steps / this.budget.steps;
  }

  step(): void {
    this.steps++;
    if (this.steps > this.budget.steps) throw new BudgetSpent('steps-spent');
    if (this.steps % 256 === 0 && performance.now() > this.deadline) throw new BudgetSpent('time-spent');
  }

  /** Scopes of comprehensions: a walrus inside binds in the scope around them. */
  readonly comprehensions = new Set<ScopeId>();

  newScope(): ScopeId {
    return this.nextScope++;
  }

  emit(event: Event): void {
    if (this.guards.isRiskyBefore(event)) this.state.certain = false;
    if (this.silent === 0 && this.state.certain && this.state.alive) this.options.listen?.(event, this);
    this.guards.note(event);
  }

  /** Questions are put only about what is certain to happen. */
  get mayInquire(): boolean {
    if (this.options.isSettled?.()) return false;
    return this.silent === 0 && this.mutedInquiry === 0 && this.state.certain && this.state.alive;
  }

  /** An exception may leave from here to any handler around. */
  mayEscape(): void {
    for (const states of this.escapes) states.push(this.state.fork());
  }

  /** Backward passes so far. */
  backwardPasses = 0;

  goBackward(): number {
    return ++this.backwardPasses;
  }

  /** A number for a step that changes something each time it is taken. */
  nextTurn(): number {
    return ++this.turns;
  }

  evaluate(node: Expression): Ref {
    return evaluate(this, node);
  }

  operand(node: Node, ref: Ref): Operand {
    return { node, ref, fact: this.state.look(ref) };
  }

  evaluateOperand(node: Expression): Operand {
    const ref = this.evaluate(node);
    return this.operand(node, ref);
  }

  look = (ref: Ref): Fact => this.state.look(ref);

  put(fact: Fact): Ref {
    return this.state.put(fact);
  }

  unknown(): Ref {
    return this.state.put(unknown);
  }

  putLiteral(literal: Literal): Ref {
    return this.put(factOfLiteral(literal, (fact) => this.put(fact)));
  }

  literal(ref: Ref): Literal | undefined {
    return literalOf(this.look(ref), this.look);
  }

  /** The place at which a crash at `node` surfaces in the target cell. */
  surface(node: Node): Node {
    return this.activations[0]?.call ?? node;
  }

  /** Walks both ways from here and joins them; `certainty` says which way is taken when it is known. */
  branch(taken: boolean | undefined, whenTrue: () => void, whenFalse: () => void): void {
    if (taken !== undefined) {
      if (taken) whenTrue();
      else whenFalse();
      return;
    }
    const before = this.state;
    const exits = { ...this.exits };
    const left = before.fork();
    left.certain = false;
    this.state = left;
    whenTrue();
    const afterTrue = this.state;
    const right = before.fork();
    right.certain = false;
    this.state = right;
    whenFalse();
    const afterFalse = this.state;
    if (!afterTrue.alive && !afterFalse.alive) {
      this.state = afterTrue;
      return;
    }
    const joined = State.join(afterTrue, afterFalse);
    joined.certain = before.certain && sameExits(exits, this.exits);
    this.state = joined;
  }

  /** A function that a library will call back: forgets what it may change. */
  forgetCallback(ref: Ref): void {
    callbackMayRun(this, ref);
  }

  /** Called before each statement of the cell itself: magics in front of it take effect. */
  enterStatement(node: Node): void {
    if (this.activations.length === 0) this.options.beforeStatement?.(node, this);
  }

  /** Code that may run any number of times: forgets whatever it may change, and keeps nothing else of it. */
  forgetChangesOf(run: () => void): void {
    this.silently(() => {
      const dropped = new Set<string>();
      for (let pass = 0; pass < 4; pass++) {
        const before = this.state;
        this.state = before.fork();
        this.state.certain = false;
        run();
        const changes = this.state.changesSince(before);
        before.absorbEffects(this.state);
        this.state = before;
        before.widen(changes);
        const keys = [...changes.names.map((name) => name.join(':')), ...changes.refs.map(String)];
        if (keys.every((key) => dropped.has(key))) return;
        for (const key of keys) dropped.add(key);
      }
      this.state.forgetEverything();
    });
  }

  /** Runs code for its effects on the state alone. */
  silently(run: () => void): void {
    this.silent++;
    try {
      run();
    } finally {
      this.silent--;
    }
  }
}

function sameExits(a: Interpreter['exits'], b: Interpreter['exits']): boolean {
  return a.return === b.return && a.leave === b.leave && a.break === b.break && a.continue === b.continue;
}

export type CallNode = NodeOf<'Call'>;
