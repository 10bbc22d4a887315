// All libraries whose behaviour the reasoning knows; the first that answers wins.
import type { Library } from './library.js';
import { builtins } from './python/builtins.js';
import { containers } from './python/containers.js';
import { scalars } from './python/scalars.js';

export const libraries: readonly Library[] = [scalars, containers, builtins];
