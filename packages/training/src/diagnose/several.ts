// A folder or notebook that holds several runs: each is read, judged and forgotten, so that thousands of them need no more memory than one.
import { type FoundRun, type FoundRuns, type ReadRunOptions, readFiles } from '../readers/index.js';
import type { RunRecord } from '../record/run-record.js';
import type { Diagnosis } from '../rules/diagnosis.js';
import { isOneJob } from './together.js';

export interface JudgedRun {
  readonly run: FoundRun;
  readonly diagnosis: Diagnosis;
}

type SeveralOptions = ReadRunOptions & { readonly onRun?: (done: number, of: number) => void };

/**
 * The verdict of each run, or null when fewer than two of the parts turn out to be runs: then the whole is one.
 * `judge` is asked once per run.
 */
export async function judgeSeveral(
  found: FoundRuns,
  judge: (record: RunRecord) => Diagnosis | Promise<Diagnosis>,
  options: SeveralOptions = {},
): Promise<JudgedRun[] | null> {
  if (found.runs.length < 2 || (await isOneJob(found, options))) return null;
  const judged: JudgedRun[] = [];
  for await (const { run, record } of runRecords(found, options))
    judged.push({ run, diagnosis: await judge(record) });
  return judged.length < 2 ? null : judged;
}

/** The runs that a path holds, each to be taken by itself: the whole when fewer than two of its parts are runs. */
export async function separateRuns(found: FoundRuns, options: SeveralOptions = {}): Promise<FoundRun[]> {
  if (found.runs.length < 2 || (await isOneJob(found, options))) return [found.whole];
  const runs: FoundRun[] = [];
  for await (const { run } of runRecords(found, options)) runs.push(run);
  return runs.length < 2 ? [found.whole] : runs;
}

async function* runRecords(
  found: FoundRuns,
  options: SeveralOptions,
): AsyncGenerator<{ run: FoundRun; record: RunRecord }> {
  for (const [at, run] of found.runs.entries()) {
    options.signal?.throwIfAborted();
    options.onRun?.(at, found.runs.length);
    const record = await readFiles(run, options).catch(() => null);
    if (record !== null && tellsOfTraining(record)) yield { run, record };
  }
}

/** What the tools and the kernel of a host say of its devices: of whichever run. */
const ofHost: ReadonlySet<string> = new Set([
  'xid',
  'gpu_memory_error',
  'gpu_missing',
  'gpu_throttled',
  'nvlink_error',
  'port_slow',
  'port_errors',
]);

/** A run shows a curve, an error or an end; notes, lists of packages and reports of devices do not. */
function tellsOfTraining(record: RunRecord): boolean {
  return (
    !isOfSystem(record) &&
    (record.tracebacks.length > 0 ||
      record.exits.length > 0 ||
      record.device.some(({ kind }) => !ofHost.has(kind)) ||
      record.series.some(({ metric, length }) => metric !== 'other' && length >= 2) ||
      record.text.lines.some(({ text }) => /\b\w*(?:Error|Exception)\b|\bKilled\b/.test(text)))
  );
}

const ofSystem =
  /^(?:<\d+>)?(?:\[ *\d+\.\d+\] |\[\w{3} \w{3} +\d|\w{3} +\d{1,2} \d\d:\d\d:\d\d |\S+ \S+ kernel: )/;

/** Names of columns in capitals, as `kubectl` writes them. */
const tableOfPods = /^[A-Z][A-Z -]*(?: {2,}[A-Z][A-Z() -]*){2,}$/;

/** What a scheduler, a system or its kernel tells, whatever it is, is of no run alone. */
function isOfSystem({ text: { lines }, tracebacks, series, exits, device }: RunRecord): boolean {
  if (
    tracebacks.length > 0 ||
    series.some(({ metric }) => metric !== 'other') ||
    device.some(({ kind }) => !ofHost.has(kind))
  )
    return false;
  const [header] = lines;
  if (header !== undefined && tableOfPods.test(header.text)) return true;
  const isOfScheduler = exits.length > 0 && exits.every(({ source }) => schedulers.has(source));
  const spoken = lines.filter(({ text }) => text.trim() !== '');
  const isLog = spoken.filter(({ text }) => ofSystem.test(text)).length > 0.8 * spoken.length;
  return isOfScheduler || (spoken.length > 0 && isLog);
}

const schedulers: ReadonlySet<string> = new Set(['slurm', 'kubernetes', 'kernel']);
