// Loops. Iterations over known elements are walked one by one; for the rest the body is walked silently until nothing
// more changes, so that what any iteration may change is forgotten before and behind the loop.
import type { Expression, NodeOf } from '@grus/python';
import type { Elements } from '../../context.js';
import type { Ref } from '../../facts.js';
import { State } from '../../state.js';
import { elementsOf } from '../expressions/iteration.js';
import { truthOf } from '../expressions/truth.js';
import type { Body, Interpreter } from '../interpreter.js';
import { lookUp } from '../scopes.js';
import { GrowingLists } from './growing-lists.js';
import { assign } from './targets.js';

const unrolled = 64;
/** Loops inside loops are walked one by one only when they are short. */
const nested = 12;
/** Part of the budget that one loop may use for walking its iterations one by one. */
const share = 0.15;

export function executeFor(interpreter: Interpreter, node: NodeOf<'For' | 'AsyncFor'>): void {
  const iterable = interpreter.evaluateOperand(node.iter);
  interpreter.emit({ type: 'iterate', node: node.iter, iterable });
  const elements: Elements = node.nodeType === 'For' ? elementsOf(interpreter, iterable) : {};
  if (elements.refusal && !elements.refusal.later)
    interpreter.emit({ type: 'refusal', node: node.iter, ...elements.refusal });
  const bind = (ref: Ref | undefined) =>
    assign(interpreter, node.target, interpreter.operand(node.iter, ref ?? interpreter.unknown()));
  const loop = new Loop(interpreter, node.body as Body);
  const items = elements.items;
  const limit = interpreter.loops.length === 0 ? unrolled : nested;
  if (items && items.length <= limit && interpreter.budgetLeft > 0.3) {
    const budget = interpreter.budgetLeft;
    const lists = listsIn(interpreter, node.iter, iterable.ref);
    for (const [index, item] of items.entries()) {
      if (!loop.iterate(() => bind(item))) break;
      if (lists.some(([ref, length]) => lengthOf(interpreter, ref) !== length)) {
        // The body changes the list that it goes through: what else comes is not known.
        loop.repeat(() => bind(undefined), undefined);
        break;
      }
      if (budget - interpreter.budgetLeft < share || index >= items.length - 2) continue;
      // A heavy body: what the iterations in between may change is forgotten, and the last one is walked.
      loop.repeat(
        () => bind(undefined),
        () => bind(items.at(-1)),
        items.length - index - 2,
      );
      break;
    }
  } else {
    const count = items?.length ?? elements.count;
    if (count === 0) {
      interpreter.execute(node.orelse as Body);
      return;
    }
    const first = items?.[0] ?? elements.first ?? elements.element;
    const sure = count !== undefined || elements.nonEmpty === true;
    let walked = 0;
    if (sure) {
      // Whatever is not idempotent shows in the second round.
      const goesOn = loop.iterate(() => bind(first));
      walked = 1;
      if (goesOn && count !== undefined && count > 1) {
        const second = items?.[1] ?? (count === 2 ? elements.last : undefined);
        loop.iterate(() => bind(second ?? elements.element));
        walked = 2;
      }
    }
    const last = items?.at(-1) ?? elements.last;
    const endsWith =
      count !== undefined && count > walked && last !== undefined ? () => bind(last) : undefined;
    const times = count === undefined ? undefined : count - walked - (endsWith ? 1 : 0);
    loop.repeat(
      () => bind(elements.element),
      endsWith,
      times,
      () => loop.witness((elements.witnesses ?? []).map((ref) => () => bind(ref))),
    );
  }
  loop.leave();
  if (elements.refusal?.later && !loop.broke)
    interpreter.emit({ type: 'refusal', node: node.iter, ...elements.refusal });
  if (loop.broke)
    interpreter.branch(
      undefined,
      () => interpreter.execute(node.orelse as Body),
      () => {},
    );
  else interpreter.execute(node.orelse as Body);
}

/** The lists that the loop goes through, itself or with `enumerate` and its like, and their lengths. */
function listsIn(interpreter: Interpreter, node: Expression, iterable: Ref): [Ref, number | undefined][] {
  const inside = (node.nodeType === 'Call' ? node.args : []).flatMap((argument) =>
    argument.nodeType === 'Name' ? (lookUp(interpreter, argument.id).binding.ref ?? []) : [],
  );
  return [iterable, ...inside]
    .filter((ref) => interpreter.look(ref).kind === 'list')
    .map((ref) => [ref, lengthOf(interpreter, ref)]);
}

function lengthOf(interpreter: Interpreter, ref: Ref): number | undefined {
  const fact = interpreter.look(ref);
  return fact.kind === 'list' ? (fact.items?.length ?? fact.length) : undefined;
}

export function executeWhile(interpreter: Interpreter, node: NodeOf<'While'>): void {
  const loop = new Loop(interpreter, node.body as Body);
  const first = test(interpreter, node.test);
  if (first === false) {
    interpreter.execute(node.orelse as Body);
    return;
  }
  if (first === true) loop.iterate(() => {});
  loop.repeat(() => {
    interpreter.evaluate(node.test);
  }, undefined);
  if (isTrue(node.test)) loop.neverEnds();
  loop.leave();
  if (!loop.broke) interpreter.execute(node.orelse as Body);
}

function isTrue(node: Expression): boolean {
  return node.nodeType === 'Constant' && (node.value === true || node.value === 1);
}

function test(interpreter: Interpreter, node: Expression): boolean | undefined {
  const operand = interpreter.evaluateOperand(node);
  interpreter.emit({ type: 'truth', node, operand });
  return truthOf(interpreter, operand.fact);
}

class Loop {
  private readonly frame = { breaks: [] as State[], continues: [] as State[] };
  private readonly certain: boolean;
  private readonly exits: Interpreter['exits'];

  constructor(
    private readonly interpreter: Interpreter,
    private readonly body: Body,
  ) {
    this.certain = interpreter.state.certain;
    this.exits = { ...interpreter.exits };
  }

  get broke(): boolean {
    return this.frame.breaks.length > 0;
  }

  /** Walks one iteration; false when the next one cannot be reached. */
  iterate(prepare: () => void): boolean {
    const { interpreter } = this;
    const before = interpreter.state.certain;
    prepare();
    interpreter.loops.push(this.frame);
    interpreter.execute(this.body);
    interpreter.loops.pop();
    this.mergeContinues();
    interpreter.state.certain = before && this.staysInside();
    return interpreter.state.alive;
  }

  /**
   * All other iterations, of which there are `times` if that is known: forget what they may change, but count what each
   * adds to a list; then walk the last one if it is certain to come.
   */
  repeat(
    prepare: () => void,
    last: (() => void) | undefined,
    times?: number,
    inAnyState: () => void = () => {},
  ): void {
    const { interpreter } = this;
    if (!interpreter.state.alive || times === 0) {
      if (times === 0 && last && interpreter.state.alive) this.iterate(last);
      return;
    }
    const zero = interpreter.state.fork();
    const lists = new GrowingLists(zero);
    const certain = interpreter.state.certain;
    interpreter.silently(() => {
      const dropped = new Set<string>();
      const concreteBreaks = this.frame.breaks.length;
      for (let pass = 0; pass < 5; pass++) {
        this.frame.breaks.length = concreteBreaks;
        const before = interpreter.state;
        before.certain = false;
        lists.begin(before);
        const changes = this.changesOfOneIteration(before, prepare, (ends) => lists.end(ends));
        const fresh = [...changes.names.map((name) => name.join(':')), ...changes.refs.map(String)].filter(
          (key) => !dropped.has(key),
        );
        before.widen(changes);
        lists.meet(changes.refs);
        interpreter.state = before;
        if (fresh.length === 0 && (lists.areSettled || pass >= 3)) return;
        for (const key of fresh) dropped.add(key);
      }
      interpreter.state.forgetEverything();
    });
    interpreter.state.certain = certain && this.staysInside();
    if (interpreter.state.certain) inAnyState();
    const isCounted = times !== undefined && !this.broke && this.staysInside();
    lists.finish(interpreter.state, isCounted ? times : undefined);
    if (last && interpreter.state.certain) this.iterate(last);
    else if (last) lists.finish(interpreter.state, undefined);
    const end = interpreter.state;
    interpreter.state = isCounted ? end : State.join(zero, end);
    interpreter.state.certain = certain;
  }

  /**
   * Elements that are certain to come, at a time that is not known: walked in the state that holds in any iteration, for
   * what fails there; nothing else is kept.
   */
  witness(preparations: readonly (() => void)[]): void {
    const { interpreter } = this;
    const any = interpreter.state;
    const exits = { ...interpreter.exits };
    for (const prepare of preparations) {
      if (interpreter.budgetLeft < 0.5) break;
      interpreter.state = any.fork();
      const frame = { breaks: [], continues: [] };
      prepare();
      interpreter.loops.push(frame);
      interpreter.execute(this.body);
      interpreter.loops.pop();
    }
    Object.assign(interpreter.exits, exits);
    interpreter.state = any;
  }

  /** Walks the body once from a copy and tells what is different afterwards. */
  private changesOfOneIteration(
    before: State,
    prepare: () => void,
    inspect: (ends: readonly State[]) => void,
  ): Changes {
    const { interpreter } = this;
    interpreter.state = before.fork();
    prepare();
    interpreter.loops.push(this.frame);
    interpreter.execute(this.body);
    interpreter.loops.pop();
    this.mergeContinues();
    const ends = [interpreter.state, ...this.frame.breaks].filter((end) => end.alive);
    inspect(ends);
    const changes: Changes = { names: [], refs: [] };
    for (const end of ends) {
      merge(changes, end.changesSince(before));
      before.absorbEffects(end);
    }
    return changes;
  }

  /** The loop has no end of its own: only `break` leads behind it. */
  neverEnds(): void {
    if (this.interpreter.state.alive) this.interpreter.mayEscape();
    this.interpreter.state.alive = false;
  }

  /** The state behind the loop. */
  leave(): void {
    const { interpreter } = this;
    let state = interpreter.state;
    for (const exit of this.frame.breaks) {
      exit.alive = true;
      state = state.alive ? State.join(state, exit) : exit;
    }
    interpreter.state = state;
    if (state.alive)
      state.certain =
        this.certain &&
        interpreter.exits.return === this.exits.return &&
        interpreter.exits.leave === this.exits.leave;
  }

  private mergeContinues(): void {
    const { interpreter } = this;
    for (const state of this.frame.continues.splice(0)) {
      state.alive = true;
      interpreter.state = interpreter.state.alive ? State.join(interpreter.state, state) : state;
    }
  }

  private staysInside(): boolean {
    const { exits } = this.interpreter;
    return (
      exits.return === this.exits.return &&
      exits.leave === this.exits.leave &&
      exits.break === this.exits.break
    );
  }
}

type Changes = ReturnType<State['changesSince']>;

function merge(into: Changes, from: Changes): void {
  into.names.push(...from.names);
  into.refs.push(...from.refs);
}
