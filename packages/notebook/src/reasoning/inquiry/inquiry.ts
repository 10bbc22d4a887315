// The questions of one check to the real libraries: programs of steps whose every part is certain, collected while a cell is
// walked and answered in an isolated copy of the kernel before the cell is walked again.
import type { Questions, Step, StepAnswer } from '@grus/kernel';
import { childrenOf, type Node } from '@grus/python';

export type StepId = number;
export type NewStep = Omit<Step, 'id'>;

/** Steps that one cell may ask about; a cell that would need more is left to the dry run. */
const most = 400;
const mostSteps = 1_500;

/** Unlike that of any other check, whichever client makes it; in Node and in a browser. */
function freshId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
}

export class Inquiry {
  private readonly id = freshId();
  private changes = 0;
  private isSpent = false;
  private readonly ids = new Map<string, StepId>();
  private readonly all: Step[] = [];
  private readonly answers = new Map<StepId, StepAnswer>();
  private readonly needed = new Set<StepId>();
  private readonly welcome = new Set<StepId>();
  private readonly repeated = new Set<StepId>();
  private readonly places = new Map<StepId, Set<Node>>();
  private readonly passing = new Set<Node>();

  /** The same step has the same id in every walk. One that changes something is taken again in every round. */
  step(step: NewStep, isRepeated = false): StepId {
    const key = JSON.stringify(step);
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    const id = this.all.length;
    this.ids.set(key, id);
    this.all.push({ id, ...step });
    if (isRepeated) this.repeated.add(id);
    return id;
  }

  /** So many steps that no more are taken down. */
  get isFull(): boolean {
    return this.all.length >= mostSteps;
  }

  answer(id: StepId): StepAnswer | undefined {
    return this.answers.get(id);
  }

  at(id: StepId): NewStep {
    return this.all[id]!;
  }

  /** `needed`: a question is put for it. `welcome`: worth knowing, but no question is put for its sake alone. */
  ask(id: StepId, urgency: 'needed' | 'welcome'): void {
    if (urgency === 'needed') {
      if (this.needed.size < most) this.needed.add(id);
    } else if (this.needed.size + this.welcome.size < most) this.welcome.add(id);
  }

  /** The value of the step arises at a node, from those of its operands. */
  arisesAt(id: StepId, node: Node): void {
    this.places.set(id, (this.places.get(id) ?? new Set()).add(node));
    for (const operand of operandsOf(node)) this.keptNowhere(operand);
  }

  /** Nothing holds the value of this node: something is made of it at once, or it is shown. */
  keptNowhere(node: Node): void {
    this.passing.add(node);
  }

  private isBrief(id: StepId): boolean {
    const places = this.places.get(id);
    return places !== undefined && [...places].every((node) => this.passing.has(node));
  }

  /** Steps that were asked and have no answer yet, in the order of the walk. */
  get open(): readonly StepId[] {
    const urgent = [...this.needed].filter((id) => !this.answers.has(id));
    if (urgent.length === 0 || this.isSpent) return [];
    const others = [...this.welcome].filter((id) => !this.answers.has(id) && !this.needed.has(id));
    return [...urgent, ...others].sort((a, b) => a - b);
  }

  /** What the copy goes by that is asked, round after round. One in which steps changed something is left behind. */
  get name(): string {
    return `${this.id}:${this.changes}`;
  }

  /** What to ask now: the open steps, the earlier ones that change something, and all that these are made of. */
  get program(): Questions {
    const again = [...this.needed, ...this.welcome].filter(
      (id) => this.answers.has(id) && this.repeated.has(id),
    );
    const wanted = [...this.open, ...again].sort((a, b) => a - b);
    return { steps: this.partsOf(wanted), wanted, brief: wanted.filter((id) => this.isBrief(id)) };
  }

  private partsOf(wanted: readonly StepId[]): readonly Step[] {
    const needed = new Set<StepId>();
    const pending = [...wanted];
    while (pending.length > 0) {
      const id = pending.pop()!;
      if (needed.has(id)) continue;
      needed.add(id);
      const { callee, receiver, args, keywords } = this.all[id]!;
      for (const part of [callee, receiver, ...(args ?? []), ...Object.values(keywords ?? {})])
        if (part !== undefined) pending.push(part);
    }
    return this.all.filter(({ id }) => needed.has(id));
  }

  /** Takes answers in; what was asked for and stays without one is not asked again. */
  take(answers: ReadonlyMap<StepId, StepAnswer>): void {
    if (this.program.steps.some(({ op, turn }) => turn !== undefined || op === 'in_place')) this.changes++;
    for (const id of this.open)
      this.answers.set(
        id,
        answers.get(id) ?? { answer: id, status: 'unknown', reason: { code: 'no-answer-came' } },
      );
    this.isSpent ||= [...answers.values()].some(
      (told) => told.status === 'unknown' && told.reason.code === 'time-is-up',
    );
  }
}

/** The nodes whose values an operation takes: of a call of a method, the object and not the method. */
function operandsOf(node: Node): readonly Node[] {
  const taken = childrenOf(node);
  return node.nodeType === 'Call' && node.func.nodeType === 'Attribute' ? [node.func.value, ...taken] : taken;
}
