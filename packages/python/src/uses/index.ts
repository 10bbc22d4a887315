export { type FileReader, fileReaders, frameWriters, pathReaders, readersNamed } from './readers.js';
export { type CellUses, type CellUsesOptions, cellUses, moduleUses } from './uses.js';
