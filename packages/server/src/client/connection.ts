// Requests to a Grus server: the token in a header, bounded tries when it cannot be reached, and its own words when it refuses.
import { setTimeout as wait } from 'node:timers/promises';
import { GrusError } from '@grus/core';

export interface ServerAddress {
  readonly server: string;
  readonly token: string;
  readonly project: string;
  /** Ends whatever is asked. */
  readonly signal?: AbortSignal | undefined;
}

const tries = 6;
const firstWaitMs = 250;
const passing = new Set([429, 502, 503, 504]);

interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly json?: unknown;
  /** Made anew for every try. */
  readonly body?: () => ReadableStream | Buffer;
}

type Asked = Omit<ServerAddress, 'project'>;

export async function request<Answer>(address: Asked, path: string, sent: Sent = {}): Promise<Answer> {
  return answered(address, path, sent, async (response) => (await response.json()) as Answer);
}

/** The bytes of a file. */
export async function download(address: Asked, path: string): Promise<ReadableStream> {
  return answered(address, path, {}, async ({ body }) => body ?? new ReadableStream());
}

type Answered<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** Without a status, nobody answered. */
  | { readonly kind: 'refused'; readonly status: number | null; readonly refusal: GrusError };

/** An answer that breaks off while it is read is asked for again, like one that never came. */
async function answered<Answer>(
  { server, token, signal }: Asked,
  path: string,
  { method = 'GET', json, body }: Sent,
  read: (response: Response) => Promise<Answer>,
): Promise<Answer> {
  for (let tried = 1; ; tried++) {
    const content = json === undefined ? body?.() : JSON.stringify(json);
    const result = await fetch(new URL(`/api${path}`, server), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(content === undefined ? {} : { body: content, duplex: 'half' }),
      ...(signal === undefined ? {} : { signal }),
    } as RequestInit)
      .then(
        async (response): Promise<Answered<Answer>> =>
          response.ok
            ? { kind: 'answered', answer: await read(response) }
            : { kind: 'refused', status: response.status, refusal: await refusal(server, response) },
      )
      .catch((cause: unknown): Answered<Answer> => {
        return { kind: 'refused', status: null, refusal: unreachable(server, cause) };
      });
    if (result.kind === 'answered') return result.answer;
    const again = result.status === null || passing.has(result.status);
    if (!again || tried === tries || signal?.aborted) throw result.refusal;
    await wait(firstWaitMs * 2 ** (tried - 1), undefined, signal && { signal }).catch(() => undefined);
  }
}

function unreachable(server: string, cause: unknown): GrusError {
  const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
  return new GrusError(`${server} cannot be reached: ${reason}`, {
    advice: 'Check --server, and that `grus server` runs there.',
    cause,
  });
}

async function refusal(server: string, response: Response): Promise<GrusError> {
  const told = (await response.json().catch(() => null)) as { error?: unknown; advice?: unknown } | null;
  if (typeof told?.error !== 'string' || typeof told.advice !== 'string')
    return new GrusError(`${server} answered ${response.status}`, {
      advice: 'Is it a Grus server? Check --server.',
    });
  return new GrusError(told.error, { advice: told.advice });
}
