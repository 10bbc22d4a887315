// Chat completions, as vLLM, llama.cpp, LM Studio and Ollama serve them.
import { z } from 'zod';
import { bearer, event, pieces, type Wire } from './wire.js';

const jsonSchema = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.unknown()),
});

export const chat: Wire = {
  path: /^\/v1\/chat\/completions$/,
  request: z.strictObject({
    model: z.string().min(1),
    messages: z.tuple([
      z.strictObject({ role: z.literal('system'), content: z.string().min(1) }),
      z.strictObject({ role: z.literal('user'), content: z.string().min(1) }),
    ]),
    max_tokens: z.int().positive(),
    stream: z.literal(true),
    stream_options: z.strictObject({ include_usage: z.literal(true) }),
    response_format: z
      .strictObject({
        type: z.literal('json_schema'),
        json_schema: z.strictObject({
          name: z.string().regex(/^[\w-]{1,64}$/),
          strict: z.boolean().optional(),
          schema: jsonSchema,
        }),
      })
      .optional(),
  }),
  key: bearer,
  keyless: true,
  events: (text, model) => {
    const chunk = (delta: unknown, finish: string | null, extra: object = {}) =>
      event({
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1,
        model,
        choices: [{ index: 0, delta, finish_reason: finish }],
        ...extra,
      });
    return [
      chunk({ role: 'assistant', content: '' }, null),
      ...pieces(text).map((content) => chunk({ content }, null)),
      chunk({}, 'stop'),
      event({
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1,
        model,
        choices: [],
        usage: { prompt_tokens: 1000, completion_tokens: 50, total_tokens: 1050 },
      }),
      event('[DONE]'),
    ];
  },
  broken: event({
    error: { message: 'the model runner has stopped', type: 'api_error', param: null, code: null },
  }),
  error: (_status, message, code) => ({ error: { message, type: code, param: null, code } }),
};
