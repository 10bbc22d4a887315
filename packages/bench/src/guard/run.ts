// The benchmark of the guard: what it adds to a cell in kernels of several sizes, and whether notebooks that run in nbclient
// with the guard on are told what the command says of the same cells.
import { z } from 'zod';
import { type ComparedCell, comparePairs, type PairsOptions } from './pairs.js';
import { guardedProgram, stagedGuard } from './stage.js';

const timesSchema = z.object({
  megabytes: z.number(),
  cells: z.number(),
  median_ms: z.number(),
  p95_ms: z.number(),
  most_ms: z.number(),
  cpu_ms: z.object({ kernel: z.number(), copies: z.number(), beside: z.number().nullable() }),
  missed: z.number(),
});

export interface GuardReport {
  readonly benchmark: 'guard';
  readonly times: readonly z.infer<typeof timesSchema>[];
  readonly pairs: readonly ComparedCell[];
}

export interface GuardOptions extends PairsOptions {
  readonly megabytes: readonly number[];
  /** In a kernel of each size; 0: no times are measured. */
  readonly cells: number;
}

export async function runGuard(options: GuardOptions): Promise<GuardReport> {
  options.progress?.('putting the guard together');
  const staged = stagedGuard();
  return {
    benchmark: 'guard',
    times: await timesOf(options, staged),
    pairs: await comparePairs(options, staged),
  };
}

async function timesOf({ python, megabytes, cells, progress }: GuardOptions, staged: string) {
  if (cells === 0) return [];
  const program = guardedProgram(python, 'times', [String(cells), ...megabytes.map(String)], staged);
  const times: z.infer<typeof timesSchema>[] = [];
  try {
    for (const size of megabytes) {
      progress?.(`${cells} cells in a kernel of ${size} MB`);
      times.push(timesSchema.parse(await program.answer()));
    }
  } finally {
    program.end();
  }
  return times;
}
