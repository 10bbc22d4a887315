// Multipart framing and signing of the Jupyter wire protocol: identities, delimiter, HMAC of the four JSON parts, the
// parts, raw buffers. A message whose signature does not match is never parsed.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Content, Header, Message } from './message.js';

const delimiter = Buffer.from('<IDS|MSG>');

export interface Signer {
  /** Empty when the connection file has no key: messages are then unsigned on both sides. */
  readonly key: string;
  /** Name of the hash, "sha256". */
  readonly hash: string;
}

function sign(signer: Signer, parts: readonly Uint8Array[]): Buffer {
  if (signer.key === '') {
    return Buffer.alloc(0);
  }
  const hmac = createHmac(signer.hash, signer.key);
  for (const part of parts) {
    hmac.update(part);
  }
  return Buffer.from(hmac.digest('hex'));
}

export function encodeFrames(signer: Signer, message: Message): Uint8Array[] {
  const parts = [message.header, message.parent_header, message.metadata, message.content].map((part) =>
    Buffer.from(JSON.stringify(part)),
  );
  return [delimiter, sign(signer, parts), ...parts, ...message.buffers];
}

export type Decoded =
  | { readonly ok: true; readonly message: Message }
  | { readonly ok: false; readonly because: 'framing' | 'signature' | 'json' };

export function decodeFrames(signer: Signer, frames: readonly Uint8Array[]): Decoded {
  const start = frames.findIndex((frame) => delimiter.equals(frame));
  const signature = frames[start + 1];
  const parts = frames.slice(start + 2, start + 6);
  if (start < 0 || signature === undefined || parts.length < 4) {
    return { ok: false, because: 'framing' };
  }
  const expected = sign(signer, parts);
  if (expected.length !== signature.length || !timingSafeEqual(expected, signature)) {
    return { ok: false, because: 'signature' };
  }
  try {
    const [header, parent, metadata, content] = parts.map(parseObject) as [Header, Header, Content, Content];
    if (typeof header.msg_id !== 'string' || typeof header.msg_type !== 'string') {
      return { ok: false, because: 'json' };
    }
    return {
      ok: true,
      message: { header, parent_header: parent, metadata, content, buffers: frames.slice(start + 6) },
    };
  } catch {
    return { ok: false, because: 'json' };
  }
}

function parseObject(part: Uint8Array): object {
  const value: unknown = JSON.parse(
    Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('utf8'),
  );
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SyntaxError('not an object');
  }
  return value;
}
