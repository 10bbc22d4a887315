// One provider's wire format: where it listens, what a request must look like, and how an answer is streamed.
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';

export interface Wire {
  readonly path: RegExp;
  readonly request: z.ZodType;
  /** The header that carries the key, and how. */
  key(request: IncomingMessage): string | null;
  /** The events of a whole answer, in order. */
  events(text: string, model: string): readonly string[];
  error(status: number, message: string, code: string): unknown;
}

export function bearer(request: IncomingMessage): string | null {
  return /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

export function event(data: unknown, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

/** The text in pieces, as models write it. */
export function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,17}/g) ?? [];
}
