// The kernels that an agent may ask about: those that the user named at start, those of this user's Jupyter, and one that
// Grus starts itself. An agent names a kernel of this list; it cannot have a file of its choice opened.
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { GrusError } from '@grus/core';
import { attachKernel, connectServer, type JupyterServer, type Kernel, startKernel } from '@grus/kernel';
import { chosenFor } from '../jobs/kernels.js';
import type { KernelOptions } from '../options/kernel.js';

export const ownKernel = 'own';

export interface ListedKernel {
  readonly kernel: string;
  readonly where: 'own' | 'file' | 'server';
}

export class Kernels {
  readonly #open = new Map<string, Promise<Kernel>>();
  #server: Promise<JupyterServer> | null = null;

  constructor(private readonly options: KernelOptions) {}

  async list(): Promise<ListedKernel[]> {
    const files = (await this.#files()).map((file) => ({ kernel: basename(file), where: 'file' }) as const);
    const server = await this.#connected();
    const running = server ? await server.listKernels() : [];
    return [
      { kernel: ownKernel, where: 'own' },
      ...files,
      ...running.map(({ id }) => ({ kernel: id, where: 'server' }) as const),
    ];
  }

  /** The kernel of this name; without one, that which the user named at start, or Grus's own. */
  get(name: string | undefined): Promise<Kernel> {
    const wanted =
      name ?? this.options.kernelId ?? (this.options.kernel ? basename(this.options.kernel) : ownKernel);
    const known = this.#open.get(wanted);
    if (known) return known;
    const opening = this.#start(wanted);
    this.#open.set(wanted, opening);
    opening.then(
      (kernel) => kernel.ended.then(() => this.#open.delete(wanted)),
      () => this.#open.delete(wanted),
    );
    return opening;
  }

  async #start(name: string): Promise<Kernel> {
    if (name === ownKernel) {
      const { spec, python } = await chosenFor(join(process.cwd(), 'notebook.ipynb'), null, this.options);
      return startKernel({ cwd: process.cwd(), ...(spec ? { name: spec.name } : { python: python! }) });
    }
    const file = (await this.#files()).find((path) => basename(path) === name);
    if (file) return attachKernel(file);
    const server = await this.#connected();
    if (server && (await server.listKernels()).some(({ id }) => id === name)) return server.attach(name);
    throw new GrusError(`there is no kernel "${name.slice(0, 80)}"`, {
      advice: 'Call list_kernels, and name one of its kernels.',
    });
  }

  async #files(): Promise<string[]> {
    const folder = runtimeFolder();
    const names = await readdir(folder).catch(() => []);
    const running = names.filter((name) => /^kernel-.*\.json$/.test(name)).map((name) => join(folder, name));
    return [...(this.options.kernel ? [this.options.kernel] : []), ...running];
  }

  #connected(): Promise<JupyterServer> | null {
    const { server: url, token = process.env['JUPYTER_TOKEN'] } = this.options;
    if (url === undefined) return null;
    this.#server ??= connectServer({ url, ...(token === undefined ? {} : { token }) });
    return this.#server;
  }
}

/** Where Jupyter keeps the connection files of running kernels. */
function runtimeFolder(): string {
  const { JUPYTER_RUNTIME_DIR: runtime, JUPYTER_DATA_DIR: data, XDG_DATA_HOME: home } = process.env;
  return runtime ?? join(data ?? join(home ?? join(homedir(), '.local', 'share'), 'jupyter'), 'runtime');
}
