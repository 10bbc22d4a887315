export * from './snapshot/index.js';
