// What a front end that knows the whole notebook told about it: its cells, how they ended, and which are about to run. Only
// what changed is told again.
import {
  type CellHistory,
  type CheckOptions,
  type CheckTarget,
  LightCells,
  type RungName,
} from '@grus/notebook';
import { z } from 'zod';

export const planSchema = z.object({
  /** The cells that are about to be run, in this order. */
  run: z.array(z.string()),
  /** Checks that are not to speak, by the cells of this plan that have any. */
  ignore: z.record(z.string(), z.array(z.string())).default({}),
  /** Cells that are new or differ from what was told before. */
  changed: z.array(
    z.object({
      id: z.string(),
      number: z.number(),
      source: z.string(),
      status: z.enum(['not-run', 'ok', 'failed']),
    }),
  ),
  gone: z.array(z.string()),
  /** Milliseconds that each may be kept waiting. */
  budget: z.number(),
  rungs: z.array(z.enum(['names', 'contracts'])),
  preview: z.boolean(),
  /** Whether a copy may run ahead of cells that look long. */
  ahead: z.boolean().default(false),
});

const defaultBudget = 1_000;
const askingShare = 0.4;

type Plan = z.infer<typeof planSchema>;

export class PlannedNotebook {
  readonly #cells = new Map<string, CellHistory>();
  #plan: Plan | null = null;

  take(plan: Plan): void {
    for (const id of plan.gone) this.#cells.delete(id);
    for (const { id, ...cell } of plan.changed) this.#cells.set(id, { ...cell, executionCount: null });
    this.#plan = plan;
  }

  /** The cell as the ladder wants it, when its turn has come. */
  target(id: string, source: string): Omit<CheckTarget, 'kernel'> {
    const ran = new Set(this.#plan?.run.slice(0, this.#plan.run.indexOf(id)) ?? []);
    const cells = [...this.#cells]
      .map(([key, cell]) => (ran.has(key) ? { ...cell, status: 'ok' as const } : cell))
      .sort((one, other) => one.number - other.number);
    const metadata = { grus: { ignore: this.#plan?.ignore[id] ?? [] } };
    return { source, metadata, number: this.#cells.get(id)?.number ?? null, cells };
  }

  /** The cells right behind one that is about to run in which nothing could be found: they need not be judged. */
  lightAfter(id: string, namespace: readonly string[]): string[] {
    const run = this.#plan?.run ?? [];
    const light = new LightCells(namespace);
    const source = (cell: string) => this.#cells.get(cell)?.source ?? '';
    const here = run.indexOf(id);
    if (here === -1) return [];
    const judged = source(id);
    if (!light.passes(judged)) light.follow(judged);
    const behind = run.slice(here + 1);
    const heavy = behind.findIndex((cell) => !light.passes(source(cell)));
    return heavy === -1 ? behind : behind.slice(0, heavy);
  }

  get runsAhead(): boolean {
    return this.#plan?.ahead ?? false;
  }

  /** Libraries may be asked for a part of the time that a cell may be kept waiting. */
  get options(): Pick<CheckOptions, 'rungs' | 'preview' | 'inquiryMs'> {
    const { rungs = ['names', 'contracts'], preview = false, budget = defaultBudget } = this.#plan ?? {};
    return { rungs: rungs satisfies readonly RungName[], preview, inquiryMs: budget * askingShare };
  }
}
