import { callables } from './callables.js';
import type { NamesCase } from './case.js';
import { otherCells } from './cells.js';
import { files } from './files.js';
import { imports } from './imports.js';
import { unboundLocals } from './locals.js';
import { syntaxErrors } from './syntax.js';
import { undefinedNames } from './undefined.js';

export const families: Readonly<Record<string, readonly NamesCase[]>> = {
  undefined: undefinedNames,
  locals: unboundLocals,
  imports,
  files,
  callables,
  syntax: syntaxErrors,
  cells: otherCells,
};
export type { NamesCase } from './case.js';
