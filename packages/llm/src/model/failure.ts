// Why a model gave no answer, in one line that a person can act on.
import { GrusError, type ReasonOf } from '@grus/core';

export type FailureKind =
  | 'offline'
  | 'key'
  | 'quota'
  | 'busy'
  | 'timeout'
  | 'cancelled'
  | 'server'
  | 'refused'
  | 'unknown-model'
  | 'cut'
  | 'spending'
  | 'not-recorded';

/** Failures that the next vote would meet as well. */
const lasting: ReadonlySet<FailureKind> = new Set([
  'offline',
  'key',
  'quota',
  'cancelled',
  'unknown-model',
  'refused',
  'spending',
  'not-recorded',
]);

/** Failures that may be gone in a moment. */
const passing: ReadonlySet<FailureKind> = new Set(['offline', 'busy', 'server', 'cut']);

export interface ModelFailureOptions {
  readonly advice: string;
  readonly cause?: unknown;
  /** Milliseconds that the server asked to wait. */
  readonly retryAfterMs?: number | null;
}

export class ModelFailure extends GrusError {
  override readonly name = 'ModelFailure';
  readonly kind: FailureKind;
  readonly retryAfterMs: number | null;

  constructor(kind: FailureKind, message: string, options: ModelFailureOptions) {
    super(message, options);
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }

  /** Why a rung that needed the answer abstains. */
  get reason(): ReasonOf<'model-failed'> {
    return { code: 'model-failed', failure: this.kind, message: this.message, advice: this.advice };
  }

  get lasts(): boolean {
    return lasting.has(this.kind);
  }

  get mayPass(): boolean {
    return passing.has(this.kind);
  }

  static is(error: unknown): error is ModelFailure {
    return error instanceof ModelFailure;
  }
}

export function cancelled(model: string): ModelFailure {
  return new ModelFailure('cancelled', `the question to ${model} was cancelled`, {
    advice: 'Check again when you want its opinion.',
  });
}
