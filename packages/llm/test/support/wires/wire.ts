// One provider's wire format: where it listens, what a request must look like, and how an answer is streamed.
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';

export interface Wire {
  readonly path: RegExp;
  readonly request: z.ZodType;
  /** The header that carries the key, and how. */
  key(request: IncomingMessage): string | null;
  /** The events of a whole answer, in order. */
  events(text: string, model: string): readonly string[];
  error(status: number, message: string, code: string): unknown;
  /** What comes in the middle of a stream when the server gives up; null where the interface has no such event. */
  readonly broken: string | null;
  /** Servers of one's own ask for no key. */
  readonly keyless?: boolean;
}

/** JSON Schema for strict modes: every object, at every level, lists all its properties as required and allows no others. */
export function strictJsonSchema(): z.ZodType {
  return z.unknown().superRefine((schema, context) => {
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      if ('type' in node && node.type === 'object') {
        const parsed = strictObjectNode.safeParse(node);
        if (!parsed.success) context.addIssue({ code: 'custom', message: parsed.error.message });
      }
      for (const child of Object.values(node)) visit(child);
    };
    if (typeof schema !== 'object' || schema === null || !('type' in schema) || schema.type !== 'object')
      context.addIssue({ code: 'custom', message: 'the schema must describe an object' });
    visit(schema);
  });
}

const strictObjectNode = z
  .looseObject({
    properties: z.record(z.string(), z.unknown()),
    required: z.array(z.string()),
    additionalProperties: z.literal(false),
  })
  .refine((node) => Object.keys(node.properties).every((name) => node.required.includes(name)), {
    message: 'every property must be required',
  });

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
