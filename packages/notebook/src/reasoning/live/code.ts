// Live functions and classes: with their source they can be walked, without it they are known by name and signature.
import type { ObjectFact } from '@grus/kernel/snapshot';
import { parseCell } from '@grus/python';
import type { Class, Fact, Ref, ScalarType, UserFunction } from '../facts.js';
import { deepEqual } from '../kinds.js';
import { parametersOfNode } from '../parameters.js';
import { globalScope } from '../state.js';
import { type CommonFields, type ObjectContext, publicClass, qualifiedName, tableOf } from './context.js';

export function functionFact(object: ObjectFact, common: CommonFields, context: ObjectContext): Fact {
  const { closure } = object.structural ?? {};
  const node = definitionOf(object);
  const isPlain =
    (node?.nodeType === 'FunctionDef' || node?.nodeType === 'AsyncFunctionDef') &&
    node.decorator_list.length === 0 &&
    takesWhatItSays(node, object);
  if (!isPlain) return { ...common, kind: 'library', name: qualifiedName(object, context) };
  return {
    ...common,
    kind: 'function',
    name: node.name,
    node,
    scope: globalScope,
    defaults: defaultFacts(node, object, context),
    home: homeOf(object),
    ...(closure && {
      closure: new Map(Object.entries(closure).map(([free, key]) => [free, context.refOf(key)])),
    }),
  };
}

/** The definition at the lines that it has in its cell. */
function definitionOf(object: ObjectFact) {
  const { source, source_line: line = 1 } = object.structural ?? {};
  return source === undefined ? undefined : parseCell('\n'.repeat(line - 1) + dedent(source)).body[0];
}

function homeOf(object: ObjectFact): string {
  const cell = object.structural?.defined_in;
  return cell === undefined ? 'an earlier cell' : `cell [${cell}]`;
}

/** Whether the live function still has the parameters of its source: its defaults can be set anew. */
function takesWhatItSays(node: UserFunction['node'], live: ObjectFact | undefined): boolean {
  const signature = live?.representation?.signature;
  return !signature || deepEqual(signature, parametersOfNode(node));
}

/** Defaults of a live function: those that it holds, or where they are not told the plain ones of the source. */
function defaultFacts(
  node: UserFunction['node'],
  live: ObjectFact | undefined,
  context: ObjectContext,
): ReadonlyMap<string, Ref> {
  const held = live?.structural?.defaults;
  if (held) return tableOf(held, context);
  const { args } = node;
  const positional = [...args.posonlyargs, ...args.args];
  const defaults = new Map<string, Ref>();
  args.defaults.forEach((value, index) => {
    const parameter = positional[positional.length - args.defaults.length + index]!;
    defaults.set(parameter.arg, context.put(plainDefault(value)));
  });
  args.kw_defaults.forEach((value, index) => {
    if (value) defaults.set(args.kwonlyargs[index]!.arg, context.put(plainDefault(value)));
  });
  return defaults;
}

const scalarTypes = new Set(['int', 'float', 'str', 'bool', 'bytes']);

function plainDefault(node: { nodeType: string; value?: unknown; kind?: string }): Fact {
  if (node.nodeType !== 'Constant') return { kind: 'unknown' };
  if (node.kind === 'none') return { kind: 'none', class: 'builtins.NoneType' };
  if (node.kind === undefined || !scalarTypes.has(node.kind)) return { kind: 'unknown' };
  return {
    kind: 'scalar',
    type: node.kind as ScalarType,
    value: node.value as number,
    class: `builtins.${node.kind}`,
  };
}

function dedent(source: string): string {
  const indent = /^[ \t]*/.exec(source)![0];
  if (indent === '') return source;
  return source
    .split('\n')
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    .join('\n');
}

export function classFact(object: ObjectFact, common: CommonFields, context: ObjectContext): Class {
  const { base_classes: bases = [], replaced = [] } = object.structural ?? {};
  const name = qualifiedName(object, context);
  const { attributes, ...rest } = common;
  const node = definitionOf(object);
  if (node?.nodeType !== 'ClassDef') return { ...common, kind: 'class', name };
  const namespace = new Map<string, Ref>(attributes);
  for (const statement of node.body) {
    if (statement.nodeType === 'FunctionDef' || statement.nodeType === 'AsyncFunctionDef') {
      if (replaced.includes(statement.name)) continue;
      const live = liveMethod(object, statement.name, context);
      if (statement.decorator_list.length === 0 && !takesWhatItSays(statement, live)) continue;
      namespace.set(
        statement.name,
        context.put({
          kind: 'function',
          class: 'builtins.function',
          name: statement.name,
          node: statement,
          scope: globalScope,
          defaults: defaultFacts(statement, live, context),
          home: homeOf(object),
          callable: true,
        }),
      );
    } else
      for (const bound of namesBoundBy(statement))
        if (!namespace.has(bound)) namespace.set(bound, context.put({ kind: 'unknown' }));
  }
  return {
    ...rest,
    kind: 'class',
    name,
    namespace,
    parents: bases.map((base) => context.put({ kind: 'library', name: publicClass(base) })),
    ...(node.decorator_list.length > 0 && { dynamic: true }),
  };
}

/** The method as the class holds it. */
function liveMethod(object: ObjectFact, name: string, context: ObjectContext): ObjectFact | undefined {
  const key = object.structural?.attributes?.[name];
  return key === undefined ? undefined : context.object(key);
}

function namesBoundBy(statement: { nodeType: string }): string[] {
  const { targets, target } = statement as {
    targets?: { nodeType: string; id?: string }[];
    target?: { nodeType: string; id?: string };
  };
  return [...(targets ?? []), ...(target ? [target] : [])].flatMap((node) =>
    node.nodeType === 'Name' ? [node.id!] : [],
  );
}
