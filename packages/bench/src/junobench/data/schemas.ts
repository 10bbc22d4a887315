// The shapes of the benchmark's JSON files; everything that is read passes one of these.
import { z } from 'zod';

export const labelSchema = z.object({
  case: z.string(),
  library_group: z.string(),
  exception: z.string(),
  message: z.string(),
  library: z.string(),
  root_cause: z.string(),
  crash_type: z.string(),
  pipeline_stage: z.string(),
  diagnosis: z.string(),
});
export type Label = z.infer<typeof labelSchema>;

const verdictSchema = z.object({
  detection: z.enum(['correct', 'wrong']),
  detection_and_diagnosis: z.enum(['correct', 'partially correct', 'reasoning wrong', 'wrong']),
});

/** instance → model or analyser → mode → verdict. */
export const publishedSchema = z.record(
  z.string(),
  z.record(z.string(), z.record(z.string(), verdictSchema)),
);
export type PublishedVerdicts = z.infer<typeof publishedSchema>;

export const answersSchema = z.array(z.unknown());

export const diagnosticsSchema = z.array(
  z.looseObject({
    // Some diagnostics belong to no rule, and some to no line: the analyser leaves such a field out or empty.
    code_line: z.string().nullish(),
    message: z.string(),
    rule: z.string().nullish(),
    symbol: z.string().nullish(),
    severity: z.string().nullish(),
    type: z.string().nullish(),
  }),
);
export type Diagnostic = z.infer<typeof diagnosticsSchema>[number];
