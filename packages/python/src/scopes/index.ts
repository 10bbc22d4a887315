export { buildScopes, type ScopeTree } from './build.js';
export {
  type Binding,
  type BindingKind,
  mangle,
  type NameUse,
  type Resolution,
  Scope,
  type SymbolInfo,
} from './model.js';
