// The label of one run as people write it: an object, or a bare category or sub-cause. Strange fields are kept out, wrong
// categories are refused with a word on what is allowed.
import { GrusError } from '@grus/core';
import { causes, type DiagnosedCategory, type Subcause } from '@grus/training';
import { z } from 'zod';
import { caseCategories, type TrainingCase } from './case.js';

const text = z.string().nullish();

const labelSchema = z
  .object({
    category: z.string().optional(),
    subcause: text,
    alternatives: z.array(z.string()).nullish(),
    group: text,
    script: text,
    difficulty: text,
    architecture: text,
    optimizer: text,
    framework: text,
    format: text,
    onset_step: z.number().nullish(),
  })
  .loose();

export function caseOf(id: string, path: string, label: unknown, source: string): TrainingCase {
  const parsed = labelSchema.safeParse(typeof label === 'string' ? bare(label) : label);
  if (!parsed.success)
    throw new GrusError(`${source}: the label of ${id} cannot be read`, {
      advice: 'A label is a category, a sub-cause, or an object with "category" and "subcause".',
    });
  const entry = parsed.data;
  const subcause = entry.subcause ?? null;
  const category = entry.category ?? (subcause === null ? undefined : categoryOf(subcause));
  if (!isCategory(category))
    throw new GrusError(`${source}: ${id} has the category ${JSON.stringify(category ?? null)}`, {
      advice: `Allowed are ${caseCategories.join(', ')}.`,
    });
  return {
    id,
    path,
    category,
    subcause,
    alternatives: entry.alternatives ?? [],
    group: entry.group ?? entry.script ?? id,
    difficulty: entry.difficulty ?? null,
    architecture: entry.architecture ?? null,
    optimizer: entry.optimizer ?? null,
    framework: entry.framework ?? null,
    format: entry.format ?? null,
    onsetStep: entry.onset_step ?? null,
  };
}

function bare(label: string): { category?: string; subcause?: string } {
  return isCategory(label) ? { category: label } : { subcause: label };
}

export function categoryOf(subcause: string): DiagnosedCategory | undefined {
  return Object.hasOwn(causes, subcause) ? causes[subcause as Subcause].category : undefined;
}

function isCategory(value: string | undefined): value is DiagnosedCategory {
  return (caseCategories as readonly (string | undefined)[]).includes(value);
}
