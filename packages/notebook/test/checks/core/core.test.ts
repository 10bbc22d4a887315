// Checks on Python itself, pandas and NumPy.
import { runFamilies } from '../libraries/run-cases.js';
import { arrays, conversions } from './cases/arrays.js';
import { branches } from './cases/branches.js';
import { columns, labels } from './cases/columns.js';
import { derivedClasses } from './cases/derived-classes.js';
import { handlers } from './cases/handlers.js';
import { inheritance } from './cases/inheritance.js';
import { loaders } from './cases/loaders.js';
import { loops } from './cases/loops.js';
import { outOfSight } from './cases/out-of-sight.js';
import { calledFirst, changedClasses, changedFunctions, changedModules, settings } from './cases/patched.js';
import { texts, types } from './cases/python.js';
import { closures, modules } from './cases/rebinding.js';
import { specialMethods } from './cases/special-methods.js';

runFamilies({
  columns,
  labels,
  'types and calls': types,
  'texts and values': texts,
  arrays,
  conversions,
  'loaders and layers': loaders,
  'derived classes': derivedClasses,
  'loops and files': loops,
  'paths that meet': branches,
  handlers,
  inheritance,
  'special methods': specialMethods,
  closures,
  modules,
  'changed functions': changedFunctions,
  'changed modules': changedModules,
  'changed classes': changedClasses,
  'called before the cell': calledFirst,
  settings,
  // The last: what its cells leave behind in the kernel makes a name of another family uncertain.
  'code out of sight': outOfSight,
});
