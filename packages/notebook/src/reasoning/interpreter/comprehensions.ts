// Comprehensions: their own scope, walked over known elements; a generator expression runs only when it is consumed.
import type { ComprehensionNode, NodeOf } from '@grus/python';
import type { Ref } from '../facts.js';
import type { Interpreter } from './interpreter.js';
import { elementsOf } from './iteration.js';
import { assign } from './targets.js';
import { truthOf } from './truth.js';

const unrolled = 64;

export function evaluateComprehension(interpreter: Interpreter, node: ComprehensionNode): Ref {
  const [first] = node.generators;
  if (!first) return interpreter.unknown();
  const iterable = interpreter.evaluateOperand(first.iter);
  interpreter.emit({ type: 'iterate', node: first.iter, iterable });
  if (node.nodeType === 'GeneratorExp') return lazily(interpreter, node);
  const collected: Ref[] = [];
  let complete = true;
  const inScope = (run: () => void) => {
    const scope = interpreter.newScope();
    const outer = interpreter.scope;
    interpreter.comprehensions.add(scope);
    interpreter.state.enterScope(scope, outer);
    interpreter.scope = scope;
    run();
    interpreter.scope = outer;
    interpreter.state.leaveScope(scope);
  };
  const element = () => {
    if (node.nodeType === 'DictComp') {
      const key = interpreter.evaluateOperand(node.key);
      interpreter.evaluate(node.value);
      interpreter.emit({ type: 'hashKey', node: node.key, key });
      return;
    }
    const operand = interpreter.evaluateOperand(node.elt);
    if (node.nodeType === 'SetComp') interpreter.emit({ type: 'hashKey', node: node.elt, key: operand });
    collected.push(operand.ref);
  };
  inScope(() => {
    complete = generate(interpreter, node.generators, 0, iterable.ref, element);
  });
  return result(interpreter, node, complete ? collected : undefined);
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

function result(interpreter: Interpreter, node: ComprehensionNode, items: readonly Ref[] | undefined): Ref {
  if (node.nodeType === 'DictComp') return interpreter.put({ kind: 'dict', class: 'builtins.dict' });
  if (node.nodeType === 'SetComp') return interpreter.put({ kind: 'set', class: 'builtins.set' });
  return interpreter.put({
    kind: 'list',
    class: 'builtins.list',
    ...(items && { items, length: items.length }),
  });
}

/** The elements are computed later or never: the walk only forgets what computing them may change. */
function lazily(interpreter: Interpreter, node: NodeOf<'GeneratorExp'>): Ref {
  interpreter.forgetChangesOf(() => {
    const scope = interpreter.newScope();
    const outer = interpreter.scope;
    interpreter.comprehensions.add(scope);
    interpreter.state.enterScope(scope, outer);
    interpreter.scope = scope;
    for (const clause of node.generators) {
      interpreter.evaluate(clause.iter);
      assign(interpreter, clause.target, interpreter.operand(clause.iter, interpreter.unknown()));
      for (const test of clause.ifs) interpreter.evaluate(test);
    }
    interpreter.evaluate(node.elt);
    interpreter.scope = outer;
    interpreter.state.leaveScope(scope);
  });
  return interpreter.put({
    kind: 'iterator',
    class: 'builtins.generator',
    subscriptable: false,
    callable: false,
  });
}
