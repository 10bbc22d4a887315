// Python's builtin functions.
import type { Operand } from '../../reasoning/events.js';
import type { Fact, Ref } from '../../reasoning/facts.js';
import { inquireLength } from '../../reasoning/inquiry/torch.js';
import type { Interpreter } from '../../reasoning/interpreter/interpreter.js';
import { elementsOf } from '../../reasoning/interpreter/iteration.js';
import type { CallSite, CallTransfer, Library } from '../../reasoning/library.js';
import { numbers } from './numbers.js';

export function lengthOf(fact: Fact): number | undefined {
  switch (fact.kind) {
    case 'list':
    case 'tuple':
      return fact.items?.length ?? fact.length;
    case 'set':
    case 'frozenset':
    case 'iterator':
    case 'instance':
      return fact.length;
    case 'dict':
      return fact.complete ? fact.entries?.size : fact.length;
    case 'scalar':
      return typeof fact.value === 'string' && fact.type === 'str' ? [...fact.value].length : undefined;
    case 'range':
      if (fact.start === undefined || fact.stop === undefined || !fact.step) return undefined;
      return Math.max(0, Math.ceil((fact.stop - fact.start) / fact.step));
    case 'dataframe':
    case 'series':
      return fact.rows;
    case 'index':
      return fact.labels?.length ?? fact.length;
    case 'ndarray':
    case 'tensor':
      return fact.shape?.[0] ?? undefined;
    default:
      return undefined;
  }
}

function scalar(
  interpreter: Interpreter,
  type: 'int' | 'float' | 'str' | 'bool',
  value?: number | string | boolean,
): Ref {
  return interpreter.put({
    kind: 'scalar',
    type,
    class: `builtins.${type}`,
    ...(value !== undefined && { value }),
  });
}

const len: CallTransfer = (site, interpreter) => {
  const [argument] = site.args.positional;
  const length = argument && lengthOf(argument.fact);
  const asked =
    argument && length === undefined ? inquireLength(interpreter, site.node, argument) : undefined;
  return asked ?? scalar(interpreter, 'int', length);
};

const range: CallTransfer = (site, interpreter) => {
  const numbers = site.args.positional.map((operand) => interpreter.literal(operand.ref));
  const base = { kind: 'range', class: 'builtins.range' } as const;
  if (
    !site.args.complete ||
    !numbers.every((value): value is number => typeof value === 'number' && Number.isInteger(value))
  )
    return interpreter.put(base);
  const [a, b, c] = numbers;
  if (a === undefined) return interpreter.put(base);
  const bounds = b === undefined ? { start: 0, stop: a, step: 1 } : { start: a, stop: b, step: c ?? 1 };
  return interpreter.put({ ...base, ...bounds });
};

function tuple(interpreter: Interpreter, items: readonly Ref[]): Ref {
  return interpreter.put({ kind: 'tuple', class: 'builtins.tuple', items, length: items.length });
}

const iteratorTraits = { subscriptable: false, callable: false, iterable: true } as const;

const enumerate: CallTransfer = (site, interpreter) => {
  const [iterable, start] = site.args.positional;
  if (!iterable) return undefined;
  const first = start ?? site.args.keywords.get('start');
  const offset = first ? interpreter.literal(first.ref) : 0;
  const elements = elementsOf(interpreter, iterable);
  const index = (position: number) =>
    typeof offset === 'number' ? scalar(interpreter, 'int', offset + position) : scalar(interpreter, 'int');
  const any = () => elements.element ?? interpreter.unknown();
  const items = elements.items?.map((item, position) => tuple(interpreter, [index(position), item]));
  return interpreter.put({
    kind: 'iterator',
    class: 'builtins.enumerate',
    ...iteratorTraits,
    ...(items
      ? { items }
      : {
          element: tuple(interpreter, [
            scalar(interpreter, 'int'),
            elements.element ?? interpreter.unknown(),
          ]),
        }),
    ...(elements.count !== undefined && { length: elements.count }),
    ...(elements.witnesses && {
      witnesses: elements.witnesses.map((witness) =>
        tuple(interpreter, [scalar(interpreter, 'int'), witness]),
      ),
    }),
    ...(iterable.fact.kind === 'loader' && { nonEmpty: true }),
    ...(elements.first !== undefined && { first: tuple(interpreter, [index(0), elements.first]) }),
    ...(elements.count !== undefined &&
      elements.count > 0 && {
        first: tuple(interpreter, [index(0), elements.first ?? any()]),
        last: tuple(interpreter, [index(elements.count - 1), elements.last ?? any()]),
      }),
    ...(elements.refusal && { refusal: elements.refusal }),
  });
};

/** Up to so many elements are listed one by one where not all parts of them are known. */
const listed = 200;

const zip: CallTransfer = (site, interpreter) => {
  const parts = site.args.positional.map((operand) => elementsOf(interpreter, operand));
  const base = { kind: 'iterator', class: 'builtins.zip', ...iteratorTraits } as const;
  if (!site.args.complete || parts.length === 0) return interpreter.put(base);
  const count = Math.min(...parts.map((part) => part.items?.length ?? part.count ?? Number.NaN));
  if (parts.every((part) => part.items) || (parts.some((part) => part.items) && count <= listed)) {
    const items = Array.from({ length: count }, (_, index) =>
      tuple(
        interpreter,
        parts.map((part) => part.items?.[index] ?? part.element ?? interpreter.unknown()),
      ),
    );
    return interpreter.put({ ...base, items });
  }
  const element = tuple(
    interpreter,
    parts.map((part) => part.element ?? interpreter.unknown()),
  );
  const counts = parts.map((part) => part.items?.length ?? part.count);
  return interpreter.put({
    ...base,
    element,
    ...(counts.every((count) => count !== undefined) && { length: Math.min(...(counts as number[])) }),
  });
};

/** list(), tuple(), sorted(), set(): a new container with the elements of another. */
const collect =
  (kind: 'list' | 'tuple' | 'set' | 'frozenset', keepsOrder: boolean): CallTransfer =>
  (site, interpreter) => {
    const [iterable] = site.args.positional;
    const base = { kind, class: `builtins.${kind}` } as const;
    if (!iterable) return interpreter.put({ ...base, items: [], length: 0 });
    const elements = elementsOf(interpreter, iterable);
    if (kind === 'set' || kind === 'frozenset') return interpreter.put(base);
    const count = elements.items?.length ?? elements.count;
    return interpreter.put({
      ...base,
      ...(elements.items && keepsOrder && { items: elements.items }),
      ...(elements.element !== undefined && { element: elements.element }),
      ...(count !== undefined && { length: count }),
    });
  };

const dict: CallTransfer = (site, interpreter) => {
  const [source] = site.args.positional;
  if (!source && site.args.complete && site.args.keywords.size === 0)
    return interpreter.put({
      kind: 'dict',
      class: 'builtins.dict',
      entries: new Map(),
      complete: true,
      length: 0,
    });
  return interpreter.put({ kind: 'dict', class: 'builtins.dict' });
};

const toText: CallTransfer = (site, interpreter) => {
  const [given] = site.args.positional;
  const value = given && interpreter.literal(given.ref);
  const isWhole = Number.isSafeInteger(value) && given?.fact.kind === 'scalar' && given.fact.type === 'int';
  return scalar(interpreter, 'str', typeof value === 'string' || isWhole ? String(value) : undefined);
};

const toInt: CallTransfer = (site, interpreter) => {
  const value = site.args.positional[0] && interpreter.literal(site.args.positional[0].ref);
  const isWritten = typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value);
  const whole = typeof value === 'number' || isWritten ? Math.trunc(Number(value)) : Number.NaN;
  if (site.args.positional.length === 1 && Number.isSafeInteger(whole))
    return scalar(interpreter, 'int', whole);
  return scalar(interpreter, 'int');
};

const toFloat: CallTransfer = (site, interpreter) => {
  const value = site.args.positional[0] && interpreter.literal(site.args.positional[0].ref);
  return scalar(interpreter, 'float', typeof value === 'number' ? value : undefined);
};

const constant =
  (type: 'int' | 'float' | 'str' | 'bool'): CallTransfer =>
  (_site, interpreter) =>
    scalar(interpreter, type);

const none: CallTransfer = (_site, interpreter) =>
  interpreter.put({ kind: 'none', class: 'builtins.NoneType' });

/** Shuffles the list that it is given, and gives nothing back. */
const shuffle: CallTransfer = (site, interpreter) => {
  for (const { ref, fact } of site.args.positional) {
    const length = lengthOf(fact);
    interpreter.state.mayMutate(ref);
    const after = interpreter.look(ref);
    if (after.kind === 'list' && length !== undefined) interpreter.state.update(ref, { ...after, length });
  }
  return interpreter.put({ kind: 'none', class: 'builtins.NoneType' });
};

const createsFiles: CallTransfer = (_site, interpreter) => {
  interpreter.state.effects.files = true;
  return interpreter.put({ kind: 'none', class: 'builtins.NoneType' });
};

const hasattr: CallTransfer = (_site, interpreter) => scalar(interpreter, 'bool');

const typeNames: Record<string, string> = {
  'builtins.str': 'str',
  'builtins.int': 'int',
  'builtins.float': 'float',
  'builtins.list': 'list',
  'builtins.dict': 'dict',
  'builtins.tuple': 'tuple',
  'builtins.bool': 'bool',
};

const isinstance: CallTransfer = (site, interpreter) => {
  const [object, type] = site.args.positional;
  const className = object?.fact.class;
  if (!object || type?.fact.kind !== 'library' || className === undefined) return scalar(interpreter, 'bool');
  const wanted = type.fact.name;
  if (className === wanted) return scalar(interpreter, 'bool', true);
  const exact =
    className in typeNames &&
    wanted in typeNames &&
    !(className === 'builtins.bool' && wanted === 'builtins.int');
  return scalar(interpreter, 'bool', exact ? false : undefined);
};

/** Reads its arguments and returns something unknown, without changing anything. */
const pure: CallTransfer = (site, interpreter) => {
  if (takesCallback(site)) return undefined;
  return interpreter.unknown();
};

function takesCallback(site: CallSite): boolean {
  const operands: Operand[] = [...site.args.positional, ...site.args.keywords.values()];
  return operands.some(({ fact }) => fact.kind === 'function' || fact.kind === 'method');
}

const openFile: CallTransfer = (site, interpreter) => {
  const mode = site.args.positional[1] ?? site.args.keywords.get('mode');
  const text = mode ? interpreter.literal(mode.ref) : 'r';
  if (typeof text !== 'string' || /[wax+]/.test(text)) interpreter.state.effects.files = true;
  const isBinary = typeof text === 'string' && text.includes('b');
  return interpreter.put({
    kind: 'instance',
    class: typeof text === 'string' && !isBinary ? 'io.TextIOWrapper' : 'io.IOBase',
    ...(typeof text === 'string' && { attributes: new Map([['mode', interpreter.putLiteral(text)]]) }),
  });
};

/** `file.write(text)` leaves the file open as it was. */
const writeFile: CallTransfer = ({ receiver }, interpreter) => {
  if (!/^io\.(TextIOWrapper|IOBase)$/.test(receiver?.fact.class ?? '')) return undefined;
  interpreter.state.effects.files = true;
  return interpreter.put({ kind: 'scalar', type: 'int', class: 'builtins.int' });
};

export const builtins: Library = {
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
    'random.shuffle': shuffle,
    'random.seed': none,
    'numpy.random.shuffle': shuffle,
    'numpy.random.seed': none,
    'time.sleep': none,
    'os.makedirs': createsFiles,
    'os.mkdir': createsFiles,
    'os.remove': createsFiles,
    'os.chdir': (_site, interpreter) => {
      interpreter.state.effects.files = true;
      interpreter.state.effects.directory = true;
      return interpreter.put({ kind: 'none', class: 'builtins.NoneType' });
    },
    'builtins.print': none,
    'builtins.display': none,
    'IPython.display.display': none,
    'builtins.isinstance': isinstance,
    'builtins.hasattr': hasattr,
    'builtins.callable': hasattr,
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
