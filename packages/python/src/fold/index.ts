export type { FoldContext } from './context.js';
export { fold } from './fold.js';
export { asFileName, asText, type Folded, joinPath, purePath } from './values.js';
