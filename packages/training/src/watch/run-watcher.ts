// Looks at a run again and again and says what is new: each precursor warns once when it appears, and again only after it
// had gone. Holds a few numbers per precursor, however long the run lasts.
import { causeOf } from '../causes/table.js';
import { viewOf } from '../features/view.js';
import type { RunRecord } from '../record/run-record.js';
import type { Precursor, Sign, WatchContext } from './define.js';
import { measuredPrecision, type PrecisionTable } from './precision.js';
import { precursors } from './registry.js';
import type { Surroundings } from './surroundings.js';
import type { RunWarning } from './warning.js';

/** Looks without a sign after which a precursor may warn again. */
const quietLooks = 20;
const mostPerKind = 20;

interface State {
  /** Looks in a row that agreed. */
  agreed: number;
  quiet: number;
  warned: boolean;
  warnings: number;
}

export interface RunWatcherOptions {
  readonly precision?: PrecisionTable;
}

export class RunWatcher {
  private readonly states = new Map<string, State>();
  private readonly precision: PrecisionTable;
  private lastSeen = '';

  constructor(options: RunWatcherOptions = {}) {
    this.precision = options.precision ?? measuredPrecision;
  }

  /** The warnings that this look adds. */
  look(record: RunRecord, surroundings: Surroundings, now = Date.now()): RunWarning[] {
    const context: WatchContext = { record, view: viewOf(record), surroundings, now };
    const seen = `${record.lastStep}/${record.sources.reduce((sum, source) => sum + source.bytes, 0)}`;
    const isNew = seen !== this.lastSeen;
    this.lastSeen = seen;
    return precursors.flatMap((precursor) => this.follow(precursor, precursor.look(context), isNew, now));
  }

  private follow(precursor: Precursor, signs: readonly Sign[], isNew: boolean, now: number): RunWarning[] {
    const given: RunWarning[] = [];
    const keys = new Set<string>();
    for (const sign of signs) {
      const key = `${precursor.id}/${sign.subject ?? ''}`;
      keys.add(key);
      const state = this.states.get(key) ?? { agreed: 0, quiet: 0, warned: false, warnings: 0 };
      this.states.set(key, state);
      if (isNew || state.agreed === 0) state.agreed++;
      state.quiet = 0;
      if (state.warned || state.agreed < precursor.looks || state.warnings >= mostPerKind) continue;
      state.warned = true;
      state.warnings++;
      given.push(this.warningOf(precursor, sign, now));
    }
    for (const [key, state] of this.states) {
      if (!key.startsWith(`${precursor.id}/`) || keys.has(key) || !isNew) continue;
      state.agreed = 0;
      if (++state.quiet >= quietLooks) state.warned = false;
    }
    return given;
  }

  private warningOf(precursor: Precursor, sign: Sign, now: number): RunWarning {
    const subcause = sign.subcause === undefined ? precursor.subcause : sign.subcause;
    return {
      warning: precursor.id,
      title: sign.title ?? precursor.title,
      category: subcause === null ? 'unknown' : causeOf(subcause).category,
      subcause,
      expected_failure: sign.expected ?? precursor.expected,
      step: sign.step,
      time: new Date(now).toISOString(),
      lead_steps: sign.leadSteps ?? null,
      lead_seconds: sign.leadSeconds ?? null,
      evidence: sign.evidence,
      precision: this.precision[precursor.id] ?? null,
    };
  }
}
