// Attribute access: what static lookup on the known facts says, and which object the attribute is.
import type { NodeOf } from '@grus/python';
import type { Operand } from '../../events.js';
import type { Fact, Ref } from '../../facts.js';
import { carryOut } from '../../inquiry/carry-out.js';
import { planAttribute } from '../../inquiry/plan-operations.js';
import { publicName } from '../../names.js';
import { allLibraries, firstAnswer, firstHooked, isKnownPackage } from '../../registry.js';
import type { Interpreter } from '../interpreter.js';
import { classMember, classOf } from '../user-code/classes.js';
import { callbackMayRun, mayChangeIt } from '../user-code/effects.js';
import { mayAppearUnseen } from '../user-code/hidden-code.js';
import { classMayChange, userCodeMayRun } from '../user-code/implicit.js';
import { attributesMayBeSet, codeChanged } from '../user-code/patched.js';
import { memberOfSuper } from '../user-code/super.js';

interface Found {
  readonly status: 'present' | 'absent' | 'unknown';
  readonly ref?: Ref;
  readonly siblings?: readonly string[];
}

export function loadAttribute(interpreter: Interpreter, node: NodeOf<'Attribute'>, receiver: Operand): Ref {
  const found = findAttribute(interpreter, receiver, node.attr);
  interpreter.emit({
    type: 'loadAttribute',
    node,
    receiver,
    name: node.attr,
    found: found.status,
    siblings: found.siblings ?? [],
  });
  // Whoever holds the dictionary can set any attribute.
  if (node.attr === '__dict__') {
    interpreter.state.mayMutate(receiver.ref);
    attributesMayBeSet(interpreter, receiver.ref);
  }
  if (node.attr === '__kwdefaults__') codeChanged(interpreter, receiver.ref);
  const isCalled = interpreter.calledNodes.has(node);
  const derived = () =>
    found.ref ??
    (isCalled ? undefined : firstHooked((hooks) => hooks.askAttribute?.(node, receiver, interpreter))) ??
    (isGone(found, receiver.fact) ? interpreter.unknown() : interpreter.put(memberFact(receiver, node.attr)));
  const isLive = found.ref !== undefined && interpreter.look(found.ref).path !== undefined;
  const isAsked = found.status !== 'absent' && !isLive && !isCalled;
  const planned = isAsked ? planAttribute(interpreter, node, receiver) : null;
  return planned ? carryOut(interpreter, node, planned, null, derived) : derived();
}

/** A name that the module did not have: where the cell got it all the same, nothing is known of what it holds. */
function isGone(found: Found, { kind }: Fact): boolean {
  return found.status === 'absent' && (kind === 'module' || kind === 'library');
}

/** Private names that lack their class, as in a method of a live class that is walked by itself. */
const isPrivate = (name: string): boolean => /^__\w*(?<!__)$/.test(name);

function findAttribute(interpreter: Interpreter, receiver: Operand, name: string): Found {
  const { fact } = receiver;
  if (isPrivate(name)) return { status: 'unknown' };
  const classRef = name === '__class__' ? classOf(fact) : undefined;
  if (classRef !== undefined) return { status: 'present', ref: classRef };
  if (fact.kind === 'super') {
    const ref = memberOfSuper(interpreter, fact, name);
    return ref === undefined ? { status: 'unknown' } : { status: 'present', ref };
  }
  // What is found there goes by names of the notebook too.
  if (fact.kind === 'module' && (fact.name === '__main__' || (fact.name === 'sys' && name === 'modules')))
    interpreter.state.objectsMayHaveChanged();
  if (fact.kind === 'module' && fact.name === 'sys' && name === 'modules')
    interpreter.state.effects.modules = true;
  const own = fact.attributes?.get(name);
  if (own !== undefined) return { status: 'present', ref: own };
  const made = firstAnswer((library) => {
    const transfer = library.attributes?.[fact.kind];
    const ref =
      transfer && Object.hasOwn(transfer, name) ? transfer[name]!(receiver, interpreter) : undefined;
    return ref ?? library.anyAttribute?.[fact.kind]?.(receiver, name, interpreter);
  });
  if (made !== undefined) return { status: 'present', ref: made };
  const inClass = findInClass(interpreter, receiver, name);
  if (inClass) return inClass;
  if (isPatched(interpreter, fact))
    return { status: 'unknown', ...(fact.kind === 'module' && { ref: interpreter.unknown() }) };
  if (fact.path !== undefined) {
    const member = interpreter.state.member(`${fact.path}.${name}`);
    if (member && member.status !== 'unknown') return bound(interpreter, receiver, name, member);
  }
  const members = membersOf(fact);
  if (!members || fact.dynamic) return { status: 'unknown' };
  return members.includes(name)
    ? { status: 'present' }
    : provable(fact, name, { status: 'absent', siblings: members });
}

/** Whether the cell may have changed what the kernel said of the object's members. */
function isPatched({ state: { effects } }: Interpreter, fact: Fact): boolean {
  if (fact.kind === 'module') return effects.modules && !isKnownPackage(fact.name);
  return effects.classes && !isPlain.test(fact.class ?? '');
}

/** Classes that nobody can add to. */
const isPlain = /^builtins\.(?!type$)/;

/** All names that static lookup on the object finds (dunder names aside), when they are known. */
function membersOf(fact: Fact): readonly string[] | undefined {
  if (fact.members) return fact.members;
  for (const { members } of allLibraries()) {
    const known = members?.(fact);
    if (known) return known;
  }
  return undefined;
}

/** An attribute of an object of the user's own class. */
function findInClass(interpreter: Interpreter, receiver: Operand, name: string): Found | undefined {
  const { fact } = receiver;
  if (fact.kind === 'class' && fact.namespace) {
    const member = classMember(interpreter, receiver.ref, name);
    if (member.status === 'unknown' || (member.status === 'absent' && isOfType(fact, name)))
      return { status: 'unknown' };
    if (member.ref === undefined || !isDecorated(interpreter.look(member.ref))) return member;
    userCodeMayRun(interpreter);
    callbackMayRun(interpreter, member.ref);
    if (changesItsOwner(interpreter.look(member.ref))) classMayChange(interpreter, receiver.ref);
    return { status: 'present', ref: interpreter.unknown() };
  }
  const own = classOf(fact);
  if (own === undefined) return undefined;
  const member = classMember(interpreter, own, name);
  if (member.status === 'present' && member.ref !== undefined) {
    const value = interpreter.look(member.ref);
    if (value.kind !== 'function') return { status: 'present' };
    if (isDecorated(value)) {
      userCodeMayRun(interpreter);
      callbackMayRun(interpreter, member.ref);
      if (changesItsOwner(value)) {
        classMayChange(interpreter, own);
        interpreter.state.mayMutate(receiver.ref);
      }
      return { status: 'present', ref: interpreter.unknown() };
    }
    return {
      status: 'present',
      ref: interpreter.put({
        kind: 'method',
        receiver: receiver.ref,
        name,
        function: member.ref,
        callable: true,
      }),
    };
  }
  if (
    member.status === 'absent' &&
    'complete' in fact &&
    fact.complete &&
    !fact.dynamic &&
    !name.startsWith('__') &&
    !mayAppearUnseen(interpreter, own, name)
  )
    return {
      status: 'absent',
      siblings: [...(fact.attributes?.keys() ?? []), ...(member.siblings ?? [])],
    };
  return { status: member.status === 'present' ? 'present' : 'unknown' };
}

/** Whether the class of the class may have the attribute: `type` itself has one without underscores. */
function isOfType(fact: Fact, name: string): boolean {
  return fact.class !== 'builtins.type' || name === 'mro' || name.startsWith('__');
}

/** A decorator may change what a function takes: `classmethod` and `staticmethod` do. */
function isDecorated(fact: Fact): boolean {
  return fact.kind === 'function' && fact.node.nodeType !== 'Lambda' && fact.node.decorator_list.length > 0;
}

/** Whether a method does more with its first parameter, the object or the class, than to read from it. */
function changesItsOwner(fact: Fact): boolean {
  const owner = fact.kind === 'function' ? fact.node.args.args[0]?.arg : undefined;
  return owner !== undefined && fact.kind === 'function' && mayChangeIt(fact, owner);
}

/** A function found on the class of a live object is a method of the object. */
function bound(interpreter: Interpreter, receiver: Operand, name: string, member: Found): Found {
  const holder = receiver.fact;
  if (member.ref === undefined) return member;
  const fact = interpreter.look(member.ref);
  if (holder.kind === 'class') {
    // A method that belongs to the class goes by the name of the class, wherever it is defined.
    if (holder.namespace || fact.kind !== 'library') return member;
    return { ...member, ref: interpreter.put({ ...fact, name: `${holder.name}.${name}` }) };
  }
  if (holder.kind === 'module' || holder.kind === 'library') {
    const isNamed =
      fact.kind === 'library' ||
      (fact.kind === 'class' && !fact.namespace) ||
      (fact.kind === 'module' && (fact.name === fact.path || fact.name === '?'));
    if (fact.kind === 'instance' && fact.callable)
      return {
        status: member.status,
        ref: interpreter.put({ kind: 'library', name: publicName(`${holder.name}.${name}`), callable: true }),
      };
    if (!isNamed) return member;
    return {
      status: member.status,
      ref: interpreter.put({ ...fact, name: publicName(`${holder.name}.${name}`) }),
    };
  }
  if (fact.kind !== 'library' && fact.kind !== 'function') return member;
  const [first, ...rest] = fact.signature ?? [];
  const signature = first?.name === 'self' ? rest : fact.kind === 'library' ? fact.signature : undefined;
  return {
    status: member.status,
    ref: interpreter.put({
      kind: 'method',
      receiver: receiver.ref,
      name,
      signature,
      ...(fact.kind === 'function' && { function: member.ref }),
    }),
  };
}

/** Absence proves nothing where names are made up on access, and dunder names come from many places. */
function provable(fact: Fact, name: string, found: Found): Found {
  if (found.status !== 'absent') return found;
  if (fact.dynamic || (name.startsWith('__') && name.endsWith('__'))) return { status: 'unknown' };
  return found;
}

function memberFact(receiver: Operand, name: string): Fact {
  const { fact } = receiver;
  const path = fact.path === undefined ? undefined : `${fact.path}.${name}`;
  if (fact.kind === 'module' || fact.kind === 'library') {
    const spelled = fact.kind === 'module' ? fact.name : fact.spelled;
    return {
      kind: 'library',
      name: publicName(`${fact.name}.${name}`),
      ...(path !== undefined && { path }),
      ...(path === undefined && spelled !== undefined && { spelled: `${spelled}.${name}` }),
    };
  }
  if (fact.kind === 'class' && !fact.namespace) return { kind: 'library', name: `${fact.name}.${name}` };
  return { kind: 'method', receiver: receiver.ref, name };
}
