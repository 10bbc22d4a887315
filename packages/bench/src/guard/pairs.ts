// Whether notebooks that run in nbclient with the guard on are told what the command says of the same cells. Both are asked in
// the same kernel, and both versions of a pair too where the cells before them are the same.
import type { Verdict } from '@grus/core';
import { attachKernel, type Kernel, withKernel } from '@grus/kernel';
import { type CodeCell, checkCell, untouched } from '@grus/notebook';
import { z } from 'zod';
import { type LivePair, loadPairs, type PairVersion, pairVersions, targetCell } from '../live/load.js';
import { inParallel } from '../live/workers.js';
import { type GuardedProgram, guardedProgram } from './stage.js';

const readySchema = z.object({ connection: z.string(), held_before: z.number() });
const toldSchema = z.array(
  z.object({
    held: z.object({ exception: z.string(), line: z.number() }).nullable(),
    checked: z.boolean(),
  }),
);

export interface ComparedCell {
  readonly instance: string;
  /** What the command says at the contracts: exception and line, or null. */
  readonly command: { readonly exception: string; readonly line: number | null } | null;
  readonly guard: z.infer<typeof toldSchema>[number]['held'];
  readonly same: boolean;
  /** Cells before it that the guard held, though they run. */
  readonly held_before: number;
}

export interface PairsOptions {
  readonly python: string;
  /** Folder of live pairs. */
  readonly data: string;
  /** Compare every n-th pair; 0: none. */
  readonly every: number;
  /** Notebooks at the same time. */
  readonly workers: number;
  readonly progress?: (text: string) => void;
}

export async function comparePairs(options: PairsOptions, staged: string): Promise<ComparedCell[]> {
  const { data, every, workers, python, progress } = options;
  if (every === 0) return [];
  const pairs = (await loadPairs(data)).filter((_, index) => index % every === 0);
  const programs = Array.from({ length: workers }, () => guardedProgram(python, 'pairs', [], staged));
  const free = [...programs];
  let done = 0;
  try {
    const compared = await inParallel(pairs, workers, async (pair) => {
      const program = free.pop()!;
      const cells: ComparedCell[] = [];
      for (const versions of alike(pair)) cells.push(...(await compare(pair, versions, program)));
      free.push(program);
      progress?.(`${++done} of ${pairs.length} pairs`);
      return cells;
    });
    return compared.flat();
  } finally {
    for (const program of programs) program.end();
  }
}

/** The versions by what comes before their target. */
function alike(pair: LivePair): readonly (readonly PairVersion[])[] {
  const [one, other] = pairVersions.map((version) => JSON.stringify(before(pair, version)));
  return one === other ? [pairVersions] : pairVersions.map((version) => [version]);
}

function before(pair: LivePair, version: PairVersion): string[] {
  return pair.cells[version].slice(0, pair.meta.target_cell).map(({ source }) => source);
}

async function compare(
  pair: LivePair,
  versions: readonly PairVersion[],
  program: GuardedProgram,
): Promise<ComparedCell[]> {
  const targets = versions.map((version) => targetCell(pair, version));
  program.ask({ before: before(pair, versions[0]!), targets: targets.map(({ source }) => source) });
  const { connection, held_before } = readySchema.parse(await program.answer());
  const commands = await withKernel(attachKernel(connection), async (kernel) => {
    const verdicts: ComparedCell['command'][] = [];
    for (const [index, target] of targets.entries())
      verdicts.push(crashOf(await judged(kernel, pair.cells[versions[index]!], target)));
    return verdicts;
  });
  program.ask('go on');
  const told = toldSchema.parse(await program.answer());
  return versions.map((version, index) => {
    const command = commands[index]!;
    const { held: guard, checked } = told[index]!;
    const same = checked && command?.exception === guard?.exception && command?.line === guard?.line;
    return { instance: `${pair.id}/${version}`, command, guard, same, held_before };
  });
}

/** As the command does when it has run the cells before. */
function judged(kernel: Kernel, all: readonly CodeCell[], target: CodeCell): Promise<Verdict> {
  const cells = untouched(all).map((cell) =>
    cell.number < target.number ? { ...cell, status: 'ok' as const } : cell,
  );
  const { source, metadata, number } = target;
  return checkCell({ kernel, source, metadata, number, cells });
}

function crashOf({ outcome, exception, line }: Verdict): ComparedCell['command'] {
  return outcome === 'crash' && exception ? { exception: exception.type, line } : null;
}
