// The work of `grus bench`: runs a benchmark of packages/bench with progress and prints its report.
import { appendFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import {
  gpuMethods,
  judgeDraw,
  liveMethod,
  measuredChecks,
  renderAblation,
  renderAttacks,
  renderCompare,
  renderDryCost,
  renderExecuted,
  renderFalseAlarms,
  renderFresh,
  renderGpu,
  renderGpuEndurance,
  renderGuard,
  renderLatency,
  renderLive,
  renderLogs,
  renderStartup,
  renderTraining,
  renderTrainingHtml,
  renderTrainingMarkdown,
  runAblation,
  runAttackReport,
  runCompare,
  runDryCost,
  runExecuted,
  runFalseAlarms,
  runFresh,
  runGpu,
  runGpuEndurance,
  runGuard,
  runLatency,
  runLive,
  runLogs,
  runStartup,
  runTraining,
} from '@grus/bench';
import type { IsolationStrength } from '@grus/kernel';
import { countOption } from '../options/values.js';
import { exitCodes, printJson } from '../terminal/output.js';
import { startLongProgress } from '../terminal/progress.js';

export interface LiveFlags {
  readonly data: string;
  readonly methods?: readonly string[];
  readonly only?: readonly string[];
  readonly workers: number;
  readonly python?: string;
  readonly json?: boolean;
}

export interface FalseAlarmFlags {
  readonly packages?: readonly string[];
  readonly limit?: number;
  readonly only?: string;
  readonly workers: number;
  readonly resume?: boolean;
  readonly measured?: string;
  readonly cache: string;
  readonly python?: string;
  readonly json?: boolean;
}

export interface LogsFlags {
  readonly data: string;
  readonly json?: boolean;
}

export interface LatencyFlags {
  readonly python?: string;
  readonly json?: boolean;
}

export interface StartupFlags {
  readonly data: string;
  readonly rounds: number;
  readonly python?: string;
  readonly json?: boolean;
}

export interface TrainingFlags {
  readonly data: string;
  readonly methods?: readonly string[];
  readonly only?: string;
  readonly quick?: boolean;
  readonly shipped?: boolean;
  readonly html?: string;
  readonly summary?: string;
  readonly fresh?: number;
  readonly seed?: number;
  readonly keep?: string;
  readonly drawn?: string;
  readonly python?: string;
  readonly json?: boolean;
}

export async function benchTraining(flags: TrainingFlags): Promise<number> {
  const progress = startLongProgress();
  if (flags.drawn !== undefined) {
    const report = await judgeDraw(flags.drawn, {
      ...(flags.methods ? { methods: flags.methods } : {}),
      progress: (text) => progress.update(text),
    }).finally(() => progress.done());
    return show(report, flags, renderFresh);
  }
  if (flags.fresh !== undefined) {
    const report = await runFresh({
      count: flags.fresh,
      seed: flags.seed ?? Math.floor(Date.now() / 1000) % 1_000_000,
      python: pythonOf(flags),
      scenarios: flags.data,
      ...(flags.keep === undefined ? {} : { keep: flags.keep }),
      ...(flags.methods ? { methods: flags.methods } : {}),
      progress: (text) => progress.update(text),
    }).finally(() => progress.done());
    return show(report, flags, renderFresh);
  }
  const report = await runTraining({
    data: flags.data,
    ...(flags.methods ? { methods: flags.methods } : {}),
    ...(flags.only === undefined ? {} : { only: flags.only }),
    quick: flags.quick ?? false,
    shipped: flags.shipped ?? false,
    progress: (text) => progress.update(text),
  }).finally(() => progress.done());
  if (flags.html !== undefined) await writeFile(flags.html, renderTrainingHtml(report));
  if (flags.summary !== undefined) await writeFile(flags.summary, renderTrainingMarkdown(report));
  const { panels: _panels, shapes: _shapes, ...answer } = report;
  return flags.json ? show(answer, flags, () => '') : show(report, flags, renderTraining);
}

export async function benchLogs(flags: LogsFlags): Promise<number> {
  const progress = startLongProgress();
  const report = await runLogs({
    data: flags.data,
    progress: (done, total) => progress.update(`${done} of ${total}`),
  }).finally(() => progress.done());
  return show(report, flags, renderLogs);
}

export async function benchCompare(flags: LogsFlags): Promise<number> {
  const progress = startLongProgress();
  const report = await runCompare({
    data: flags.data,
    progress: (done, total) => progress.update(`${done} of ${total}`),
  }).finally(() => progress.done());
  return show(report, flags, renderCompare);
}

export async function benchLive(flags: LiveFlags): Promise<number> {
  const progress = startLongProgress();
  try {
    const report = await runLive({
      data: flags.data,
      python: pythonOf(flags),
      workers: flags.workers,
      execute: true,
      ...(flags.methods ? { methods: flags.methods.map(liveMethod) } : {}),
      ...(flags.only ? { only: flags.only } : {}),
      progress: (done, total, instance) => progress.update(`${done} of ${total}: ${instance}`),
    });
    progress.done();
    return show(report, flags, renderLive);
  } finally {
    progress.done();
  }
}

export interface AblationFlags {
  readonly data: string;
  readonly junobench?: string;
  readonly every: number;
  readonly python?: string;
  readonly json?: boolean;
}

export async function benchAblation(flags: AblationFlags): Promise<number> {
  const progress = startLongProgress();
  const report = await runAblation({
    python: pythonOf(flags),
    ...(flags.every > 0 ? { pairs: flags.data, every: flags.every } : {}),
    ...(flags.junobench === undefined ? {} : { junobench: flags.junobench }),
    progress: (text) => progress.update(text),
  }).finally(() => progress.done());
  return show(report, flags, renderAblation);
}

export interface ScriptFlags {
  readonly data: string;
  readonly only?: readonly string[];
  readonly workers: number;
  readonly python?: string;
  readonly json?: boolean;
}

export interface GpuFlags extends ScriptFlags {
  readonly skip?: readonly string[];
  readonly out?: string;
  readonly methods?: readonly string[];
  readonly pretended?: boolean;
  readonly endurance: number;
}

export async function benchGpu(flags: GpuFlags): Promise<number> {
  const progress = startLongProgress();
  if (flags.endurance > 0) {
    const { data, endurance: checks } = flags;
    const onProgress = (done: number) => progress.update(`check ${done} of ${checks}`);
    const report = await runGpuEndurance({ data, checks, python: pythonOf(flags), onProgress }).finally(() =>
      progress.done(),
    );
    return show(report, flags, renderGpuEndurance);
  }
  const { out } = flags;
  const report = await runGpu({
    data: flags.data,
    python: pythonOf(flags),
    workers: flags.workers,
    ...(flags.only ? { only: flags.only } : {}),
    ...(flags.skip ? { skip: flags.skip } : {}),
    ...(flags.methods ? { methods: gpuMethods.filter((name) => flags.methods!.includes(name)) } : {}),
    ...(flags.pretended ? { pretended: true } : {}),
    ...(out ? { onPrediction: (one) => appendFileSync(out, `${JSON.stringify(one)}\n`) } : {}),
    progress: (done, total, script) => progress.update(`${done} of ${total}: ${script}`),
  }).finally(() => progress.done());
  return show(report, flags, renderGpu);
}

export interface GuardFlags {
  readonly megabytes: readonly string[];
  readonly cells: number;
  readonly data: string;
  readonly every: number;
  readonly workers: number;
  readonly python?: string;
  readonly json?: boolean;
}

export async function benchGuard(flags: GuardFlags): Promise<number> {
  const progress = startLongProgress();
  const report = await runGuard({
    python: pythonOf(flags),
    megabytes: flags.megabytes.map(countOption('--megabytes')),
    cells: flags.cells,
    data: flags.data,
    every: flags.every,
    workers: flags.workers,
    progress: (text) => progress.update(text),
  }).finally(() => progress.done());
  return show(report, flags, renderGuard);
}

export interface ExecutedFlags extends ScriptFlags {
  readonly recipes: string;
  readonly keep?: string;
}

export async function benchExecuted(flags: ExecutedFlags): Promise<number> {
  const progress = startLongProgress();
  const report = await runExecuted({
    data: flags.data,
    recipes: flags.recipes,
    python: pythonOf(flags),
    workers: flags.workers,
    ...(flags.only ? { only: flags.only } : {}),
    ...(flags.keep ? { keep: flags.keep } : {}),
    progress: (done, total, instance) => progress.update(`${done} of ${total}: ${instance}`),
  }).finally(() => progress.done());
  return show(report, flags, renderExecuted);
}

export async function benchFalseAlarms(flags: FalseAlarmFlags): Promise<number> {
  const { python: _, json: __, ...options } = flags;
  const progress = startLongProgress();
  try {
    const report = await runFalseAlarms({
      ...options,
      python: pythonOf(flags),
      progress: (text) => progress.update(text),
    });
    progress.done();
    if (flags.measured !== undefined) await writeFile(flags.measured, measuredChecks(report));
    return show(report, flags, renderFalseAlarms);
  } finally {
    progress.done();
  }
}

export interface AttackFlags {
  readonly only?: string;
  readonly python?: string;
  readonly json?: boolean;
}

export async function benchAttacks(flags: AttackFlags): Promise<number> {
  const progress = startLongProgress();
  const report = await runAttackReport({
    python: pythonOf(flags),
    ...(flags.only === undefined ? {} : { only: flags.only }),
    onProgress: (text) => progress.update(text),
  }).finally(() => progress.done());
  show(report, flags, renderAttacks);
  return report.escapes.length + report.falseAlarms.length + report.falseProofs.length > 0 ? 1 : 0;
}

export interface DryCostFlags {
  readonly python?: string;
  readonly isolation?: IsolationStrength;
  readonly repeats: number;
  readonly endurance: number;
  readonly json?: boolean;
}

export async function benchDryRun(flags: DryCostFlags): Promise<number> {
  const progress = startLongProgress();
  try {
    const { repeats, endurance } = flags;
    const report = await runDryCost({
      python: pythonOf(flags),
      repeats,
      endurance,
      ...(flags.isolation === undefined ? {} : { isolations: [flags.isolation] }),
      onProgress: (text) => progress.update(text),
    });
    progress.done();
    return show(report, flags, renderDryCost);
  } finally {
    progress.done();
  }
}

export async function benchLatency(flags: LatencyFlags): Promise<number> {
  const progress = startLongProgress();
  try {
    const report = await runLatency({ python: pythonOf(flags), onProgress: (text) => progress.update(text) });
    progress.done();
    return show(report, flags, renderLatency);
  } finally {
    progress.done();
  }
}

export async function benchStartup(flags: StartupFlags): Promise<number> {
  const progress = startLongProgress();
  try {
    const report = runStartup({
      entry: process.argv[1]!,
      python: pythonOf(flags),
      data: flags.data,
      rounds: flags.rounds,
      onProgress: (text) => progress.update(text),
    });
    progress.done();
    return show(report, flags, renderStartup);
  } finally {
    progress.done();
  }
}

export function show<Report>(
  report: Report,
  { json }: { readonly json?: boolean },
  render: (report: Report) => string,
): number {
  if (json) printJson(report);
  else process.stdout.write(`${render(report)}\n`);
  return exitCodes.nothingBad;
}

export function pythonOf({ python }: { readonly python?: string }): string {
  const named = python ?? process.env['GRUS_PYTHON'] ?? 'python3';
  // A path is one from here, wherever a benchmark starts it; a bare name is looked up.
  return basename(named) === named ? named : resolve(named);
}
