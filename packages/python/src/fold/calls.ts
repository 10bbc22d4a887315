// Folding of the calls that build names of files: `os.path` and `pathlib` functions, `str.format` and its siblings.
import { dottedName, type Expression, type NodeOf } from '../ast.js';
import { type Fold, type FoldContext, foldAll } from './context.js';
import { formatTemplate } from './format.js';
import { asFileName, asText, type Folded, joinPath, purePath, text } from './values.js';

const pathClasses = new Set([
  'pathlib.Path',
  'pathlib.PurePath',
  'pathlib.PosixPath',
  'pathlib.PurePosixPath',
  'Path',
]);

export function foldCall(node: NodeOf<'Call'>, context: FoldContext, fold: Fold): Folded | undefined {
  const path = dottedName(node.func);
  const callee = path === null ? null : (context.callee?.(path) ?? path);
  const args = foldAll(node.args, context, fold);
  if (!args) return undefined;
  if (callee !== null) {
    const called = node.keywords.length === 0 ? foldFunction(callee, args) : undefined;
    if (called) return called;
  }
  return node.func.nodeType === 'Attribute' ? foldMethod(node.func, args, node, context, fold) : undefined;
}

function foldFunction(callee: string, args: readonly Folded[]): Folded | undefined {
  if (pathClasses.has(callee)) {
    const parts = fileNames(args);
    return parts && { kind: 'path', value: purePath(joinPath(parts)) };
  }
  const [first] = args;
  switch (callee) {
    case 'os.path.join': {
      const parts = fileNames(args);
      return parts && parts.length > 0 ? text(joinPath(parts)) : undefined;
    }
    case 'os.path.basename': {
      const name = asFileName(first);
      return name === undefined ? undefined : text(name.slice(name.lastIndexOf('/') + 1));
    }
    case 'str': {
      const rendered = args.length === 1 && first ? asText(first) : undefined;
      return rendered === undefined ? undefined : text(rendered);
    }
    case 'os.fspath':
      return first?.kind === 'path' || first?.kind === 'str' ? text(first.value) : undefined;
    default:
      return undefined;
  }
}

function foldMethod(
  func: NodeOf<'Attribute'>,
  args: readonly Folded[],
  node: NodeOf<'Call'>,
  context: FoldContext,
  fold: Fold,
): Folded | undefined {
  const receiver = fold(func.value as Expression, context);
  if (receiver?.kind === 'path') return foldPathMethod(receiver.value, func.attr, args);
  if (receiver?.kind !== 'str') return undefined;
  const [first] = args;
  switch (func.attr) {
    case 'format': {
      const keywords = new Map<string, Folded>();
      for (const keyword of node.keywords) {
        const value = keyword.arg ? fold(keyword.value, context) : undefined;
        if (!keyword.arg || !value) return undefined;
        keywords.set(keyword.arg, value);
      }
      const rendered = formatTemplate(receiver.value, args, keywords);
      return rendered === undefined ? undefined : text(rendered);
    }
    case 'join':
      if (
        (first?.kind === 'list' || first?.kind === 'tuple') &&
        first.items.every((item) => item.kind === 'str')
      )
        return text(first.items.map((item) => asText(item)).join(receiver.value));
      return undefined;
    case 'strip':
      return args.length === 0 ? text(receiver.value.trim()) : undefined;
    default:
      return undefined;
  }
}

function foldPathMethod(path: string, method: string, args: readonly Folded[]): Folded | undefined {
  if (method === 'joinpath') {
    const parts = fileNames(args);
    return parts && { kind: 'path', value: purePath(joinPath([path, ...parts])) };
  }
  if (method === 'as_posix' && args.length === 0) return text(path);
  return undefined;
}

function fileNames(values: readonly Folded[]): string[] | undefined {
  const names = values.map(asFileName);
  return names.every((name) => name !== undefined) ? names : undefined;
}
