// Every way in which a local kernel can fail to start is said in one line, with what to do about it.
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  emptyRequest,
  findKernelSpecs,
  KernelUnavailableError,
  startKernel,
  takeSnapshot,
  withKernel,
} from '../src/index.js';
import { python } from './support/python.js';

let folder: string;
const jupyterPath = process.env['JUPYTER_PATH'];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grus-start-'));
});
afterEach(() => {
  if (jupyterPath === undefined) {
    delete process.env['JUPYTER_PATH'];
  } else {
    process.env['JUPYTER_PATH'] = jupyterPath;
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function script(name: string, lines: string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, ['#!/bin/sh', ...lines, ''].join('\n'));
  await chmod(path, 0o755);
  return path;
}

async function spec(name: string, content: object): Promise<void> {
  await mkdir(join(folder, 'kernels', name), { recursive: true });
  await writeFile(join(folder, 'kernels', name, 'kernel.json'), JSON.stringify(content));
  process.env['JUPYTER_PATH'] = folder;
}

describe('kernelspecs', () => {
  it('are found on JUPYTER_PATH and beside the interpreter, and broken ones are passed over', async () => {
    await spec('Mine', {
      argv: ['python', '-f', '{connection_file}'],
      display_name: 'Mine',
      language: 'python',
    });
    await spec('broken', { argv: 'python' });
    const specs = await findKernelSpecs(python);
    const names = specs.map((found) => found.name);
    expect(names).toEqual(expect.arrayContaining(['mine', 'python3']));
    expect(names).not.toContain('broken');
    expect(specs.find((found) => found.name === 'python3')?.argv[0]).toMatch(/\/bin\/python/);
  });

  it('start a kernel by name, with their environment and interrupt mode', async () => {
    await spec('by-message', {
      argv: [python, '-m', 'ipykernel_launcher', '-f', '{connection_file}'],
      env: { GRUS_TEST_MARK: 'marked' },
      interrupt_mode: 'message',
      language: 'python',
    });
    await withKernel(startKernel({ name: 'by-message', cwd: folder }), async (kernel) => {
      const shown = await kernel.execute('import os; print(os.environ["GRUS_TEST_MARK"], os.getcwd())');
      expect(shown.outputs[0]?.['text']).toBe(`marked ${await realpath(folder)}\n`);
      const late = await kernel.execute('import time; time.sleep(60)', { timeout: 500 });
      expect(late).toMatchObject({ status: 'timeout', recovered: true });
    });
  });

  it('that do not exist are named together with those that do', async () => {
    await spec('mine', { argv: ['x'], language: 'python' });
    const starting = startKernel({ name: 'minee' });
    await expect(starting).rejects.toThrow(/no kernelspec named minee \(found: .*mine/);
    await expect(starting).rejects.toMatchObject({ advice: expect.stringContaining('Did you mean mine?') });
  });
});

describe('an interpreter', () => {
  it('may be given relative to this process, whatever the working folder of the kernel', async () => {
    await withKernel(
      startKernel({ python: relative(process.cwd(), python), cwd: folder }),
      async (kernel) => {
        const shown = await kernel.execute('import os; print(os.getcwd())');
        expect(shown.outputs[0]?.['text']).toBe(`${await realpath(folder)}\n`);
      },
    );
  });
});

describe('a kernel whose port was taken before it could bind it', () => {
  it.each(['shell_port', 'iopub_port', 'hb_port'])('is started again: %s', async (port) => {
    const fixture = fileURLToPath(new URL('./fixtures/taken_port.py', import.meta.url));
    const unlucky = await script(`unlucky-${port}`, [`exec "${python}" "${fixture}" "$@"`]);
    const seen = join(folder, `seen-${port}`);
    const env = { GRUS_TEST_SEEN: seen, GRUS_TEST_PORT: port };
    await withKernel(startKernel({ python: unlucky, env }), async (kernel) => {
      expect((await kernel.execute('1 + 1')).status).toBe('ok');
      expect(existsSync(seen)).toBe(true);
    });
  });
});

describe('a kernel that cannot start', () => {
  it('because the interpreter is not there', async () => {
    const starting = startKernel({ python: join(folder, 'nowhere') });
    await expect(starting).rejects.toThrow(KernelUnavailableError);
    await expect(starting).rejects.toThrow('no such program');
  });

  it('because the interpreter has no ipykernel', async () => {
    const bare = await script('bare-python', [`exec "${python}" -S "$@"`]);
    await expect(startKernel({ python: bare })).rejects.toMatchObject({
      message: expect.stringContaining('has no ipykernel'),
      advice: `Install it: ${bare} -m pip install ipykernel`,
    });
  });

  it('because it dies with a message', async () => {
    const dying = await script('dying', ['echo "libfoo.so: cannot open shared object file" >&2', 'exit 3']);
    await expect(startKernel({ python: dying })).rejects.toThrow(
      /died while starting \(exit code 3\): libfoo\.so: cannot open/,
    );
  });

  it('because it never answers', async () => {
    const mute = await script('mute', ['exec sleep 60']);
    await expect(startKernel({ python: mute, timeout: 600 })).rejects.toThrow(
      'did not answer comm_info_request',
    );
  });
});

describe('a kernel of another language', () => {
  it('is refused by those who need Python', async () => {
    const program = fileURLToPath(new URL('./fixtures/other_language_kernel.py', import.meta.url));
    await spec('other', { argv: [python, program, '-f', '{connection_file}'], language: 'other' });
    await withKernel(startKernel({ name: 'other' }), async (kernel) => {
      await expect(takeSnapshot(kernel, emptyRequest)).rejects.toThrow(
        'kernel other does not run Python, and Grus understands only Python',
      );
    });
  });
});
