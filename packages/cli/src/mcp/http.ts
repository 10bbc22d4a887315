// The tools over HTTP, for clients that cannot start a program: on this machine alone, and for whoever has the token. A page
// in a browser has neither; requests under another host's name, or from another origin, are refused.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GrusError } from '@grus/core';
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';

const path = '/mcp';
const address = '127.0.0.1';
const ourNames = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;
const tokenVariable = 'GRUS_MCP_TOKEN';

/** Serves until the signal; says on stderr where, and with which token where none was given. */
export async function serveHttp(port: number, made: () => McpServer, signal: AbortSignal): Promise<void> {
  const given = process.env[tokenVariable];
  const token = given || randomBytes(24).toString('base64url');
  const { fetch } = createMcpHandler(made);
  const server = createServer((request, response) => {
    const refused = refusal(request, token);
    if (refused !== null) {
      response.writeHead(refused, { 'content-type': 'text/plain' }).end();
      return;
    }
    answer(request, response, fetch).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, address, resolve);
  }).catch((cause: unknown) => {
    throw new GrusError(`port ${port} cannot be used`, { advice: 'Choose another with --http PORT.', cause });
  });
  const { port: taken } = server.address() as AddressInfo;
  process.stderr.write(
    `grus: serving on http://${address}:${taken}${path}${given ? '' : `, token ${token}`}, Ctrl-C to stop\n`,
  );
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  });
}

function refusal({ headers, url = '' }: IncomingMessage, token: string): number | null {
  const { host = '', origin, authorization = '' } = headers;
  if (!ourNames.test(host)) return 403;
  if (origin !== undefined && !ourNames.test(origin.replace(/^https?:\/\//, ''))) return 403;
  const [shown, wanted] = [authorization, `Bearer ${token}`].map((text) => Buffer.from(text));
  if (shown!.length !== wanted!.length || !timingSafeEqual(shown!, wanted!)) return 401;
  return url.split('?')[0] === path ? null : 404;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  fetch: ReturnType<typeof createMcpHandler>['fetch'],
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const { method = 'GET', headers, url } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const told = await fetch(
    new Request(`http://${headers.host}${url}`, {
      method,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, one]),
      ),
      signal: gone.signal,
      ...(hasBody && { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' }),
    } as RequestInit),
  );
  response.writeHead(told.status, Object.fromEntries(told.headers));
  if (told.body === null) response.end();
  else await pipeline(Readable.fromWeb(told.body as never), response);
}
