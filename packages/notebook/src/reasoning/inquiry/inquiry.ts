// What the walk would like to know of the real libraries: programs of steps whose every part is certain, collected while a
// cell is walked and answered in an isolated copy of the kernel before the cell is walked again.
import type { Step, StepAnswer } from '@grus/kernel';

export type StepId = number;
export type NewStep = Omit<Step, 'id'>;

/** Steps that one cell may ask about; a cell that would need more is left to the dry run. */
const most = 400;
const mostSteps = 1_500;

/** Steps that are as good as sure to work: making a tensor, a number of one, another dtype. */
const harmless =
  /^(torch\.(zeros|ones|rand|randn|randint|randperm|empty|full|arange|linspace|eye|\w+_like|cuda\.is_available)|item|float|long|int|double|half|bool|detach|clone|cpu|contiguous|size|dim|numel|__len__|sum|mean|abs|exp|log|sqrt|relu|tanh|sigmoid|std|var|round|type)$/;

function isHarmless({ op, name }: Step): boolean {
  return op === 'attribute' || ((op === 'call' || op === 'method') && harmless.test(name ?? ''));
}

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
  private readonly asked = new Set<StepId>();
  private readonly wished = new Set<StepId>();

  /** The same step has the same id in every walk. */
  step(step: NewStep): StepId {
    const key = JSON.stringify(step);
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    const id = this.all.length;
    this.ids.set(key, id);
    this.all.push({ id, ...step });
    return id;
  }

  /** So many steps that no more are taken down. */
  get isFull(): boolean {
    return this.all.length >= mostSteps;
  }

  answer(id: StepId): StepAnswer | undefined {
    return this.answers.get(id);
  }

  want(id: StepId): void {
    if (isHarmless(this.all[id]!)) this.wish(id);
    else if (this.asked.size < most) this.asked.add(id);
  }

  /** Worth knowing, but no question is put for its sake alone. */
  wish(id: StepId): void {
    if (this.asked.size + this.wished.size < most) this.wished.add(id);
  }

  /** Steps that were wanted and have no answer yet, in the order of the walk. */
  get open(): readonly StepId[] {
    const urgent = [...this.asked].filter((id) => !this.answers.has(id));
    if (urgent.length === 0 || this.isSpent) return [];
    const others = [...this.wished].filter((id) => !this.answers.has(id) && !this.asked.has(id));
    return [...urgent, ...others].sort((a, b) => a - b);
  }

  /** What the copy goes by that is asked, round after round. One in which steps changed something is left behind. */
  get name(): string {
    return `${this.id}:${this.changes}`;
  }

  /** What to ask now: the open steps, the earlier ones that change something, and all that these are made of. */
  get program(): { readonly steps: readonly Step[]; readonly wanted: readonly StepId[] } {
    const again = [...this.asked].filter((id) => this.answers.has(id) && this.all[id]!.name === 'backward');
    const wanted = [...this.open, ...again].sort((a, b) => a - b);
    return { steps: this.partsOf(wanted), wanted };
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
