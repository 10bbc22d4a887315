// What the reasoning knows of pandas.
import { assignment } from './assignment.js';
import { frameMethods } from './frame-methods.js';
import { pandasFunctions } from './functions.js';
import { selection } from './selection.js';
import { seriesMethods } from './series-methods.js';

export const pandas = [selection, assignment, frameMethods, seriesMethods, pandasFunctions];
