// What people install, installed as they do: the wheel into an empty environment with no Node on the PATH, the npm package
// into an empty folder, both outside the clone. A real check and a real diagnosis, from each.
import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { root } from '../lib/setup.mjs';
import { buildWheel } from '../lib/stage.mjs';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

const outside = realpathSync(mkdtempSync(join(tmpdir(), 'grus-installed-')));
const tests = process.env['GRUS_PYTHON'] ?? join(root, '.venv', 'bin', 'python');
const notebook = join(outside, 'notebook.ipynb');
const run = join(outside, 'run');
const environment = join(outside, 'environment');
const bin = join(environment, 'bin');
const prefix = join(outside, 'prefix');
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
  // Side by side: both mostly wait for downloads and the disk.
  await Promise.all([installWheel(), installPackage()]);
});

async function installWheel(): Promise<void> {
  execFileSync(tests, ['-m', 'venv', '--without-pip', environment]);
  const started = performance.now();
  await pip('install', '--quiet', '--no-input', wheel);
  tellSize(wheel, environment, started);
}

async function installPackage(): Promise<void> {
  const started = performance.now();
  const args = ['install', '--no-audit', '--no-fund', '--prefix', prefix, tarball];
  await promisify(execFile)('npm', args, { cwd: outside });
  tellSize(tarball, prefix, started);
}

/** The tests' own pip, at work in the other environment: that has none. */
function pip(...args: string[]): Promise<{ stdout: string }> {
  return promisify(execFile)(tests, ['-m', 'pip', '--python', join(bin, 'python'), ...args], {
    maxBuffer: 1 << 26,
  });
}

function tellSize(file: string, folder: string, started: number): void {
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `${basename(file)}: ${megabytes(statSync(file).size)} to download; with all it needs ${megabytes(sizeOf(folder))} installed, in ${seconds} s`,
  );
}

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
  const grus = (...args: string[]) => call(join(bin, 'grus'), args, { PATH: bin });

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
    const { stdout } = await pip('list', '--format', 'freeze');
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
    // JupyterLab itself is the tests' own: it runs in the environment that the wheel was installed into, and looks there.
    const others = execFileSync(tests, ['-c', 'import site; print(*site.getsitepackages())'], {
      encoding: 'utf8',
    });
    const inside = (...args: string[]) =>
      call(join(bin, 'python'), ['-m', ...args], { PATH: bin, PYTHONPATH: others.trim() });
    const lab = await inside('jupyterlab.labextensions', 'list');
    expect(lab.stdout + lab.stderr).toMatch(/@grus\/jupyterlab v\d.*enabled.*OK/);
    expect(lab.stdout + lab.stderr).toContain(join(environment, 'share', 'jupyter', 'labextensions'));
    const server = await inside('jupyter_server.extension.serverextension', 'list');
    expect(server.stdout + server.stderr).toMatch(/grus\.jupyterlab\s.*OK/);
  });

  it('tells about benchmarks that they are elsewhere', async () => {
    const { code, stderr } = await grus('llm', 'calibrate', '--data', run);
    expect(code).toBe(2);
    expect(stderr).toContain('not part of an installed Grus');
  });

  it('leaves behind what the documentation names, and nothing else', async () => {
    await pip('uninstall', '--yes', 'grus');
    const named = readFileSync(join(root, 'docs', 'install.md'), 'utf8');
    const left = readdirSync(outside, { recursive: true, encoding: 'utf8' })
      .filter((path) => !path.startsWith('prefix') && /(?:^|\/)@?grus(?:[-.]|$)/.test(path))
      .filter((path) => path !== basename(tarball))
      .map((path) => path.replace(/^environment\//, ''));
    expect(left).toContain('share/jupyter/labextensions/@grus');
    expect(left.filter((path) => !named.includes(`\`~/${path}\``) && !named.includes(`\`${path}\``))).toEqual(
      [],
    );
  });
});

describe('the npm package, in an empty folder', () => {
  const folder = prefix;
  const node = (...args: string[]) => call(process.execPath, args, { GRUS_PYTHON: tests });

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

describe('what is installed', () => {
  it('has no benchmarks in it', () => {
    const listed = [
      execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }),
      execFileSync(tests, ['-m', 'zipfile', '-l', wheel], { encoding: 'utf8' }),
    ].join('\n');
    expect(listed).toMatch(/guard\.cjs/);
    expect(listed).not.toMatch(/bench\/|scenarios|pairs\//);
    const bundle = join(prefix, 'node_modules', 'grus', 'dist', 'bundle');
    for (const name of readdirSync(bundle))
      expect(readFileSync(join(bundle, name), 'latin1')).not.toContain('renderJunobench');
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
