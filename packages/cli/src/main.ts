// The command `grus` in a clone, with the benchmarks.
import { registerBench } from './commands/bench.js';
import { runProgram } from './program.js';

runProgram(registerBench);
