// The Gemini interface of Google: streamGenerateContent as server-sent events.
import { z } from 'zod';
import { event, pieces, type Wire } from './wire.js';

const parts = z.array(z.strictObject({ text: z.string().min(1) })).min(1);

/** The subset of OpenAPI that the interface takes: no $schema, no additionalProperties. */
const openApiSchema: z.ZodType = z.lazy(() =>
  z.strictObject({
    type: z.enum(['string', 'number', 'integer', 'boolean', 'array', 'object']).optional(),
    description: z.string().optional(),
    nullable: z.boolean().optional(),
    properties: z.record(z.string(), openApiSchema).optional(),
    required: z.array(z.string()).optional(),
    anyOf: z.array(openApiSchema).optional(),
    items: openApiSchema.optional(),
  }),
);

export const google: Wire = {
  path: /^\/v1beta\/models\/[^/:]+:streamGenerateContent\?alt=sse$/,
  request: z.strictObject({
    systemInstruction: z.strictObject({ parts }),
    contents: z.array(z.strictObject({ role: z.literal('user'), parts })).length(1),
    generationConfig: z.strictObject({
      maxOutputTokens: z.int().positive(),
      responseMimeType: z.literal('application/json').optional(),
      responseSchema: openApiSchema.optional(),
    }),
  }),
  key: (request) => {
    const key = request.headers['x-goog-api-key'];
    return typeof key === 'string' ? key : null;
  },
  events: (text, model) => {
    const chunks = pieces(text);
    return chunks.map((piece, index) =>
      event({
        candidates: [
          {
            content: { role: 'model', parts: [{ text: piece }] },
            index: 0,
            ...(index === chunks.length - 1 ? { finishReason: 'STOP' } : {}),
          },
        ],
        usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 50, totalTokenCount: 1050 },
        modelVersion: model,
      }),
    );
  },
  broken: null,
  error: (status, message, code) => ({ error: { code: status, message, status: code } }),
};
