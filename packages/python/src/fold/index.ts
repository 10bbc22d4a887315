export { type FoldContext, fold } from './fold.js';
export { asFileName, asText, type Folded, joinPath, purePath } from './values.js';
