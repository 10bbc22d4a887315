// Whether the cell may have changed what can be imported: files written, packages installed, the path or the table of
// modules touched. Then the kernel's answer from before the cell proves nothing.
import { dottedName, type ParsedCell, walk } from '@grus/python';
import { reloadsModules } from '../../reasoning/live/origin.js';
import { isKnownPackage } from '../../reasoning/registry.js';
import type { CheckContext } from '../define-check.js';

const machinery =
  /^(sys\.(path|modules|meta_path|path_hooks)|importlib|site|pkgutil|imp|runpy|zipimport|pkg_resources)\b/;
const inText = /\bsys\.(path|modules|meta_path|path_hooks)\b|\bimportlib\b|\bsite\.addsitedir\b/;

const touched = new WeakMap<ParsedCell, boolean>();

export function mayChangeImports(context: CheckContext): boolean {
  const { effects } = context;
  if (effects.names || effects.modules || effects.files || effects.directory) return true;
  return touches(context.cell) || callsMayTouch(context);
}

function touches(cell: ParsedCell): boolean {
  let answer = touched.get(cell);
  if (answer === undefined) {
    answer = false;
    for (const node of walk(cell.module))
      if (
        (node.nodeType === 'Attribute' || node.nodeType === 'Name') &&
        machinery.test(dottedName(node) ?? '')
      )
        answer = true;
    touched.set(cell, answer);
  }
  return answer;
}

/** Functions of the user's that the cell can reach. */
function callsMayTouch(context: CheckContext): boolean {
  return Object.values(context.snapshot.objects).some((object) =>
    inText.test(object.structural?.source ?? ''),
  );
}

/** Whether the cell gives any object an attribute of this name, as `module.name = …` or `setattr`. */
export function mayHaveSet(name: string, cell: ParsedCell): boolean {
  let names = stored.get(cell);
  if (names === undefined) {
    names = namesStored(cell);
    stored.set(cell, names);
  }
  return names === 'any' || names.has(name);
}

const stored = new WeakMap<ParsedCell, ReadonlySet<string> | 'any'>();

function namesStored(cell: ParsedCell): ReadonlySet<string> | 'any' {
  const names = new Set<string>();
  for (const node of walk(cell.module)) {
    if (node.nodeType === 'Name' && (node.id === 'setattr' || node.id === 'vars')) return 'any';
    if (node.nodeType !== 'Attribute') continue;
    if (node.attr === '__dict__') return 'any';
    // A module, too, can be given one, and then has every name.
    if (node.ctx.nodeType === 'Store' && node.attr === '__getattr__') return 'any';
    if (node.ctx.nodeType === 'Store') names.add(node.attr);
  }
  return names;
}

/** Whether a module that lacks the name when the cell begins may have it all the same when the cell asks for it. */
export function mayHaveGained(module: string, name: string, context: CheckContext): boolean {
  if (reloadsModules(context.snapshot) || mayHaveSet(name, context.cell) || functionsMaySet(name, context))
    return true;
  // Code of a module that nothing is known of may set names of any such module, as its functions do with `global`.
  if (isKnownPackage(module) ? context.effects.modules || touches(context.cell) : mayChangeImports(context))
    return true;
  const imported = importedBy(context.cell).filter((path) => path !== module);
  if (imported.some((path) => `${path}.`.startsWith(`${module}.${name}.`))) return true;
  // A module that is loaded may load submodules of others.
  return imported.length > 0 && context.ask({ ask: 'import', path: module, value: name })?.status === 'yes';
}

function functionsMaySet(name: string, context: CheckContext): boolean {
  const sets = new RegExp(`\\.${name}\\b\\s*(:[^=]*)?=(?!=)|\\b(setattr|vars|exec)\\b|__dict__`);
  return Object.values(context.snapshot.objects).some(({ structural }) =>
    sets.test(structural?.source ?? ''),
  );
}

/** What the cell imports, by dotted paths. */
function importedBy(cell: ParsedCell): string[] {
  const paths: string[] = [];
  for (const node of walk(cell.module)) {
    if (node.nodeType === 'Import') paths.push(...node.names.map((alias) => alias.name));
    if (node.nodeType === 'ImportFrom')
      paths.push(...node.names.map((alias) => `${node.module ?? ''}.${alias.name}`));
  }
  return paths;
}
