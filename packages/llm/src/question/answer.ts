// The structured answer of a model, and how its text is read: exactly one JSON object that says whether the cell crashes.
// Whatever cannot be read without guessing is no answer.
import { z } from 'zod';

/** The edit that is asked for, here and where a certain crash is to be repaired. */
export const fixSchema = z
  .object({
    first_line: z.number(),
    last_line: z.number(),
    replacement: z.string().describe('The new text of these lines, without line numbers'),
  })
  .nullable()
  .describe('The smallest edit of the target cell that avoids the crash; null when there is none');

/** What is asked for. Every field is required, as the strict modes of the providers demand. */
export const answerSchema = z.object({
  cause: z
    .string()
    .describe('Why the cell will crash or will not, in one or two sentences that name the facts'),
  detection: z.boolean().describe('true when the cell will raise an exception'),
  exception_type: z.string().nullable().describe('Class name of the exception; null without a crash'),
  line: z
    .number()
    .nullable()
    .describe('Number of the line of the target cell that raises; null without a crash'),
  confidence: z.number().describe('Between 0 and 1'),
  fix: fixSchema,
});

export interface Fix {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly replacement: string;
}

export interface Answer {
  readonly detection: boolean;
  readonly cause: string;
  readonly exceptionType: string | null;
  readonly line: number | null;
  readonly confidence: number | null;
  readonly fix: Fix | null;
}

export type ReadAnswer =
  | { readonly answer: Answer; readonly problem: null }
  | { readonly answer: null; readonly problem: string };

/** What is accepted: answers recorded elsewhere have fewer fields and call the cause "reasoning". */
const accepted = z.looseObject({
  detection: z.union([
    z.boolean(),
    z.enum(['true', 'True', 'yes']).transform(() => true),
    z.enum(['false', 'False', 'no']).transform(() => false),
  ]),
  cause: z.string().optional(),
  reasoning: z.string().optional(),
  exception_type: z.string().nullish().catch(null),
  line: z.number().int().positive().nullish().catch(null),
  confidence: z.number().min(0).max(1).nullish().catch(null),
  fix: z
    .object({
      first_line: z.number().int().positive(),
      last_line: z.number().int().positive(),
      replacement: z.string(),
    })
    .nullish()
    .catch(null),
});

export function readAnswer(text: string): ReadAnswer {
  const objects = jsonObjects(text);
  const read = objects.flatMap((object) => {
    const parsed = accepted.safeParse(object);
    return parsed.success ? [parsed.data] : [];
  });
  const [first] = read;
  if (first === undefined) {
    const problem =
      objects.length === 0 ? 'the answer holds no JSON object' : 'the JSON object has no boolean "detection"';
    return { answer: null, problem };
  }
  if (read.some(({ detection }) => detection !== first.detection))
    return { answer: null, problem: 'the answer holds JSON objects that contradict each other' };
  const last = read.at(-1)!;
  const { fix } = last;
  return {
    answer: {
      detection: last.detection,
      cause: last.cause ?? last.reasoning ?? '',
      exceptionType: last.exception_type ?? null,
      line: last.line ?? null,
      confidence: last.confidence ?? null,
      fix: fix ? { firstLine: fix.first_line, lastLine: fix.last_line, replacement: fix.replacement } : null,
    },
    problem: null,
  };
}

/** The outermost JSON objects in a text, in order; what does not parse is passed over. */
function jsonObjects(text: string): unknown[] {
  const found: unknown[] = [];
  for (let start = text.indexOf('{'); start !== -1; start = text.indexOf('{', start)) {
    const end = endOfObject(text, start);
    const object = end === null ? undefined : parse(text.slice(start, end));
    if (object !== undefined) found.push(object);
    start = object === undefined || end === null ? start + 1 : end;
  }
  return found;
}

function endOfObject(text: string, start: number): number | null {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at + 1;
  }
  return null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
