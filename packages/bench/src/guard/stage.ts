// The guard as people install it, and a Python program that has it: staged from the sources of the clone.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { GrusError } from '@grus/core';

const script = 'scripts/stage-guard.mjs';

/** A folder for PYTHONPATH with the Python package `grus`. */
export function stagedGuard(): string {
  if (!existsSync(script))
    throw new GrusError('this folder is not the clone', { advice: 'Run this in a clone of the project.' });
  return execFileSync(process.execPath, [script, 'dist/bench-guard'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .at(-1)!;
}

export interface GuardedProgram {
  answer(): Promise<unknown>;
  ask(question: unknown): void;
  end(): void;
}

/** A Python program with the guard, which answers with lines of JSON; `ask` sends it a line. */
export function guardedProgram(
  python: string,
  program: string,
  args: readonly string[],
  staged: string,
): GuardedProgram {
  const child = spawn(python, ['-W', 'ignore', `packages/bench/guard/${program}.py`, ...args], {
    env: {
      ...process.env,
      PYTHONPATH: staged,
      GRUS_NODE: process.execPath,
      // As for the kernels of the other benchmarks.
      ...{ OMP_NUM_THREADS: '1', TF_CPP_MIN_LOG_LEVEL: '3', CUDA_VISIBLE_DEVICES: '' },
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async answer() {
      const { value, done } = await lines.next();
      if (!done) return JSON.parse(value);
      throw new GrusError(`${program}.py ended before its answer`, { advice: 'See what it printed above.' });
    },
    ask(question) {
      child.stdin.write(`${JSON.stringify(question)}\n`);
    },
    end() {
      child.stdin.end();
      child.kill();
    },
  };
}
