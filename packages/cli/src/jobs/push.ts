// The work of `grus push`.
import { hostname, userInfo } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { GrusError, visible } from '@grus/core';
import { type PushedRun, pushRun, request, type ServerAddress } from '@grus/server/client';
import { type FoundRun, findRuns, separateRuns } from '@grus/training/diagnose';
import { addressOf, type ServerOptions } from '../options/server.js';
import { exitCodes, printJson } from '../terminal/output.js';
import { startProgress } from '../terminal/progress.js';

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
}

type Told = PushedRun & { readonly path: string; readonly name: string } & Partial<RunThere>;

const lookEveryMs = 500;

export async function push(paths: readonly string[], flags: PushFlags): Promise<number> {
  const address = addressOf(flags);
  const runs = (await Promise.all(paths.map(runsAt))).flat();
  if (flags.name !== undefined && runs.length > 1)
    throw new GrusError(`--name names one run, and there are ${runs.length}`, {
      advice: 'Push them one by one, or leave --name out.',
    });
  const progress = startProgress();
  const pushed: Told[] = [];
  try {
    for (const [at, { path, files }] of runs.entries()) {
      progress.update(`sending run ${at + 1} of ${runs.length}`);
      const name = flags.name ?? `${hostname()}:${resolve(path)}`;
      const run = { name, files, running: flags.running ?? false, node: hostname(), person: personName() };
      pushed.push({ path, name, ...(await pushRun(address, run)) });
    }
    if (flags.wait)
      for (const [at, run] of pushed.entries()) {
        progress.update(`waiting for verdict ${at + 1} of ${pushed.length}`);
        pushed[at] = { ...run, ...(await verdictOf(address, run.id)) };
      }
  } finally {
    progress.done();
  }
  if (flags.json) printJson({ project: address.project, runs: pushed });
  else process.stdout.write(pushed.map(lineOf).join(''));
  return pushed.some(({ outcome }) => outcome === 'failed' || outcome === 'degraded')
    ? exitCodes.crash
    : exitCodes.nothingBad;
}

async function runsAt(path: string): Promise<FoundRun[]> {
  if (path === '-')
    throw new GrusError('Text from a pipe cannot be pushed', { advice: 'Write it to a file first.' });
  return separateRuns(await findRuns(path));
}

async function verdictOf(address: ServerAddress, id: string): Promise<RunThere> {
  for (;;) {
    const run = await request<RunThere>(
      address,
      `/projects/${encodeURIComponent(address.project)}/runs/${id}`,
    );
    const { state, outcome, headline, trouble } = run;
    if (state !== 'waiting') return { state, outcome, headline, trouble };
    await wait(lookEveryMs);
  }
}

function lineOf({ path, status, sent, state, headline, trouble }: Told): string {
  const files = sent === 1 ? '1 file' : `${sent} files`;
  const verdict = state === undefined ? '' : `: ${headline ?? `not read: ${trouble}`}`;
  return `${visible(`${status}, ${files} sent  ${path}${verdict}`)}\n`;
}

/** Not every process has a name: a container's user may be a number. */
function personName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}
