// What people install, installed as they do: the wheel into an empty environment with no Node on the PATH, the npm package
// into an empty folder, both outside the clone. A real check and a real diagnosis, from each.
import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { root } from '../lib/setup.mjs';
import { buildWheel } from '../lib/stage.mjs';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

const outside = realpathSync(mkdtempSync(join(tmpdir(), 'grus-installed-')));
const tests = process.env['GRUS_PYTHON'] ?? join(root, '.venv', 'bin', 'python');
const notebook = join(outside, 'notebook.ipynb');
const run = join(outside, 'run');
let wheel: string;
let tarball: string;

beforeAll(async () => {
  wheel = await buildWheel(tests, 'dist/installed');
  const packed = execFileSync('npm', [
    'pack',
    '--silent',
    '--pack-destination',
    outside,
    join(root, 'dist/installed/npm'),
  ]);
  tarball = join(outside, packed.toString().trim().split('\n').at(-1)!);
  const cells = ['import math', 'print(maths.pi)'].map((source, index) => ({
    ...{ cell_type: 'code', id: `cell-${index}`, metadata: {}, execution_count: null, outputs: [], source },
  }));
  writeFileSync(notebook, JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells }));
  cpSync(join(root, 'scenarios', 'recorded', 'shape-flatten-cnn'), run, { recursive: true });
});

afterAll(() => {
  rmSync(outside, { recursive: true, force: true });
  rmSync(join(root, 'dist', 'installed'), { recursive: true, force: true });
});

interface Done {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Nothing of the clone, and nothing of this process's environment but the home. */
function call(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<Done> {
  return new Promise((resolve) => {
    execFile(
      command,
      args,
      { cwd: outside, env: { HOME: outside, PATH: '/nowhere', ...env }, maxBuffer: 1 << 26 },
      (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

const crash = {
  outcome: 'crash',
  exception: { type: 'NameError', message: "name 'maths' is not defined" },
  line: 1,
};

describe('the wheel, in an empty environment and without a Node on the PATH', () => {
  const environment = join(outside, 'environment');
  const bin = join(environment, 'bin');
  const grus = (...args: string[]) => call(join(bin, 'grus'), args, { PATH: bin });

  beforeAll(() => {
    execFileSync(tests, ['-m', 'venv', environment]);
    const started = Date.now();
    execFileSync(join(bin, 'python'), ['-m', 'pip', 'install', '--quiet', '--no-input', wheel], {
      stdio: 'pipe',
    });
    const seconds = ((Date.now() - started) / 1000).toFixed(0);
    console.log(
      `${basename(wheel)}: ${megabytes(statSync(wheel).size)} to download; with all it needs ${megabytes(sizeOf(environment))} installed, in ${seconds} s`,
    );
  });

  it('checks a notebook', async () => {
    const { code, stdout } = await grus('check', notebook, '--cell', '2', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ...crash, cell: 2, rung: 'names' });
  });

  it('diagnoses a run', async () => {
    const { code, stdout } = await grus('diagnose', run, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'failed', category: 'model_software' });
  });

  it('has the hooks, and pulls in no library for data', async () => {
    const { code } = await call(join(bin, 'python'), ['-c', 'import grus.hooks; grus.hooks.watch']);
    expect(code).toBe(0);
    const { stdout } = await call(join(bin, 'python'), ['-m', 'pip', 'list', '--format', 'freeze']);
    expect(stdout).toMatch(/^grus==/m);
    expect(stdout).not.toMatch(/^(?:pandas|scikit-learn|matplotlib|numpy|torch)==/m);
  });

  it('guards a kernel', async () => {
    const program = "get_ipython().run_cell('x = 1\\nprint(y)')\nprint('x' in globals())";
    const args = ['-m', 'IPython', '--no-banner', '--colors=NoColor', '--ext=grus', '-c', program];
    const { stdout } = await call(join(bin, 'python'), args, { PATH: bin });
    expect(stdout).toContain("Grus held this cell: it would raise NameError: name 'y' is not defined");
    expect(stdout.trim().split('\n').at(-1)).toBe('False');
  });

  it('is found by JupyterLab and its server', async () => {
    const paths = { JUPYTER_PATH: join(environment, 'share', 'jupyter'), PATH: bin };
    const { stdout, stderr } = await call(tests, ['-m', 'jupyterlab.labextensions', 'list'], paths);
    expect(stdout + stderr).toMatch(/@grus\/jupyterlab v\d.*enabled.*OK/);
    const site = join(environment, 'lib', readdirSync(join(environment, 'lib'))[0]!, 'site-packages');
    const server = await call(
      tests,
      ['-c', 'import grus.jupyterlab as part; print(part._jupyter_server_extension_points())'],
      {
        PYTHONPATH: site,
      },
    );
    expect(server.stdout).toContain('grus.jupyterlab');
  });

  it('tells about benchmarks that they are elsewhere', async () => {
    const { code, stderr } = await grus('llm', 'calibrate', '--data', run);
    expect(code).toBe(2);
    expect(stderr).toContain('not part of an installed Grus');
  });

  it('leaves nothing behind when it is removed', async () => {
    await call(join(bin, 'python'), ['-m', 'pip', 'uninstall', '--yes', 'grus']);
    const left = readdirSync(environment, { recursive: true, withFileTypes: true }).filter(
      (entry) =>
        entry.isFile() &&
        /(?:^|\/)@?grus(?:[-/.]|$)/.test(join(entry.parentPath, entry.name).slice(environment.length)),
    );
    expect(left).toEqual([]);
  });
});

describe('the npm package, in an empty folder', () => {
  const folder = join(outside, 'prefix');
  const node = (...args: string[]) => call(process.execPath, args, { GRUS_PYTHON: tests });

  beforeAll(() => {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, tarball], {
      cwd: outside,
      stdio: 'pipe',
    });
    console.log(
      `${basename(tarball)}: ${megabytes(statSync(tarball).size)} to download; with all it needs ${megabytes(sizeOf(folder))} installed`,
    );
  });

  it('checks a notebook by its command', async () => {
    const command = realpathSync(join(folder, 'node_modules', '.bin', 'grus'));
    const { code, stdout } = await node(command, 'check', notebook, '--cell', '2', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject(crash);
  });

  it('is a library with types', async () => {
    const program = join(folder, 'program.mts');
    writeFileSync(
      program,
      `import { checkNotebook, diagnose, type NotebookVerdict, type RunDiagnosis } from 'grus';
const verdict: NotebookVerdict = await checkNotebook(${JSON.stringify(notebook)}, { cell: 2 });
const runs: readonly RunDiagnosis[] = await diagnose(${JSON.stringify(run)});
const whole = await checkNotebook(${JSON.stringify(notebook)});
console.log(JSON.stringify([verdict, runs.map(({ category }) => category), whole.cells.length]));
`,
    );
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = [
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--strict',
      '--lib',
      'es2022,dom',
      program,
    ];
    const compiled = await node(compiler, ...options);
    expect(compiled.stdout).toBe('');
    const { stdout, stderr } = await node(join(folder, 'program.mjs'));
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject([{ ...crash, cells: [crash] }, ['model_software'], 2]);
  });

  it('says at once when a name is wrong', async () => {
    const command = realpathSync(join(folder, 'node_modules', '.bin', 'grus'));
    const { code, stderr } = await node(command, 'bench', 'live');
    expect(code).toBe(2);
    expect(stderr).toContain("unknown command 'bench'");
    expect(existsSync(join(folder, 'node_modules', '@grus'))).toBe(false);
  });
});

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
