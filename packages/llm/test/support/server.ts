// A server on loopback that speaks the wire formats of the providers strictly, and misbehaves on demand: it throttles,
// fails, truncates, hangs and lies as real ones do.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readBody } from 'node:stream/consumers';
import { anthropic } from './wires/anthropic.js';
import { chat } from './wires/chat.js';
import { google } from './wires/google.js';
import { responses } from './wires/responses.js';
import type { Wire } from './wires/wire.js';

export type Behaviour =
  | { readonly say: string }
  | {
      readonly status: number;
      readonly message: string;
      readonly code?: string;
      readonly headers?: Record<string, string>;
    }
  /** Nothing comes, ever. */
  | { readonly hang: true }
  /** So many events of the answer, then the connection is cut or ended. */
  | { readonly say: string; readonly cutAfter: number; readonly politely?: boolean }
  /** So many events, then the event with which this interface gives up. */
  | { readonly say: string; readonly breakAfter: number }
  /** The answer in pieces of a few bytes, so many milliseconds apart. */
  | { readonly say: string; readonly dripMs: number }
  /** The whole answer under another content type. */
  | { readonly say: string; readonly type: string }
  /** Bytes that are no answer at all, with status 200; `length` promises more of them than come. */
  | { readonly raw: string; readonly length?: number };

export interface Seen {
  readonly path: string;
  readonly body: string;
  readonly at: number;
}

export interface ProviderServer {
  readonly origin: string;
  /** Requests that passed the schema, in order. */
  readonly seen: readonly Seen[];
  /** Why requests were refused as malformed. */
  readonly malformed: readonly string[];
  readonly open: () => number;
  close(): Promise<void>;
}

const wires: readonly Wire[] = [chat, responses, google, anthropic];

/** `script` is asked for each request in turn; `key` is the one that is accepted. */
export async function startProvider(
  script: (request: number, body: string) => Behaviour,
  key = 'right-key',
): Promise<ProviderServer> {
  const seen: Seen[] = [];
  const malformed: string[] = [];
  let open = 0;
  const server = createServer((request, response) => {
    open++;
    response.on('close', () => open--);
    void serve(request, response);
  });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    const wire = wires.find((candidate) => candidate.path.test(path));
    const body = await readBody(request).catch(() => '');
    if (!wire || request.method !== 'POST')
      return fail(response, 404, { error: { message: `no ${path} here` } });
    const given = wire.key(request);
    if (given === null ? !wire.keyless : given !== key)
      return fail(response, 401, wire.error(401, `Incorrect API key provided: ${given}.`, 'invalid_api_key'));
    const problem = problemOf(wire, request, body);
    if (problem !== null) {
      malformed.push(problem);
      return fail(response, 400, wire.error(400, `malformed: ${problem}`, 'invalid_request_error'));
    }
    seen.push({ path, body, at: performance.now() });
    behave(response, wire, script(seen.length - 1, body));
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    seen,
    malformed,
    open: () => open,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** What the documentation of the interface does not allow about a request. */
function problemOf(wire: Wire, request: IncomingMessage, body: string): string | null {
  if (!request.headers['content-type']?.startsWith('application/json')) return 'the content type is no JSON';
  try {
    return wire.request.safeParse(JSON.parse(body)).error?.message ?? null;
  } catch {
    return 'the body is no JSON';
  }
}

function behave(response: ServerResponse, wire: Wire, behaviour: Behaviour): void {
  if ('hang' in behaviour) return;
  if ('status' in behaviour) {
    const { status, message, code = 'error', headers = {} } = behaviour;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    fail(response, status, wire.error(status, message, code));
    return;
  }
  if ('raw' in behaviour) {
    const { raw, length } = behaviour;
    response.writeHead(200, {
      'content-type': 'text/html',
      ...(length === undefined ? {} : { 'content-length': length }),
    });
    if (length === undefined) response.end(raw);
    else response.write(raw, () => response.destroy());
    return;
  }
  const events = wire.events(behaviour.say, 'the-model');
  const type = 'type' in behaviour ? behaviour.type : 'text/event-stream';
  response.writeHead(200, { 'content-type': type });
  if ('dripMs' in behaviour) {
    void drip(response, events.join(''), behaviour.dripMs);
    return;
  }
  if ('breakAfter' in behaviour) {
    response.end([...events.slice(0, behaviour.breakAfter), wire.broken].join(''));
    return;
  }
  if (!('cutAfter' in behaviour)) {
    response.end(events.join(''));
    return;
  }
  response.write(events.slice(0, behaviour.cutAfter).join(''), () => {
    if (behaviour.politely) response.end();
    else response.destroy();
  });
}

async function drip(response: ServerResponse, text: string, ms: number): Promise<void> {
  const bytes = Buffer.from(text);
  // No event ends where a piece does.
  for (let at = 0; at < bytes.length; at += 41) {
    if (response.closed) return;
    response.write(bytes.subarray(at, at + 41));
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
  response.end();
}

function fail(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
