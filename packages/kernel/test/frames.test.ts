// The wire format: what is sent can be read back, and nothing with a wrong signature is.
import { describe, expect, it } from 'vitest';
import { decodeFrames, encodeFrames } from '../src/protocol/frames.js';
import { newMessage } from '../src/protocol/message.js';

const signer = { key: 'a-key', hash: 'sha256' };
const message = newMessage('session', 'grus_request', { text: 'grüße' }, { buffers: [Buffer.from('raw')] });

describe('frames', () => {
  it('come back as the message they were made of, after any identities', () => {
    const frames = [Buffer.from('identity'), ...encodeFrames(signer, message)];
    const decoded = decodeFrames(signer, frames);
    expect(decoded).toEqual({ ok: true, message });
  });

  it('are refused when signed with another key', () => {
    const frames = encodeFrames({ ...signer, key: 'another' }, message);
    expect(decodeFrames(signer, frames)).toEqual({ ok: false, because: 'signature' });
  });

  it('are refused when unsigned or changed on the way', () => {
    expect(decodeFrames(signer, encodeFrames({ ...signer, key: '' }, message))).toMatchObject({ ok: false });
    const frames = encodeFrames(signer, message);
    frames[5] = Buffer.from('{"text":"other"}');
    expect(decodeFrames(signer, frames)).toEqual({ ok: false, because: 'signature' });
  });

  it('are refused when parts are missing or are not objects', () => {
    const frames = encodeFrames(signer, message);
    expect(decodeFrames(signer, frames.slice(0, 4))).toEqual({ ok: false, because: 'framing' });
    const unsigned = { key: '', hash: 'sha256' };
    const empty = Buffer.from('{}');
    const bad = [frames[0]!, Buffer.alloc(0), empty, empty, empty, Buffer.from('[]')];
    expect(decodeFrames(unsigned, bad)).toEqual({ ok: false, because: 'json' });
  });
});
