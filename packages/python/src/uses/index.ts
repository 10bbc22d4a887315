export { type FileReader, fileReaders, pathReaders, readersNamed } from './readers.js';
export { type CellUses, type CellUsesOptions, cellUses, moduleUses } from './uses.js';
