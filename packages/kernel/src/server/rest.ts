// The REST side of a Jupyter server. Requests go through @jupyterlab/services, answers through a schema, and what can
// go wrong becomes one line: unreachable, wrong token, not a Jupyter server.
import serverConnection from '@jupyterlab/services/lib/serverconnection.js';
import { z } from 'zod';
import { KernelUnavailableError } from '../errors.js';

const { ServerConnection } = serverConnection;
export type Settings = serverConnection.ServerConnection.ISettings;

const requestTimeout = 15_000;

const kernelModel = z.object({
  id: z.string(),
  name: z.string(),
  last_activity: z.string().optional(),
  execution_state: z.string().optional(),
  connections: z.number().optional(),
});
export type KernelModel = z.infer<typeof kernelModel>;
export const kernelModels = z.array(kernelModel);
export { kernelModel };

export const kernelSpecModels = z.object({
  default: z.string().optional(),
  kernelspecs: z.record(
    z.string(),
    z.object({ spec: z.object({ display_name: z.string().default(''), language: z.string().default('') }) }),
  ),
});

/** Settings for a URL as people copy it: with or without a token in it, or with the path of a page. */
export function makeSettings(url: string, token: string | undefined): Settings {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch (cause) {
    throw new KernelUnavailableError(`${url} is not a URL`, {
      advice: 'Give the address that `jupyter server list` prints, for instance http://localhost:8888/.',
      cause,
    });
  }
  const inUrl = parsed.searchParams.get('token') ?? undefined;
  const path = parsed.pathname.replace(/\/(?:lab|tree|notebooks|login)(?:\/.*)?$/, '/');
  const baseUrl = `${parsed.protocol}//${parsed.host}${path.endsWith('/') ? path : `${path}/`}`;
  return ServerConnection.makeSettings({
    baseUrl,
    wsUrl: `ws${baseUrl.slice(4)}`,
    token: token ?? inUrl ?? '',
  });
}

/** The status of the answer, and its body where there is one. Throws when there is no answer or no permission. */
export async function call(
  settings: Settings,
  path: string,
  method: 'GET' | 'POST' | 'DELETE' = 'GET',
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const init = {
    method,
    signal: AbortSignal.timeout(requestTimeout),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  let response: Response;
  try {
    response = await ServerConnection.makeRequest(settings.baseUrl + path, init, settings);
  } catch (cause) {
    throw new KernelUnavailableError(`Cannot reach a Jupyter server at ${settings.baseUrl}`, {
      advice: 'Check the address and that the server is running (`jupyter server list`).',
      cause,
    });
  }
  if (response.status === 401 || response.status === 403) {
    const problem = settings.token === '' ? 'asks for a token' : 'does not accept this token';
    throw new KernelUnavailableError(
      `The Jupyter server at ${settings.baseUrl} ${problem} (${response.status})`,
      {
        advice: 'Take the token from `jupyter server list` and give it with --token or in JUPYTER_TOKEN.',
      },
    );
  }
  const text = await response.text();
  return { status: response.status, body: parseBody(text) };
}

/** The body of a successful answer, checked. */
export async function fetchModel<T>(
  schema: z.ZodType<T>,
  settings: Settings,
  path: string,
  method?: 'GET' | 'POST',
  body?: unknown,
): Promise<T> {
  const answer = await call(settings, path, method, body);
  const parsed = schema.safeParse(answer.body);
  if (answer.status >= 400 || !parsed.success) {
    const reason = (answer.body as { message?: string } | undefined)?.message ?? `status ${answer.status}`;
    throw new KernelUnavailableError(
      `${settings.baseUrl}${path} did not answer as a Jupyter server does (${reason})`,
      {
        advice: 'Check that the address is that of a Jupyter server, with its base path.',
        cause: parsed.error,
      },
    );
  }
  return parsed.data;
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
