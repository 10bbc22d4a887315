// Which Python a notebook gets, with real environments: the order, what is said about it, and that a missing module is no
// alarm where the interpreter is a guess. `grus doctor` tells the same.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { installSpec, type MadeEnvironment, makeEnvironment } from './environments.js';
import { grus, notebook, python, scratch } from './grus.js';

/** A machine on which nothing is installed but what a test adds; the home is the root of all its folders. */
const home = scratch();
const project = join(home, 'shop');
const bare = { GRUS_PYTHON: '', VIRTUAL_ENV: '', CONDA_PREFIX: '', CONDA_DEFAULT_ENV: '', JUPYTER_PATH: '' };
const machine = { ...bare, HOME: home, XDG_DATA_HOME: join(home, 'data'), PATH: '/nowhere' };
let near: MadeEnvironment;
let other: MadeEnvironment;
let empty: MadeEnvironment;
let path: string;

beforeAll(() => {
  mkdirSync(join(project, 'notebooks'), { recursive: true });
  near = makeEnvironment(join(project, '.venv'), { modules: ['only_near'] });
  other = makeEnvironment(join(home, 'other'), { modules: ['only_other'] });
  empty = makeEnvironment(join(home, 'empty'), { kernel: false });
  path = notebook(join(project, 'notebooks'), ['import only_near', 'import only_other']);
});

async function gets(args: readonly string[] = [], env: Record<string, string> = {}, file = path) {
  const { stdout } = await grus(['check', file, '--cell', '1', '--json', ...args], {
    env: { ...machine, ...env },
  });
  return JSON.parse(stdout);
}

describe('the Python of a notebook', () => {
  it('is that of the nearest environment above its folder, and its modules are there', async () => {
    expect(await gets()).toMatchObject({
      outcome: 'ok',
      interpreter: { python: near.python, chosen_by: 'near', certain: true, kernel: null },
    });
  });

  it('is the active environment first, and there a missing module is a crash', async () => {
    expect(await gets([], { VIRTUAL_ENV: other.folder })).toMatchObject({
      outcome: 'crash',
      exception: { type: 'ModuleNotFoundError' },
      interpreter: { python: other.python, chosen_by: 'active', certain: true },
    });
  });

  it('is what was asked for before all', async () => {
    const env = { VIRTUAL_ENV: other.folder };
    installSpec(join(home, 'data', 'jupyter'), 'shop', near.python);
    expect((await gets(['--python', near.python], env)).interpreter).toMatchObject({
      python: near.python,
      chosen_by: 'option',
    });
    expect((await gets(['--kernel-name', 'shop'], env)).interpreter).toMatchObject({
      python: near.python,
      kernel: 'shop',
      chosen_by: 'kernel-name',
    });
    expect((await gets([], { ...env, GRUS_PYTHON: near.python })).interpreter.chosen_by).toBe('variable');
  });

  it("is not conda's base, which shells enter by themselves, where the project has its own", async () => {
    const env = { CONDA_PREFIX: other.folder, CONDA_DEFAULT_ENV: 'base' };
    expect((await gets([], env)).interpreter).toMatchObject({ python: near.python, chosen_by: 'near' });
    expect((await gets([], { ...env, CONDA_DEFAULT_ENV: 'work' })).interpreter).toMatchObject({
      python: other.python,
      chosen_by: 'active',
    });
  });

  it('comes from a kernelspec of the environment whose jupyter a shell would start', async () => {
    const lonely = notebook(scratch(), ['import only_other'], {
      kernelspec: { name: 'python3', display_name: '' },
    });
    installSpec(join(other.folder, 'share', 'jupyter'), 'python3', other.python);
    writeFileSync(join(other.folder, 'bin', 'jupyter'), '#!/bin/sh\n', { mode: 0o755 });
    const answer = await gets([], { PATH: join(other.folder, 'bin') }, lonely);
    expect(answer.interpreter).toMatchObject({
      python: other.python,
      kernel: 'python3',
      chosen_by: 'kernelspec',
      certain: true,
    });
  });

  it('is a guess where the environment of the project cannot run a kernel, and no module is missed', async () => {
    const env = { VIRTUAL_ENV: empty.folder };
    const file = notebook(mkdirs(join(project, 'deep')), ['import only_other']);
    const answer = await gets([], env, file);
    expect(answer).toMatchObject({
      outcome: 'unknown',
      interpreter: { python: near.python, chosen_by: 'near', certain: false },
    });
    expect(answer.interpreter.why).toContain(`${empty.python} has no ipykernel`);
    expect(answer.rungs[0].reason).toEqual({
      code: 'interpreter-guessed',
      python: near.python,
      error: "No module named 'only_other'",
    });
  });

  it('is a guess where the notebook names a kernel that is another Python', async () => {
    installSpec(join(home, 'data', 'jupyter'), 'elsewhere', other.python);
    const metadata = { kernelspec: { name: 'elsewhere', display_name: '' } };
    const file = notebook(mkdirs(join(project, 'named')), ['import only_other'], metadata);
    expect(await gets([], {}, file)).toMatchObject({
      outcome: 'unknown',
      interpreter: { python: near.python, certain: false },
    });
  });

  it('is a guess when only a Python on the PATH is left: walking meets no crash, and says what to do', async () => {
    const file = notebook(scratch(), ['x = 1', 'import only_other', 'print(x)']);
    const env = { PATH: [dirname(near.python), '/usr/bin'].join(delimiter), GRUS_OWN_PYTHON: near.python };
    const { code, stdout } = await grus(['check', file, '--json'], { env: { ...machine, ...env } });
    const answer = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(answer).toMatchObject({ cell: 2, outcome: 'unknown', interpreter: { certain: false } });
    const later = await grus(['check', file, '--cell', '3'], { env: { ...machine, ...env } });
    expect(later.code).toBe(2);
    expect(later.stderr).toContain('--python');
  });

  it('still alarms about what no interpreter can mend', async () => {
    const file = notebook(mkdirs(join(project, 'wrong')), ['print(undefined_name)']);
    const answer = await gets([], { VIRTUAL_ENV: empty.folder }, file);
    expect(answer).toMatchObject({ outcome: 'crash', exception: { type: 'NameError' } });
  });
});

describe('environments that managers keep', () => {
  it("finds pixi's, conda's and poetry's", async () => {
    const folder = mkdirs(join(home, 'managed'));
    const env = { POETRY_CACHE_DIR: join(home, 'poetry') };
    const file = notebook(folder, ['x = 1']);

    writeFileSync(join(folder, 'environment.yml'), 'name: other\ndependencies: []\n');
    writeFileSync(join(mkdirs(join(home, '.conda')), 'environments.txt'), `/gone\n${other.folder}\n`);
    expect((await gets([], env, file)).interpreter).toMatchObject({
      python: other.python,
      chosen_by: 'near',
    });

    writeFileSync(join(folder, 'pyproject.toml'), '[tool.poetry]\nname = "Shop Front"\n');
    expect((await gets([], env, file)).interpreter.python).toBe(other.python);
    const kept = makeEnvironment(
      join(home, 'poetry', 'virtualenvs', `shop_front-${poetryDigest(folder)}-py3.11`),
    );
    expect((await gets([], env, file)).interpreter).toMatchObject({ python: kept.python, chosen_by: 'near' });

    const pixi = makeEnvironment(join(folder, '.pixi', 'envs', 'default'));
    mkdirSync(join(pixi.folder, 'conda-meta'));
    expect((await gets([], env, file)).interpreter).toMatchObject({ python: pixi.python, chosen_by: 'near' });
  });
});

describe('grus doctor', () => {
  it('tells which Python a notebook gets, and what it found', async () => {
    const env = {
      ...machine,
      VIRTUAL_ENV: other.folder,
      GRUS_MODEL: 'openai:gpt-5',
      OPENAI_API_KEY: 'sk-secret-1',
    };
    const { code, stdout } = await grus(['doctor', path, '--json'], { env });
    const told = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(stdout).not.toContain('sk-secret-1');
    expect(told.notebook).toMatchObject({
      path,
      interpreter: { python: other.python, chosen_by: 'active', certain: true },
      problem: null,
    });
    expect(told.interpreters).toContainEqual(
      expect.objectContaining({ python: near.python, found_as: 'near', ipykernel: true }),
    );
    expect(told.kernels.map((kernel: { name: string }) => kernel.name)).toContain('shop');
    expect(told.isolation.map(({ strength }: { strength: string }) => strength)).toEqual([
      'namespaces',
      'landlock',
      'audit',
    ]);
    expect(told.isolation.at(-1).available).toBe(true);
    expect(told.libraries.ipykernel).toMatch(/^\d/);
    expect(told.model).toMatchObject({ model: 'openai:gpt-5', key: true, redaction: 'statistics' });
  });

  it('says in plain words that no kernel can be started', async () => {
    const env = { ...machine, VIRTUAL_ENV: empty.folder };
    const metadata = { kernelspec: { name: 'gone', display_name: '' } };
    const { code, stdout } = await grus(['doctor', notebook(scratch(), ['x = 1'], metadata)], { env });
    expect(code).toBe(2);
    expect(stdout).toContain('no kernel');
    expect(stdout).toContain(`${empty.python} (Python`);
    expect(stdout).toContain('no ipykernel');
  });

  it('names the interpreter beside a verdict', async () => {
    const { stdout } = await grus(['check', path, '--cell', '1'], {
      env: { ...machine, GRUS_PYTHON: python },
    });
    expect(stdout).toContain(python);
    expect(stdout).toContain('named by GRUS_PYTHON');
  });
});

/** As poetry makes it, with Python's own functions. */
function poetryDigest(folder: string): string {
  const program =
    'import base64, hashlib, os, sys; print(base64.urlsafe_b64encode(hashlib.sha256(os.path.realpath(sys.argv[1]).encode()).digest()).decode()[:8])';
  return execFileSync(python, ['-c', program, folder], { encoding: 'utf8' }).trim();
}

function mkdirs(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return folder;
}
