// The client side: the agent is there when it is needed, whatever happened to the kernel in between.
import { afterEach, expect, it } from 'vitest';
import { agentVersion, emptyRequest, installAgent, type Kernel, takeSnapshot } from '../../src/index.js';
import { ask, kernelWith, run } from './support.js';

let kernel: Kernel;
afterEach(() => kernel.close());

it('is installed again after a restart', async () => {
  kernel = await kernelWith('before = 1');
  expect((await ask(kernel, { names: ['before'] })).absent).toEqual([]);
  await kernel.restart();
  expect((await ask(kernel, { names: ['before'] })).absent).toEqual(['before']);
});

it('replaces an agent of another version', async () => {
  kernel = await kernelWith('x = 1');
  await ask(kernel, {});
  await run(
    kernel,
    `def _stale(stream, ident, parent):
    _kernel = get_ipython().kernel
    _kernel.session.send(stream, "grus_snapshot_reply", {"status": "stale", "agent": "0"}, parent, ident=ident)
get_ipython().kernel.shell_handlers["grus_snapshot_request"] = _stale`,
  );
  expect((await ask(kernel, { names: ['x'] })).names).toHaveProperty('x');
});

it('binds nothing and leaves no trace of its installation', async () => {
  kernel = await kernelWith('y = 1');
  const look = `import json, sys, linecache
print(json.dumps([sorted(globals()), sorted(sys.modules), [name for name in linecache.cache if "ipykernel" in name], sorted(get_ipython().compile._filename_map)]))`;
  await run(kernel, look);
  const before = JSON.parse(await run(kernel, look));
  await installAgent(kernel);
  await ask(kernel, { names: ['y'] });
  const after = JSON.parse(await run(kernel, look));
  expect(after[0].filter((name: string) => !name.startsWith('_i'))).toEqual(
    before[0].filter((name: string) => !name.startsWith('_i')),
  );
  expect(after.slice(1)).toEqual(before.slice(1));
});

it('works when the user has shadowed what it needs', async () => {
  kernel = await kernelWith('exec = compile = type = dict = len = None\nvars = lambda *a: 1 / 0\nz = 5');
  const snapshot = await ask(kernel, { names: ['z', 'exec'] });
  expect(snapshot.objects[snapshot.names['z'] ?? '']?.values?.literal).toBe(5);
  expect(snapshot.objects[snapshot.names['exec'] ?? '']?.kind).toBe('none');
});

it('reports the time it took in the kernel', async () => {
  kernel = await kernelWith('x = [1, 2, 3]');
  const taken = await takeSnapshot(kernel, { ...emptyRequest, names: ['x'] });
  expect(taken.agentMs).toBeGreaterThan(0);
  expect(taken.agentMs).toBeLessThan(taken.ms);
  expect(taken.whileBusy).toBe(false);
  expect(agentVersion).toMatch(/^[0-9a-f]{12}$/);
});

it('answers from a subshell while a cell runs', async () => {
  kernel = await kernelWith('x = 1');
  await ask(kernel, {});
  const running = kernel.execute('import time; time.sleep(3)');
  await new Promise((resolve) => setTimeout(resolve, 500));
  const taken = await takeSnapshot(kernel, { ...emptyRequest, names: ['x'] }, { timeout: 2500 });
  expect(taken.whileBusy).toBe(true);
  expect(taken.snapshot.names).toHaveProperty('x');
  await running;
});
