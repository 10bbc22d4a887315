// The parameters of a function, off its source.
import type { Parameter } from '@grus/kernel/snapshot';
import type { UserFunction } from './facts.js';

export function parametersOfNode(node: UserFunction['node']): Parameter[] {
  const { args } = node;
  const positional = [...args.posonlyargs, ...args.args];
  const required = positional.length - args.defaults.length;
  const parameters: Parameter[] = positional.map((parameter, index) => ({
    name: parameter.arg,
    kind: index < args.posonlyargs.length ? 'positional_only' : 'positional_or_keyword',
    has_default: index >= required,
  }));
  if (args.vararg) parameters.push({ name: args.vararg.arg, kind: 'var_positional', has_default: false });
  args.kwonlyargs.forEach((parameter, index) => {
    parameters.push({
      name: parameter.arg,
      kind: 'keyword_only',
      has_default: args.kw_defaults[index] != null,
    });
  });
  if (args.kwarg) parameters.push({ name: args.kwarg.arg, kind: 'var_keyword', has_default: false });
  return parameters;
}
