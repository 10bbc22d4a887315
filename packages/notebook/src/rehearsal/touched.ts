// What statements read, bind and may change, by name. It errs on the side of too much: whatever is handed to a call, or has a
// method called, may be changed by it.
import { bindsUnseen, type Node, type Statement, walk } from '@grus/python';

export interface Touched {
  readonly reads: ReadonlySet<string>;
  /** Bound on some path. */
  readonly binds: ReadonlySet<string>;
  /** Bound whatever happens, so that nothing from before is left of them. */
  readonly replaces: ReadonlySet<string>;
  readonly changes: ReadonlySet<string>;
  /** Called by their names. */
  readonly calls: ReadonlySet<string>;
  /** Bound by an import: modules and what they offer are not changed by use. */
  readonly imports: ReadonlySet<string>;
  /** The names of functions and classes, with what their bodies read. */
  readonly bodies: ReadonlyMap<string, ReadonlySet<string>>;
  /** It may do anything to any name. */
  readonly anything: boolean;
}

/** Builtins that look at their arguments and leave them as they are. */
const looking: ReadonlySet<string> = new Set(
  'print len range type isinstance issubclass repr str int float bool complex bytes list dict set frozenset tuple sorted reversed enumerate zip sum min max abs round any all id hash format display callable divmod pow ord chr'.split(
    ' ',
  ),
);

const reaching: ReadonlySet<string> = new Set([...bindsUnseen, 'delattr']);

export function touchedBy(statements: readonly Statement[]): Touched {
  const reads = new Set<string>();
  const binds = new Set<string>();
  const changes = new Set<string>();
  const calls = new Set<string>();
  const imports = new Set<string>();
  let anything = false;
  for (const node of statements.flatMap((statement) => [...walk(statement)])) {
    switch (node.nodeType) {
      case 'Name':
        if (node.ctx.nodeType === 'Load') {
          reads.add(node.id);
          anything ||= reaching.has(node.id);
        } else {
          binds.add(node.id);
        }
        break;
      case 'FunctionDef':
      case 'AsyncFunctionDef':
      case 'ClassDef':
        binds.add(node.name);
        break;
      case 'Import':
      case 'ImportFrom':
        for (const { name, asname } of node.names) {
          anything ||= name === '*';
          const bound = asname ?? name.split('.')[0]!;
          binds.add(bound);
          imports.add(bound);
        }
        break;
      case 'ExceptHandler':
        if (node.name) binds.add(node.name);
        break;
      case 'Attribute':
      case 'Subscript':
        if (node.ctx.nodeType !== 'Load') addBase(node, changes);
        break;
      case 'AugAssign':
        if (node.target.nodeType === 'Name') reads.add(node.target.id);
        break;
      case 'Call':
        if (node.func.nodeType === 'Name' && looking.has(node.func.id)) break;
        if (node.func.nodeType === 'Name') calls.add(node.func.id);
        else addBase(node.func, changes);
        for (const argument of [...node.args, ...(node.keywords ?? []).map(({ value }) => value)])
          for (const inner of walk(argument)) if (inner.nodeType === 'Name') changes.add(inner.id);
        break;
    }
  }
  return { reads, binds, changes, calls, imports, anything, ...topLevel(statements) };
}

function topLevel(statements: readonly Statement[]): Pick<Touched, 'replaces' | 'bodies'> {
  const replaces = new Set<string>();
  const bodies = new Map<string, ReadonlySet<string>>();
  for (const statement of statements) {
    switch (statement.nodeType) {
      case 'Assign':
        for (const target of statement.targets) addNames(target, replaces);
        break;
      case 'AnnAssign':
        if (statement.value) addNames(statement.target, replaces);
        break;
      case 'Import':
      case 'ImportFrom':
        for (const { name, asname } of statement.names) replaces.add(asname ?? name.split('.')[0]!);
        break;
      case 'FunctionDef':
      case 'AsyncFunctionDef':
      case 'ClassDef':
        replaces.add(statement.name);
        bodies.set(statement.name, namesIn(statement));
        break;
    }
  }
  return { replaces, bodies };
}

function namesIn(node: Node): Set<string> {
  return new Set([...walk(node)].flatMap((inner) => (inner.nodeType === 'Name' ? [inner.id] : [])));
}

function addNames(target: Node, names: Set<string>): void {
  if (target.nodeType === 'Name') names.add(target.id);
  if (target.nodeType === 'Tuple' || target.nodeType === 'List')
    for (const item of target.elts) addNames(item, names);
}

/** The name that a chain of attributes, items and calls begins with. */
function addBase(node: Node, names: Set<string>): void {
  let at: Node = node;
  while (true) {
    if (at.nodeType === 'Attribute' || at.nodeType === 'Subscript') at = at.value;
    else if (at.nodeType === 'Call') at = at.func;
    else break;
  }
  if (at.nodeType === 'Name') names.add(at.id);
}
