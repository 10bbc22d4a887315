// The notebook ladder for one cell of one kernel: names, contracts, dry run. The first two are judged in one walk over the
// cell, so a cell costs one or two round trips to the kernel, whatever the number of checks.
import { climb, type Reason, type Rung, type RungReport, type RungResult, type Verdict } from '@grus/core';
import { dryRun, inquire, type Kernel } from '@grus/kernel';
import type { Snapshot } from '@grus/kernel/snapshot';
import { type ParsedCell, parseCell, placeOf } from '@grus/python';
import { type CellFindings, judgeCell } from '../checks/judge.js';
import { ignoredChecks } from '../checks/suppress.js';
import { conclude } from '../dry/conclude.js';
import type { DryOptions } from '../dry/options.js';
import { isShort, runDry, startDry } from '../dry/rung.js';
import { Inquiry } from '../reasoning/inquiry/inquiry.js';
import type { CellHistory } from '../session/cells.js';
import { type SnapshotLimits, snapshotFor, withAnswers } from './snapshot-for.js';

export interface CheckTarget {
  readonly kernel: Kernel;
  readonly source: string;
  /** Metadata of the cell; `grus.ignore` lists checks that are not to speak. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Its number, as whoever asks counts the cells of the notebook; null for code that belongs to none. */
  readonly number: number | null;
  /** What happened so far to the cells of the notebook. */
  readonly cells: readonly CellHistory[];
}

export type RungName = 'names' | 'contracts' | 'dry run';

/** What a rung from outside is given: the cell, and what was read from the kernel for it. */
export interface LadderContext {
  readonly target: CheckTarget;
  readonly cell: ParsedCell;
  snapshot(): Promise<Snapshot>;
}

export interface CheckOptions extends SnapshotLimits {
  /** Without it the ladder ends with the contracts. */
  readonly dry?: DryOptions;
  /** A rung above all others. It is asked only when none of them committed, so it can never overrule them. */
  readonly last?: Rung<LadderContext>;
  /** Throw when the kernel cannot be read, instead of abstaining. Default false. */
  readonly strict?: boolean;
  /**
   * Milliseconds for questions to the real libraries, which are put to a copy of the kernel when the cell raises any; all
   * rounds together. Default 2 000, of which the answers may take 100 of the processor's time; 0: none are put.
   */
  readonly inquiryMs?: number;
  /** Milliseconds of the processor's time for the answers. Default: 100, or all of `inquiryMs` where that is given. */
  readonly inquiryCpuMs?: number;
  /** Have a copy made ready while the cell is judged, where it is likely to be asked. Default false. */
  readonly inquiresEarly?: boolean;
  /** Let checks speak whose false alarms were not counted yet. Default false. */
  readonly preview?: boolean;
  /** Checks, or families of them, that the settings of the project silence. */
  readonly silenced?: readonly string[];
  /**
   * The interpreter that was guessed for the notebook. That it lacks a module says nothing about the one that the notebook
   * will run with, so no rung commits to that. Default: the kernel is the notebook's own.
   */
  readonly guessedPython?: string;
  /** The rungs to climb. Default: all. */
  readonly rungs?: readonly RungName[];
}

export async function checkCell(target: CheckTarget, options: CheckOptions = {}): Promise<Verdict> {
  const { rungs: chosen, last, guessedPython } = options;
  const judging = new Judging(target, options);
  const settled = new AbortController();
  const signal = AbortSignal.any([settled.signal, ...(options.dry?.signal ? [options.dry.signal] : [])]);
  const dry = options.dry && { ...options.dry, signal };
  const own = [names, contracts, ...(dry ? [dryRunOf(dry, judging)] : [])].filter(
    ({ name }) => chosen === undefined || chosen.includes(name as RungName),
  );
  if (options.strict && !judging.cell.foreign) await judging.snapshot();
  const rungs = last ? [...own, options.dry ? settledBy(last, options.dry) : last] : own;
  const verdict = await climb<Judging>(
    guessedPython === undefined ? rungs : rungs.map((rung) => doubting(rung, guessedPython)),
    judging,
  );
  // A copy that was started early, and overtaken by an earlier rung, need not go on.
  if (verdict.rung === 'names' || verdict.rung === 'contracts') settled.abort();
  return verdict;
}

/** The rung, silent about modules that an interpreter lacks which may not be the notebook's. */
function doubting(rung: Rung<Judging>, python: string): Rung<Judging> {
  return {
    name: rung.name,
    run: async (judging, earlier) => {
      const result = await rung.run(judging, earlier);
      if (result.outcome !== 'crash') return result;
      const { exception } = result.findings[0];
      return isMissingModule(exception.type)
        ? { outcome: 'unknown', reason: { code: 'interpreter-guessed', python, error: exception.message } }
        : result;
    },
  };
}

/** Whether an exception depends on what is installed. */
export function isMissingModule(exception: string): boolean {
  return exception === 'ModuleNotFoundError';
}

const mostRounds = 3;
const defaultInquiryMs = 2_000;
const defaultInquiryCpuMs = 100;

function inquiryLimits({ inquiryMs, inquiryCpuMs }: CheckOptions): { budgetMs: number; cpuMs: number } {
  return {
    budgetMs: inquiryMs ?? defaultInquiryMs,
    cpuMs: inquiryCpuMs ?? inquiryMs ?? defaultInquiryCpuMs,
  };
}

/** A kernel that cannot answer, for whatever reason, leaves the questions open. */
async function answersOf(kernel: Kernel, inquiry: Inquiry, options: CheckOptions) {
  try {
    return await inquire(kernel, inquiry.program, {
      check: inquiry.name,
      ...inquiryLimits(options),
      ...(options.busyBudgetMs !== undefined && { busyBudgetMs: options.busyBudgetMs }),
    });
  } catch {
    return new Map();
  }
}

/** In front of a crash that is certain, a copy may run what comes before it for so long. */
const pathMs = 2_000;

/** Judges the cell once, however many rungs ask. */
class Judging implements LadderContext {
  readonly cell: ParsedCell;
  readonly #inquiry: Inquiry | undefined;
  #snapshot: Promise<Snapshot> | undefined;
  #judgement: Promise<CellFindings> | undefined;
  #overtaken: Promise<RungResult | null> | undefined;

  constructor(
    readonly target: CheckTarget,
    private readonly options: CheckOptions,
  ) {
    this.cell = parseCell(target.source);
    this.#inquiry = options.inquiryMs === 0 ? undefined : new Inquiry();
  }

  judgement(): Promise<CellFindings> {
    this.#judgement ??= this.#judge();
    return this.#judgement;
  }

  snapshot(): Promise<Snapshot> {
    this.#snapshot ??= snapshotFor(this.target.kernel, this.cell, this.options, this.#expected());
    return this.#snapshot;
  }

  #expected() {
    if (!this.#inquiry || !this.options.inquiresEarly) return undefined;
    const { budgetMs, cpuMs } = inquiryLimits(this.options);
    return { check: this.#inquiry.name, budget_ms: budgetMs, cpu_ms: cpuMs };
  }

  /**
   * A crash in front of the one that was found: a certain crash in a later line is not the one that a run meets when the
   * library refuses something before it. Null where the lines before it run, or where a copy cannot say.
   */
  overtaken(): Promise<RungResult | null> {
    this.#overtaken ??= this.#overtake();
    return this.#overtaken;
  }

  async #overtake(): Promise<RungResult | null> {
    const { dry, rungs } = this.options;
    if (rungs && !rungs.includes('dry run')) return null;
    const [first] = (await this.judgement()).findings;
    const before = first && pathTo(this.cell, first.place.line);
    if (!before || !dry || dry.policy === 'never') return null;
    const { kernel, cells } = this.target;
    const budgetMs = Math.min(dry.budgetMs ?? pathMs, pathMs);
    const options = { ...dry, policy: 'always', budgetMs, twinLoadMs: 0 } as const;
    try {
      const result = await runDry({ kernel, cells, cell: before }, options);
      return result.outcome === 'crash' ? result : null;
    } catch {
      return null;
    }
  }

  /**
   * In a kernel that uses a GPU, where no dry run will follow: what the whole cell raises in a copy without the values on
   * the GPU. Devices, dtypes and shapes of all operations are asked at once, wherever they are.
   */
  async withoutValues(): Promise<RungResult | null> {
    const { dry, inquiryMs, busyBudgetMs } = this.options;
    const { kernel, source } = this.target;
    if (dry || inquiryMs === 0 || !usesGpu(await this.snapshot())) return null;
    try {
      const { budgetMs } = inquiryLimits(this.options);
      const limits = { budgetMs, ...(busyBudgetMs !== undefined && { busyBudgetMs }) };
      const told = await dryRun(kernel, [source], { ...limits, withoutValues: true });
      const result = conclude(told, 0, source);
      return result.outcome === 'crash' ? result : null;
    } catch {
      return null;
    }
  }

  async #judge(): Promise<CellFindings> {
    const { kernel, cells, metadata } = this.target;
    const snapshot = await this.snapshot();
    const inquiry = this.#inquiry;
    const options = {
      cell: this.cell,
      cells,
      ignore: ignoredChecks(metadata),
      silenced: this.options.silenced ?? [],
      preview: this.options.preview ?? false,
      ...(inquiry && { inquiry }),
    };
    let facts = snapshot;
    let judgement = judgeCell({ ...options, snapshot });
    for (let round = 0; round < mostRounds; round++) {
      const { questions } = judgement;
      const asksCopy = inquiry !== undefined && inquiry.open.length > 0;
      const asksKernel = round === 0 && questions.length > 0;
      if (!asksCopy && !asksKernel) break;
      if (asksKernel) facts = await withAnswers(kernel, snapshot, questions, this.options);
      if (asksCopy) inquiry.take(await answersOf(kernel, inquiry, this.options));
      judgement = judgeCell({ ...options, snapshot: facts });
    }
    return judgement;
  }
}

const names: Rung<Judging> = { name: 'names', run: (judging) => commit(judging, 'names') };
const contracts: Rung<Judging> = {
  name: 'contracts',
  run: (judging, earlier) => commit(judging, 'contracts', earlier),
};

function dryRunOf(options: DryOptions, judging: Judging): Rung<Judging> {
  const { kernel, cells } = judging.target;
  const early = startDry({ kernel, cells, cell: judging.cell }, options);
  return {
    name: 'dry run',
    run: async ({ cell }, earlier) => {
      if (isUnread(earlier)) return { outcome: 'unknown', reason: { code: 'kernel-unread' } };
      const overtaken = judging.cell.foreign ? null : await judging.overtaken();
      if (overtaken) return overtaken;
      const suspected = earlier.flatMap(({ reason }) => reservationsOf(reason)).find(isSuppression);
      const found = await early;
      const settled =
        found !== null && (found.outcome !== 'unknown' || !suspected || !isShort({ cell, cells }));
      return settled ? found : runDry({ kernel, cell, cells }, options, suspected ?? null);
    },
  };
}

/** What the last rung suspects makes a dry run worth its time where the policy had not found it so; proof overrules it. */
function settledBy(last: Rung<LadderContext>, options: DryOptions): Rung<Judging> {
  return {
    name: last.name,
    run: async (judging, earlier) => {
      const result = await last.run(judging, earlier);
      const { kernel, cells } = judging.target;
      const spared = options.policy === 'auto' && isShort({ cell: judging.cell, cells });
      if (result.outcome !== 'crash' || !spared) return result;
      const proof = await runDry({ kernel, cells, cell: judging.cell }, { ...options, policy: 'always' });
      return proof.outcome === 'unknown' ? result : proof;
    },
  };
}

/** A rung commits when the first crash on the cell's path is one of its own. */
async function commit(
  judging: Judging,
  rung: 'names' | 'contracts',
  earlier: readonly RungReport[] = [],
): Promise<RungResult> {
  if (judging.cell.foreign) return { outcome: 'unknown', reason: { code: 'not-python' } };
  if (isUnread(earlier)) return { outcome: 'unknown', reason: { code: 'kernel-unread' } };
  const { findings, suppressed, problems } = await judging.judgement();
  const { omitted } = await judging.snapshot();
  const [first, ...others] = findings;
  if (first && (await judging.overtaken()))
    return { outcome: 'unknown', reason: { code: 'for-other-rung', rung: 'dry run' } };
  if (first?.rung === rung) return { outcome: 'crash', findings: [first, ...others] };
  if (first) return { outcome: 'unknown', reason: { code: 'for-other-rung', rung: first.rung } };
  const asked = rung === 'contracts' && suppressed.length === 0 ? await judging.withoutValues() : null;
  if (asked) return asked;
  const reservations = [
    ...suppressed.map(({ finding, by }) => ({ code: 'suppressed', check: finding.check, by }) as const),
    ...problems,
    ...omitted.filter(({ code }) => code === 'time-spent' || code === 'bytes-spent'),
  ];
  return { outcome: 'unknown', reason: { code: 'nothing-certain', reservations } };
}

/** Whether anything that the cell may touch is on a GPU. */
function usesGpu({ objects }: Snapshot): boolean {
  const isThere = (place: unknown) => typeof place === 'string' && /^(cuda|xpu|mps|hip)\b/.test(place);
  return Object.values(objects).some(
    ({ kind, representation, values }) =>
      isThere(representation?.device) || (kind === 'device' && isThere(values?.literal)),
  );
}

/** The statements in front of a line, when any of them could fail: what only defines or names things does not. */
function pathTo(cell: ParsedCell, line: number): ParsedCell | null {
  const before = cell.body.filter((statement) => placeOf(statement).endLine < line);
  const last = before.at(-1);
  if (!last || cell.cellMagic !== null || before.every(({ nodeType }) => harmless.has(nodeType))) return null;
  return parseCell(cell.lines.slice(0, placeOf(last).endLine).join('\n'));
}

const harmless: ReadonlySet<string> = new Set(['Import', 'ImportFrom', 'FunctionDef', 'Pass', 'Global']);

/** Whether the first rung could not work: then nothing is known of the kernel. */
export function isUnread(earlier: readonly RungReport[]): boolean {
  return earlier.some(({ reason }) => reason?.code === 'rung-failed' && reason.rung === 'names');
}

function reservationsOf(reason: Reason | null): readonly Reason[] {
  return reason?.code === 'nothing-certain' ? reason.reservations : [];
}

function isSuppression({ code }: Reason): boolean {
  return code === 'suppressed';
}
