// Functions and classes that the executed cells define, as facts: their source, the globals they load, their signature.
import type { ObjectFact, Parameter } from '@grus/kernel/snapshot';
import { dottedName, type FunctionNode, type NodeOf, placeOf } from '@grus/python';
import { globalsOf, type History, type NameChange } from './bindings.js';
import { resolveImported } from './imports.js';

export function describeDefinition(binding: NameChange, history: History): ObjectFact | undefined {
  const { node } = binding;
  const cell = history.cells[binding.cell]!;
  if (node.nodeType !== 'FunctionDef' && node.nodeType !== 'AsyncFunctionDef' && node.nodeType !== 'ClassDef')
    return undefined;
  const first = Math.min(
    placeOf(node).line,
    ...node.decorator_list.map((decorator) => placeOf(decorator).line),
  );
  const structural = {
    source: cell.lines.slice(first - 1, placeOf(node).endLine).join('\n'),
    source_line: first,
    globals: globalsOf(node),
  };
  const decorated = node.decorator_list.length > 0;
  if (node.nodeType === 'ClassDef')
    return {
      kind: 'class',
      class: 'type',
      structural: { ...structural, module: '__main__', base_classes: basesOf(node, history) },
      representation: {
        name: `__main__.${node.name}`,
        callable: true,
        signature: decorated ? null : constructorOf(node),
      },
    };
  return {
    kind: 'function',
    class: 'function',
    structural: { ...structural, module: '__main__' },
    representation: {
      name: node.name,
      callable: true,
      signature: decorated ? null : signatureOf(node),
      is_async: node.nodeType === 'AsyncFunctionDef',
    },
  };
}

/** Classes whose own module differs from where everybody imports them from. */
const definedElsewhere: Readonly<Record<string, string>> = {
  'torch.nn.Module': 'torch.nn.modules.module.Module',
  'torch.utils.data.Dataset': 'torch.utils.data.dataset.Dataset',
};

/** Full names of the bases that the class statement names, as far as imports tell. */
export function basesOf(node: NodeOf<'ClassDef'>, history: History): string[] {
  const written = node.bases.map(dottedName).filter((name): name is string => name !== null);
  return written.map((name) => {
    const path = resolveImported(name, history);
    return definedElsewhere[path] ?? (path.includes('.') ? path : `__main__.${path}`);
  });
}

export function signatureOf(node: FunctionNode): Parameter[] {
  const { posonlyargs, args, vararg, kwonlyargs, kwarg, defaults, kw_defaults: keywordDefaults } = node.args;
  const positional = [...posonlyargs, ...args];
  const parameters: Parameter[] = positional.map((parameter, position) => ({
    name: parameter.arg,
    kind: position < posonlyargs.length ? 'positional_only' : 'positional_or_keyword',
    has_default: position >= positional.length - defaults.length,
  }));
  if (vararg) parameters.push({ name: vararg.arg, kind: 'var_positional', has_default: false });
  kwonlyargs.forEach((parameter, position) => {
    parameters.push({
      name: parameter.arg,
      kind: 'keyword_only',
      has_default: (keywordDefaults[position] ?? null) !== null,
    });
  });
  if (kwarg) parameters.push({ name: kwarg.arg, kind: 'var_keyword', has_default: false });
  return parameters;
}

/** The call signature of a class that defines its own `__init__`; null where a base or a metaclass decides. */
function constructorOf(node: NodeOf<'ClassDef'>): Parameter[] | null {
  if (node.keywords.length > 0) return null;
  const methods = node.body.filter((statement) => statement.nodeType === 'FunctionDef');
  if (methods.some((method) => method.name === '__new__')) return null;
  const initialisers = methods.filter((method) => method.name === '__init__');
  const [initialiser] = initialisers;
  if (initialiser === undefined || initialisers.length > 1 || initialiser.decorator_list.length > 0)
    return null;
  return signatureOf(initialiser).slice(1);
}
