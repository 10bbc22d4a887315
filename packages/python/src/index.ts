export {
  type ComprehensionNode,
  childrenOf,
  dottedName,
  type Expression,
  type FunctionNode,
  isComprehension,
  isFunction,
  type LiteralKind,
  type ModuleNode,
  type Node,
  type NodeOf,
  type PatternNode,
  parametersOf,
  placeOf,
  type Statement,
  walk,
} from './ast.js';
export { type ParsedCell, parseCell, type SyntaxProblem, textAt } from './cell/parse.js';
export { exceptionLineage, handlerStops, isBuiltinException, managerStops } from './exceptions.js';
export { asFileName, asText, type FoldContext, type Folded, fold, joinPath, purePath } from './fold/index.js';
export type { MagicEffects } from './magics/effects.js';
export type { CellMagic, Magic } from './magics/transform.js';
export { bindsUnseen } from './scopes/binds-unseen.js';
export {
  type Binding,
  type BindingKind,
  buildScopes,
  mangle,
  type NameUse,
  type Resolution,
  Scope,
  type ScopeTree,
  type SymbolInfo,
} from './scopes/index.js';
export {
  type CertainSyntaxError,
  type CompilerAnswer,
  certainSyntaxError,
  findSymbolError,
} from './syntax/index.js';
export {
  type CellUses,
  type CellUsesOptions,
  cellUses,
  type FileReader,
  fileReaders,
  frameWriters,
  moduleUses,
  pathReaders,
  readersNamed,
} from './uses/index.js';
