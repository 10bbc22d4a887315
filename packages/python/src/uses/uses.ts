// What a cell needs from the kernel, so that one request can bring all of it. Asking for too much costs a little time;
// asking for too little makes a check abstain, so this leans towards asking.
import { dottedName, type Expression, type Node, type NodeOf, walk } from '../ast.js';
import type { ParsedCell } from '../cell/parse.js';
import { asFileName, type FoldContext, type Folded, fold } from '../fold/index.js';
import { buildScopes, type Scope } from '../scopes/index.js';
import { pathReaders, readersNamed } from './readers.js';

/** The part of a snapshot request that follows from the source. */
export interface CellUses {
  readonly names: readonly string[];
  readonly paths: readonly string[];
  readonly imports: readonly { readonly module: string; readonly names: readonly string[] }[];
  readonly files: readonly string[];
}

export interface CellUsesOptions {
  /** Live values of names, when an earlier snapshot has them: they let more file names be folded. */
  readonly value?: (path: string) => Folded | undefined;
}

export function cellUses(parsed: ParsedCell, options: CellUsesOptions = {}): CellUses {
  return moduleUses(parsed.module, options);
}

/** The same for any module tree, such as the source of a function that lives in the kernel. */
export function moduleUses(module: NodeOf<'Module'>, options: CellUsesOptions = {}): CellUses {
  const scopes = buildScopes(module);
  const globals = new Set<Node>();
  const names = new Set<string>();
  for (const scope of scopes.module.all()) collectGlobals(scope, globals, names);
  const modules = importedModules(module);
  const paths = new Set<string>();
  for (const node of walk(module)) if (node.nodeType === 'Attribute') addPaths(node, globals, modules, paths);
  return {
    names: [...names].sort(),
    paths: [...paths].sort(),
    imports: [...modules.requested]
      .map(([name, taken]) => ({ module: name, names: [...taken].sort() }))
      .sort((a, b) => (a.module < b.module ? -1 : 1)),
    files: [...files(module, modules, options)].sort(),
  };
}

function collectGlobals(scope: Scope, nodes: Set<Node>, names: Set<string>): void {
  for (const symbol of scope.symbols.values()) {
    if (scope.resolve(symbol.name) !== 'global' && scope.kind !== 'class') continue;
    const augmented = symbol.bindings.filter((binding) => binding.kind === 'augmented');
    for (const use of [...symbol.loads, ...symbol.deletions, ...augmented]) {
      nodes.add(use.node);
      names.add(symbol.name);
    }
  }
}

interface ImportedModules {
  /** Module by the name the cell binds it to: np → numpy. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Qualified names by the name the cell binds: Path → pathlib.Path. */
  readonly members: ReadonlyMap<string, string>;
  readonly requested: Map<string, Set<string>>;
}

function importedModules(module: NodeOf<'Module'>): ImportedModules {
  const aliases = new Map<string, string>();
  const members = new Map<string, string>();
  const requested = new Map<string, Set<string>>();
  const request = (name: string) => {
    const taken = requested.get(name) ?? new Set<string>();
    requested.set(name, taken);
    return taken;
  };
  for (const node of walk(module)) {
    if (node.nodeType === 'Import')
      for (const alias of node.names) {
        request(alias.name);
        if (alias.asname) aliases.set(alias.asname, alias.name);
        else aliases.set(alias.name.split('.')[0]!, alias.name.split('.')[0]!);
      }
    else if (node.nodeType === 'ImportFrom' && !node.level && node.module) {
      const taken = request(node.module);
      for (const alias of node.names) {
        if (alias.name === '*') continue;
        taken.add(alias.name);
        members.set(alias.asname ?? alias.name, `${node.module}.${alias.name}`);
      }
    }
  }
  return { aliases, members, requested };
}

function addPaths(
  node: NodeOf<'Attribute'>,
  globals: ReadonlySet<Node>,
  modules: ImportedModules,
  paths: Set<string>,
): void {
  let root: Expression = node;
  while (root.nodeType === 'Attribute') root = root.value;
  if (root.nodeType !== 'Name' || !globals.has(root)) return;
  const path = dottedName(node)!;
  paths.add(path);
  const imported = modules.aliases.get(root.id);
  const [, first, ...further] = path.split('.');
  if (imported && first && further.length === 0) modules.requested.get(imported)?.add(first);
}

/** Names of files that known readers are given, folded from constants of the cell and live values. */
function files(module: NodeOf<'Module'>, modules: ImportedModules, options: CellUsesOptions): Set<string> {
  const assigned = new Map<string, Folded>();
  const context: FoldContext = {
    value: (path) => assigned.get(path) ?? options.value?.(path),
    callee: (path) => qualified(path, modules),
  };
  const found = new Set<string>();
  const add = (node: Expression | undefined) => {
    const name = node && asFileName(fold(node, context));
    if (name !== undefined && name !== '' && name.length < 4096 && !/^[a-z][a-z0-9+.-]+:\/\//i.test(name))
      found.add(name);
  };
  for (const node of walk(module)) {
    if (node.nodeType === 'Assign' && node.targets.length === 1) {
      const [target] = node.targets;
      const value = target?.nodeType === 'Name' ? fold(node.value, context) : undefined;
      if (target?.nodeType === 'Name' && value) assigned.set(target.id, value);
    }
    if (node.nodeType !== 'Call') continue;
    const leaf =
      node.func.nodeType === 'Attribute' ? node.func.attr : node.func.nodeType === 'Name' ? node.func.id : '';
    const original = node.func.nodeType === 'Name' ? qualified(leaf, modules) : leaf;
    for (const reader of readersNamed(original)) {
      add(node.args[reader.position]);
      for (const keyword of node.keywords)
        if (keyword.arg && reader.keywords.includes(keyword.arg)) add(keyword.value);
    }
    if (node.func.nodeType === 'Attribute' && pathReaders.has(leaf)) add(node.func.value);
  }
  return found;
}

function qualified(path: string, modules: ImportedModules): string {
  const [root = '', ...rest] = path.split('.');
  const target = modules.members.get(root) ?? modules.aliases.get(root) ?? root;
  return [target, ...rest].join('.');
}
