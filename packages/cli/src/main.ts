// The command `grus` in a clone, with the benchmarks.
import { start } from './start.js';

start(async () => (await import('./program-of-clone.js')).runProgramOfClone());
