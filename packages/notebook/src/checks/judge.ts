// Judges one cell: walks it once with all checks listening and collects what they claim. Pure: everything it knows comes
// in with the snapshot, so the same code serves a live kernel and a recorded one.
import type { Finding, Reason } from '@grus/core';
import type { Question, Snapshot } from '@grus/kernel/snapshot';
import { type ParsedCell, parseCell } from '@grus/python';
import { libraries } from '../generated/libraries.js';
import type { Event } from '../reasoning/events.js';
import { historyOrigin } from '../reasoning/history.js';
import type { Inquiry } from '../reasoning/inquiry/inquiry.js';
import { type Budget, BudgetSpent, CellInterpreter } from '../reasoning/interpreter/cell-interpreter.js';
import type { Change } from '../reasoning/interpreter/interpreter.js';
import { hasRun } from '../reasoning/interpreter/user-code/effects.js';
import { changedInFunctions } from '../reasoning/interpreter/user-code/implicit.js';
import { SnapshotOrigin } from '../reasoning/live/origin.js';
import { registerLibraries } from '../reasoning/registry.js';
import type { CellHistory } from '../session/cells.js';
import { Questions } from './asking.js';
import type { Check, CheckRung } from './define-check.js';
import { Listener } from './listener.js';
import { magicEffects } from './magics.js';
import { checks as allChecks, isPreview } from './registry.js';
import { isSuppressed, type SuppressedFinding } from './suppress.js';
import { versionOf } from './versions.js';

registerLibraries(libraries);

export interface JudgeOptions {
  readonly cell: ParsedCell | string;
  readonly snapshot: Snapshot;
  /** Sources of the cells that were run, in order; they stand in for live facts that the snapshot lacks. */
  readonly history?: readonly string[];
  /** What happened to the cells of the notebook, for remedies that name one. */
  readonly cells?: readonly CellHistory[];
  readonly checks?: readonly Check[];
  readonly rungs?: readonly CheckRung[];
  /** Let checks speak whose false alarms were not counted yet. Default false. */
  readonly preview?: boolean;
  /** Ids that the cell's metadata suppresses. */
  readonly ignore?: readonly string[];
  /** Ids that the settings of the project suppress. */
  readonly silenced?: readonly string[];
  readonly budget?: Budget;
  /** Collects questions to the real libraries, and holds the answers to those of earlier walks. */
  readonly inquiry?: Inquiry;
}

export interface CellFindings {
  /** Certain crashes in the order in which they would be met; only the first is sure to be seen. */
  readonly findings: readonly (Finding & { readonly rung: CheckRung })[];
  readonly suppressed: readonly SuppressedFinding[];
  /** What the kernel should be asked before judging again. */
  readonly questions: readonly Question[];
  /** Checks that failed, and budgets that were spent: why an empty list of findings may be incomplete. */
  readonly problems: readonly Reason[];
}

export function judgeCell(options: JudgeOptions): CellFindings {
  const cell = typeof options.cell === 'string' ? parseCell(options.cell) : options.cell;
  const questions = new Questions(options.snapshot);
  const problems: Reason[] = [];
  if (cell.foreign || cell.cellMagic?.swallowsErrors || isAutomagic(options.snapshot))
    return { findings: [], suppressed: [], questions: [], problems };
  const listener = new Listener(
    activeChecks(options),
    { cell, cells: options.cells ?? [], snapshot: options.snapshot },
    questions,
    problems,
  );
  const history = options.history?.length ? historyOrigin(options.history) : undefined;
  const sources = sourcesOf(cell.source, options);
  const origin = new SnapshotOrigin(options.snapshot, history);
  const interpreter = new CellInterpreter({
    origin,
    changedInFunctions: changedOutside(cell.source, options),
    ...(options.budget && { budget: options.budget }),
    ...(options.inquiry && { inquiry: options.inquiry }),
    setting: {
      sources,
      version: (module) => versionOf(options.snapshot, module),
      runs: (module) => options.snapshot.modules[module]?.runs === true,
    },
    isSettled: () => listener.findings.length > 0,
    listen: (event: Event) => listener.hear(event, interpreter),
    beforeStatement: magicEffects(cell),
  });
  for (const key of options.snapshot.called_first ?? []) hasRun(interpreter, origin.refOf(key));
  try {
    interpreter.emit({ type: 'cell', node: cell.module, cell });
    interpreter.execute(cell.body);
  } catch (error) {
    if (error instanceof BudgetSpent) problems.push({ code: error.what });
    else
      problems.push({ code: 'walk-failed', error: error instanceof Error ? error.message : String(error) });
  }
  const suppressed: SuppressedFinding[] = [];
  const findings = listener.findings.filter((finding) => {
    const by = isSuppressed(cell, finding, options.ignore ?? [], options.silenced ?? []);
    if (by === null) return true;
    suppressed.push({ finding, by });
    return false;
  });
  return { findings, suppressed, questions: questions.open, problems };
}

const counted = allChecks.filter((check) => !isPreview(check));

/** The same list, as a rule: then nothing is made anew for a cell. */
function activeChecks({ checks, rungs, preview = false }: JudgeOptions): readonly Check[] {
  const all = checks ?? allChecks;
  const speaking = preview ? all : all === allChecks ? counted : all.filter((check) => !isPreview(check));
  return rungs === undefined ? speaking : speaking.filter((check) => rungs.includes(check.rung));
}

/** Whether IPython runs a magic where Python is read: `store['x']` is `%store ['x']` unless something is named so. */
function isAutomagic({ compile }: Snapshot): boolean {
  return compile?.status === 'ok' && compile.automagic;
}

function sourcesOf(cell: string, { snapshot, history }: JudgeOptions): string[] {
  return [
    cell,
    ...(snapshot.cells ?? []).map(({ source }) => source),
    ...(history ?? []),
    ...Object.values(snapshot.objects).map(({ structural }) => structural?.source ?? ''),
  ];
}

function changedOutside(cell: string, options: JudgeOptions): ReadonlyMap<string, Change> {
  const changed = changedInFunctions(sourcesOf(cell, options));
  const words = new Set(cell.match(/[A-Za-z_]\w*/g));
  return new Map([...changed].filter(([name]) => words.has(name)));
}
