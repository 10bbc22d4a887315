// Objects of the abstract heap that a copy of the kernel can make again exactly as the cell will have them: live ones that
// nothing has touched, plain values, and what pure steps made of such. An entry holds as long as the walk has recorded no
// change of the object; a change that no step describes ends whatever may share memory with it.
import type { Literal } from '@grus/kernel/snapshot';
import type { Context, Exact } from '../context.js';
import type { Fact, Ref } from '../facts.js';
import type { Inquiry, NewStep, StepId } from './inquiry.js';
import { isUsableClass, questionsOf } from './rules.js';

interface Entry {
  readonly step: StepId;
  /** The fact at the time: another one means that the object was changed. */
  readonly fact: Fact;
  /** It shares memory with nothing that it was made of. */
  readonly isFresh: boolean;
}

/** Any array may lie in the bytes that they keep. */
const keepsBytes = /^(builtins\.(bytearray|memoryview)|array\.array|mmap\.mmap|_ctypes\.\w+)$/;
const deepest = 5;
const mostItems = 200;
const mostOfContainer = 100_000;

export class ExactObjects implements Exact {
  private readonly entries = new Map<Ref, Entry>();
  /** Steps that others are made of: their values may share memory. */
  private readonly used = new Set<StepId>();
  private readonly owners = new Map<Ref, { readonly container: Ref; readonly key: Literal }>();
  private readonly dropped = new Set<Ref>();
  private poisoned = false;
  private arraysPoisoned = false;
  private described = 0;

  constructor(
    private readonly context: Context,
    private readonly inquiry: Inquiry,
  ) {}

  /** Runs changes that a step describes. */
  describing<T>(run: () => T): T {
    this.described++;
    try {
      return run();
    } finally {
      this.described--;
    }
  }

  /** The state says that an object, or anything at all, may have been changed. */
  changed(ref: Ref | null): void {
    if (this.described > 0) return;
    if (ref === null) {
      this.poisoned = true;
      return;
    }
    const entry = this.entries.get(ref);
    this.entries.delete(ref);
    const fact = this.context.look(ref);
    const reach = questionsOf(fact).changes?.(this.context);
    if (reach === 'made-of-it') this.poisoned ||= !entry?.isFresh || this.used.has(entry.step);
    else if (reach) this.contentsChanged(fact);
    else if ([fact.class ?? '', ...(fact.bases ?? [])].some((name) => keepsBytes.test(name)))
      this.poisoned = true;
    else if (entry && this.used.has(entry.step) && fact.kind === 'unknown') this.poisoned = true;
  }

  set(ref: Ref, step: StepId, isFresh = false): void {
    this.entries.set(ref, { step, fact: this.context.look(ref), isFresh });
  }

  /** The object is no longer what a step, or the kernel, says it is. */
  drop(ref: Ref): void {
    this.entries.delete(ref);
    this.dropped.add(ref);
  }

  /** What was changed in place may share its contents with others. */
  contentsChanged(fact: Fact): void {
    const reach = questionsOf(fact).changes?.(this.context);
    this.arraysPoisoned ||= reach === 'arrays' || reach === 'everything';
    this.poisoned ||= reach === 'everything';
  }

  /** Elements of a live container are found through it. */
  adopt(container: Ref, held: Iterable<readonly [Literal, Ref]>): void {
    if (this.context.look(container).path === undefined && !this.owners.has(container)) return;
    for (const [key, ref] of held) if (!this.owners.has(ref)) this.owners.set(ref, { container, key });
  }

  /** A step on real things. */
  step(step: NewStep): StepId {
    for (const part of [step.receiver, ...(step.args ?? []), ...Object.values(step.keywords ?? {})])
      if (part !== undefined) this.used.add(part);
    return this.inquiry.step({ ...step, real: true });
  }

  /** Whether the object was made by a step or is a live one, rather than a plain value. */
  isData(ref: Ref): boolean {
    const fact = this.context.look(ref);
    return this.entries.has(ref) || questionsOf(fact).isData === true;
  }

  stepOf(ref: Ref, depth = 0): StepId | undefined {
    if (depth > deepest || this.inquiry.isFull || this.dropped.has(ref)) return undefined;
    const fact = this.context.look(ref);
    const entry = this.entries.get(ref);
    if (entry && entry.fact === fact)
      return this.poisoned || (this.arraysPoisoned && questionsOf(fact).isArray) ? undefined : entry.step;
    return this.live(ref, fact) ?? this.held(ref, depth) ?? this.byValue(fact, depth);
  }

  private held(ref: Ref, depth: number): StepId | undefined {
    const owner = this.owners.get(ref);
    const holder = owner && this.context.look(owner.container);
    if (!owner || !holder || !this.isUntouched(ref)) return undefined;
    const container = this.live(owner.container, holder) ?? this.held(owner.container, depth + 1);
    const key = this.stepOf(this.context.putLiteral(owner.key), depth + 1);
    return container === undefined || key === undefined
      ? undefined
      : this.step({ op: 'item', args: [container, key] });
  }

  private live(ref: Ref, fact: Fact): StepId | undefined {
    if (fact.path === undefined || this.poisoned || !this.isLiveAllowed(fact)) return undefined;
    if (this.arraysPoisoned && questionsOf(fact).isArray) return undefined;
    return this.isUntouched(ref) ? this.step({ op: 'live', path: fact.path }) : undefined;
  }

  private isLiveAllowed(fact: Fact): boolean {
    switch (fact.kind) {
      case 'list':
      case 'tuple':
      case 'set':
      case 'dict':
        return (fact.class ?? '').startsWith('builtins.') && (fact.length ?? 0) <= mostOfContainer;
      case 'scalar':
        return true;
      case 'instance':
        return isUsableClass(fact.class ?? '');
      default:
        return questionsOf(fact).isUsable?.(fact) ?? false;
    }
  }

  private isUntouched(ref: Ref): boolean {
    const { state } = this.context;
    const pending = [ref];
    const seen = new Set<Ref>();
    while (pending.length > 0) {
      const current = pending.pop()!;
      if (seen.has(current)) continue;
      seen.add(current);
      if (seen.size > mostItems * 2 || !state.isUntouched(current)) return false;
      const fact = state.look(current);
      if (fact.kind === 'list' || fact.kind === 'tuple') pending.push(...(fact.items ?? []));
      if (fact.kind === 'dict') for (const { value } of fact.entries?.values() ?? []) pending.push(value);
    }
    return true;
  }

  /** A member of a library, found as the cell finds it: the public name that the walk gives it may be shared. */
  named(fact: Fact): StepId | undefined {
    if (fact.kind === 'class' ? fact.namespace !== undefined : fact.kind !== 'library') return undefined;
    const { name } = fact as { readonly name: string };
    if (fact.path !== undefined) return this.step({ op: 'live', path: fact.path });
    const spelled = fact.kind === 'library' ? fact.spelled : undefined;
    if (spelled !== undefined) return this.step({ op: 'name', name: spelled });
    return name.startsWith('builtins.') ? this.step({ op: 'name', name }) : undefined;
  }

  private byValue(fact: Fact, depth: number): StepId | undefined {
    const parts = (refs: readonly (Ref | undefined)[]): StepId[] | undefined => {
      const steps = refs.map((ref) =>
        ref === undefined ? this.inquiry.step({ op: 'literal', value: null }) : this.stepOf(ref, depth + 1),
      );
      return steps.every((step) => step !== undefined) ? steps : undefined;
    };
    switch (fact.kind) {
      case 'none':
        return this.inquiry.step({ op: 'literal', value: null });
      case 'scalar': {
        const { value, type } = fact;
        if (value === undefined || typeof value === 'bigint' || !(fact.class ?? '').startsWith('builtins.'))
          return undefined;
        if (type === 'bytes' || type === 'complex') return undefined;
        return this.inquiry.step(
          type === 'float' ? { op: 'float', value: String(value) } : { op: 'literal', value },
        );
      }
      case 'list':
      case 'tuple': {
        const args = fact.items && fact.items.length <= mostItems ? parts(fact.items) : undefined;
        return args && this.step({ op: fact.kind, args });
      }
      case 'dict': {
        const entries = fact.complete && fact.entries ? [...fact.entries.values()] : undefined;
        if (!entries || entries.length > mostItems) return undefined;
        const keys = entries.map(({ key }) => this.stepOf(this.context.putLiteral(key), depth + 1));
        const values = parts(entries.map(({ value }) => value));
        if (!values || !keys.every((key) => key !== undefined)) return undefined;
        return this.step({ op: 'mapping', args: keys.flatMap((key, index) => [key, values[index]!]) });
      }
      case 'slice': {
        const args = parts([fact.lower, fact.upper, fact.step]);
        return args && this.step({ op: 'slice', args });
      }
      case 'method': {
        if (fact.function !== undefined) return undefined;
        const receiver = this.stepOf(fact.receiver, depth + 1);
        return receiver === undefined ? undefined : this.step({ op: 'attribute', receiver, name: fact.name });
      }
      case 'library':
      case 'class':
        return this.named(fact);
      default:
        return questionsOf(fact).remake?.(fact, (ref) => this.stepOf(ref, depth + 1), this);
    }
  }
}
