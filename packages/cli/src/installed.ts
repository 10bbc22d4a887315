// The command `grus` as people install it, without the benchmarks.
import { start } from './start.js';

start(async () => (await import('./program.js')).runProgram());
