// The work of `grus diagnose`: of one run, or of each run that a folder or notebook holds.
import { writeFile } from 'node:fs/promises';
import { GrusError, visible, visibleIn } from '@grus/core';
import {
  type DiagnoseOptions,
  type Diagnosis,
  describeUnderstood,
  diagnose,
  type FoundRuns,
  findRuns,
  judgeSeveral,
  type RunRecord,
  readFiles,
  renderReport,
  renderTable,
  understoodOf,
} from '@grus/training/diagnose';
import type { ModelOptions } from '../options/model.js';
import type { SettingsOptions } from '../options/settings.js';
import { modelSettings } from '../settings/apply.js';
import { settingsFor } from '../settings/find.js';
import { exitCodes, hasColors, outputTo, printJson, widthOf } from '../terminal/output.js';
import { startProgress } from '../terminal/progress.js';

export interface DiagnoseFlags extends ModelOptions, SettingsOptions {
  readonly method?: 'hybrid' | 'tree' | 'rules';
  readonly html?: string;
  readonly json?: boolean;
}

export async function diagnoseRun(path: string, given: DiagnoseFlags): Promise<number> {
  const settings = await settingsFor(path === '-' ? process.cwd() : path, given.settings);
  const flags = { ...modelSettings(settings), ...given };
  const found = await findRuns(path);
  if (found.kind === 'stdin' && process.stdin.isTTY)
    process.stderr.write('Paste the log, then press Ctrl-D.\n');
  const method: DiagnoseOptions = flags.method === undefined ? {} : { method: flags.method };
  const several = await diagnoseSeveral(found, method);
  return several === null ? diagnoseOne(found, method, flags) : tellSeveral(path, several, flags);
}

async function diagnoseSeveral(found: FoundRuns, method: DiagnoseOptions): Promise<Diagnosis[] | null> {
  const progress = startProgress(outputTo('stderr'));
  const judged = await judgeSeveral(found, (record) => diagnose(record, method), {
    onRun: (done, of) => progress.update(`run ${done + 1} of ${of}`),
  }).finally(() => progress.done());
  return judged?.map(({ diagnosis }) => diagnosis) ?? null;
}

/** For programs: a diagnosis of each run that the path holds. */
export async function diagnoseAll(path: string): Promise<Diagnosis[]> {
  const found = await findRuns(path);
  const several = await judgeSeveral(found, (record) => diagnose(record, {}));
  if (several !== null) return several.map(({ diagnosis }) => diagnosis);
  const record = await readFiles(found.whole, { left: found.left, single: found.kind !== 'folder' });
  return [await diagnose(record, {}, performance.now())];
}

function tellSeveral(path: string, runs: readonly Diagnosis[], flags: DiagnoseFlags): number {
  if (flags.html !== undefined)
    throw new GrusError(`${path} holds ${runs.length} runs, and --html makes a page of one`, {
      advice: `Name one of them: grus diagnose ${runs[0]!.path} --html ${flags.html}`,
    });
  if (flags.json) printJson({ path, runs }, outputTo('stdout'));
  else outputTo('stdout').write(`${renderTable(visible(path), visibleIn(runs), terminal())}\n`);
  return runs.some(isBad) ? exitCodes.crash : exitCodes.nothingBad;
}

async function diagnoseOne(found: FoundRuns, method: DiagnoseOptions, flags: DiagnoseFlags): Promise<number> {
  const started = performance.now();
  const progress = startProgress(outputTo('stderr'));
  progress.update(`reading ${found.path}`);
  const record = await readFiles(found.whole, { left: found.left, single: found.kind !== 'folder' }).finally(
    () => progress.done(),
  );
  const judged = await diagnose(record, method, started);
  const diagnosis = await askModel(record, judged, flags);
  const input = understoodOf(found.kind, record);
  if (flags.html !== undefined) {
    const { renderHtml } = await import('@grus/training');
    await writePage(flags.html, renderHtml(diagnosis, record));
  }
  if (flags.json) printJson({ ...diagnosis, input }, outputTo('stdout'));
  else {
    outputTo('stderr').write(`${visible(describeUnderstood(input))}\n`);
    const charts = flags.html === undefined ? '' : `Charts: ${visible(flags.html)}\n`;
    outputTo('stdout').write(`${renderReport(diagnosis, record, terminal())}\n${charts}`);
  }
  return isBad(diagnosis) ? exitCodes.crash : exitCodes.nothingBad;
}

function terminal(): { width: number; color: boolean } {
  const output = outputTo('stdout');
  return { width: widthOf(output), color: hasColors(output) };
}

function isBad({ outcome }: Diagnosis): boolean {
  return outcome === 'failed' || outcome === 'degraded';
}

/** Learned models are read only when they are asked for. */
/** Where everything else abstained, and a model is configured. */
async function askModel(record: RunRecord, diagnosis: Diagnosis, flags: ModelOptions): Promise<Diagnosis> {
  const model = flags.model ?? process.env['GRUS_MODEL'];
  if (!model || model === 'none' || !diagnosis.abstained) return diagnosis;
  const { diagnoseWithModel, llmSettings, openModel } = await import('@grus/llm');
  const settings = llmSettings(flags);
  if (settings === null) return diagnosis;
  const cancel = new AbortController();
  process.once('SIGINT', () => cancel.abort());
  const open = await openModel(settings);
  return diagnoseWithModel(record, diagnosis, { settings, open, signal: cancel.signal });
}

async function writePage(file: string, page: string): Promise<void> {
  try {
    await writeFile(file, page);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new GrusError(`${file} cannot be written: ${reason}`, {
      advice: 'Choose another place with --html.',
      cause,
    });
  }
}
