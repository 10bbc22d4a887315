// A Jupyter server: which kernels it runs and knows, attaching to one, starting one.
import { KernelClient } from '../client/client.js';
import { KernelUnavailableError } from '../errors.js';
import type { Kernel } from '../kernel.js';
import {
  call,
  fetchModel,
  type KernelModel,
  kernelModel,
  kernelModels,
  kernelSpecModels,
  makeSettings,
  type Settings,
} from './rest.js';
import { ServerTransport } from './transport.js';

export interface ServerOptions {
  /** Address of the server; a token in its query is used, and the path of a page is cut off. */
  readonly url: string;
  readonly token?: string;
}

export interface ServerKernelOptions {
  /** Milliseconds until the kernel must answer. Default 60 000. */
  readonly timeout?: number;
}

export interface JupyterServer {
  readonly url: string;
  listKernels(): Promise<KernelModel[]>;
  /** Names of the kernelspecs on the server with their languages. */
  listSpecs(): Promise<{ name: string; displayName: string; language: string }[]>;
  /** The kernel is never ended or restarted by us. */
  attach(kernelId: string, options?: ServerKernelOptions): Promise<Kernel>;
  /** Starts a kernel of the given spec, or of the server's default; it ends with us. */
  start(name?: string, options?: ServerKernelOptions): Promise<Kernel>;
}

const defaultTimeout = 60_000;

/** Checks at once that the server can be reached and accepts the token. */
export async function connectServer(options: ServerOptions): Promise<JupyterServer> {
  const settings = makeSettings(options.url, options.token);
  const listKernels = () => fetchModel(kernelModels, settings, 'api/kernels');
  await listKernels();
  return {
    url: settings.baseUrl,
    listKernels,
    listSpecs: () => listSpecs(settings),
    attach: (id, { timeout = defaultTimeout } = {}) => attach(settings, id, timeout),
    start: (name, { timeout = defaultTimeout } = {}) => start(settings, name, timeout),
  };
}

async function listSpecs(settings: Settings) {
  const { kernelspecs } = await fetchModel(kernelSpecModels, settings, 'api/kernelspecs');
  return Object.entries(kernelspecs).map(([name, { spec }]) => ({
    name,
    displayName: spec.display_name || name,
    language: spec.language.toLowerCase(),
  }));
}

async function attach(settings: Settings, id: string, timeout: number): Promise<Kernel> {
  const answer = await call(settings, `api/kernels/${encodeURIComponent(id)}`);
  const model = kernelModel.safeParse(answer.body);
  if (answer.status >= 400 || !model.success) {
    const running = await fetchModel(kernelModels, settings, 'api/kernels');
    const ids = running.map((kernel) => kernel.id).join(', ');
    throw new KernelUnavailableError(`The Jupyter server at ${settings.baseUrl} runs no kernel ${id}`, {
      advice: ids === '' ? 'No kernel is running there: open a notebook first.' : `Running there: ${ids}.`,
    });
  }
  return KernelClient.connect(await ServerTransport.open(settings, model.data, false), timeout);
}

async function start(settings: Settings, name: string | undefined, timeout: number): Promise<Kernel> {
  if (name !== undefined) {
    const names = (await listSpecs(settings)).map((spec) => spec.name);
    if (!names.includes(name)) {
      throw new KernelUnavailableError(
        `The Jupyter server at ${settings.baseUrl} has no kernelspec named ${name} (found: ${names.join(', ')})`,
        { advice: 'Choose one of those it has.' },
      );
    }
  }
  const body = name === undefined ? {} : { name };
  const model = await fetchModel(kernelModel, settings, 'api/kernels', 'POST', body);
  return KernelClient.connect(await ServerTransport.open(settings, model, true), timeout);
}
