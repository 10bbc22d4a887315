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
  return (await (await answered(address, path, sent)).json()) as Answer;
}

/** The bytes of a file. */
export async function download(address: Asked, path: string): Promise<ReadableStream> {
  return (await answered(address, path, {})).body ?? new ReadableStream();
}

async function answered(
  { server, token, signal }: Asked,
  path: string,
  { method = 'GET', json, body }: Sent,
): Promise<Response> {
  for (let tried = 1; ; tried++) {
    const content = json === undefined ? body?.() : JSON.stringify(json);
    const response = await fetch(new URL(`/api${path}`, server), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(content === undefined ? {} : { body: content, duplex: 'half' }),
      ...(signal === undefined ? {} : { signal }),
    } as RequestInit).catch((cause: unknown) => unreachable(server, cause));
    if (!(response instanceof GrusError) && response.ok) return response;
    const again = response instanceof GrusError || passing.has(response.status);
    if (!again || tried === tries || signal?.aborted)
      throw response instanceof GrusError ? response : await refusal(server, response);
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
