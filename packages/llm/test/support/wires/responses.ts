// The responses interface of OpenAI.
import { z } from 'zod';
import { bearer, event, pieces, strictJsonSchema, type Wire } from './wire.js';

export const responses: Wire = {
  path: /^\/v1\/responses$/,
  request: z.strictObject({
    model: z.string().min(1),
    input: z.tuple([
      z.strictObject({ role: z.enum(['system', 'developer']), content: z.string().min(1) }),
      z.strictObject({
        role: z.literal('user'),
        content: z.tuple([z.strictObject({ type: z.literal('input_text'), text: z.string().min(1) })]),
      }),
    ]),
    max_output_tokens: z.int().min(16),
    text: z
      .strictObject({
        format: z.strictObject({
          type: z.literal('json_schema'),
          name: z.string().regex(/^[\w-]{1,64}$/),
          strict: z.literal(true),
          schema: strictJsonSchema(),
        }),
      })
      .optional(),
    stream: z.literal(true),
    store: z.boolean().optional(),
    include: z.array(z.enum(['reasoning.encrypted_content', 'message.output_text.logprobs'])).optional(),
  }),
  key: bearer,
  events: (text, model) => {
    const response = (status: string, extra: object = {}) => ({
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      status,
      model,
      output: [],
      incomplete_details: null,
      error: null,
      ...extra,
    });
    const item = { id: 'msg_1', type: 'message', role: 'assistant' };
    const typed = (type: string, data: object) => event({ type, ...data }, type);
    return [
      typed('response.created', { sequence_number: 0, response: response('in_progress') }),
      typed('response.output_item.added', {
        sequence_number: 1,
        output_index: 0,
        item: { ...item, status: 'in_progress', content: [] },
      }),
      ...pieces(text).map((delta, index) =>
        typed('response.output_text.delta', {
          sequence_number: index + 2,
          item_id: 'msg_1',
          output_index: 0,
          content_index: 0,
          delta,
          logprobs: [],
        }),
      ),
      typed('response.output_item.done', {
        sequence_number: 998,
        output_index: 0,
        item: { ...item, status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] },
      }),
      typed('response.completed', {
        sequence_number: 999,
        response: response('completed', {
          usage: {
            input_tokens: 1000,
            input_tokens_details: { cached_tokens: 0 },
            output_tokens: 50,
            output_tokens_details: { reasoning_tokens: 10 },
            total_tokens: 1050,
          },
        }),
      }),
    ];
  },
  broken: event(
    {
      type: 'error',
      sequence_number: 3,
      code: 'server_error',
      message: 'The server had an error',
      param: null,
    },
    'error',
  ),
  error: (_status, message, code) => ({ error: { message, type: code, param: null, code } }),
};
