// Writes a real, tiny model of the llama architecture with random weights: one block, a vocabulary of the 256 bytes. It
// knows nothing, which is the point: whatever form its answers have comes from the grammar.

const embedding = 64;
const hidden = 128;
const contextLength = 16_384;

type Value =
  | { readonly u32: number }
  | { readonly f32: number }
  | { readonly text: string }
  | { readonly texts: readonly string[] }
  | { readonly f32s: readonly number[] }
  | { readonly i32s: readonly number[] };

export function tinyGguf(seed = 1): Buffer {
  const random = generator(seed);
  const bytes = Array.from(
    { length: 256 },
    (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
  );
  // The tokenizer writes a space as this character.
  const tokens = ['<unk>', '<s>', '</s>', '\u2581', ...bytes];
  const kinds = { normal: 1, unknown: 2, control: 3, byte: 6 };
  const metadata: Record<string, Value> = {
    'general.architecture': { text: 'llama' },
    'general.name': { text: 'tiny' },
    'llama.context_length': { u32: contextLength },
    'llama.embedding_length': { u32: embedding },
    'llama.block_count': { u32: 1 },
    'llama.feed_forward_length': { u32: hidden },
    'llama.attention.head_count': { u32: 4 },
    'llama.attention.head_count_kv': { u32: 4 },
    'llama.attention.layer_norm_rms_epsilon': { f32: 1e-5 },
    'llama.rope.dimension_count': { u32: embedding / 4 },
    'llama.vocab_size': { u32: tokens.length },
    'tokenizer.ggml.model': { text: 'llama' },
    'tokenizer.ggml.tokens': { texts: tokens },
    'tokenizer.ggml.scores': { f32s: tokens.map(() => 0) },
    'tokenizer.ggml.token_type': {
      i32s: [kinds.unknown, kinds.control, kinds.control, kinds.normal, ...bytes.map(() => kinds.byte)],
    },
    'tokenizer.ggml.bos_token_id': { u32: 1 },
    'tokenizer.ggml.eos_token_id': { u32: 2 },
    'tokenizer.ggml.unknown_token_id': { u32: 0 },
  };
  const shapes: Record<string, readonly number[]> = {
    'token_embd.weight': [embedding, tokens.length],
    'output_norm.weight': [embedding],
    'output.weight': [embedding, tokens.length],
    'blk.0.attn_norm.weight': [embedding],
    'blk.0.attn_q.weight': [embedding, embedding],
    'blk.0.attn_k.weight': [embedding, embedding],
    'blk.0.attn_v.weight': [embedding, embedding],
    'blk.0.attn_output.weight': [embedding, embedding],
    'blk.0.ffn_norm.weight': [embedding],
    'blk.0.ffn_gate.weight': [embedding, hidden],
    'blk.0.ffn_up.weight': [embedding, hidden],
    'blk.0.ffn_down.weight': [hidden, embedding],
  };
  return file(metadata, shapes, () => (random() - 0.5) * 0.4);
}

/** GGUF, version 3: header, metadata, the table of tensors, then their numbers from the next multiple of 32 on. */
function file(
  metadata: Record<string, Value>,
  shapes: Record<string, readonly number[]>,
  weight: () => number,
): Buffer {
  const entries = Object.entries(metadata).flatMap(([key, value]) => [string(key), ...encode(value)]);
  const infos: Buffer[] = [];
  const data: Buffer[] = [];
  let offset = 0;
  for (const [name, shape] of Object.entries(shapes)) {
    infos.push(string(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset));
    const count = shape.reduce((product, size) => product * size, 1);
    const numbers = Float32Array.from({ length: count }, name.endsWith('norm.weight') ? () => 1 : weight);
    const block = padded(Buffer.from(numbers.buffer));
    data.push(block);
    offset += block.length;
  }
  const start = [Buffer.from('GGUF'), u32(3), u64(Object.keys(shapes).length)];
  const head = Buffer.concat([...start, u64(Object.keys(metadata).length), ...entries, ...infos]);
  return Buffer.concat([padded(head), ...data]);
}

function encode(value: Value): Buffer[] {
  if ('u32' in value) return [u32(4), u32(value.u32)];
  if ('f32' in value) return [u32(6), f32(value.f32)];
  if ('text' in value) return [u32(8), string(value.text)];
  if ('texts' in value) return [u32(9), u32(8), u64(value.texts.length), ...value.texts.map(string)];
  if ('f32s' in value) return [u32(9), u32(6), u64(value.f32s.length), ...value.f32s.map(f32)];
  return [u32(9), u32(5), u64(value.i32s.length), ...value.i32s.map(u32)];
}

function u32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value);
  return buffer;
}

function u64(value: number): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt(value));
  return buffer;
}

function f32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeFloatLE(value);
  return buffer;
}

function string(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([u64(bytes.length), bytes]);
}

function padded(buffer: Buffer): Buffer {
  return Buffer.concat([buffer, Buffer.alloc((32 - (buffer.length % 32)) % 32)]);
}

/** A small linear congruential generator: the same weights for the same seed. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
