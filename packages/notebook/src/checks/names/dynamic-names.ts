// Code that can bind global names without an assignment in sight: `exec`, the namespace as a dict, the module object, the
// shell. Where the cell may have run such code before a use, an absent name proves nothing.
import {
  bindsUnseen,
  dottedName,
  type Node,
  type NodeOf,
  type ParsedCell,
  placeOf,
  walk,
} from '@grus/python';
import type { CheckContext } from '../define-check.js';

const names = new Set([...bindsUnseen, '__main__', '__builtins__', 'builtins', 'get_ipython']);
const attributes = new Set(['__dict__', 'f_globals', 'f_locals', 'user_ns', 'modules']);
const inText = new RegExp(`\\b(${[...names, ...attributes].join('|')})\\b`);

const firstLines = new WeakMap<ParsedCell, number>();

/** Whether unseen code may have bound a name by the time `node` is evaluated. */
export function mayBindUnseen(node: Node, context: CheckContext): boolean {
  let first = firstLines.get(context.cell);
  if (first === undefined) {
    first = firstLine(context.cell);
    firstLines.set(context.cell, first);
  }
  if (Number.isFinite(first) && first <= lineOfUse(node, context)) return true;
  if ((context.snapshot.cells ?? []).some((cell) => beforeCells.test(cell.source))) return true;
  return Object.values(context.snapshot.objects).some(
    (object) => shell.test(object.class) || inText.test(object.structural?.source ?? ''),
  );
}

/** The shell by another name: it binds what it is given. */
const shell = /\.\w*InteractiveShell$/;

/** Code that the user had registered to run before every cell, or to rewrite it. */
const beforeCells = /\bevents\.register\b|\b(input|ast)_transformers?\w*/;

/** A use inside a function may come at any time after its definition: then the whole cell counts. */
function lineOfUse(node: Node, context: CheckContext): number {
  for (const inner of walk(context.cell.module)) if (inner === node) return placeOf(node).line;
  return Number.POSITIVE_INFINITY;
}

function firstLine(cell: ParsedCell): number {
  let first = Number.POSITIVE_INFINITY;
  for (const node of walk(cell.module)) {
    // Magics stand in the tree as calls of get_ipython(); their effects are known by other means.
    const isDynamic =
      (node.nodeType === 'Name' && names.has(node.id) && cell.text(node) === node.id) ||
      (node.nodeType === 'Attribute' && attributes.has(node.attr)) ||
      (node.nodeType === 'Alias' && (node.name === '__main__' || node.name === 'builtins')) ||
      (node.nodeType === 'Call' && handsOutModule(node));
    if (isDynamic) first = Math.min(first, placeOf(node).line);
  }
  return first;
}

/** A call that is told the module's name can reach into it; loggers and web applications only keep it. */
function handsOutModule(node: NodeOf<'Call'>): boolean {
  const values = [...node.args, ...node.keywords.map((keyword) => keyword.value)];
  if (!values.some((value) => value.nodeType === 'Name' && value.id === '__name__')) return false;
  const callee = dottedName(node.func)?.split('.').at(-1) ?? '';
  return !['print', 'getLogger', 'Flask', 'FastAPI', 'Dash'].includes(callee);
}
