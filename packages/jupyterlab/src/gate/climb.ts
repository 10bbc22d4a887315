// The whole ladder of one check: the browser's rungs first, then, where it is wanted and possible, the dry run and the model
// on the server.
import type { RungReport, Verdict } from '@grus/core';
import { timedOut, within } from '@grus/kernel';
import type { LadderRequest } from '../ladder/request.js';
import type { ServerPart } from '../server/server-part.js';
import type { Settings } from '../settings/settings.js';
import { metadataFor } from '../settings/suppress.js';
import type { Runs } from '../state/runs.js';
import type { Ahead } from './ahead.js';
import type { Checked, Checker, Judged, Target } from './checker.js';

/** Starting the program on the server and reading the kernel, beyond the dry run itself. */
const serverGraceMs = 5_000;

export class Climber {
  constructor(
    private readonly checker: Checker,
    private readonly ahead: Ahead,
    private readonly server: ServerPart,
    private readonly settings: Settings,
    private readonly runs: Runs,
  ) {}

  /** What is known of the cell at once, where that is all there is to know: then it runs without any delay. */
  alreadyQuiet(target: Target): Judged | null {
    return this.settings.waitsForDryRun ? null : this.ahead.quiet(target);
  }

  /** Before a run. The dry run only when the user wants one before every run. */
  async beforeRun(target: Target): Promise<Checked> {
    const first = await this.#first(target);
    const { dryRun, dryBudget } = this.settings;
    const open = first.kind === 'verdict' && first.verdict.outcome === 'unknown';
    if (!open || dryRun === 'never' || dryRun === 'background' || !(await this.server.status()).available)
      return first;
    const cancel = new AbortController();
    const request = this.request(target, { dry: dryRun, model: 'none' });
    const reply = await within(
      this.server.climb(request, cancel.signal),
      dryBudget * 1000 + serverGraceMs,
    ).catch((error: unknown) => error);
    if (reply === timedOut) cancel.abort();
    return isVerdict(reply) ? { ...first, verdict: joined(first.verdict, reply.verdict) } : first;
  }

  /** The browser's rungs, joining a check of this cell that is on its way. */
  async #first(target: Target): Promise<Checked> {
    const coming = this.ahead.coming(target);
    if (coming === null) return this.checker.check(target);
    const started = performance.now();
    const spent = () => performance.now() - started;
    const { budget } = this.settings;
    await within(coming, budget);
    const quiet = this.ahead.quiet(target);
    return quiet ? { ...quiet, ms: spent() } : this.checker.check(target, { budget: budget - spent() });
  }

  request(target: Target, wanted: Pick<LadderRequest, 'dry' | 'model'>): LadderRequest {
    const { notebook, cell, connection } = target;
    const history = this.runs.history(notebook);
    return {
      task: 'check',
      kernelId: connection.id,
      source: cell.sharedModel.getSource(),
      metadata: metadataFor(cell, this.settings.ignore),
      number: history.find(({ id }) => id === cell.id)?.number ?? null,
      cells: history.map(({ id: _, ...rest }) => rest),
      dryBudget: this.settings.dryBudget,
      redaction: this.settings.redaction,
      verifyFix: false,
      ...wanted,
    };
  }
}

function isVerdict(reply: unknown): reply is { kind: 'verdict'; verdict: Verdict } {
  return typeof reply === 'object' && reply !== null && 'kind' in reply && reply.kind === 'verdict';
}

/** What both did, in one verdict: the rungs of the browser are not told twice. */
function joined(browser: Verdict, server: Verdict): Verdict {
  const told = new Set(browser.rungs.map(({ rung }) => rung));
  const rungs: RungReport[] = [...browser.rungs, ...server.rungs.filter(({ rung }) => !told.has(rung))];
  return { ...server, rungs, ms: browser.ms + server.ms };
}
