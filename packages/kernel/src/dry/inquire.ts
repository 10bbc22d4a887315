// Asks the real libraries, inside an isolated copy of the kernel's process, what small programs do whose every part is
// known: constructor calls, modules applied to tensors of a given shape, operations on tensors, drawing from a loader.
import { z } from 'zod';
import { agentVersion } from '../agent/install.js';
import type { Kernel } from '../kernel.js';
import { reason } from '../snapshot/reason.js';
import { type ObjectFact, objectFact } from '../snapshot/schema.js';

/** One step of a program. Steps name the steps that they are made of by their id. */
export interface Step {
  readonly id: number;
  readonly op:
    | 'live'
    | 'literal'
    | 'float'
    | 'ellipsis'
    | 'name'
    | 'tensor'
    | 'list'
    | 'tuple'
    | 'slice'
    | 'call'
    | 'method'
    | 'attribute'
    | 'binary'
    | 'in_place'
    | 'item'
    | 'draw'
    | 'mapping'
    | 'unary'
    | 'stored'
    | 'fitted'
    | 'apart'
    | 'tried'
    | 'trained';
  /** All that it is made of is the real thing, no stand-in: its value is the value. */
  readonly real?: boolean;
  readonly path?: string;
  readonly value?: string | number | boolean | null;
  readonly name?: string;
  readonly shape?: readonly number[];
  readonly dtype?: string;
  /** Of a tensor: where it is known to be. */
  readonly device?: string;
  /** Of a tensor: it requires gradients. */
  readonly grad?: boolean;
  /** Inside `torch.no_grad()`. */
  readonly grad_off?: boolean;
  /** Tells apart steps that are alike but change something each time. */
  readonly turn?: number;
  readonly callee?: number;
  readonly receiver?: number;
  readonly args?: readonly number[];
  readonly keywords?: Readonly<Record<string, number>>;
}

export interface Questions {
  readonly steps: readonly Step[];
  /** Steps to tell the answers of. */
  readonly wanted: readonly number[];
  /** Wanted ones on real things whose value is kept nowhere: it is described only where a step that takes it gives none. */
  readonly brief?: readonly number[];
}

export type ToldValue =
  | { kind: 'none' | 'brief' }
  | {
      kind: 'tensor' | 'ndarray';
      shape: number[];
      dtype: string;
      grad?: boolean | undefined;
      device?: string | undefined;
    }
  | { kind: 'scalar'; type: string; value?: boolean | number | undefined }
  | { kind: 'module' | 'other'; class: string }
  | { kind: 'list' | 'tuple'; class: string; items: ToldValue[]; complete: boolean }
  | { kind: 'dict'; class: string; keys: string[]; items: ToldValue[]; complete: boolean }
  | {
      kind: 'drawn';
      count: number;
      complete: boolean;
      first?: ToldValue | undefined;
      last?: ToldValue | undefined;
      error?: { type: string; message: string } | undefined;
    }
  | { kind: 'object'; ref: string; objects: Record<string, ObjectFact> };

const sizes = z.array(z.number());
const toldValue: z.ZodType<ToldValue> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(['none', 'brief']) }),
    z.object({
      kind: z.enum(['tensor', 'ndarray']),
      shape: sizes,
      dtype: z.string(),
      grad: z.boolean().optional(),
      device: z.string().optional(),
    }),
    z.object({
      kind: z.literal('scalar'),
      type: z.string(),
      value: z.union([z.boolean(), z.number()]).optional(),
    }),
    z.object({ kind: z.enum(['module', 'other']), class: z.string() }),
    z.object({
      kind: z.enum(['list', 'tuple']),
      class: z.string(),
      items: z.array(toldValue),
      complete: z.boolean(),
    }),
    z.object({
      kind: z.literal('dict'),
      class: z.string(),
      keys: z.array(z.string()),
      items: z.array(toldValue),
      complete: z.boolean(),
    }),
    z.object({
      kind: z.literal('drawn'),
      count: z.number(),
      complete: z.boolean(),
      first: toldValue.optional(),
      last: toldValue.optional(),
      error: z.object({ type: z.string(), message: z.string() }).optional(),
    }),
    z.object({ kind: z.literal('object'), ref: z.string(), objects: z.record(z.string(), objectFact) }),
  ]),
);

const answerSchema = z.discriminatedUnion('status', [
  z.object({ answer: z.number(), status: z.literal('value'), value: toldValue }),
  /** Raised whatever the data hold. */
  z.object({ answer: z.number(), status: z.literal('raised'), type: z.string(), message: z.string() }),
  z.object({ answer: z.number(), status: z.literal('unknown'), reason }),
]);
export type StepAnswer = z.infer<typeof answerSchema>;

const replySchema = z.object({ status: z.literal('ok'), answers: z.array(answerSchema) });

export interface InquireOptions {
  /** Names the check. All rounds of questions of one name are put to the same copy, made for the first of them. */
  readonly check: string;
  /** Milliseconds for all rounds together; then the copy is ended. */
  readonly budgetMs: number;
  /** Milliseconds of the processor's time that all answers together may take: the same on a busy machine. */
  readonly cpuMs: number;
  /** Milliseconds to wait for a kernel that is running a cell. Default 2 000. */
  readonly busyBudgetMs?: number;
}

const graceMs = 5_000;

/** Answers by step. A kernel that cannot be copied safely, or that is busy, gives none. */
export async function inquire(
  kernel: Kernel,
  questions: Questions,
  options: InquireOptions,
): Promise<ReadonlyMap<number, StepAnswer>> {
  const busyBudget = options.busyBudgetMs ?? 2_000;
  const reply = await kernel.request(
    'grus_dry_request',
    {
      agent: agentVersion,
      check: options.check,
      questions,
      budget_ms: options.budgetMs,
      cpu_ms: options.cpuMs,
    },
    { replyAfterIdle: true, subshell: 'never', busyBudget, timeout: busyBudget + options.budgetMs + graceMs },
  );
  const parsed = replySchema.safeParse(reply.content);
  return new Map(parsed.success ? parsed.data.answers.map((answer) => [answer.answer, answer]) : []);
}
