// Lists, tuples, dicts and sets: subscripts, methods, concatenation, iteration.
import type { Literal } from '@grus/kernel/snapshot';
import type { Context } from '../../reasoning/context.js';
import type { Operand } from '../../reasoning/events.js';
import {
  type Dict,
  type DictEntry,
  type Fact,
  known,
  type Ref,
  type Sequence,
} from '../../reasoning/facts.js';
import type { CallTransfer, Transfers } from '../../reasoning/library.js';
import { keyOf } from '../../reasoning/literals.js';
import { putNone, putScalar, putTuple } from '../../reasoning/plain-objects.js';

function isSequence(fact: Fact): fact is Sequence {
  return fact.kind === 'list' || fact.kind === 'tuple';
}

function intOf(context: Context, operand: Operand | undefined): number | undefined {
  const value = operand && context.literal(operand.ref);
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}

/** `slice.indices` for a known slice and length. */
export function sliceBounds(
  context: Pick<Context, 'literal'>,
  slice: Extract<Fact, { kind: 'slice' }>,
  length: number,
): { start: number; stop: number; step: number } | undefined {
  const read = (ref: Ref | undefined): number | null | undefined => {
    if (ref === undefined) return null;
    const value = context.literal(ref);
    return value === null || (typeof value === 'number' && Number.isInteger(value)) ? value : undefined;
  };
  const lower = read(slice.lower);
  const upper = read(slice.upper);
  const step = read(slice.step) ?? 1;
  if (lower === undefined || upper === undefined || step === 0 || read(slice.step) === undefined)
    return undefined;
  const clamp = (value: number, low: number, high: number) =>
    Math.max(low, Math.min(high, value < 0 ? value + length : value));
  if (step > 0)
    return {
      start: lower === null ? 0 : clamp(lower, 0, length),
      stop: upper === null ? length : clamp(upper, 0, length),
      step,
    };
  return {
    start: lower === null ? length - 1 : clamp(lower, -1, length - 1),
    stop: upper === null ? -1 : clamp(upper, -1, length - 1),
    step,
  };
}

export function sliceLength(bounds: { start: number; stop: number; step: number }): number {
  return Math.max(0, Math.ceil((bounds.stop - bounds.start) / bounds.step));
}

function sequenceItem(container: Operand, key: Operand, context: Context): Ref | undefined {
  const fact = container.fact as Sequence;
  const index = intOf(context, key);
  const length = fact.items?.length ?? fact.length;
  if (key.fact.kind === 'slice') {
    const bounds = length === undefined ? undefined : sliceBounds(context, key.fact, length);
    const base = { kind: fact.kind, class: `builtins.${fact.kind}` } as const;
    if (!bounds) return context.put({ ...base, element: fact.element });
    const count = sliceLength(bounds);
    if (!fact.items) return context.put({ ...base, length: count, element: fact.element });
    const items: Ref[] = [];
    for (let position = bounds.start, left = count; left > 0; left--, position += bounds.step)
      items.push(fact.items[position]!);
    return context.put({ ...base, items, length: items.length });
  }
  if (index === undefined) return fact.element;
  const item = fact.items?.at(index);
  if (item !== undefined) context.exact?.adopt(container.ref, [[index, item]]);
  return item ?? fact.element;
}

function dictItem(container: Operand, key: Operand, context: Context): Ref | undefined {
  const fact = container.fact as Dict;
  const literal = context.literal(key.ref);
  const value = literal === undefined ? undefined : fact.entries?.get(keyOf(literal))?.value;
  if (literal !== undefined && value !== undefined) context.exact?.adopt(container.ref, [[literal, value]]);
  return value;
}

function storeDict(container: Operand, key: Operand, value: Operand, context: Context): boolean {
  const fact = container.fact as Dict;
  const literal = context.literal(key.ref);
  if (literal === undefined) {
    context.state.update(container.ref, { ...keepDict(fact), complete: false });
    return true;
  }
  const entries = new Map(fact.entries);
  entries.set(keyOf(literal), { key: literal, value: value.ref });
  context.state.update(
    container.ref,
    sized({ ...keepDict(fact), entries, complete: fact.complete === true }),
  );
  return true;
}

function keepDict(fact: Dict): Dict {
  const { length: _, path: __, recipe: ___, ...rest } = fact;
  return rest;
}

function sized(fact: Dict): Dict {
  return fact.complete && fact.entries ? { ...fact, length: fact.entries.size } : fact;
}

function withoutKey(fact: Dict, literal: Literal | undefined): Dict {
  if (literal === undefined) return { ...keepDict(fact), entries: new Map(), complete: false };
  const entries = new Map(fact.entries);
  entries.delete(keyOf(literal));
  return sized({ ...keepDict(fact), entries });
}

function keepSequence(fact: Sequence): Sequence {
  const { kind, class: className, source, memory } = fact;
  return known({ kind, class: className, source, memory });
}

/** What holds for all elements when one more is added. */
function elementWith(context: Context, fact: Sequence, item: Ref): Ref | undefined {
  if (fact.element !== undefined) return context.state.either(fact.element, item);
  return fact.grown?.onlyNew && fact.grown.count === 0 ? item : undefined;
}

const append: CallTransfer = (site, context) => {
  const { ref, fact } = site.receiver!;
  const [item] = site.args.positional;
  if (fact.kind !== 'list') return undefined;
  const items = fact.items && item ? [...fact.items, item.ref] : undefined;
  const length = items?.length ?? (fact.length === undefined ? undefined : fact.length + 1);
  const element = item && !items ? elementWith(context, fact, item.ref) : undefined;
  context.state.update(ref, {
    ...keepSequence(fact),
    ...(items && { items }),
    ...(length !== undefined && { length }),
    ...(element !== undefined && { element }),
    ...(fact.grown && { grown: { ...fact.grown, count: fact.grown.count + 1 } }),
  });
  return putNone(context);
};

const extend: CallTransfer = (site, context) => {
  const { ref, fact } = site.receiver!;
  const [more] = site.args.positional;
  if (fact.kind !== 'list' || !more) return undefined;
  const added = context.elementsOf(more).items;
  const items = fact.items && added ? [...fact.items, ...added] : undefined;
  context.state.update(ref, { ...keepSequence(fact), ...(items && { items, length: items.length }) });
  return putNone(context);
};

/** Methods that change the list in a way not followed, and return what is said. */
const changesList =
  (result: 'none' | 'unknown'): CallTransfer =>
  (site, context) => {
    const { ref, fact } = site.receiver!;
    if (fact.kind !== 'list') return undefined;
    context.state.update(ref, keepSequence(fact));
    return result === 'none' ? putNone(context) : context.unknown();
  };

const reorder: CallTransfer = (site, context) => {
  const { ref, fact } = site.receiver!;
  if (fact.kind !== 'list') return undefined;
  context.state.update(ref, {
    ...keepSequence(fact),
    ...(fact.length !== undefined && { length: fact.length }),
  });
  return putNone(context);
};

const counted: CallTransfer = (_site, context) => putScalar(context, 'int');

const copy: CallTransfer = (site, context) => {
  const { path: _, source: __, ...rest } = site.receiver!.fact;
  return context.put(rest as Fact);
};

function entriesOf(site: Parameters<CallTransfer>[0]): DictEntry[] | undefined {
  const fact = site.receiver!.fact as Dict;
  return fact.complete && fact.entries ? [...fact.entries.values()] : undefined;
}

const dictView =
  (item: (entry: DictEntry, context: Context) => Ref): CallTransfer =>
  (site, context) => {
    const entries = entriesOf(site);
    context.exact?.adopt(
      site.receiver!.ref,
      (entries ?? []).map(({ key, value }) => [key, value] as const),
    );
    const { length } = site.receiver!.fact;
    const items = entries?.map((entry) => item(entry, context));
    return context.put({
      kind: 'iterator',
      class: 'builtins.dict_view',
      iterable: true,
      subscriptable: false,
      callable: false,
      ...(items && { items, length: items.length }),
      ...(!items && length !== undefined && { length }),
    });
  };

const get: CallTransfer = (site, context) => {
  const [key, fallback] = site.args.positional;
  const fact = site.receiver!.fact as Dict;
  const literal = key && context.literal(key.ref);
  if (literal === undefined) return context.unknown();
  const found = fact.entries?.get(keyOf(literal));
  if (found) return found.value;
  if (!fact.complete) return context.unknown();
  return fallback?.ref ?? putNone(context);
};

const pop: CallTransfer = (site, context) => {
  const { ref, fact } = site.receiver!;
  if (fact.kind !== 'dict') return undefined;
  const [key] = site.args.positional;
  const literal = key && context.literal(key.ref);
  const found = literal === undefined ? undefined : fact.entries?.get(keyOf(literal))?.value;
  context.state.update(ref, withoutKey(fact, literal));
  return found ?? context.unknown();
};

const changesDict: CallTransfer = (site, context) => {
  const { ref, fact } = site.receiver!;
  if (fact.kind !== 'dict') return undefined;
  context.state.update(ref, { kind: 'dict', class: fact.class });
  return context.unknown();
};

export const containers: Transfers = {
  loadItem: {
    list: sequenceItem,
    tuple: sequenceItem,
    dict: dictItem,
    scalar: (container, _key, context) =>
      container.fact.kind === 'scalar' && container.fact.type === 'str'
        ? putScalar(context, 'str')
        : undefined,
  },
  storeItem: {
    dict: storeDict,
    list(container, key, value, context) {
      const fact = container.fact as Sequence;
      const index = intOf(context, key);
      if (index === undefined || !fact.items || index >= fact.items.length || index < -fact.items.length) {
        const keepsLength = key.fact.kind === 'scalar' && fact.length !== undefined;
        context.state.update(container.ref, {
          ...keepSequence(fact),
          ...(keepsLength && { length: fact.length! }),
        });
        return true;
      }
      const items = [...fact.items];
      items[index < 0 ? items.length + index : index] = value.ref;
      context.state.update(container.ref, { ...keepSequence(fact), items, length: items.length });
      return true;
    },
  },
  deleteItem: {
    dict(container, key, context) {
      context.state.update(container.ref, withoutKey(container.fact as Dict, context.literal(key.ref)));
      return true;
    },
    list(container, _key, context) {
      context.state.update(container.ref, keepSequence(container.fact as Sequence));
      return true;
    },
  },
  binary(operator, left, right, context) {
    const a = left.fact;
    const b = right.fact;
    if (!isSequence(a)) return undefined;
    if (operator === 'Add' && b.kind === a.kind && isSequence(b)) {
      const items = a.items && b.items ? [...a.items, ...b.items] : undefined;
      return context.put({
        kind: a.kind,
        class: `builtins.${a.kind}`,
        ...(items && { items, length: items.length }),
      });
    }
    if (operator === 'Mult' && b.kind === 'scalar' && (b.type === 'int' || b.type === 'bool')) {
      const times = typeof b.value === 'number' ? Math.max(0, b.value) : undefined;
      const length = a.items?.length ?? a.length;
      const items =
        a.items && times !== undefined && a.items.length * times <= 200
          ? Array.from({ length: times }, () => a.items!).flat()
          : undefined;
      return context.put({
        kind: a.kind,
        class: `builtins.${a.kind}`,
        items,
        ...(length !== undefined && times !== undefined && { length: length * times }),
        ...(!items && a.items?.length === 1 && { element: a.items[0]! }),
      });
    }
    return undefined;
  },
  methods: {
    list: {
      append,
      extend,
      insert: changesList('none'),
      remove: changesList('none'),
      pop: changesList('unknown'),
      sort: reorder,
      index: counted,
      count: counted,
      copy,
    },
    dict: {
      keys: dictView((entry, context) => context.putLiteral(entry.key)),
      values: dictView((entry) => entry.value),
      items: dictView((entry, context) => {
        const items = [context.putLiteral(entry.key), entry.value];
        return putTuple(context, items);
      }),
      get,
      pop,
      update: changesDict,
      setdefault: changesDict,
      copy,
    },
  },
};
