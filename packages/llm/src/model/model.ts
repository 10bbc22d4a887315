// What the rest of the package needs of a model: one question in, one text out, with what it took. Cache, limits and
// recorder are models around a model.
import type { z } from 'zod';

export interface ModelRequest {
  /** What the model is to do; the same for every check. */
  readonly instructions: string;
  /** The data of this check. */
  readonly prompt: string;
  /** The mark between which the sections of the prompt stand. */
  readonly mark?: string;
  readonly schema: z.ZodType;
  readonly schemaName: string;
  /** Which of several answers to the same question is asked for, counted from 0. */
  readonly vote: number;
  /** A name under which answers were recorded, where the question has one. */
  readonly name?: string;
  readonly signal?: AbortSignal;
}

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; null when the price is not known. */
  readonly usd: number | null;
}

export interface ModelReply {
  readonly text: string;
  readonly usage: ModelUsage;
  readonly ms: number;
  /** True when nothing was sent: the answer was cached or recorded. */
  readonly replayed: boolean;
}

export interface Model {
  readonly name: string;
  ask(request: ModelRequest): Promise<ModelReply>;
}

export const noUsage: ModelUsage = { inputTokens: 0, outputTokens: 0, usd: 0 };
