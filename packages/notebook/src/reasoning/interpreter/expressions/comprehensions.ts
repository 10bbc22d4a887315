// Comprehensions: their own scope, walked over known elements; a generator expression runs only when it is consumed.
import type { ComprehensionNode, NodeOf } from '@grus/python';
import type { Operand } from '../../events.js';
import type { Dict, DictEntry, Ref } from '../../facts.js';
import { keyOf } from '../../literals.js';
import { either, putSummary, type Summary, summarise } from '../../summary.js';
import type { Interpreter } from '../interpreter.js';
import { assign } from '../statements/targets.js';
import { elementsOf } from './iteration.js';
import { truthOf } from './truth.js';

const unrolled = 64;

/** A generator expression that is handed to something that takes all of it gives a list right away. */
export function evaluateComprehension(
  interpreter: Interpreter,
  node: ComprehensionNode,
  isConsumed = false,
): Ref {
  const [first] = node.generators;
  if (!first) return interpreter.unknown();
  const iterable = interpreter.evaluateOperand(first.iter);
  interpreter.emit({ type: 'iterate', node: first.iter, iterable });
  if (node.nodeType === 'GeneratorExp' && !isConsumed) return lazily(interpreter, node);
  const collected: Ref[] = [];
  let complete = true;
  let each: Summary | undefined;
  const element = () => {
    if (node.nodeType === 'DictComp') {
      const key = interpreter.evaluateOperand(node.key);
      const value = interpreter.evaluate(node.value);
      interpreter.emit({ type: 'hashKey', node: node.key, key });
      collected.push(key.ref, value);
      return;
    }
    const operand = interpreter.evaluateOperand(node.elt);
    if (node.nodeType === 'SetComp') interpreter.emit({ type: 'hashKey', node: node.elt, key: operand });
    collected.push(operand.ref);
    const taken = summarise(interpreter.look, operand.ref);
    each = each ? either(each, taken) : taken;
  };
  inScope(interpreter, () => {
    complete = generate(interpreter, node.generators, 0, iterable.ref, element);
  });
  if (complete) return result(interpreter, node, collected);
  const count =
    node.generators.length === 1 && first.ifs.length === 0 ? countOf(interpreter, iterable) : undefined;
  return result(interpreter, node, undefined, { each, count });
}

function countOf(interpreter: Interpreter, iterable: Operand): number | undefined {
  const { items, count } = elementsOf(interpreter, iterable);
  return items?.length ?? count;
}

/** Walks one `for … in … if …` clause; true when all elements were walked one by one. */
function generate(
  interpreter: Interpreter,
  generators: readonly NodeOf<'Comprehension'>[],
  level: number,
  iterable: Ref | undefined,
  element: () => void,
): boolean {
  const clause = generators[level];
  if (!clause) {
    element();
    return true;
  }
  const operand =
    iterable === undefined
      ? interpreter.evaluateOperand(clause.iter)
      : interpreter.operand(clause.iter, iterable);
  if (iterable === undefined) interpreter.emit({ type: 'iterate', node: clause.iter, iterable: operand });
  const elements = clause.is_async ? {} : elementsOf(interpreter, operand);
  const once = (ref: Ref | undefined): boolean => {
    assign(interpreter, clause.target, interpreter.operand(clause.iter, ref ?? interpreter.unknown()));
    return filtered(interpreter, clause.ifs, () =>
      generate(interpreter, generators, level + 1, undefined, element),
    );
  };
  if (elements.items && elements.items.length <= unrolled && interpreter.budgetLeft > 0.3) {
    let complete = true;
    for (const item of elements.items) complete = once(item) && complete;
    return complete;
  }
  const count = elements.items?.length ?? elements.count;
  const before = interpreter.state.certain;
  if (count === 0) return true;
  if (count !== undefined) once(elements.items?.[0] ?? elements.first ?? elements.element);
  interpreter.forgetChangesOf(() => once(elements.element));
  interpreter.state.certain = before;
  const any = interpreter.state;
  for (const witness of elements.witnesses ?? []) {
    if (interpreter.budgetLeft < 0.5) break;
    interpreter.state = any.fork();
    once(witness);
  }
  interpreter.state = any;
  return false;
}

function filtered(
  interpreter: Interpreter,
  tests: ComprehensionNode['generators'][number]['ifs'],
  run: () => boolean,
): boolean {
  const [test, ...rest] = tests;
  if (!test) return run();
  const operand = interpreter.evaluateOperand(test);
  interpreter.emit({ type: 'truth', node: test, operand });
  const truth = truthOf(interpreter, operand.fact);
  let complete = truth !== undefined;
  interpreter.branch(
    truth,
    () => {
      complete = filtered(interpreter, rest, run) && complete;
    },
    () => {},
  );
  return complete;
}

function result(
  interpreter: Interpreter,
  node: ComprehensionNode,
  items: readonly Ref[] | undefined,
  rest: { readonly each?: Summary | undefined; readonly count?: number | undefined } = {},
): Ref {
  if (node.nodeType === 'DictComp') return interpreter.put(dictOf(interpreter, items));
  if (node.nodeType === 'SetComp') return interpreter.put({ kind: 'set', class: 'builtins.set' });
  const element = rest.each && putSummary((fact) => interpreter.put(fact), rest.each);
  return interpreter.put({
    kind: 'list',
    class: 'builtins.list',
    ...(items && { items, length: items.length }),
    element,
    ...(rest.count !== undefined && { length: rest.count }),
  });
}

/** A dict of known keys and values, given one after the other. */
function dictOf(interpreter: Interpreter, items: readonly Ref[] | undefined): Dict {
  const base: Dict = { kind: 'dict', class: 'builtins.dict' };
  if (!items) return base;
  const entries = new Map<string, DictEntry>();
  for (let index = 0; index < items.length; index += 2) {
    const key = interpreter.literal(items[index]!);
    if (key === undefined) return base;
    entries.set(keyOf(key), { key, value: items[index + 1]! });
  }
  return { ...base, entries, complete: true, length: entries.size };
}

function inScope(interpreter: Interpreter, run: () => void): void {
  const scope = interpreter.newScope();
  const outer = interpreter.scope;
  interpreter.comprehensions.add(scope);
  interpreter.state.enterScope(scope, outer);
  interpreter.scope = scope;
  run();
  interpreter.scope = outer;
  interpreter.state.leaveScope(scope);
}

/** The elements are computed later or never: the walk only forgets what computing them may change. */
function lazily(interpreter: Interpreter, node: NodeOf<'GeneratorExp'>): Ref {
  interpreter.forgetChangesOf(() =>
    inScope(interpreter, () => {
      for (const clause of node.generators) {
        interpreter.evaluate(clause.iter);
        assign(interpreter, clause.target, interpreter.operand(clause.iter, interpreter.unknown()));
        for (const test of clause.ifs) interpreter.evaluate(test);
      }
      interpreter.evaluate(node.elt);
    }),
  );
  return interpreter.put({
    kind: 'iterator',
    class: 'builtins.generator',
    subscriptable: false,
    callable: false,
  });
}
