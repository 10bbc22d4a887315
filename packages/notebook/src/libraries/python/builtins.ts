// Python's builtin functions.

import { callbacksIn } from '../../reasoning/arguments.js';
import { lengthOf } from '../../reasoning/kinds.js';
import type { CallTransfer, Transfers } from '../../reasoning/library.js';
import { putNone, putScalar, putTuple } from '../../reasoning/plain-objects.js';
import { firstHooked } from '../../reasoning/registry.js';
import { numbers } from './numbers.js';

const len: CallTransfer = (site, context) => {
  const [argument] = site.args.positional;
  const length = argument && lengthOf(argument.fact);
  const asked =
    argument && length === undefined
      ? firstHooked((hooks) => hooks.askLength?.(site.node, argument, context))
      : undefined;
  return asked ?? putScalar(context, 'int', length);
};

const range: CallTransfer = (site, context) => {
  const numbers = site.args.positional.map((operand) => context.literal(operand.ref));
  const base = { kind: 'range', class: 'builtins.range' } as const;
  if (
    !site.args.complete ||
    !numbers.every((value): value is number => typeof value === 'number' && Number.isInteger(value))
  )
    return context.put(base);
  const [a, b, c] = numbers;
  if (a === undefined) return context.put(base);
  const bounds = b === undefined ? { start: 0, stop: a, step: 1 } : { start: a, stop: b, step: c ?? 1 };
  return context.put({ ...base, ...bounds });
};

const iteratorTraits = { subscriptable: false, callable: false, iterable: true } as const;

const enumerate: CallTransfer = (site, context) => {
  const [iterable, start] = site.args.positional;
  if (!iterable) return undefined;
  const first = start ?? site.args.keywords.get('start');
  const offset = first ? context.literal(first.ref) : 0;
  const elements = context.elementsOf(iterable);
  const index = (position: number) =>
    typeof offset === 'number' ? putScalar(context, 'int', offset + position) : putScalar(context, 'int');
  const any = () => elements.element ?? context.unknown();
  const items = elements.items?.map((item, position) => putTuple(context, [index(position), item]));
  return context.put({
    kind: 'iterator',
    class: 'builtins.enumerate',
    ...iteratorTraits,
    ...(items
      ? { items }
      : {
          element: putTuple(context, [putScalar(context, 'int'), elements.element ?? context.unknown()]),
        }),
    length: elements.count,
    ...(elements.witnesses && {
      witnesses: elements.witnesses.map((witness) => putTuple(context, [putScalar(context, 'int'), witness])),
    }),
    ...(elements.nonEmpty && { nonEmpty: true }),
    ...(elements.first !== undefined && { first: putTuple(context, [index(0), elements.first]) }),
    ...(elements.count !== undefined &&
      elements.count > 0 && {
        first: putTuple(context, [index(0), elements.first ?? any()]),
        last: putTuple(context, [index(elements.count - 1), elements.last ?? any()]),
      }),
    refusal: elements.refusal,
  });
};

/** Up to so many elements are listed one by one where not all parts of them are known. */
const listed = 200;

const zip: CallTransfer = (site, context) => {
  const parts = site.args.positional.map((operand) => context.elementsOf(operand));
  const base = { kind: 'iterator', class: 'builtins.zip', ...iteratorTraits } as const;
  if (!site.args.complete || parts.length === 0) return context.put(base);
  const count = Math.min(...parts.map((part) => part.items?.length ?? part.count ?? Number.NaN));
  if (parts.every((part) => part.items) || (parts.some((part) => part.items) && count <= listed)) {
    const items = Array.from({ length: count }, (_, index) =>
      putTuple(
        context,
        parts.map((part) => part.items?.[index] ?? part.element ?? context.unknown()),
      ),
    );
    return context.put({ ...base, items });
  }
  const element = putTuple(
    context,
    parts.map((part) => part.element ?? context.unknown()),
  );
  const counts = parts.map((part) => part.items?.length ?? part.count);
  return context.put({
    ...base,
    element,
    ...(counts.every((count) => count !== undefined) && { length: Math.min(...(counts as number[])) }),
  });
};

/** list(), tuple(), sorted(), set(): a new container with the elements of another. */
const collect =
  (kind: 'list' | 'tuple' | 'set' | 'frozenset', keepsOrder: boolean): CallTransfer =>
  (site, context) => {
    const [iterable] = site.args.positional;
    const base = { kind, class: `builtins.${kind}` } as const;
    if (!iterable) return context.put({ ...base, items: [], length: 0 });
    const elements = context.elementsOf(iterable);
    if (kind === 'set' || kind === 'frozenset') return context.put(base);
    const count = elements.items?.length ?? elements.count;
    return context.put({
      ...base,
      ...(elements.items && keepsOrder && { items: elements.items }),
      element: elements.element,
      length: count,
    });
  };

const dict: CallTransfer = (site, context) => {
  const [source] = site.args.positional;
  if (!source && site.args.complete && site.args.keywords.size === 0)
    return context.put({
      kind: 'dict',
      class: 'builtins.dict',
      entries: new Map(),
      complete: true,
      length: 0,
    });
  return context.put({ kind: 'dict', class: 'builtins.dict' });
};

const toText: CallTransfer = (site, context) => {
  const [given] = site.args.positional;
  const value = given && context.literal(given.ref);
  const isWhole = Number.isSafeInteger(value) && given?.fact.kind === 'scalar' && given.fact.type === 'int';
  return putScalar(context, 'str', typeof value === 'string' || isWhole ? String(value) : undefined);
};

const toInt: CallTransfer = (site, context) => {
  const value = site.args.positional[0] && context.literal(site.args.positional[0].ref);
  const isWritten = typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value);
  const whole = typeof value === 'number' || isWritten ? Math.trunc(Number(value)) : Number.NaN;
  if (site.args.positional.length === 1 && Number.isSafeInteger(whole))
    return putScalar(context, 'int', whole);
  return putScalar(context, 'int');
};

const toFloat: CallTransfer = (site, context) => {
  const value = site.args.positional[0] && context.literal(site.args.positional[0].ref);
  return putScalar(context, 'float', typeof value === 'number' ? value : undefined);
};

const constant =
  (type: 'int' | 'float' | 'str' | 'bool'): CallTransfer =>
  (_site, context) =>
    putScalar(context, type);

const none: CallTransfer = (_site, context) => putNone(context);

/** With a `display_id` it answers a handle. */
const display: CallTransfer = (site, context) =>
  site.args.complete && !site.args.keywords.has('display_id') ? none(site, context) : context.unknown();

const createsFiles: CallTransfer = (_site, context) => {
  context.state.effects.files = true;
  return putNone(context);
};

/** Reads its arguments and returns something unknown, without changing anything. */
const pure: CallTransfer = (site, context) => (callbacksIn(site).length > 0 ? undefined : context.unknown());

const openFile: CallTransfer = (site, context) => {
  const mode = site.args.positional[1] ?? site.args.keywords.get('mode');
  const text = mode ? context.literal(mode.ref) : 'r';
  if (typeof text !== 'string' || /[wax+]/.test(text)) context.state.effects.files = true;
  const isBinary = typeof text === 'string' && text.includes('b');
  return context.put({
    kind: 'instance',
    class: typeof text === 'string' && !isBinary ? 'io.TextIOWrapper' : 'io.IOBase',
    ...(typeof text === 'string' && { options: new Map([['mode', context.putLiteral(text)]]) }),
  });
};

/** `file.write(text)` leaves the file open as it was. */
const writeFile: CallTransfer = ({ receiver }, context) => {
  if (!/^io\.(TextIOWrapper|IOBase)$/.test(receiver?.fact.class ?? '')) return undefined;
  context.state.effects.files = true;
  return putScalar(context, 'int');
};

export const builtins: Transfers = {
  methods: { instance: { write: writeFile } },
  functions: {
    'builtins.len': len,
    'builtins.range': range,
    'builtins.enumerate': enumerate,
    'builtins.zip': zip,
    'builtins.list': collect('list', true),
    'builtins.tuple': collect('tuple', true),
    'builtins.sorted': collect('list', false),
    'builtins.set': collect('set', false),
    'builtins.frozenset': collect('frozenset', false),
    'builtins.dict': dict,
    'builtins.str': toText,
    'builtins.int': toInt,
    'builtins.float': toFloat,
    'builtins.bool': constant('bool'),
    'random.seed': none,
    'time.sleep': none,
    'os.makedirs': createsFiles,
    'os.mkdir': createsFiles,
    'os.remove': createsFiles,
    'os.chdir': (_site, context) => {
      context.state.effects.files = true;
      context.state.effects.directory = true;
      return putNone(context);
    },
    'builtins.print': none,
    'builtins.display': display,
    'IPython.display.display': display,
    'builtins.isinstance': constant('bool'),
    'builtins.hasattr': constant('bool'),
    'builtins.callable': constant('bool'),
    ...numbers,
    'builtins.type': pure,
    'builtins.id': constant('int'),
    'builtins.repr': constant('str'),
    'builtins.input': constant('str'),
    'builtins.chr': constant('str'),
    'builtins.ord': constant('int'),
    'builtins.any': pure,
    'builtins.all': pure,
    'builtins.open': openFile,
    'io.open': openFile,
    '_io.open': openFile,
  },
};
