export { type CertainSyntaxError, findSymbolError } from './symbol-errors.js';
export { createTreeSitterWitness, type TreeSitterFiles } from './tree-sitter.js';
export {
  confirmSyntaxError,
  type SyntaxJudgement,
  type SyntaxWitness,
  settleSyntaxError,
} from './witness.js';
