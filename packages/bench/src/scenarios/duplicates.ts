// Finds scenarios that add nothing to another: the same script with the same settings, or artefacts that differ only in noise.
import { readFile } from 'node:fs/promises';
import type { RunRecord } from '@grus/training';
import type { Scenario } from './catalogue.js';

const sameScript = 0.92;
const sameText = 0.97;
const sameValue = 0.01;

/** Why two scenarios run the same thing; null when they do not. A seed alone makes no new scenario. */
export async function sameRun(one: Scenario, other: Scenario): Promise<string | null> {
  if (settingsOf(one) !== settingsOf(other)) return null;
  if (one.script === other.script)
    return 'the same script with the same settings (a seed makes no difference)';
  const [a, b] = await Promise.all([readFile(one.script, 'utf8'), readFile(other.script, 'utf8')]);
  return overlap(shingles(a), shingles(b)) >= sameScript
    ? 'almost the same script with the same settings'
    : null;
}

/** Why two recordings are the same to a reader; null when they are not. */
export function sameArtefacts(one: RunRecord, other: RunRecord): string | null {
  if (overlap(textOf(one), textOf(other)) < sameText) return null;
  return sameSeries(one, other) ? 'its text and curves are almost the same' : null;
}

function settingsOf({ entry }: Scenario): string {
  const { seed: _, ...args } = entry.args;
  const outside = [
    entry.limits,
    entry.mounts,
    entry.stop_when,
    entry.stop_signal,
    entry.epilogue,
    entry.environment,
  ];
  const run = [entry.launcher, entry.ranks, entry.launcher_args, entry.shell];
  return JSON.stringify([Object.entries(args).sort(), outside, run]);
}

function shingles(source: string): Set<string> {
  const words = source.match(/\w+|[^\s\w]/g) ?? [];
  return new Set(words.map((_, at) => words.slice(at, at + 5).join(' ')));
}

/** What was printed, numbers apart: the lines that were kept and the errors that were raised. */
function textOf(record: RunRecord): Set<string> {
  const raised = record.tracebacks.flatMap((traceback) =>
    traceback.chain.map((exception) => `${exception.type}: ${exception.message}`),
  );
  const names = record.series.map((series) => `${series.reader} ${series.rawName}`);
  const endings = record.exits.map((exit) => exit.text);
  const lines = record.text.lines.map((line) => line.text);
  return new Set(
    [...raised, ...names, ...endings, ...lines].map((text) => text.replace(/\d+(?:\.\d+)?/g, '0')),
  );
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((item) => other.has(item)).length;
  const all = one.size + other.size - shared;
  return all === 0 ? 1 : shared / all;
}

function sameSeries(one: RunRecord, other: RunRecord): boolean {
  if (one.series.length !== other.series.length) return false;
  return one.series.every((series) => {
    const twin = other.series.find(
      (candidate) => candidate.rawName === series.rawName && candidate.split === series.split,
    );
    if (twin?.length !== series.length) return false;
    // Times are the machine's, not the run's.
    if (/time|second|speed|throughput/i.test(series.rawName)) return true;
    return series.values.every((value, at) => close(value, twin.values[at]!));
  });
}

function close(a: number, b: number): boolean {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return Object.is(a, b);
  return Math.abs(a - b) <= sameValue * Math.max(Math.abs(a), Math.abs(b), 1e-12);
}
