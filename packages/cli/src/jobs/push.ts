// The work of `grus push`.
import { hostname, userInfo } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { GrusError, visible } from '@grus/core';
import { type PushedRun, pushRun, request, type ServerAddress } from '@grus/server/client';
import { type Diagnosis, type FoundRun, findRuns, separateRuns } from '@grus/training/diagnose';
import { addressOf, type ServerOptions } from '../options/server.js';
import { exitCodes, printJson } from '../terminal/output.js';
import { type Progress, startProgress } from '../terminal/progress.js';

export interface PushFlags extends ServerOptions {
  readonly name?: string;
  readonly running?: boolean;
  readonly wait?: boolean;
  readonly json?: boolean;
}

interface RunThere {
  readonly state: 'waiting' | 'judged' | 'unreadable';
  readonly outcome: string | null;
  readonly headline: string | null;
  readonly trouble: string | null;
  readonly verdict: Diagnosis | null;
}

interface SentRun extends Omit<PushedRun, 'files'> {
  readonly path: string;
  readonly name: string;
}

type Told = SentRun & Partial<Omit<RunThere, 'verdict'>>;

const lookEveryMs = 500;
const atOnce = 4;

export async function push(paths: readonly string[], flags: PushFlags): Promise<number> {
  const address = addressOf(flags);
  const runs = await runsAt(paths);
  if (flags.name !== undefined && runs.length > 1)
    throw new GrusError(`--name names one run, and there are ${runs.length}`, {
      advice: 'Push them one by one, or leave --name out.',
    });
  const progress = startProgress();
  let pushed: readonly Told[];
  try {
    pushed = await sendRuns(address, runs, flags, progress);
    if (flags.wait)
      pushed = (await awaitRuns(address, pushed as SentRun[], progress)).map(({ run, there }) => {
        const { state, outcome, headline, trouble } = there;
        return { ...run, state, outcome, headline, trouble };
      });
  } finally {
    progress.done();
  }
  if (flags.json) printJson({ project: address.project, runs: pushed });
  else process.stdout.write(pushed.map(lineOf).join(''));
  return pushed.some(({ outcome }) => outcome === 'failed' || outcome === 'degraded')
    ? exitCodes.crash
    : exitCodes.nothingBad;
}

/** Every run that the paths hold. */
export async function runsAt(paths: readonly string[]): Promise<FoundRun[]> {
  if (paths.includes('-'))
    throw new GrusError('Text from a pipe cannot be pushed', { advice: 'Write it to a file first.' });
  return (await Promise.all(paths.map(async (path) => separateRuns(await findRuns(path))))).flat();
}

/** Several at once; the answers in the order of the runs. */
export async function sendRuns(
  address: ServerAddress,
  runs: readonly FoundRun[],
  { name, running = false }: Pick<PushFlags, 'name' | 'running'>,
  progress: Progress,
): Promise<SentRun[]> {
  const sent: SentRun[] = [];
  let next = 0;
  const send = async (): Promise<void> => {
    for (let at = next++; at < runs.length; at = next++) {
      progress.update(`sending run ${at + 1} of ${runs.length}`);
      const { path, files } = runs[at]!;
      const run = { ...runHere(path, name), files, running };
      const { files: _, ...answer } = await pushRun(address, run);
      sent[at] = { path, name: run.name, ...answer };
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));
  return sent;
}

/** Each run with what the server says of it, once it says something. */
export async function awaitRuns(
  address: ServerAddress,
  runs: readonly SentRun[],
  progress: Progress,
): Promise<{ readonly run: SentRun; readonly there: RunThere }[]> {
  const told: { run: SentRun; there: RunThere }[] = [];
  for (const [at, run] of runs.entries()) {
    progress.update(`waiting for verdict ${at + 1} of ${runs.length}`);
    told.push({ run, there: await verdictOf(address, run.id) });
  }
  return told;
}

async function verdictOf(address: ServerAddress, id: string): Promise<RunThere> {
  for (;;) {
    const there = await request<RunThere>(
      address,
      `/projects/${encodeURIComponent(address.project)}/runs/${id}`,
    );
    if (there.state !== 'waiting') return there;
    await wait(lookEveryMs);
  }
}

function lineOf({ path, status, sent, state, headline, trouble }: Told): string {
  const files = sent === 1 ? '1 file' : `${sent} files`;
  const verdict = state === undefined ? '' : `: ${headline ?? `not read: ${trouble}`}`;
  return `${visible(`${status}, ${files} sent  ${path}${verdict}`)}\n`;
}

/** What the server calls a run of this machine, and whose it is. */
export function runHere(path: string, name = `${hostname()}:${resolve(path)}`) {
  return { name, node: hostname(), person: personName() };
}

/** Not every process has a name: a container's user may be a number. */
function personName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}
