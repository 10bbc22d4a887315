// A folder or notebook that holds several runs: each is read, judged and forgotten, so that thousands of them need no more memory than one.
import { speakingIn } from '../ranks/presence.js';
import { isNamedBy } from '../readers/collect/seating.js';
import { type FoundRun, type FoundRuns, type ReadRunOptions, readFiles } from '../readers/index.js';
import type { RunRecord } from '../record/run-record.js';
import type { Diagnosis } from '../rules/diagnosis.js';

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
  if (found.runs.length < 2) return [found.whole];
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

/**
 * Whether the parts are what the hosts or ranks of one job wrote: each tells of ranks or is named by a host that another part tells of, and
 * no two hold the words of one rank. Runs beside each other all begin at rank 0.
 */
async function isOneJob(found: FoundRuns, options: ReadRunOptions): Promise<boolean> {
  const seen = new Set<number>();
  const hosts = new Set<string>();
  const nameless: { readonly paths: readonly string[]; readonly tells: 'loss' | 'error' | null }[] = [];
  let parts = 0;
  const inRuns = new Set(found.runs.flatMap(({ files }) => files));
  const beside = found.whole.files.filter((file) => !inRuns.has(file));
  for (const run of [...found.runs, ...(beside.length > 0 ? [{ path: found.path, files: beside }] : [])]) {
    options.signal?.throwIfAborted();
    const record = await readFiles(run, options).catch(() => null);
    if (record === null) continue;
    for (const { host } of record.seats) if (host !== null) hosts.add(host);
    // What lies in a folder beside them is of all of them, and so are the stacks that a tool took of their processes.
    if (run.files === beside || holdsStacksAlone(record)) continue;
    const speaking = speakingIn(record);
    for (const rank of speaking) {
      if (seen.has(rank)) return false;
      seen.add(rank);
    }
    if (speaking.size > 0 || record.exits.some(({ rank }) => rank !== null)) parts++;
    else {
      const hasLoss = record.series.some(({ metric }) => metric === 'loss');
      const tells = hasLoss ? 'loss' : record.tracebacks.length > 0 ? 'error' : null;
      nameless.push({ paths: run.files.map(({ path }) => path), tells });
    }
  }
  const isOfHost = ({ paths }: { readonly paths: readonly string[] }): boolean =>
    paths.some((path) => [...hosts].some((host) => isNamedBy(path, host)));
  parts += nameless.filter(isOfHost).length;
  // What tells of no rank and no host of the job tells of no curve and, beside a single part, of no error either: a list of pods, a table.
  const others = nameless.filter((part) => part.tells !== null && !isOfHost(part));
  if (others.some(({ tells }) => tells === 'loss')) return false;
  return parts > 1 || (parts === 1 && others.length === 0);
}

function holdsStacksAlone({ stacks, series, tracebacks, device }: RunRecord): boolean {
  return stacks.length > 0 && series.length === 0 && tracebacks.length === 0 && device.length === 0;
}

/** What the tools and the kernel of a host say of its devices: of whichever run. */
const ofHost: ReadonlySet<string> = new Set([
  'xid',
  'gpu_memory_error',
  'gpu_missing',
  'gpu_throttled',
  'nvlink_error',
]);

/** A run shows a curve, an error or an end; notes, lists of packages and reports of devices do not. */
function tellsOfTraining(record: RunRecord): boolean {
  return (
    record.tracebacks.length > 0 ||
    record.exits.length > 0 ||
    record.device.some(({ kind }) => !ofHost.has(kind)) ||
    record.series.some(({ metric, length }) => metric !== 'other' && length >= 2) ||
    record.text.lines.some(({ text }) => /\b\w*(?:Error|Exception)\b|\bKilled\b/.test(text))
  );
}
