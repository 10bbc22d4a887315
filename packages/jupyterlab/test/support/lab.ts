// A real JupyterLab server in a folder of its own, with the notebooks that a test asks for.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { python } from './install.js';
import { type CellText, notebookFile } from './notebook-file.js';

export interface LabOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** The user's settings of Grus. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What the user configured about the page, such as extensions that are switched off. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Kernelspecs beyond the interpreter's own, by name. */
  readonly kernels?: Readonly<Record<string, object>>;
  /** Default JupyterLab. */
  readonly app?: 'jupyterlab' | 'notebook';
}

const token = 'test';

export class Lab {
  private constructor(
    readonly url: string,
    readonly folder: string,
    private readonly app: NonNullable<LabOptions['app']>,
    private readonly process: ChildProcess,
    private readonly log: () => string,
  ) {}

  /** Somebody else may take the port before the server does: then it is tried again. */
  static async start(options: LabOptions): Promise<Lab> {
    for (let attempt = 1; ; attempt += 1) {
      const lab = await Lab.#launch(options);
      const failure = await lab.#answering();
      if (failure === null) return lab;
      await lab.close();
      if (attempt === 3) throw new Error(failure);
    }
  }

  static async #launch(options: LabOptions): Promise<Lab> {
    const folder = mkdtempSync(join(tmpdir(), 'grus-lab-home-'));
    const port = await freePort();
    write(join(folder, 'settings', '@jupyterlab', 'apputils-extension', 'notification.jupyterlab-settings'), {
      fetchNews: 'false',
      checkForUpdates: false,
    });
    if (options.config) write(join(folder, 'config', 'labconfig', 'page_config.json'), options.config);
    for (const [name, spec] of Object.entries(options.kernels ?? {}))
      write(join(folder, 'data', 'kernels', name, 'kernel.json'), spec);
    mkdirSync(join(folder, 'work'), { recursive: true });
    const app = options.app ?? 'jupyterlab';
    const settings = app === 'jupyterlab' ? 'LabApp' : 'JupyterNotebookApp';
    const child = spawn(
      python,
      [
        ...['-m', app, '--no-browser', '--allow-root', `--port=${port}`, '--ServerApp.port_retries=0'],
        ...[`--IdentityProvider.token=${token}`, `--ServerApp.root_dir=${join(folder, 'work')}`],
        ...[`--${settings}.user_settings_dir=${join(folder, 'settings')}`],
        ...[
          `--${settings}.workspaces_dir=${join(folder, 'workspaces')}`,
          `--${settings}.expose_app_in_browser=True`,
        ],
      ],
      {
        cwd: folder,
        detached: true,
        env: {
          ...process.env,
          ...options.environment,
          JUPYTER_CONFIG_DIR: join(folder, 'config'),
          JUPYTER_DATA_DIR: join(folder, 'data'),
          JUPYTER_RUNTIME_DIR: join(folder, 'runtime'),
          IPYTHONDIR: join(folder, 'ipython'),
        },
      },
    );
    let output = '';
    child.stdout.on('data', (text) => (output += text));
    child.stderr.on('data', (text) => (output += text));
    const lab = new Lab(`http://127.0.0.1:${port}`, folder, app, child, () => output);
    lab.writeSettings(options.settings ?? {});
    return lab;
  }

  address(path: string): string {
    return `${this.url}/${path}${path.includes('?') ? '&' : '?'}token=${token}`;
  }

  writeNotebook(name: string, cells: readonly CellText[], metadata: Record<string, unknown> = {}): void {
    write(join(this.folder, 'work', name), notebookFile(cells, metadata));
  }

  /** Of JupyterLab or Notebook, as its page says. */
  async version(): Promise<string> {
    const response = await fetch(this.address(this.app === 'notebook' ? 'tree' : 'lab'));
    return /"appVersion":\s*"([^"]*)"/.exec(await response.text())?.[1] ?? 'unknown';
  }

  /** The files of notebooks, as they are on disk. */
  notebooks(): string[] {
    return readdirSync(join(this.folder, 'work')).filter((name) => name.endsWith('.ipynb'));
  }

  /** The user's settings of Grus, or of another plugin, for pages that are opened from now on. */
  writeSettings(settings: Readonly<Record<string, unknown>>, plugin = '@grus/jupyterlab/plugin'): void {
    write(join(this.folder, 'settings', `${plugin}.jupyterlab-settings`), settings);
  }

  /** Those that the user has chosen by now, as the server tells them. */
  async readSettings(): Promise<unknown> {
    const response = await fetch(this.address('lab/api/settings/@grus/jupyterlab:plugin'));
    return ((await response.json()) as { settings: unknown }).settings;
  }

  /** Ends the server at once, as a crash does; its kernels with it. */
  kill(): void {
    if (this.#running && this.process.pid !== undefined) process.kill(-this.process.pid, 'SIGKILL');
  }

  async close(): Promise<void> {
    if (this.#running) {
      const ended = new Promise((resolve) => this.process.once('close', resolve));
      await fetch(this.address('api/shutdown'), { method: 'POST' }).catch(() => this.kill());
      const timer = setTimeout(() => this.kill(), 10_000);
      await ended;
      clearTimeout(timer);
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  get #running(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Why the server does not answer; null when it does. */
  async #answering(): Promise<string | null> {
    for (let attempt = 0; attempt < 600; attempt += 1) {
      const response = await fetch(this.address('api/status')).catch(() => null);
      if (response?.ok) return null;
      if (!this.#running) break;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return `JupyterLab did not start:\n${this.log()}`;
  }
}

function write(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
