// Checks on Python itself, pandas and NumPy.
import { runCases } from '../libraries/run-cases.js';
import { arrays, conversions } from './cases/arrays.js';
import { branches } from './cases/branches.js';
import { columns, labels } from './cases/columns.js';
import { derivedClasses } from './cases/derived-classes.js';
import { handlers } from './cases/handlers.js';
import { loaders } from './cases/loaders.js';
import { loops } from './cases/loops.js';
import { outOfSight } from './cases/out-of-sight.js';
import { texts, types } from './cases/python.js';

runCases('columns', columns);
runCases('labels', labels);
runCases('types and calls', types);
runCases('texts and values', texts);
runCases('arrays', arrays);
runCases('conversions', conversions);
runCases('loaders and layers', loaders);
runCases('code out of sight', outOfSight);
runCases('derived classes', derivedClasses);
runCases('loops and files', loops);
runCases('paths that meet', branches);
runCases('handlers', handlers);
