// The benchmark of the guard: what it adds to a cell in kernels of several sizes, and whether notebooks that run in nbclient
// with the guard on are told what the command says of the same cells.
import type { Verdict } from '@grus/core';
import { NotebookSession } from '@grus/notebook';
import { z } from 'zod';
import { loadPairs, pairVersions, targetCell } from '../live/load.js';
import { liveMethods } from '../live/methods.js';
import { withScratchKernel } from '../live/scratch-kernel.js';
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

const guardedSchema = z.object({
  verdict: z.object({ exception: z.string(), line: z.number() }).nullable(),
  held_before: z.number(),
  checked: z.number(),
});

export interface ComparedCell {
  readonly instance: string;
  /** What the command says at the contracts: exception and line, or null. */
  readonly command: { readonly exception: string; readonly line: number | null } | null;
  readonly guard: z.infer<typeof guardedSchema>['verdict'];
  readonly same: boolean;
  /** Cells before it that the guard held, though they run. */
  readonly held_before: number;
}

export interface GuardReport {
  readonly benchmark: 'guard';
  readonly times: readonly z.infer<typeof timesSchema>[];
  readonly pairs: readonly ComparedCell[];
}

export interface GuardOptions {
  readonly python: string;
  readonly megabytes: readonly number[];
  readonly cells: number;
  /** Folder of live pairs. */
  readonly data: string;
  /** Compare every n-th pair; 0: none. */
  readonly every: number;
  readonly progress?: (text: string) => void;
}

export async function runGuard(options: GuardOptions): Promise<GuardReport> {
  options.progress?.('putting the guard together');
  const staged = stagedGuard();
  return {
    benchmark: 'guard',
    times: await timesOf(options, staged),
    pairs: options.every === 0 ? [] : await pairsOf(options, staged),
  };
}

async function timesOf({ python, megabytes, cells, progress }: GuardOptions, staged: string) {
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

async function pairsOf({ python, data, every, progress }: GuardOptions, staged: string) {
  const pairs = (await loadPairs(data)).filter((_, index) => index % every === 0);
  const program = guardedProgram(python, 'pairs', [], staged);
  const compared: ComparedCell[] = [];
  try {
    for (const [index, pair] of pairs.entries())
      for (const version of pairVersions) {
        const instance = `${pair.id}/${version}`;
        progress?.(`${index + 1} of ${pairs.length}: ${instance}`);
        const cells = pair.cells[version];
        const target = targetCell(pair, version);
        program.ask({ cells: cells.map(({ source }) => source), target: pair.meta.target_cell });
        const told = guardedSchema.parse(await program.answer());
        const command = await withScratchKernel(python, async (kernel) => {
          const session = new NotebookSession(kernel, cells);
          await session.replayUpTo(target, { timeout: 300_000 });
          return crashOf(await liveMethods.contracts(session, target));
        });
        const { verdict: guard, held_before } = told;
        const same = command?.exception === guard?.exception && command?.line === guard?.line;
        compared.push({ instance, command, guard, same, held_before });
      }
  } finally {
    program.end();
  }
  return compared;
}

function crashOf({ outcome, exception, line }: Verdict): ComparedCell['command'] {
  return outcome === 'crash' && exception ? { exception: exception.type, line } : null;
}
