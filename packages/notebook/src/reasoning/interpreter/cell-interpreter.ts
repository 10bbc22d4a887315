// The abstract interpreter: walks a cell in the order in which Python would run it, keeps the state, enters the user's
// functions, and tells its listener what happens with which operands.
import type { Literal } from '@grus/kernel/snapshot';
import type { Expression, Node, NodeOf } from '@grus/python';
import type { Elements, Memory, Setting } from '../context.js';
import type { CallArguments, Event, Operand } from '../events.js';
import { type Fact, type Ref, unknown } from '../facts.js';
import { ExactObjects } from '../inquiry/exact.js';
import type { Inquiry } from '../inquiry/inquiry.js';
import { factOfLiteral, literalOf } from '../literals.js';
import { globalScope, type Origin, type ScopeId, State } from '../state.js';
import { callWithEach, enterMethod } from './expressions/calls.js';
import { evaluate } from './expressions/expressions.js';
import { elementsOf } from './expressions/iteration.js';
import type { Activation, Body, Change, Exits, Interpreter } from './interpreter.js';
import { OpenHandlers } from './open-handlers.js';
import { lookUp } from './scopes.js';
import { execute } from './statements/statements.js';
import { isBeingMade } from './statements/targets.js';
import { callbackMayRun } from './user-code/effects.js';
import { enterFunction } from './user-code/functions.js';
import { methodsMayRun } from './user-code/hidden-code.js';
import { userCodeMayRun } from './user-code/implicit.js';

export interface Budget {
  /** Nodes that may be evaluated. */
  readonly steps: number;
  readonly ms: number;
  /** How deep the user's functions are entered. */
  readonly depth: number;
}

const defaultBudget: Budget = { steps: 25_000, ms: 1_000, depth: 5 };

/** Thrown when the budget of the cell is spent; what was found until then stands. */
export class BudgetSpent extends Error {
  constructor(readonly what: 'steps-spent' | 'time-spent') {
    super(what);
  }
}

interface InterpreterOptions {
  readonly origin: Origin;
  readonly setting?: Setting;
  readonly budget?: Budget;
  /** Names of what bodies of the user's functions change outside of them. */
  readonly changedInFunctions?: ReadonlyMap<string, Change>;
  /** Called for every event on a path that is certain to be walked. */
  readonly listen?: (event: Event, interpreter: Interpreter) => void;
  readonly beforeStatement?: (node: Node, interpreter: Interpreter) => void;
  /** Where questions to the real libraries are collected. */
  readonly inquiry?: Inquiry;
  /** A crash was found: what would come after it is not asked. */
  readonly isSettled?: () => boolean;
}

const nothingKnown: Setting = { sources: [], version: () => null };

export class CellInterpreter implements Interpreter {
  state: State;
  scope: ScopeId = globalScope;
  home: string | undefined;
  mutedInquiry = 0;
  readonly changedInFunctions: ReadonlyMap<string, Change>;
  readonly activations: Activation[] = [];
  readonly exits: Exits = { return: 0, leave: 0, break: 0, continue: 0 };
  readonly loops: { breaks: State[]; continues: State[] }[] = [];
  readonly escapes: State[][] = [];
  readonly handlers = new OpenHandlers();
  readonly inquiry: Inquiry | undefined;
  readonly exact: ExactObjects | undefined;
  readonly calledNodes = new WeakSet<Node>();
  readonly captured = new Set<ScopeId>();
  readonly comprehensions = new Set<ScopeId>();
  /** Above zero while code is walked only for its effects. */
  private silent = 0;
  private readonly memories = new Map<Memory<object>, object>();
  private readonly setting: Setting;
  private steps = 0;
  private readonly deadline: number;
  private readonly budget: Budget;
  private nextScope = 1;

  constructor(private readonly options: InterpreterOptions) {
    this.state = new State(options.origin);
    this.setting = options.setting ?? nothingKnown;
    this.changedInFunctions = options.changedInFunctions ?? new Map();
    this.budget = options.budget ?? defaultBudget;
    this.inquiry = options.inquiry;
    if (options.inquiry) {
      const exact = new ExactObjects(this, options.inquiry);
      this.exact = exact;
      this.state.watch = (ref) => exact.changed(ref);
    }
    this.deadline = performance.now() + this.budget.ms;
  }

  get depthLeft(): number {
    return this.budget.depth - this.activations.length;
  }

  get budgetLeft(): number {
    return 1 - this.steps / this.budget.steps;
  }

  step(): void {
    this.steps++;
    if (this.steps > this.budget.steps) throw new BudgetSpent('steps-spent');
    if (this.steps % 256 === 0 && performance.now() > this.deadline) throw new BudgetSpent('time-spent');
  }

  runs(module: string): boolean {
    return this.setting.runs?.(module) === true;
  }

  newScope(): ScopeId {
    return this.nextScope++;
  }

  recall<T extends object>(memory: Memory<T>): T {
    const known = this.memories.get(memory) as T | undefined;
    if (known) return known;
    const made = memory.make(this.setting);
    this.memories.set(memory, made);
    return made;
  }

  emit(event: Event): void {
    if (this.handlers.isRiskyBefore(event)) this.state.certain = false;
    if (this.silent === 0 && this.state.certain && this.state.alive) this.options.listen?.(event, this);
    this.handlers.note(event);
    methodsMayRun(this, event);
  }

  get mayInquire(): boolean {
    if (this.options.isSettled?.()) return false;
    return this.silent === 0 && this.mutedInquiry === 0 && this.state.certain && this.state.alive;
  }

  mayEscape(): void {
    for (const states of this.escapes) states.push(this.state.fork());
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

  execute(body: Body): void {
    execute(this, body);
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

  named(name: string): Ref | undefined {
    return lookUp(this, name).binding.ref;
  }

  elementsOf(iterable: Operand): Elements {
    return elementsOf(this, iterable);
  }

  enterFunction(node: NodeOf<'Call'>, ref: Ref, args: CallArguments): Ref {
    return enterFunction(this, node, ref, args);
  }

  enterMethod(
    node: NodeOf<'Call'>,
    object: Operand,
    names: readonly string[],
    args: CallArguments,
  ): Ref | undefined {
    return enterMethod(this, node, object, names, args);
  }

  callWithEach(node: NodeOf<'Call'>, callee: Operand, args: readonly Ref[]): void {
    callWithEach(this, node, callee, args);
  }

  callbackMayRun(ref: Ref): void {
    callbackMayRun(this, ref);
  }

  userCodeMayRun(): void {
    userCodeMayRun(this);
  }

  isBeingMade(ref: Ref): boolean {
    return isBeingMade(this, ref);
  }

  surface(node: Node): Node {
    return this.activations[0]?.call ?? node;
  }

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

  enterStatement(node: Node): void {
    if (this.activations.length === 0) this.options.beforeStatement?.(node, this);
  }

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

  silently(run: () => void): void {
    this.silent++;
    try {
      run();
    } finally {
      this.silent--;
    }
  }
}

function sameExits(a: Exits, b: Exits): boolean {
  return a.return === b.return && a.leave === b.leave && a.break === b.break && a.continue === b.continue;
}
