// The work of the benchmarks about pipelines and agents: rehearsals, many notebooks in one call, a scripted agent.
import { appendFileSync } from 'node:fs';
import { renderAgent, renderMany, renderRehearsal, runAgent, runMany, runRehearsal } from '@grus/bench';
import { startLongProgress } from '../terminal/progress.js';
import { pythonOf, type ScriptFlags, show } from './bench.js';

export interface RehearsalFlags extends ScriptFlags {
  readonly out?: string;
  readonly verify?: boolean;
  readonly nbmake: number;
}

export async function benchRehearsal(flags: RehearsalFlags): Promise<number> {
  const { out } = flags;
  const progress = startLongProgress();
  const report = await runRehearsal({
    entry: process.argv[1]!,
    python: pythonOf(flags),
    data: flags.data,
    workers: flags.workers,
    verify: flags.verify ?? false,
    nbmake: flags.nbmake,
    ...(out ? { onRehearsed: (one) => appendFileSync(out, `${JSON.stringify(one)}\n`) } : {}),
    ...(flags.only ? { only: flags.only } : {}),
    progress: (text) => progress.update(text),
  }).finally(() => progress.done());
  return show(report, flags, renderRehearsal);
}

export interface ManyFlags {
  readonly count: number;
  readonly jobs: number;
  readonly python?: string;
  readonly json?: boolean;
}

export async function benchMany(flags: ManyFlags): Promise<number> {
  const progress = startLongProgress();
  const report = await runMany({
    entry: process.argv[1]!,
    python: pythonOf(flags),
    count: flags.count,
    jobs: flags.jobs,
    progress: (text) => progress.update(text),
  }).finally(() => progress.done());
  return show(report, flags, renderMany);
}

export interface AgentFlags {
  readonly data: string;
  readonly every: number;
  readonly python?: string;
  readonly json?: boolean;
}

export async function benchAgent(flags: AgentFlags): Promise<number> {
  const progress = startLongProgress();
  const report = await runAgent({
    entry: process.argv[1]!,
    python: pythonOf(flags),
    data: flags.data,
    every: flags.every,
    progress: (text) => progress.update(text),
  }).finally(() => progress.done());
  return show(report, flags, renderAgent);
}
