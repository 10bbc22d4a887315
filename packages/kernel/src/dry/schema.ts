// What the agent answers to a dry run, as it comes over the wire.
import { z } from 'zod';
import { reason } from '../snapshot/reason.js';

export const strengths = ['namespaces', 'landlock', 'audit'] as const;
/** How well a copy is fenced in, strongest first. */
export type IsolationStrength = (typeof strengths)[number];

const link = z.object({ type: z.string(), message: z.string() });

const effect = z.object({
  kind: z.enum(['network', 'process', 'change', 'special', 'reach']),
  what: z.string(),
  denied: z.boolean(),
});

/** A loop or fit that was cut short: its line, and the place it is in (number of the cell, or file of a function). */
const cut = z.object({
  what: z.string(),
  line: z.number().int(),
  place: z.union([z.number().int(), z.string()]),
  done: z.number(),
  /** Null where nobody knows after how many rounds a loop is over. */
  of: z.number().nullable(),
});

const shared = {
  cell: z.number().int(),
  /** What was cut short in this copy up to the end of the cell. Empty in a copy that runs everything. */
  clipped: z.array(cut).default([]),
  /** About how long the rounds would have taken that were left out. */
  skipped_ms: z.number().default(0),
  cell_ms: z.number(),
  output: z.string(),
  output_dropped: z.number(),
  /** Pictures in base64 and tables in HTML, by their types, when asked. */
  shown: z.array(z.record(z.string(), z.string())).default([]),
  effects: z.array(effect),
};

/** How one cell ended in the copy. `doubt` says why the copy itself may be to blame, and then it is no verdict. */
export const dryCellSchema = z.discriminatedUnion('status', [
  z.object({ ...shared, status: z.literal('finished'), doubt: reason.nullable() }),
  z.object({
    ...shared,
    status: z.literal('raised'),
    type: z.string(),
    message: z.string(),
    /** Deepest line of the cell in the traceback, and the line where the traceback enters the cell. */
    line: z.number().int().nullable(),
    call_line: z.number().int().nullable(),
    /** The innermost line of another cell, when a function that it defines was running. */
    inside: z
      .object({ function: z.string(), line: z.number().int(), cell: z.number().int().nullable() })
      .nullable()
      .default(null),
    chain: z.array(link),
    /** In how many more copies it came again, with other numbers in the place of those that cut training made. */
    variations: z.number().int().default(0),
    doubt: reason.nullable(),
  }),
  z.object({ ...shared, status: z.literal('no-verdict'), reason }),
]);

export type DryCell = z.infer<typeof dryCellSchema>;

const copySchema = z.object({
  status: z.literal('ok'),
  isolation: z
    .object({
      strength: z.enum(strengths),
      detail: z.string(),
      /** Kinds of the policy that this strength cannot keep on this machine. */
      not_covered: z.array(z.string()).default([]),
    })
    .nullable(),
  /** Strengths that were tried first and are not possible here. */
  skipped: z.array(reason),
  /** Set when a fresh process stood in for a copy: why, how many objects it was given, and of which only some rows. */
  twin: z.object({ reason, objects: z.number(), sampled: z.array(z.string()).default([]) }).nullable(),
  cells: z.array(dryCellSchema),
  /** `done`: every cell was run or one did not finish; otherwise what ended the copy. */
  ended: z.enum(['done', 'time', 'user', 'died', 'failed', 'flood']),
  /** Why the copy or twin could not be prepared. */
  reason: reason.nullable(),
  signal: z.string().nullable(),
  /** After a time-out: the stack of the copy shortly before, innermost frame first. */
  where: z.array(z.object({ file: z.string(), line: z.number(), function: z.string() })),
  /** After a time-out: how the cells ended in the copy that was sent ahead with its loops cut short. */
  rehearsed: z.array(dryCellSchema).default([]),
  held_ms: z.number(),
  ready_ms: z.number().nullable(),
  total_ms: z.number(),
});

export const dryReplySchema = z.discriminatedUnion('status', [
  copySchema,
  z.object({ status: z.literal('refused'), reason, twin: z.boolean().default(false) }),
  z.object({ status: z.literal('stale') }),
  z.object({ status: z.literal('error'), ename: z.string(), evalue: z.string() }),
]);

/** What came of a dry run: a copy was made and ran the cells, or the kernel could not be copied safely. */
export type DryRunResult = Extract<z.infer<typeof dryReplySchema>, { status: 'ok' | 'refused' }>;
