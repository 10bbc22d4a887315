// Builds the scopes of a module by the rules of CPython's symbol table: which block each expression belongs to (defaults
// and decorators outside, the first iterable of a comprehension outside, a walrus in the block around a comprehension).
import {
  type ComprehensionNode,
  childrenOf,
  type Expression,
  type FunctionNode,
  isComprehension,
  isFunction,
  type ModuleNode,
  type Node,
  type NodeOf,
  parametersOf,
} from '../ast.js';
import { type BindingKind, mangle, Scope, type ScopeKind } from './model.js';

export interface ScopeTree {
  readonly module: Scope;
  /** The scope that a function, class, lambda or comprehension node opens. */
  scopeOf(node: Node): Scope | undefined;
}

export function buildScopes(module: ModuleNode): ScopeTree {
  const builder = new Builder(module);
  builder.statements(module.body);
  return { module: builder.root, scopeOf: (node) => builder.opened.get(node) };
}

class Builder {
  readonly root: Scope;
  readonly opened = new Map<Node, Scope>();
  private scope: Scope;
  private className: string | null = null;

  constructor(module: ModuleNode) {
    this.root = new Scope('module', 'top', module, null);
    this.scope = this.root;
  }

  statements(body: readonly Node[]): void {
    for (const statement of body) this.visit(statement);
  }

  private bind(name: string, kind: BindingKind, node: Node, scope = this.scope): void {
    const mangled = mangle(name, this.className);
    scope.symbol(mangled).bindings.push({ name: mangled, kind, node });
  }

  private load(name: string, node: Node): void {
    const mangled = mangle(name, this.className);
    this.scope.symbol(mangled).loads.push({ name: mangled, node });
  }

  private within(kind: ScopeKind, name: string, node: Node, inside: () => void): void {
    const outer = this.scope;
    this.scope = new Scope(kind, name, node, outer);
    if (kind !== 'type-parameters') this.opened.set(node, this.scope);
    inside();
    this.scope = outer;
  }

  visit(node: Node | null | undefined): void {
    if (!node) return;
    if (isFunction(node)) {
      this.functionDef(node);
      return;
    }
    if (isComprehension(node)) {
      this.comprehension(node);
      return;
    }
    switch (node.nodeType) {
      case 'ClassDef':
        this.classDef(node);
        return;
      case 'Lambda':
        this.lambda(node);
        return;
      case 'Name':
        this.name(node);
        return;
      case 'Import':
      case 'ImportFrom':
        this.imports(node);
        return;
      case 'Global':
      case 'Nonlocal':
        for (const name of node.names)
          this.scope.symbol(mangle(name, this.className)).declared =
            node.nodeType === 'Global' ? 'global' : 'nonlocal';
        return;
      case 'Assign':
        this.visit(node.value);
        for (const target of node.targets) this.target(target, 'assign');
        return;
      case 'AugAssign':
        this.augmented(node);
        return;
      case 'AnnAssign':
        this.annotated(node);
        return;
      case 'For':
      case 'AsyncFor':
        this.visit(node.iter);
        this.target(node.target, 'for');
        this.statements(node.body);
        this.statements(node.orelse);
        return;
      case 'With':
      case 'AsyncWith':
        for (const item of node.items) {
          this.visit(item.context_expr);
          if (item.optional_vars) this.target(item.optional_vars, 'with');
        }
        this.statements(node.body);
        return;
      case 'ExceptHandler':
        this.visit(node.type);
        if (node.name) this.bind(node.name, 'except', node);
        this.statements(node.body);
        return;
      case 'NamedExpr':
        this.walrus(node);
        return;
      case 'MatchAs':
      case 'MatchStar':
        if (node.nodeType === 'MatchAs') this.visit(node.pattern);
        if (node.name && node.name !== '_') this.bind(node.name, 'match', node);
        return;
      case 'MatchMapping':
        for (const child of childrenOf(node)) this.visit(child);
        if (node.rest) this.bind(node.rest, 'match', node);
        return;
      case 'TypeAlias':
        this.typeAlias(node);
        return;
      default:
        for (const child of childrenOf(node)) this.visit(child);
    }
  }

  private name(node: NodeOf<'Name'>): void {
    if (node.ctx.nodeType === 'Load') {
      this.load(node.id, node);
      if (node.id === 'super' && this.scope.isFunctionLike && this.className !== null)
        this.load('__class__', node);
    } else if (node.ctx.nodeType === 'Del') {
      const mangled = mangle(node.id, this.className);
      this.scope.symbol(mangled).deletions.push({ name: mangled, node });
    } else this.bind(node.id, 'assign', node);
  }

  private target(node: Expression, kind: BindingKind): void {
    if (node.nodeType === 'Name') this.bind(node.id, kind, node);
    else if (node.nodeType === 'Tuple' || node.nodeType === 'List')
      for (const element of node.elts) this.target(element, kind);
    else if (node.nodeType === 'Starred') this.target(node.value, kind);
    else this.visit(node);
  }

  /** For Python's table an augmented assignment only binds; the load it makes is recorded on the binding's kind. */
  private augmented(node: NodeOf<'AugAssign'>): void {
    if (node.target.nodeType === 'Name') this.bind(node.target.id, 'augmented', node.target);
    else this.visit(node.target);
    this.visit(node.value);
  }

  private annotated(node: NodeOf<'AnnAssign'>): void {
    if (node.target.nodeType === 'Name') {
      const bare = node.value === undefined || node.value === null;
      if (!bare || node.simple) this.bind(node.target.id, bare ? 'annotation' : 'assign', node.target);
    } else this.visit(node.target);
    this.visit(node.annotation);
    this.visit(node.value);
  }

  private walrus(node: NodeOf<'NamedExpr'>): void {
    this.visit(node.value);
    if (node.target.nodeType !== 'Name') {
      this.visit(node.target);
      return;
    }
    let scope = this.scope;
    while (scope.kind === 'comprehension' && scope.parent) scope = scope.parent;
    if (scope !== this.scope) {
      // The comprehension reaches the variable of the block around it.
      const inner = this.scope.symbol(node.target.id);
      const isGlobal = scope.kind === 'module' || scope.symbols.get(node.target.id)?.declared === 'global';
      inner.declared = isGlobal ? 'global' : 'nonlocal';
      inner.bindings.push({ name: node.target.id, kind: 'walrus', node: node.target });
    }
    this.bind(node.target.id, 'walrus', node.target, scope);
  }

  private imports(node: NodeOf<'Import' | 'ImportFrom'>): void {
    for (const alias of node.names) {
      if (alias.name === '*') this.scope.starImports.push(node);
      else if (alias.asname) this.bind(alias.asname, 'import', alias);
      else if (node.nodeType === 'Import') this.bind(alias.name.split('.')[0]!, 'import', alias);
      else this.bind(alias.name, 'import', alias);
    }
  }

  private functionDef(node: FunctionNode): void {
    this.bind(node.name, 'def', node);
    this.defaults(node.args);
    for (const decorator of node.decorator_list) this.visit(decorator);
    this.withTypeParameters(node, node.type_params, () => {
      this.annotations(node.args);
      this.visit(node.returns);
      this.within('function', node.name, node, () => {
        this.parameters(node.args);
        this.statements(node.body);
      });
    });
  }

  private classDef(node: NodeOf<'ClassDef'>): void {
    this.bind(node.name, 'class', node);
    for (const decorator of node.decorator_list) this.visit(decorator);
    const outerClass = this.className;
    this.withTypeParameters(node, node.type_params, () => {
      for (const base of node.bases) this.visit(base);
      for (const keyword of node.keywords) this.visit(keyword.value);
      this.within('class', node.name, node, () => {
        this.className = node.name;
        this.statements(node.body);
      });
    });
    this.className = outerClass;
  }

  private lambda(node: NodeOf<'Lambda'>): void {
    this.defaults(node.args);
    this.within('lambda', 'lambda', node, () => {
      this.parameters(node.args);
      this.visit(node.body);
    });
  }

  private comprehension(node: ComprehensionNode): void {
    const [first, ...rest] = node.generators;
    if (!first) return;
    this.visit(first.iter);
    this.within('comprehension', node.nodeType, node, () => {
      this.target(first.target, 'for');
      for (const condition of first.ifs) this.visit(condition);
      for (const generator of rest) {
        this.visit(generator.iter);
        this.target(generator.target, 'for');
        for (const condition of generator.ifs) this.visit(condition);
      }
      if (node.nodeType === 'DictComp') {
        this.visit(node.key);
        this.visit(node.value);
      } else this.visit(node.elt);
    });
  }

  private typeAlias(node: NodeOf<'TypeAlias'>): void {
    if (node.name.nodeType === 'Name') this.bind(node.name.id, 'type-alias', node.name);
    this.withTypeParameters(node, node.type_params, () => {
      this.within('function', 'type alias', node, () => this.visit(node.value));
    });
  }

  private withTypeParameters(
    node: Node,
    parameters: readonly NodeOf<'TypeVar' | 'ParamSpec' | 'TypeVarTuple'>[],
    inside: () => void,
  ): void {
    if (parameters.length === 0) {
      inside();
      return;
    }
    this.within('type-parameters', 'type parameters', node, () => {
      for (const parameter of parameters) {
        this.bind(parameter.name, 'type-parameter', parameter);
        for (const child of childrenOf(parameter)) this.visit(child);
      }
      inside();
    });
  }

  private parameters(node: NodeOf<'Arguments'>): void {
    for (const parameter of parametersOf(node)) this.bind(parameter.arg, 'parameter', parameter);
  }

  private defaults(node: NodeOf<'Arguments'>): void {
    for (const value of [...node.defaults, ...node.kw_defaults]) this.visit(value);
  }

  private annotations(node: NodeOf<'Arguments'>): void {
    for (const parameter of parametersOf(node)) this.visit(parameter.annotation);
  }
}
