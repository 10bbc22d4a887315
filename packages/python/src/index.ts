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
export { asFileName, asText, type FoldContext, type Folded, fold, joinPath, purePath } from './fold/index.js';
export {
  exceptionLineage,
  type Guard,
  type GuardKind,
  guardsBetween,
  handlerStops,
  isBuiltinException,
  managerStops,
} from './guards/index.js';
export type { MagicEffects } from './magics/effects.js';
export type { CellMagic, Magic } from './magics/transform.js';
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
  confirmSyntaxError,
  createTreeSitterWitness,
  findSymbolError,
  type SyntaxJudgement,
  type SyntaxWitness,
  settleSyntaxError,
  type TreeSitterFiles,
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
