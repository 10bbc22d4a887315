// All commands, and the benchmarks.
import { registerBench } from './commands/bench.js';
import { runProgram } from './program.js';

export function runProgramOfClone(): Promise<void> {
  return runProgram(registerBench);
}
