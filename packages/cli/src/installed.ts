// The command `grus` as people install it, without the benchmarks.
import { runProgram } from './program.js';

runProgram();
