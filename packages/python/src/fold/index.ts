export { type FoldContext, fold } from './fold.js';
export { asFileName, asText, type Folded } from './values.js';
