// Code of the user's that runs without being called in sight: decorators, hooks of subclassing and naming, context managers,
// callbacks that an earlier cell registered. What functions of the user's may change is then no longer known.
import type { Fact, Ref } from '../../facts.js';
import { globalScope } from '../../state.js';
import type { Change, Interpreter } from '../interpreter.js';
import { lookUp } from '../scopes.js';

/** Registries and logs, which such code fills; what it does to data is seen where it is called by name. */
const collecting = new Set<Fact['kind']>(['list', 'dict', 'set']);

/** At a point where such code may run: forgets the contents of the collections that functions change, and names they bind. */
export function userCodeMayRun(interpreter: Interpreter): void {
  // `cls.registry[name] = …` may be of any class.
  if (interpreter.changedInFunctions.has('cls'))
    for (const ref of interpreter.state.globals())
      if (interpreter.look(ref).kind === 'class') forgetCollections(interpreter, ref);
  for (const [name, change] of interpreter.changedInFunctions) {
    const { ref } = lookUp(interpreter, name).binding;
    if (ref === undefined) continue;
    if (change === 'contents') forgetCollections(interpreter, ref);
    else if (change === 'attributes') attributesMayChange(interpreter, ref);
    else interpreter.state.bind(globalScope, name, { status: 'unknown', ref: interpreter.unknown() });
  }
}

function attributesMayChange(interpreter: Interpreter, ref: Ref): void {
  const fact = interpreter.look(ref);
  if (fact.kind === 'class') classMayChange(interpreter, ref);
  else if (fact.kind === 'instance') interpreter.state.mayMutate(ref);
  else forgetCollections(interpreter, ref);
}

/** A collection, or those in the body of a class. */
export function forgetCollections(interpreter: Interpreter, ref: Ref): void {
  const fact = interpreter.look(ref);
  const held = fact.kind === 'class' ? [...(fact.namespace?.values() ?? [])] : [ref];
  for (const each of held) if (collecting.has(interpreter.look(each).kind)) interpreter.state.mayMutate(each);
}

/** Code out of sight may have set attributes of the class: its methods stay, for all that is known. */
export function classMayChange(interpreter: Interpreter, classRef: Ref): void {
  const fact = interpreter.look(classRef);
  if (fact.kind !== 'class' || !fact.namespace) return;
  forgetCollections(interpreter, classRef);
  const methods = [...fact.namespace].filter(([, ref]) => interpreter.look(ref).kind === 'function');
  interpreter.state.update(classRef, { ...fact, namespace: new Map(methods), open: true });
}

const cached = new Map<string, ReadonlyMap<string, Change>>();
const cacheSize = 2_000;
const mayDefine = /\b(def|lambda|class)\b/;

const changes = [
  /([A-Za-z_]\w*)(?:\.\w+)*\.(?:append\w*|extend\w*|insert|update|setdefault|add|pop\w*|remove|clear|discard|__setitem__)\b/g,
  /([A-Za-z_]\w*)(?:\.\w+)*\[[^=]*\]\s*(?:=(?!=)|[-+|&^*]=)/g,
  /([A-Za-z_]\w*)(?:\.\w+)*\s*[-+|&^*]=/g,
];

const sets = /(?:^\s+|[:;]\s*)([A-Za-z_]\w*)(?:\.\w+)+\s*(?::[^=]+)?=(?!=)/g;
const binds = /^\s+global\s+(\w+(?:\s*,\s*\w+)*)/;

/**
 * What bodies of functions change, by the text alone: on indented lines and beside a lambda. Executed cells are many and
 * long, and parsing them all for each check would cost more than the check.
 */
export function changedInFunctions(sources: Iterable<string>): Map<string, Change> {
  const names = new Map<string, Change>();
  for (const source of sources) for (const [name, change] of inOneSource(source)) note(names, name, change);
  return names;
}

function inOneSource(source: string): ReadonlyMap<string, Change> {
  let names = cached.get(source);
  if (names) return names;
  names = mayDefine.test(source) ? inBodies(source) : new Map();
  if (cached.size >= cacheSize) cached.clear();
  cached.set(source, names);
  return names;
}

function inBodies(source: string): Map<string, Change> {
  const names = new Map<string, Change>();
  for (const line of source.split('\n')) {
    if (!/^\s/.test(line) && !mayDefine.test(line)) continue;
    for (const change of changes)
      for (const [, name] of line.matchAll(change)) note(names, name!, 'contents');
    for (const [, name] of line.matchAll(sets)) note(names, name!, 'attributes');
    for (const name of binds.exec(line)?.[1]?.split(/\s*,\s*/) ?? []) note(names, name, 'name');
  }
  return names;
}

/** Each change takes in those in front of it. */
const order: readonly Change[] = ['contents', 'attributes', 'name'];

function note(names: Map<string, Change>, name: string, change: Change): void {
  const known = names.get(name);
  if (known === undefined || order.indexOf(change) > order.indexOf(known)) names.set(name, change);
}
