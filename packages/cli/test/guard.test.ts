// The guard in real kernels and front ends: a held cell runs nothing and says why, silent executions are untouched, the state
// is the same with and without it, and whatever happens to its process, cells run.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kernel, startKernel } from '@grus/kernel';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { python, scratch } from './grus.js';
import { stagedGuard } from './staged-guard.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let environment: Record<string, string>;

beforeAll(async () => {
  environment = { PYTHONPATH: await stagedGuard(), GRUS_NODE: process.execPath };
});

/** A kernel in which the guard is patient, so that a slow machine sees what a fast one sees. */
async function guardedKernel(): Promise<Kernel> {
  const kernel = await startKernel({ python, env: environment });
  await kernel.execute('%load_ext grus');
  await kernel.execute('import grus.guard.guard as _g; _g.PATIENCE = 100.0; del _g');
  return kernel;
}

async function shown(kernel: Kernel, code: string): Promise<string> {
  const { outputs, error } = await kernel.execute(code);
  const texts = outputs.map((output) => {
    const data = output['data'] as Record<string, string> | undefined;
    return String(output['text'] ?? data?.['text/plain'] ?? output['ename'] ?? '');
  });
  return [...texts, ...(error?.traceback ?? [])].join('\n');
}

describe('in a kernel', () => {
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await guardedKernel();
  });
  afterAll(() => kernel.close());

  it('holds a cell that is certain to crash: nothing of it runs, and it says why', async () => {
    const result = await kernel.execute('before = 1\nprint(beforee)');
    expect(result.status).toBe('error');
    expect(result.error).toMatchObject({
      ename: 'CellHeld',
      evalue: "NameError: name 'beforee' is not defined (line 2)",
    });
    const data = result.outputs.find((output) => output.output_type === 'display_data')?.['data'] as Record<
      string,
      string
    >;
    expect(data['text/plain']).toContain('this cell would crash: NameError');
    expect(data['text/html']).toContain('var(--jp-error-color1');
    expect(data['text/html']).toContain('name &#39;beforee&#39; is not defined');
    expect(await shown(kernel, "'before' in dir()")).toContain('False');
  });

  it('runs the held cell when it is told to', async () => {
    await kernel.execute('kept = 2\nkeptt');
    const text = await shown(kernel, '%grus run');
    expect(text).toContain('NameError');
    expect(await shown(kernel, 'kept')).toContain('2');
    expect(await shown(kernel, '%grus run')).toContain('held no cell');
  });

  it('lets a line through that says so, and every cell that is fine', async () => {
    const ignored = await kernel.execute('missing  # grus: ignore');
    expect(ignored.error?.ename).toBe('NameError');
    expect((await kernel.execute('import math\nmath.pi')).status).toBe('ok');
  });

  it('leaves silent executions alone', async () => {
    const result = await kernel.execute('undefined_name', { silent: true });
    expect(result.error?.ename).toBe('NameError');
  });

  it('says what it does, and goes off only aloud', async () => {
    expect(await shown(kernel, '%grus')).toMatch(/checks every cell .* \d+ held/);
    expect(await shown(kernel, '%grus off')).toContain('Grus is off');
    expect((await kernel.execute('undefined_name')).error?.ename).toBe('NameError');
    expect(await shown(kernel, '%grus on')).toContain('checks every cell');
    expect((await kernel.execute('undefined_name')).error?.ename).toBe('CellHeld');
    expect(await shown(kernel, '%grus nonsense')).toContain('%%grus rehearse');
  });

  it('judges when it is asked, and runs nothing', async () => {
    await kernel.execute('count = 3');
    expect(await shown(kernel, '%grus check 1 / 0')).toContain('ZeroDivisionError');
    const rehearsed = await shown(kernel, '%%grus rehearse\nwhile count:\n    count -= 1\n1 / count');
    if (process.platform === 'linux') expect(rehearsed).toContain('ZeroDivisionError');
    expect(await shown(kernel, 'count')).toContain('3');
  });

  it('is no child of the kernel that a cell could wait for', async () => {
    expect((await kernel.execute('import os\nos.wait()  # grus: ignore')).error?.ename).toBe(
      'ChildProcessError',
    );
  });

  it('runs the cell when its process is gone, and starts another for the next', async () => {
    await kernel.execute(
      'import grus, os, signal\n_guard = next(iter(grus._guards.values()))\nos.kill(_guard.asker.beside.pid, signal.SIGKILL)\nimport select\nselect.select([_guard.asker.beside.process], [], [])',
    );
    expect((await kernel.execute('undefined_name')).error?.ename).toBe('NameError');
    expect((await kernel.execute('undefined_name')).error?.ename).toBe('CellHeld');
  });

  it('says what to do when another version was installed meanwhile, and cells run', async () => {
    await kernel.execute(
      'import grus.guard.guard as _b\n_version, _b.VERSION = _b.VERSION, "0.0.1"\nos.kill(_guard.asker.beside.pid, signal.SIGKILL)\nimport select\nselect.select([_guard.asker.beside.process], [], [])',
    );
    await kernel.execute('1 + 1');
    expect((await kernel.execute('undefined_name')).error?.ename).toBe('NameError');
    await kernel.execute('1 + 1');
    expect(await shown(kernel, '%grus')).toContain('while this kernel runs 0.0.1: restart the kernel');
    await kernel.execute('_b.VERSION = _version');
    await kernel.execute('%grus on');
    expect((await kernel.execute('undefined_name')).error?.ename).toBe('CellHeld');
  });

  it('runs the cell when its process hangs', async () => {
    await kernel.execute(
      'import grus.guard.guard as _g\nos.kill(_guard.asker.beside.pid, signal.SIGSTOP)\n_g.PATIENCE = 0.2',
    );
    expect((await kernel.execute('undefined_name')).error?.ename).toBe('NameError');
    await kernel.execute('os.kill(_guard.asker.beside.pid, signal.SIGCONT)\n_g.PATIENCE = 100.0');
    await kernel.execute('%grus on');
    expect((await kernel.execute('undefined_name')).error?.ename).toBe('CellHeld');
  });

  it('goes when it is unloaded', async () => {
    await kernel.execute('%unload_ext grus');
    expect((await kernel.execute('undefined_name')).error?.ename).toBe('NameError');
    expect(await shown(kernel, '_guard.asker.beside is None')).toContain('True');
  });
});

describe('the state of the kernel', () => {
  const fixtures = join(import.meta.dirname, '..', '..', 'kernel', 'test', 'agent', 'fixtures');
  const read = (name: string) => readFileSync(join(fixtures, name), 'utf8');

  it.each(['hostile.py', 'libraries.py'])('is the same after a check of all objects of %s', async (name) => {
    const kernel = await guardedKernel();
    try {
      for (const cell of [
        read(name),
        `import sys, types, json\n_m = types.ModuleType("probe")\nexec(${JSON.stringify(read('probe.py'))}, _m.__dict__)\nsys.modules["probe"] = _m\ndel _m`,
      ])
        expect((await kernel.execute(cell, { silent: true })).error).toBe(null);
      const ask = [
        'import sys, json, grus',
        'probe, guard = sys.modules["probe"], next(iter(grus._guards.values()))',
        'names = [name for name in get_ipython().user_ns if name.isidentifier() and not name.startswith("_")]',
        'source = "\\n".join("if %s is print: %s.shape, %s[0], len(%s)" % ((name,) * 4) for name in names)',
        'before = probe.digest()',
        'told = guard.asker.ask({"task": "guard", "source": source}, 100.0)',
        'after = probe.digest()',
        'get_ipython().user_ns["told_by_test"] = json.dumps([before == after, told is not None, len(names)])',
      ].join('\n');
      const code = `exec(${JSON.stringify(ask)}, {"get_ipython": get_ipython})`;
      const done = await kernel.execute(code, { silent: true });
      expect(done.error).toBe(null);
      const [same, answered, count] = JSON.parse((await shown(kernel, 'print(told_by_test)')).trim()) as [
        boolean,
        boolean,
        number,
      ];
      expect(count).toBeGreaterThan(20);
      expect({ same, answered }).toEqual({ same: true, answered: true });
    } finally {
      await kernel.close();
    }
  });

  it('gathers nothing over a thousand cells', () => {
    const program = `
import gc, os, threading
from IPython.core.interactiveshell import InteractiveShell
import grus, grus.guard.guard
grus.guard.guard.PATIENCE = 100.0
shell = InteractiveShell.instance()
grus.load_ipython_extension(shell)
guard = next(iter(grus._guards.values()))
def counted():
    gc.collect()
    children = open("/proc/self/task/%d/children" % os.getpid()).read().split() if os.path.exists("/proc/self/task") else []
    return [len(os.listdir("/dev/fd")), threading.active_count(), len(children), len(gc.get_objects())]
def run(cells):
    for number in range(cells):
        shell.run_cell("value = %d" % number, store_history=False)
run(100)
# IPython itself keeps the text of every cell that it compiled.
guard.on = False
start = counted()
run(1000)
guard.on = True
before = counted()
run(1000)
after = counted()
assert guard.counts["checked"] >= 1100, guard.counts
assert after[:3] == before[:3], (before, after)
assert (after[3] - before[3]) - (before[3] - start[3]) < 100, (start, before, after)
print("same")
`;
    const done = spawnSync(python, ['-c', program], {
      env: { ...process.env, ...environment },
      encoding: 'utf8',
    });
    expect(done.stderr).toBe('');
    expect(done.stdout.trim()).toBe('same');
  });
});

describe('in other front ends', () => {
  const cells = [
    '%load_ext grus',
    'import grus.guard.guard as _g; _g.PATIENCE = 100.0',
    'x = 1\nprint(y)',
    "print('x' in dir())",
  ];

  it('holds in ipython, where it is loaded from the configuration', () => {
    const { stdout } = spawnSync(
      python,
      ['-m', 'IPython', '--simple-prompt', '--no-banner', '--colors=NoColor', '--ext=grus'],
      {
        env: { ...process.env, ...environment },
        input: `${cells[1]}\nprint(undefined_name)\nprint(6 * 7)\n`,
        encoding: 'utf8',
      },
    );
    expect(stdout).toContain('would crash: NameError');
    expect(stdout).toContain('Nothing of it ran');
    expect(stdout).toContain('42');
  });

  it('holds in nbclient, whatever the metadata of the notebook say', () => {
    const folder = scratch();
    const path = join(folder, 'notebook.ipynb');
    const metadata = { grus: { ignore: ['names'], mode: 'off', enabled: false } };
    const made = cells.map((source, index) => ({
      ...{ cell_type: 'code', id: `c${index}`, metadata, execution_count: null, outputs: [], source },
    }));
    writeFileSync(path, JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata, cells: made }));
    const program = `
import json, sys, nbformat
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
class Manager(AsyncKernelManager):
    @property
    def kernel_spec(self):
        return KernelSpec(argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"], language="python")
book = nbformat.read(${JSON.stringify(path)}, 4)
NotebookClient(book, kernel_manager_class=Manager, allow_errors=True).execute()
print(json.dumps([[(o.output_type, o.get("ename"), o.get("text")) for o in cell.outputs] for cell in book.cells]))
`;
    const stdout = execFileSync(python, ['-W', 'ignore', '-c', program], {
      env: { ...process.env, ...environment },
      encoding: 'utf8',
    });
    const outputs = JSON.parse(stdout.trim().split('\n').at(-1)!) as [
      string,
      string | null,
      string | null,
    ][][];
    expect(outputs[2]?.map(([type, name]) => [type, name])).toEqual([
      ['display_data', null],
      ['error', 'CellHeld'],
    ]);
    expect(outputs[3]).toEqual([['stream', null, 'False\n']]);
  });
});
