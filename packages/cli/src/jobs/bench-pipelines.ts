// The work of the benchmarks about pipelines and agents: rehearsals, many notebooks in one call, a scripted agent, a fleet.
import { appendFileSync } from 'node:fs';
import {
  renderAgent,
  renderFleet,
  renderMany,
  renderRehearsal,
  runAgent,
  runFleet,
  runMany,
  runRehearsal,
} from '@grus/bench';
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

export interface FleetFlags {
  readonly data: string;
  readonly runs: number;
  readonly workers: readonly number[];
  readonly database?: string;
  readonly json?: boolean;
}

export async function benchFleet(flags: FleetFlags): Promise<number> {
  const progress = startLongProgress();
  const report = await runFleet({
    entry: process.argv[1]!,
    data: flags.data,
    runs: flags.runs,
    workers: flags.workers,
    ...(flags.database === undefined ? {} : { database: flags.database }),
    progress: (text) => progress.update(text),
  }).finally(() => progress.done());
  return show(report, flags, renderFleet);
}
