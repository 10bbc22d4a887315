// Code of a class that runs where no call is in sight: properties, descriptors, operators, `len`, `with`, formatting. An
// attribute that such code sets may be there although nothing that was walked has set it.
import { walk } from '@grus/python';
import type { Fact, Ref, UserFunction } from '../../facts.js';
import type { Interpreter } from '../interpreter.js';
import { lineage } from './classes.js';

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
