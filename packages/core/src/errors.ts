// The one base class of everything Grus throws on purpose: a line that says what went wrong and one that says what to do.

const marker = Symbol.for('grus.error');

export interface GrusErrorOptions {
  /** What the user can do about it, as an imperative sentence. */
  readonly advice: string;
  readonly cause?: unknown;
}

export class GrusError extends Error {
  override readonly name: string = 'GrusError';
  readonly [marker] = true;
  readonly advice: string;

  constructor(message: string, options: GrusErrorOptions) {
    super(message, { cause: options.cause });
    this.advice = options.advice;
  }

  /** Works across copies of this package, where `instanceof` does not. */
  static isInstance(error: unknown): error is GrusError {
    return typeof error === 'object' && error !== null && marker in error;
  }
}
