export { type CompilerAnswer, certainSyntaxError } from './certain.js';
export { type CertainSyntaxError, findSymbolError } from './symbol-errors.js';
