export { type CertainSyntaxError, findSymbolError } from './symbol-errors.js';
export { createTreeSitterWitness, type TreeSitterFiles } from './tree-sitter.js';
export { confirmSyntaxError, type SyntaxJudgement, type SyntaxWitness } from './witness.js';
