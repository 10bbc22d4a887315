// A model's diagnosis of a training run, and what of it stands: only what is cited from what it was shown.
import { causes, type Subcause } from '@grus/training';
import { z } from 'zod';
import { cleanText } from '../question/clean.js';
import type { ShownRun } from './shown-run.js';

const diagnosed = [
  'memory_hardware',
  'optimization',
  'data_pipeline',
  'model_software',
  'healthy',
  'unknown',
] as const;

export const trainingSchema = z.object({
  cause: z.string().describe('What went wrong first, in one or two sentences'),
  category: z.enum(diagnosed),
  subcause: z.string().nullable().describe('One of the listed sub-causes, or null'),
  confidence: z.number().describe('Between 0 and 1'),
  citations: z
    .array(
      z.object({
        source: z.string().describe('The label of a line or point, as shown in brackets'),
        quote: z.string().describe('The part of it that matters, word for word'),
      }),
    )
    .describe('What the diagnosis rests on'),
  remedy: z.string().nullable().describe('What to change'),
});
export type TrainingAnswer = z.infer<typeof trainingSchema>;

export interface Citation {
  readonly source: string;
  readonly quote: string;
}

export interface CheckedAnswer {
  readonly answer: TrainingAnswer;
  readonly subcause: Subcause | null;
  readonly citations: readonly Citation[];
  /** Citations of things that were never shown, or that say something else. */
  readonly invented: number;
}

/** The answer with its citations checked; null when the text is no answer. */
export function readTrainingAnswer(text: string, shown: ShownRun): CheckedAnswer | null {
  const parsed = trainingSchema.safeParse(firstObject(text));
  if (!parsed.success) return null;
  const answer = parsed.data;
  const citations = answer.citations.filter((citation) => isShown(citation, shown));
  return {
    answer,
    subcause: subcauseOf(answer),
    citations: citations.map(({ source, quote }) => ({ source: bare(source), quote: cleanText(quote, 300) })),
    invented: answer.citations.length - citations.length,
  };
}

/** The label must be one that was shown, and the words must stand there. */
function isShown({ source, quote }: Citation, { lines }: ShownRun): boolean {
  const text = lines.get(bare(source));
  const wanted = words(quote);
  return text !== undefined && wanted.length >= 3 && words(text).includes(wanted);
}

function bare(source: string): string {
  return source.trim().replace(/^\[|\]$/g, '');
}

function words(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

function subcauseOf({ category, subcause }: TrainingAnswer): Subcause | null {
  const known = Object.entries(causes).find(([name]) => name === subcause);
  return known && known[1].category === category ? (known[0] as Subcause) : null;
}

function firstObject(text: string): unknown {
  const object = /\{[\s\S]*\}/.exec(text)?.[0];
  try {
    return object === undefined ? null : JSON.parse(object);
  } catch {
    return null;
  }
}
