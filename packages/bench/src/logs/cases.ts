// Real logs with known causes: one JSON object a line with `id`, `source`, `category`, `subcause`, the `excerpt` itself and, where more
// than one answer is right, the other categories in `accept`.
// They stay where they are: only what Grus answers is reported.
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GrusError } from '@grus/core';
import type { DiagnosedCategory } from '@grus/training';
import { z } from 'zod';
import { caseCategories } from '../training/data/case.js';

/** `develop` may be looked at while rules are written; of `held` only the score. */
export type Part = 'develop' | 'held';

export interface LogCase {
  readonly id: string;
  /** "owner/name" of where the log stood. */
  readonly repository: string;
  readonly part: Part;
  readonly category: DiagnosedCategory;
  /** Other categories that are as right, by whoever labelled the log. */
  readonly accept: readonly DiagnosedCategory[];
  readonly subcause: string | null;
  readonly text: string;
}

const schema = z
  .object({
    id: z.string(),
    source: z.string(),
    category: z.enum(caseCategories),
    accept: z
      .array(
        z
          .string()
          .transform((name) => name.split('/', 1)[0])
          .pipe(z.enum(caseCategories)),
      )
      .nullish(),
    subcause: z.string().nullish(),
    excerpt: z.string(),
  })
  .loose();

/** Reads a file of cases, or the `cases.jsonl` of a folder. */
export function loadLogs(data: string): LogCase[] {
  const file = statSync(data, { throwIfNoEntry: false })?.isDirectory() ? join(data, 'cases.jsonl') : data;
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [caseOf(line, `${file}:${index + 1}`)]));
}

function caseOf(line: string, place: string): LogCase {
  const parsed = schema.safeParse(parse(line));
  if (!parsed.success)
    throw new GrusError(`${place} is no case of a log`, {
      advice: 'Each line is an object with "id", "source", "category", "subcause" and "excerpt".',
    });
  const { id, source, category, accept, subcause, excerpt } = parsed.data;
  const repository = source.split(/[:#@]/, 1)[0]!.toLowerCase();
  return {
    id,
    repository,
    part: partOf(repository),
    category,
    accept: accept ?? [],
    subcause: subcause ?? null,
    text: excerpt,
  };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** All logs of one repository fall into one part; two fifths of the repositories are held. */
function partOf(repository: string): Part {
  return createHash('sha256').update(repository).digest()[0]! < 0.4 * 256 ? 'held' : 'develop';
}
