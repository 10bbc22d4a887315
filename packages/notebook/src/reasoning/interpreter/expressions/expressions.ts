// Evaluates an expression to an object of the abstract heap, emitting an event for everything that can fail on the way.
import type { Expression, LiteralKind, NodeOf } from '@grus/python';
import type { Operand } from '../../events.js';
import type { Dict, DictEntry, Fact, Ref, ScalarType } from '../../facts.js';
import { keyOf } from '../../literals.js';
import { putScalar } from '../../plain-objects.js';
import { globalScope } from '../../state.js';
import type { Interpreter } from '../interpreter.js';
import { bindName, capture, lookUp } from '../scopes.js';
import { defaultsOf } from '../user-code/functions.js';
import { loadAttribute } from './attributes.js';
import { evaluateCall } from './calls.js';
import { evaluateComprehension } from './comprehensions.js';
import { binary, compare, loadItem, unary } from './operators.js';
import { truthOf } from './truth.js';

export function evaluate(interpreter: Interpreter, node: Expression): Ref {
  interpreter.step();
  switch (node.nodeType) {
    case 'Constant':
      return interpreter.put(constantFact(node));
    case 'Name':
      return evaluateName(interpreter, node);
    case 'Attribute':
      return loadAttribute(interpreter, node, interpreter.evaluateOperand(node.value));
    case 'Call':
      return evaluateCall(interpreter, node);
    case 'Subscript': {
      const container = interpreter.evaluateOperand(node.value);
      const key = interpreter.evaluateOperand(node.slice);
      return loadItem(interpreter, node, container, key);
    }
    case 'Slice': {
      const part = (inner?: Expression) => (inner ? interpreter.evaluate(inner) : undefined);
      const lower = part(node.lower);
      const upper = part(node.upper);
      const step = part(node.step);
      return interpreter.put({ kind: 'slice', class: 'builtins.slice', lower, upper, step });
    }
    case 'BinOp': {
      const left = interpreter.evaluateOperand(node.left);
      const right = interpreter.evaluateOperand(node.right);
      return binary(
        interpreter,
        node,
        node.op.nodeType,
        interpreter.operand(left.node, left.ref),
        right,
        false,
      );
    }
    case 'UnaryOp':
      return unary(interpreter, node, node.op.nodeType, interpreter.evaluateOperand(node.operand));
    case 'Compare':
      return evaluateCompare(interpreter, node);
    case 'BoolOp':
      return evaluateBoolean(interpreter, node);
    case 'IfExp':
      return evaluateConditional(interpreter, node);
    case 'List':
    case 'Tuple':
    case 'Set':
      return evaluateDisplay(interpreter, node);
    case 'Dict':
      return evaluateDict(interpreter, node);
    case 'JoinedStr':
    case 'TemplateStr':
      return evaluateFormatted(interpreter, node);
    case 'FormattedValue':
    case 'Interpolation':
      interpreter.evaluate(node.value);
      return putScalar(interpreter, 'str');
    case 'Lambda':
      capture(interpreter);
      return interpreter.put({
        kind: 'function',
        class: 'builtins.function',
        name: '<lambda>',
        node,
        scope: interpreter.scope,
        defaults: defaultsOf(interpreter, node.args),
        callable: true,
      });
    case 'ListComp':
    case 'SetComp':
    case 'DictComp':
    case 'GeneratorExp':
      return evaluateComprehension(interpreter, node);
    case 'NamedExpr': {
      const ref = interpreter.evaluate(node.value);
      if (node.target.nodeType === 'Name') bindAround(interpreter, node.target.id, ref);
      return ref;
    }
    case 'Starred':
    case 'Await':
    case 'YieldFrom':
      interpreter.evaluate(node.value);
      return interpreter.unknown();
    case 'Yield':
      if (node.value) interpreter.evaluate(node.value);
      return interpreter.unknown();
    default:
      return interpreter.unknown();
  }
}

/** A walrus binds in the innermost scope that is not a comprehension's. */
function bindAround(interpreter: Interpreter, name: string, ref: Ref): void {
  const inner = interpreter.scope;
  while (interpreter.comprehensions.has(interpreter.scope))
    interpreter.scope = interpreter.state.parentOf(interpreter.scope) ?? globalScope;
  bindName(interpreter, name, ref);
  interpreter.scope = inner;
}

const scalarKinds = new Set<string>(['str', 'bytes', 'int', 'float', 'complex', 'bool']);

function constantFact(node: NodeOf<'Constant'>): Fact {
  const kind = node.kind as LiteralKind | undefined;
  if (kind === 'none') return { kind: 'none', class: 'builtins.NoneType' };
  if (kind === undefined || !scalarKinds.has(kind)) return { kind: 'unknown', class: 'builtins.ellipsis' };
  const type = kind as ScalarType;
  const value = type === 'complex' ? String(node.value) : node.value;
  // The parser leaves \N{…} undecoded.
  const isKnown = typeof value !== 'string' || !value.includes('\\N{');
  return { kind: 'scalar', type, ...(isKnown && { value }), class: `builtins.${type}` };
}

function evaluateName(interpreter: Interpreter, node: NodeOf<'Name'>): Ref {
  const { binding, scope } = lookUp(interpreter, node.id);
  interpreter.emit({ type: 'loadName', node, name: node.id, binding, scope });
  if (binding.ref === undefined || binding.status === 'unknown' || binding.status === 'maybe') {
    // A name that may be unbound still denotes one object from here on.
    return binding.ref ?? interpreter.unknown();
  }
  return binding.ref;
}

function evaluateCompare(interpreter: Interpreter, node: NodeOf<'Compare'>): Ref {
  let left = interpreter.evaluateOperand(node.left);
  let result = interpreter.unknown();
  const before = interpreter.state.certain;
  let all: boolean | undefined = true;
  node.ops.forEach((operator, index) => {
    const right = interpreter.evaluateOperand(node.comparators[index]!);
    result = compare(interpreter, node, operator.nodeType, interpreter.operand(left.node, left.ref), right);
    left = right;
    const fact = interpreter.look(result);
    const truth = fact.kind === 'scalar' && fact.type === 'bool' ? truthOf(interpreter, fact) : undefined;
    // The first comparison that fails decides; one that is not known leaves the whole open.
    if (all === true) all = truth;
    if (index === node.ops.length - 1) return;
    interpreter.emit({ type: 'truth', node, operand: interpreter.operand(node, result) });
    interpreter.state.certain = false;
  });
  interpreter.state.certain = before;
  if (node.ops.length === 1) return result;
  return all === undefined ? interpreter.unknown() : interpreter.putLiteral(all);
}

function evaluateBoolean(interpreter: Interpreter, node: NodeOf<'BoolOp'>): Ref {
  const stopsAt = node.op.nodeType === 'Or';
  const evaluateFrom = (index: number): Ref => {
    const ref = interpreter.evaluate(node.values[index]!);
    if (index === node.values.length - 1) return ref;
    const operand = interpreter.operand(node.values[index]!, ref);
    interpreter.emit({ type: 'truth', node: operand.node, operand });
    const truth = truthOf(interpreter, operand.fact);
    if (truth === stopsAt) return ref;
    if (truth !== undefined) return evaluateFrom(index + 1);
    let rest: Ref | undefined;
    interpreter.branch(
      undefined,
      () => {
        rest = evaluateFrom(index + 1);
      },
      () => {},
    );
    return joined(interpreter, ref, rest!);
  };
  return evaluateFrom(0);
}

function evaluateConditional(interpreter: Interpreter, node: NodeOf<'IfExp'>): Ref {
  const test = interpreter.evaluateOperand(node.test);
  interpreter.emit({ type: 'truth', node: node.test, operand: test });
  let whenTrue: Ref | undefined;
  let whenFalse: Ref | undefined;
  interpreter.branch(
    truthOf(interpreter, test.fact),
    () => {
      whenTrue = interpreter.evaluate(node.body);
    },
    () => {
      whenFalse = interpreter.evaluate(node.orelse);
    },
  );
  if (whenTrue === undefined) return whenFalse!;
  if (whenFalse === undefined) return whenTrue;
  return joined(interpreter, whenTrue, whenFalse);
}

/** An object that is one of two. */
export function joined(interpreter: Interpreter, a: Ref, b: Ref): Ref {
  return interpreter.state.either(a, b);
}

function evaluateDisplay(interpreter: Interpreter, node: NodeOf<'List' | 'Tuple' | 'Set'>): Ref {
  const kind = node.nodeType === 'List' ? 'list' : node.nodeType === 'Tuple' ? 'tuple' : 'set';
  const items: Ref[] = [];
  let complete = true;
  for (const element of node.elts) {
    if (element.nodeType === 'Starred') {
      const operand = interpreter.evaluateOperand(element.value);
      interpreter.emit({ type: 'iterate', node: element, iterable: operand });
      const inner = itemsOf(operand.fact);
      if (inner) items.push(...inner);
      else complete = false;
    } else {
      const operand = interpreter.evaluateOperand(element);
      if (kind === 'set') interpreter.emit({ type: 'hashKey', node: element, key: operand });
      items.push(operand.ref);
    }
  }
  if (kind === 'set') return interpreter.put({ kind, class: 'builtins.set' });
  return interpreter.put({
    kind,
    class: `builtins.${kind}`,
    ...(complete && { items, length: items.length }),
  });
}

function itemsOf(fact: Fact): readonly Ref[] | undefined {
  return fact.kind === 'list' || fact.kind === 'tuple' ? fact.items : undefined;
}

function evaluateDict(interpreter: Interpreter, node: NodeOf<'Dict'>): Ref {
  const entries = new Map<string, DictEntry>();
  let complete = true;
  node.keys.forEach((keyNode, index) => {
    const valueNode = node.values[index]!;
    if (keyNode === null) {
      const fact = interpreter.look(interpreter.evaluate(valueNode));
      if (fact.kind === 'dict' && fact.entries)
        for (const [key, entry] of fact.entries) entries.set(key, entry);
      if (fact.kind !== 'dict' || !fact.complete) complete = false;
      return;
    }
    const key = interpreter.evaluateOperand(keyNode);
    const value = interpreter.evaluate(valueNode);
    interpreter.emit({ type: 'hashKey', node: keyNode, key });
    const literal = interpreter.literal(key.ref);
    if (literal === undefined) complete = false;
    else entries.set(keyOf(literal), { key: literal, value });
  });
  const fact: Dict = { kind: 'dict', class: 'builtins.dict', entries, complete };
  return interpreter.put(complete ? { ...fact, length: entries.size } : fact);
}

function evaluateFormatted(interpreter: Interpreter, node: NodeOf<'JoinedStr' | 'TemplateStr'>): Ref {
  let text: string | undefined = '';
  for (const part of node.values) {
    if (part.nodeType === 'Constant') {
      if (text !== undefined) text += String(part.value);
      continue;
    }
    if (part.nodeType !== 'FormattedValue' && part.nodeType !== 'Interpolation') {
      text = undefined;
      continue;
    }
    const value = interpreter.evaluateOperand(part.value);
    const spec = constantSpec(interpreter, part.format_spec);
    if (part.conversion === -1) interpreter.emit({ type: 'format', node: part, value, spec });
    text = text === undefined ? undefined : appendPlain(text, value, spec, part.conversion);
  }
  return interpreter.put({
    kind: 'scalar',
    type: 'str',
    class: 'builtins.str',
    ...(text !== undefined && node.nodeType === 'JoinedStr' && { value: text }),
  });
}

function constantSpec(interpreter: Interpreter, spec: Expression | undefined): string | null {
  if (!spec) return '';
  if (spec.nodeType !== 'JoinedStr') return null;
  let text = '';
  for (const part of spec.values) {
    if (part.nodeType === 'Constant') text += String(part.value);
    else {
      interpreter.evaluate(part);
      return null;
    }
  }
  return text;
}

function appendPlain(
  text: string,
  value: Operand,
  spec: string | null,
  conversion: number,
): string | undefined {
  if (spec !== '' || conversion !== -1 || value.fact.kind !== 'scalar') return undefined;
  const { type, value: plain } = value.fact;
  if (plain === undefined || (type !== 'str' && type !== 'int')) return undefined;
  return text + String(plain);
}
