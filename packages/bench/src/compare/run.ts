// `grus bench compare`: pairs of real runs that differ by one planted change, and pairs that differ by their seed. Each pair also
// differs in names, places and hosts. Is the planted change named first, and is nothing invented where there is none?
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GrusError } from '@grus/core';
import { compareRuns, readRun } from '@grus/training';
import { z } from 'zod';

const labels = z.record(
  z.string(),
  z.object({
    /** Names of settings of which any is a right answer; empty where only the seed differs. */
    changed: z.array(z.string()),
    kind: z.enum(['planted', 'seed']),
    change: z.string().optional(),
    decoy: z.string().nullish(),
  }),
);

export interface ComparedPair {
  readonly pair: string;
  readonly kind: 'planted' | 'seed';
  readonly change: string | null;
  readonly changed: readonly string[];
  readonly endings: string;
  /** What the comparison named first; null when it explained nothing. */
  readonly named: string | null;
  /** The place of the planted change among the differences, from 1; null when it is not among them. */
  readonly place: number | null;
  readonly right: boolean;
}

export interface CompareReport {
  readonly benchmark: 'compare';
  readonly data: string;
  readonly planted: number;
  readonly named_first: number;
  /** Planted pairs whose endings were seen to differ. */
  readonly apart: number;
  readonly seed_only: number;
  readonly invented: number;
  readonly pairs: readonly ComparedPair[];
}

export interface CompareOptions {
  readonly data: string;
  readonly progress?: (done: number, total: number) => void;
}

export async function runCompare({ data, progress }: CompareOptions): Promise<CompareReport> {
  const parsed = labels.safeParse(JSON.parse(readFileSync(join(data, 'labels.json'), 'utf8')));
  if (!parsed.success)
    throw new GrusError(`${join(data, 'labels.json')} holds no pairs of runs`, {
      advice: 'Make some: python -m recipes.pairs --out DIR, in scenarios/.',
    });
  const entries = Object.entries(parsed.data);
  const pairs: ComparedPair[] = [];
  for (const [pair, { kind, changed, change = null }] of entries) {
    const [before, after] = await Promise.all(
      ['before', 'after'].map((side) => readRun(join(data, pair, side))),
    );
    const { endings, explanation, differences } = compareRuns(before!, after!);
    const named = explanation?.difference.name ?? null;
    const place = differences.findIndex(({ name }) => changed.includes(name)) + 1 || null;
    const right = kind === 'seed' ? named === null : named !== null && changed.includes(named);
    pairs.push({ pair, kind, change, changed, endings, named, place, right });
    progress?.(pairs.length, entries.length);
  }
  const planted = pairs.filter(({ kind }) => kind === 'planted');
  const seedOnly = pairs.filter(({ kind }) => kind === 'seed');
  return {
    benchmark: 'compare',
    data,
    planted: planted.length,
    named_first: planted.filter(({ right }) => right).length,
    apart: planted.filter(({ endings }) => endings === 'apart').length,
    seed_only: seedOnly.length,
    invented: seedOnly.filter(({ right }) => !right).length,
    pairs,
  };
}
