// The work of `grus diagnose`.
import { writeFile } from 'node:fs/promises';
import { GrusError } from '@grus/core';
import {
  type DiagnoseOptions,
  type Diagnosis,
  diagnoseRecord,
  type LearnerName,
  learnedMethod,
  loadModel,
  type RunRecord,
  readRun,
  renderHtml,
  renderReport,
} from '@grus/training';
import type { ModelOptions } from '../options/model.js';
import { exitCodes, printJson } from '../terminal/output.js';
import { startProgress } from '../terminal/progress.js';
import { hasColors, widthOf } from '../terminal/style.js';

export interface DiagnoseFlags extends ModelOptions {
  readonly method: 'hybrid' | 'tree' | 'rules' | LearnerName;
  readonly html?: string;
  readonly json?: boolean;
}

export async function diagnoseRun(path: string, flags: DiagnoseFlags): Promise<number> {
  const started = performance.now();
  const progress = startProgress();
  progress.update(`reading ${path}`);
  const record = await readRun(path).finally(() => progress.done());
  const judged = diagnoseRecord(record, await methodOf(flags.method), started);
  const diagnosis = await askModel(record, judged, flags);
  if (flags.html !== undefined) await writePage(flags.html, renderHtml(diagnosis, record));
  if (flags.json) {
    printJson(diagnosis);
  } else {
    const options = { width: widthOf(process.stdout), color: hasColors(process.stdout) };
    process.stdout.write(`${renderReport(diagnosis, record, options)}\n`);
    if (flags.html !== undefined) process.stdout.write(`Charts: ${flags.html}\n`);
  }
  const bad = diagnosis.outcome === 'failed' || diagnosis.outcome === 'degraded';
  return bad ? exitCodes.crash : exitCodes.nothingBad;
}

/** Learned models are read only when they are asked for. */
async function methodOf(name: DiagnoseFlags['method']): Promise<DiagnoseOptions> {
  if (name === 'tree' || name === 'rules') return { method: name };
  if (name === 'hybrid') return { learned: await loadModel() };
  return { method: learnedMethod(await loadModel(name)) };
}

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
