// Code of a class that runs where no call is in sight: properties, descriptors, operators, `len`, `with`, formatting. An
// attribute that such code sets may be there although nothing that was walked has set it.
import { walk } from '@grus/python';
import type { Event, EventType, Operand } from '../../events.js';
import type { Fact, Ref, UserFunction } from '../../facts.js';
import type { Interpreter } from '../interpreter.js';
import { classOf, lineage } from './classes.js';
import { callbackMayRun, mayChangeIt } from './effects.js';

/** Whether an object of the class may have been given the attribute by code that runs out of sight. */
export function mayAppearUnseen(interpreter: Interpreter, classRef: Ref, name: string): boolean {
  const methods = new Map<string, UserFunction[]>();
  const pending: UserFunction[] = [];
  for (const [member, ref] of membersOfLineage(interpreter, classRef)) {
    const fact = interpreter.look(ref);
    if (fact.kind === 'function') {
      methods.set(member, [...(methods.get(member) ?? []), fact]);
      if (runsUnseen(member, fact)) pending.push(fact);
    } else if (mayBeDescriptor(fact)) return true;
  }
  const seen = new Set<UserFunction>();
  while (pending.length > 0) {
    const method = pending.pop()!;
    if (seen.has(method)) continue;
    seen.add(method);
    const touched = attributesTouchedBy(method);
    if (touched === 'any' || touched.stored.has(name)) return true;
    for (const other of touched.read) pending.push(...(methods.get(other) ?? []));
  }
  return false;
}

/** All that operators and comparisons may call. */
const operators =
  /^__(?!(init|new|call|len|str|repr|format|hash|bool|class|prepare|set_name|missing|\w*enter|\w*exit|\w*iter|\w*next|(get|set|del)\w*)__)\w+__$/;
const drawing = /^__(iter|next|getitem)__$/;
const showing = /^__(format|str|repr)__$/;

/** The methods that Python calls on an object of the user's where no call of them is in sight. */
const asked: { readonly [Type in EventType]?: RegExp } = {
  binary: operators,
  unary: operators,
  compare: operators,
  truth: /^__(bool|len)__$/,
  loadItem: /^__(getitem|missing)__$/,
  deleteItem: /^__delitem__$/,
  iterate: drawing,
  unpack: drawing,
  format: showing,
  hashKey: /^__(hash|eq)__$/,
  call: /^__(?!(init|new|call|class|prepare|set_name|\w*enter|\w*exit|(set|del)\w*)__)\w+__$/,
};

/** Builtins that look at an object without calling anything of its class. */
const looking = /^builtins\.(isinstance|issubclass|type|id|callable|super|vars|locals|object)$/;

/** What happened may have run methods of the user's: they may have changed their object, and what else they change. */
export function methodsMayRun(interpreter: Interpreter, event: Event): void {
  const names = asked[event.type];
  if (names === undefined) return;
  if (event.type === 'call') {
    const { target, method, args } = event;
    const isAsking =
      target === null ? method === 'format' : /^builtins\.\w+$/.test(target) && !looking.test(target);
    if (isAsking) for (const operand of [...args.positional, ...args.keywords.values()]) run(operand);
    return;
  }
  for (const value of Object.values(event)) if (isOperand(value)) run(value);

  function run(operand: Operand): void {
    specialMethodsMayRun(interpreter, operand, names!);
  }
}

function isOperand(value: unknown): value is Operand {
  return typeof value === 'object' && value !== null && 'ref' in value && 'fact' in value;
}

/** Methods of these names may run on the object. */
export function specialMethodsMayRun(interpreter: Interpreter, { ref, fact }: Operand, names: RegExp): void {
  const classRef = classOf(fact);
  if (classRef === undefined) return;
  for (const [name, member] of membersOfLineage(interpreter, classRef)) {
    if (!names.test(name)) continue;
    callbackMayRun(interpreter, member);
    const method = interpreter.look(member);
    const self = method.kind === 'function' ? method.node.args.args[0]?.arg : undefined;
    const changes =
      method.kind === 'function' ? self === undefined || mayChangeIt(method, self) : mayBeDescriptor(method);
    if (changes) interpreter.state.mayMutate(ref);
  }
}

function* membersOfLineage(interpreter: Interpreter, classRef: Ref): Generator<[string, Ref]> {
  for (const ref of lineage(interpreter, classRef) ?? []) {
    const fact = interpreter.look(ref);
    if (fact.kind === 'class') yield* fact.namespace ?? [];
  }
}

/** `__init__` is walked where the object is made. */
function runsUnseen(name: string, { node }: UserFunction): boolean {
  if (node.nodeType === 'Lambda') return true;
  return node.decorator_list.length > 0 || (name.startsWith('__') && name !== '__init__');
}

function mayBeDescriptor(fact: Fact): boolean {
  return fact.kind === 'unknown' || fact.kind === 'instance' || fact.kind === 'method';
}

interface Touched {
  readonly stored: ReadonlySet<string>;
  readonly read: ReadonlySet<string>;
}

/** Names that the body stores and reads as attributes; `any` when it sets some by computed names or hands the object on. */
function attributesTouchedBy({ node: method }: UserFunction): Touched | 'any' {
  const stored = new Set<string>();
  const read = new Set<string>();
  const self = method.args.args[0]?.arg;
  for (const node of walk(method)) {
    if (node.nodeType === 'Name' && /^(setattr|vars|exec)$/.test(node.id)) return 'any';
    if (node.nodeType === 'Call' && handsOn([...node.args, ...node.keywords], self)) return 'any';
    if (node.nodeType !== 'Attribute') continue;
    if (node.attr === '__dict__' || node.attr === '__setattr__') return 'any';
    (node.ctx.nodeType === 'Store' ? stored : read).add(node.attr);
  }
  return { stored, read };
}

function handsOn(args: readonly { nodeType: string }[], self: string | undefined): boolean {
  return args.some((arg) => {
    const value = arg.nodeType === 'Keyword' ? (arg as { value?: { nodeType: string } }).value : arg;
    return value?.nodeType === 'Name' && (value as { id?: string }).id === self;
  });
}
