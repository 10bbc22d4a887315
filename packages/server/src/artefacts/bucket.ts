// A bucket of an S3 API: AWS, MinIO, Ceph and the like. Requests are signed and go to the one address that was named.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { GrusError } from '@grus/core';
import { AwsV4Signer } from 'aws4fetch';

export interface BucketSettings {
  /** `https://HOST/BUCKET/PREFIX`. */
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

export interface BucketObject {
  /** Below the prefix. */
  readonly key: string;
  readonly size: number;
  /** Changes with the content. */
  readonly tag: string;
  readonly modified: Date;
}

export interface Bucket {
  /** Null when there is none. */
  head(key: string): Promise<Pick<BucketObject, 'size' | 'modified'> | null>;
  put(key: string, path: string, digest: string): Promise<void>;
  /** Null when there is none. */
  get(key: string): Promise<Readable | null>;
  remove(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<BucketObject>;
}

/** For requests that carry no file; one that does ends when nothing came for five minutes. */
const mostMs = 30_000;

export function openBucket({ url, ...credentials }: BucketSettings): Bucket {
  const { origin, pathname } = new URL(url);
  const [name = '', ...rest] = pathname.split('/').filter(Boolean).map(decodeURIComponent);
  const inside = rest.map((part) => `${part}/`).join('');
  const addressOf = (key: string): URL =>
    new URL(`/${[name, ...`${inside}${key}`.split('/')].map(encoded).join('/')}`, origin);
  const ask = async (method: string, address: URL, sent: Sent = {}): Promise<Response> => {
    const signer = new AwsV4Signer({
      method,
      url: address.href,
      service: 's3',
      headers: { 'x-amz-content-sha256': sent.digest ?? 'UNSIGNED-PAYLOAD' },
      ...credentials,
    } as ConstructorParameters<typeof AwsV4Signer>[0]);
    const { headers } = await signer.sign();
    if (sent.size !== undefined) headers.set('content-length', String(sent.size));
    const response = await fetch(address, {
      method,
      headers,
      redirect: 'manual',
      ...(sent.file ? { body: sent.body, duplex: 'half' } : { signal: AbortSignal.timeout(mostMs) }),
    } as RequestInit);
    if (response.ok || response.status === 404) return response;
    await response.body?.cancel();
    throw new GrusError(`the bucket at ${address.host} answered ${response.status}`, {
      advice: 'Check its address, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    });
  };
  return {
    head: async (key) => {
      const response = await ask('HEAD', addressOf(key));
      if (!response.ok) return null;
      const { headers } = response;
      return {
        size: Number(headers.get('content-length')),
        modified: new Date(headers.get('last-modified') ?? 0),
      };
    },
    put: async (key, path, digest) => {
      const { size } = await stat(path);
      const body = size === 0 ? '' : Readable.toWeb(createReadStream(path));
      const response = await ask('PUT', addressOf(key), { file: true, size, digest, body });
      if (!response.ok) throw new GrusError('there is no such bucket', { advice: 'Make it first.' });
    },
    get: async (key) => {
      const response = await ask('GET', addressOf(key), { file: true });
      if (!response.ok) return null;
      if (response.body === null) return Readable.from([]);
      return Readable.fromWeb(response.body as never);
    },
    remove: async (key) => void (await ask('DELETE', addressOf(key))),
    list: async function* (prefix) {
      const start = `${inside}${prefix}`;
      for (let token: string | undefined; ; ) {
        const address = new URL(`/${encoded(name)}`, origin);
        const query = { 'list-type': '2', prefix: start, ...(token ? { 'continuation-token': token } : {}) };
        address.search = Object.entries(query)
          .map(([key, value]) => `${key}=${encoded(value)}`)
          .join('&');
        const text = await (await ask('GET', address)).text();
        for (const [, entry] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs))
          yield {
            key: (textOf(entry!, 'Key') ?? '').slice(inside.length),
            size: Number(textOf(entry!, 'Size')),
            tag: textOf(entry!, 'ETag') ?? '',
            modified: new Date(textOf(entry!, 'LastModified') ?? 0),
          };
        token = textOf(text, 'NextContinuationToken');
        if (!token) return;
      }
    },
  };
}

/** Of RFC 3986, which signatures are made of: five characters more than JavaScript's own. */
function encoded(part: string): string {
  return encodeURIComponent(part).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

interface Sent {
  /** A file goes to or fro. */
  readonly file?: boolean;
  readonly size?: number;
  readonly digest?: string;
  readonly body?: unknown;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The answers are flat lists, written by machines. */
function textOf(xml: string, element: string): string | undefined {
  const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1];
  return text?.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) =>
    name === undefined
      ? String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
      : (entities[name] ?? whole),
  );
}
