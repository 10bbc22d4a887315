// What is known of a live pair: where the crashing version crashes, with what, and what kind of crash it is.
// Only the first four fields are needed to run the benchmark on a folder of pairs; the rest describes and groups them.
import { z } from 'zod';

export const metaSchema = z.looseObject({
  /** Counted from 0 among the code cells; the same in both versions. */
  target_cell: z.number().int().min(0),
  /** Class name of the exception as the kernel reports it. */
  exception: z.string().min(1),
  message: z.string(),
  /** Deepest line of the target cell in the traceback, counted from 1. */
  line: z.number().int().min(1),
  /** Line of the target cell where the traceback enters it: differs from `line` when the cell calls its own function. */
  call_line: z.number().int().min(1).optional(),
  title: z.string().optional(),
  family: z.string().default('unsorted'),
  libraries: z.array(z.string()).default([]),
  /** Where the exception is raised: the cell's own level, a function of the notebook, or a library. */
  raised_in: z.enum(['cell', 'function', 'library']).optional(),
  /** Whether both versions have the same target cell, so that only the state tells them apart. */
  same_target: z.boolean().optional(),
  /** Whether the target cell works for seconds (training, fitting, searching) before it crashes. */
  late: z.boolean().optional(),
});

export type PairMeta = z.infer<typeof metaSchema>;
