// Lists that a loop fills. What any iteration may change is forgotten, but when every iteration adds the same number of
// elements, the length behind the loop is known, and what holds for each added element holds for all of them.
import type { Ref, Sequence } from '../../facts.js';
import { deepEqual } from '../../kinds.js';
import type { State } from '../../state.js';
import { either, putSummary, type Summary, summarise } from '../../summary.js';

interface Growing {
  /** Elements at the point where the iterations that are not walked one by one begin. */
  readonly length?: number;
  readonly before?: Summary | 'none';
  added?: number | undefined;
  element?: Summary | undefined;
  /** Walking the body once more would tell nothing new of the elements. */
  isSettled: boolean;
}

export class GrowingLists {
  private readonly lists = new Map<Ref, Growing>();

  constructor(private readonly zero: State) {}

  get areSettled(): boolean {
    return [...this.lists.values()].every((list) => list.isSettled);
  }

  /** Lists among the objects that the body was seen to change. */
  meet(refs: readonly Ref[]): void {
    for (const ref of refs) {
      const fact = this.zero.peek(ref);
      if (fact?.kind !== 'list' || this.lists.has(ref)) continue;
      const length = fact.items?.length ?? fact.length;
      const before = elementOf(this.zero, fact);
      this.lists.set(ref, {
        isSettled: false,
        ...(length !== undefined && { length }),
        ...(before && { before }),
      });
    }
  }

  /** Before the body is walked for any iteration: the lists have some length, and nothing was added yet. */
  begin(state: State): void {
    for (const [ref, list] of this.lists) {
      const fact = state.look(ref);
      if (fact.kind !== 'list') continue;
      const known = list.element ?? (list.before === 'none' ? undefined : list.before);
      state.update(ref, {
        ...fact,
        grown: { count: 0, onlyNew: list.before === 'none' },
        ...(known && { element: putSummary((inner) => state.put(inner), known) }),
      });
    }
  }

  /** After the body: what it added, on all of its ways out. */
  end(states: readonly State[]): void {
    for (const [ref, list] of this.lists) {
      const ends = states.map((state) => ({ state, fact: state.look(ref) }));
      const counts = ends.map(({ fact }) => (fact.kind === 'list' ? fact.grown?.count : undefined));
      list.added = counts.every((count) => count === counts[0]) ? counts[0] : undefined;
      const elements = ends.map(({ state, fact }) =>
        fact.kind === 'list' && fact.element !== undefined
          ? summarise((inner) => state.look(inner), fact.element)
          : undefined,
      );
      const known = elements.filter((element) => element !== undefined);
      const element = known.length === ends.length && known.length > 0 ? known.reduce(either) : undefined;
      list.isSettled = element === undefined || deepEqual(element, list.element);
      list.element = element;
    }
  }

  /** What is known of the lists after `times` iterations, or after any number of them. */
  finish(state: State, times: number | undefined): void {
    for (const [ref, { length, added, element, before, isSettled }] of this.lists) {
      const fact = state.look(ref);
      if (fact.kind !== 'list') continue;
      const { grown: _, element: __, length: ___, items: ____, ...rest } = fact;
      const total = times !== undefined && added !== undefined ? times * added : undefined;
      const isUniform = added !== undefined && before !== undefined && isSettled && element !== undefined;
      const around = this.zero.look(ref);
      const outer = around.kind === 'list' ? around.grown : undefined;
      const next: Sequence = {
        ...rest,
        ...(total !== undefined && length !== undefined && { length: length + total }),
        ...(isUniform && { element: putSummary((inner) => state.put(inner), element) }),
        ...(outer && total !== undefined && { grown: { ...outer, count: outer.count + total } }),
      };
      state.update(ref, next);
    }
  }
}

/** What holds for all elements so far; `none` when there are no elements. */
function elementOf(state: State, fact: Sequence): Summary | 'none' | undefined {
  const look = state.look.bind(state);
  if (fact.items) {
    if (fact.items.length === 0) return 'none';
    return fact.items
      .slice(0, 64)
      .map((item) => summarise(look, item))
      .reduce(either);
  }
  return fact.element === undefined ? undefined : summarise(look, fact.element);
}
