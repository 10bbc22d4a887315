// What is asked in front of a cell, and what is asked when the user wants to know. In front of a cell only what nobody notices:
// names and contracts, with their questions to the libraries. The dry run is for those who ask.
import type { Verdict } from '@grus/core';
import type { Kernel } from '@grus/kernel';
import { type CheckOptions, type CheckTarget, checkCell } from '@grus/notebook';
import { dryOptions } from '../jobs/dry.js';
import type { Settled } from '../jobs/settled.js';
import type { DryFlags } from '../options/dry.js';
import { renderVerdict } from '../render/verdict.js';
import { verdictHtml } from './html.js';
import type { PlannedNotebook } from './notebook.js';

export type Task = 'guard' | 'check' | 'rehearse';

/** What the settings of the project say to the guard. */
export interface GuardSettings extends DryFlags, Settled {
  readonly preview?: boolean;
}

const plain = (text: string) => text;
const style = { width: 88, bold: plain, dim: plain, red: plain, green: plain };

function optionsFor(task: Task, { preview = false, silenced = [], ...flags }: GuardSettings): CheckOptions {
  const shared = { strict: true, preview, silenced };
  switch (task) {
    case 'guard':
      return { ...shared, inquiryMs: 400, inquiryCpuMs: 100, inquiresEarly: true };
    case 'check':
      return { ...shared, dry: dryOptions(flags) };
    case 'rehearse':
      return { ...shared, rungs: ['dry run'], dry: { ...dryOptions(flags), policy: 'always' } };
  }
}

const deterministic: ReadonlySet<string | null> = new Set(['names', 'contracts', 'dry run']);

export interface Judged {
  readonly verdict: Pick<Verdict, 'outcome' | 'rung' | 'exception' | 'line'>;
  /** Whether the cell is held. */
  readonly certain: boolean;
  readonly text: string;
  readonly html: string;
}

export async function judge(
  kernel: Kernel,
  task: Task,
  source: string,
  settings: GuardSettings,
): Promise<Judged> {
  const target = { kernel, source, metadata: {}, number: null, cells: [] };
  const verdict = await checkCell(target, optionsFor(task, settings));
  const { outcome, rung, exception, line } = verdict;
  const certain = isCertain(verdict);
  // What runs is shown nowhere: only what is held, or was asked for, is put into words.
  const told = certain || task !== 'guard';
  return {
    verdict: { outcome, rung, exception, line },
    certain,
    text: told ? renderVerdict({ verdict, subject: 'this cell', source }, style) : '',
    html: told ? verdictHtml(verdict, source) : '',
  };
}

export function isCertain({ outcome, rung, confidence }: Verdict): boolean {
  return outcome === 'crash' && deterministic.has(rung) && confidence >= 0.9;
}

export interface JudgedCell {
  readonly verdict: Verdict | null;
  readonly certain: boolean;
  /** Cells right behind it that need not be judged. */
  readonly light: readonly string[];
  /** Nothing was found, and nothing will be until the kernel gets another message. */
  readonly settled: boolean;
  readonly target: CheckTarget;
}

/** For a front end that shows verdicts itself: the whole verdict, and none where nothing was found. */
export async function judgeCell(
  kernel: Kernel,
  notebook: PlannedNotebook,
  { cell, source }: { readonly cell: string; readonly source: string },
  settings: GuardSettings,
): Promise<JudgedCell> {
  const target = { kernel, ...notebook.target(cell, source) };
  let namespace: readonly string[] = [];
  let settled = true;
  const verdict = await checkCell(target, {
    ...optionsFor('guard', settings),
    ...notebook.options,
    preview: notebook.options.preview || settings.preview === true,
    onRead: (snapshot, isSettled) => {
      namespace = snapshot.namespace;
      settled &&= isSettled;
    },
  });
  const quiet = verdict.outcome !== 'crash';
  return {
    verdict: quiet ? null : verdict,
    certain: isCertain(verdict),
    light: quiet ? notebook.lightAfter(cell, namespace) : [],
    target,
    settled: quiet && settled,
  };
}
