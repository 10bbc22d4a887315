// The work of `grus diagnose --fleet`: every run goes to a server, its workers diagnose, and the verdicts come back as one table.
import { visible, visibleIn } from '@grus/core';
import { type Diagnosis, renderTable } from '@grus/training/diagnose';
import { addressOf, type ServerOptions } from '../options/server.js';
import { exitCodes, hasColors, printJson, widthOf } from '../terminal/output.js';
import { startProgress } from '../terminal/progress.js';
import { awaitRuns, runsAt, sendRuns } from './push.js';

export interface FleetFlags extends ServerOptions {
  readonly fleet?: boolean;
  readonly json?: boolean;
}

export async function diagnoseFleet(paths: readonly string[], flags: FleetFlags): Promise<number> {
  const address = addressOf(flags);
  const progress = startProgress();
  const told = await (async () => {
    progress.update('looking for runs');
    const sent = await sendRuns(address, await runsAt(paths), {}, progress);
    return awaitRuns(address, sent, progress);
  })().finally(() => progress.done());
  const runs: Diagnosis[] = [];
  const notRead: { path: string; trouble: string }[] = [];
  for (const { run, there } of told)
    if (there.verdict !== null && there.state === 'judged') runs.push({ ...there.verdict, path: run.path });
    else notRead.push({ path: run.path, trouble: there.trouble ?? '' });
  if (flags.json) printJson({ paths, runs, not_read: notRead });
  else {
    const where = paths.length === 1 ? paths[0]! : `${paths.length} paths`;
    const size = { width: widthOf(process.stdout), color: hasColors(process.stdout) };
    if (runs.length > 0) process.stdout.write(`${renderTable(visible(where), visibleIn(runs), size)}\n`);
    for (const { path, trouble } of notRead)
      process.stderr.write(`grus: ${visible(path)}: ${visible(trouble)}\n`);
  }
  if (runs.length === 0) return exitCodes.couldNotWork;
  return runs.some(({ outcome }) => outcome === 'failed' || outcome === 'degraded')
    ? exitCodes.crash
    : exitCodes.nothingBad;
}
