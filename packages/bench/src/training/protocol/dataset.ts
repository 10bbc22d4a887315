// The table that learners see, from examined runs: all columns, some of them, or the raw curves.

import { caseCategories } from '../data/case.js';
import type { ExaminedCase } from '../data/examined.js';
import { rawColumns } from '../data/raw.js';
import type { Dataset } from '../learned/index.js';

/** Which columns a learner may look at. */
export type Columns = 'all' | 'raw' | ((name: string) => boolean);

export function datasetOf(cases: readonly ExaminedCase[], columns: Columns = 'all'): Dataset {
  const labels = cases.map(({ category }) => caseCategories.indexOf(category));
  if (columns === 'raw')
    return { features: rawColumns, classes: caseCategories, rows: cases.map(({ raw }) => raw), labels };
  const names = cases[0]?.columns ?? [];
  const kept = names.flatMap((name, index) => (columns === 'all' || columns(name) ? [index] : []));
  return {
    features: kept.map((index) => names[index]!),
    classes: caseCategories,
    rows: cases.map(({ row }) => Float64Array.from(kept, (index) => row[index]!)),
    labels,
  };
}
