// The messages interface of Anthropic. The answer comes as text in the format that `output_config` asks for.
import { z } from 'zod';
import { event, pieces, strictJsonSchema, type Wire } from './wire.js';

const textBlock = z.strictObject({
  type: z.literal('text'),
  text: z.string().min(1),
  cache_control: z.unknown().optional(),
});
export const anthropic: Wire = {
  path: /^\/v1\/messages$/,
  request: z.strictObject({
    model: z.string().min(1),
    max_tokens: z.int().positive(),
    system: z.array(textBlock).min(1),
    messages: z.tuple([z.strictObject({ role: z.literal('user'), content: z.array(textBlock).min(1) })]),
    stream: z.literal(true),
    output_config: z
      .strictObject({
        format: z.strictObject({ type: z.literal('json_schema'), schema: strictJsonSchema() }),
      })
      .optional(),
  }),
  key: (request) => {
    const { 'x-api-key': key, 'anthropic-version': version } = request.headers;
    return typeof key === 'string' && version === '2023-06-01' ? key : null;
  },
  events: (text, model) => {
    const typed = (type: string, data: object) => event({ type, ...data }, type);
    return [
      typed('message_start', {
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 1000, output_tokens: 1 },
        },
      }),
      typed('ping', {}),
      typed('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...pieces(text).map((piece) =>
        typed('content_block_delta', { index: 0, delta: { type: 'text_delta', text: piece } }),
      ),
      typed('content_block_stop', { index: 0 }),
      typed('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: 50 },
      }),
      typed('message_stop', {}),
    ];
  },
  broken: event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'error'),
  error: (_status, message, code) => ({ type: 'error', error: { type: code, message } }),
};
