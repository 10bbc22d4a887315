// A message as JSON to an address of the configuration, and nowhere else: a redirection is not followed.
import { type Delivery, mostMs } from '../delivery.js';

/** The connection was never made. */
const unconnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export async function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Delivery> {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
    redirect: 'manual',
    signal: AbortSignal.timeout(mostMs),
  }).catch(problemOf);
  if (!(response instanceof Response)) return response;
  await response.body?.cancel();
  if (response.ok) return { kind: 'sent' };
  const isPassing = response.status === 429 || response.status >= 500;
  return { kind: isPassing ? 'again' : 'refused', reason: `it answered ${response.status}` };
}

function problemOf(error: Error): Delivery {
  const { code = error.name } = (error.cause ?? error) as NodeJS.ErrnoException;
  return { kind: unconnected.has(code) ? 'again' : 'unclear', reason: `no answer: ${code}` };
}
