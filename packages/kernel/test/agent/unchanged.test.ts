// Checking never changes the kernel: a digest of everything a user could notice is the same before and after, over
// every kind of object that the agent describes and over objects that punish being touched.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachKernel, type Kernel } from '../../src/index.js';
import { ask, fixture, kernelWith, run } from './support.js';

const loadProbe = (source: string) => `
import sys, types
_made = types.ModuleType("grus_test_probe")
exec(${JSON.stringify(source)}, _made.__dict__)
sys.modules["grus_test_probe"] = _made
del _made
`;

async function digest(kernel: Kernel): Promise<Record<string, unknown>> {
  const result = await kernel.execute('', {
    silent: true,
    userExpressions: { state: '__import__("json").dumps(__import__("grus_test_probe").digest())' },
  });
  const told = result.userExpressions['state'] as { data?: Record<string, string>; evalue?: string };
  const text = told.data?.['text/plain'];
  if (text === undefined) {
    throw new Error(told.evalue ?? 'no digest');
  }
  return JSON.parse(evaluated(text)) as Record<string, unknown>;
}

/** The string behind Python's repr of it. */
function evaluated(text: string): string {
  return text.slice(1, -1).replace(/\\(\\|')/g, '$1');
}

async function everyName(kernel: Kernel): Promise<string[]> {
  return (await ask(kernel, {})).namespace;
}

const fixtures = ['hostile.py', 'libraries.py'];

describe.each(fixtures)('over the objects of %s', (name) => {
  let kernel: Kernel;
  let names: string[];
  beforeAll(async () => {
    kernel = await kernelWith(fixture(name), loadProbe(fixture('probe.py')));
    names = await everyName(kernel);
  });
  afterAll(() => kernel.close());

  it('a check of everything leaves everything as it was', async () => {
    const request = {
      names,
      paths: names.flatMap((name) => [`${name}.shape`, `${name}.slow`, `${name}.no_such_attribute`]),
      imports: [
        { module: 'no_such_module', names: ['a'] },
        { module: 'xml.dom.minidom', names: ['parse'] },
        { module: 'sklearn.cross_validation', names: ['train_test_split'] },
      ],
      files: ['no-such-file.csv'],
      compile: 'pattern = "\\d"\n%matplotlib inline\nx = 1 if x is 1 else 2',
      cells: true,
      questions: names.flatMap((name) => [
        { id: `${name} key`, ask: 'has_key' as const, path: name, value: 'a' },
        { id: `${name} label`, ask: 'has_label' as const, path: name, value: 'a' },
        { id: `${name} column`, ask: 'column' as const, path: name, value: 'age' },
      ]),
    };
    // The first digest is a long message, for which pyzmq loads a module of its own.
    await digest(kernel);
    const before = await digest(kernel);
    expect(before).toEqual(await digest(kernel));
    const first = await ask(kernel, request);
    const after = await digest(kernel);
    for (const part of Object.keys(before)) {
      expect(after[part], part).toEqual(before[part]);
    }
    expect(first.omitted.filter(({ code }) => code === 'undescribed')).toEqual([]);
    expect(JSON.stringify(await ask(kernel, request))).toBe(JSON.stringify(first));
  });

  it('describes every object', async () => {
    const snapshot = await ask(kernel, { names });
    expect(Object.keys(snapshot.names).sort()).toEqual([...names].sort());
  });
});

describe('attaching', () => {
  let owner: Kernel;
  beforeAll(async () => {
    owner = await kernelWith(
      'import random, time, numpy\nrandom.seed(0)\nnumpy.random.seed(0)',
      loadProbe(fixture('probe.py')),
    );
    await digest(owner);
  });
  afterAll(() => owner.close());

  /** Sockets of clients come and go. */
  const state = async () => ({ ...(await digest(owner)), files: null });

  it.each([
    ['a handshake', async (_guest: Kernel) => {}],
    ['an agent that is new there', (guest: Kernel) => ask(guest, { names: ['random'] })],
    ['an agent that is known there', (guest: Kernel) => ask(guest, { names: ['random'] })],
  ])('again and again leaves everything as it was: %s', async (_name, use) => {
    const before = await state();
    for (let time = 0; time < 3; time++) {
      const guest = await attachKernel(owner.connectionFile!);
      await use(guest);
      await guest.close();
    }
    expect(await state()).toEqual(before);
  });

  it('to a kernel that is running a cell draws none of its random numbers', async () => {
    const draws = 'random.seed(0)\nfirst = random.random()\ntime.sleep(1.5)\nprint(first, random.random())';
    const alone = await run(owner, draws);
    const running = run(owner, draws);
    await expect.poll(() => owner.status).toBe('busy');
    const guest = await attachKernel(owner.connectionFile!);
    expect(guest.status).toBe('busy');
    await ask(guest, { names: ['random'] });
    await guest.close();
    expect(await running).toBe(alone);
  });
});

it('iterators give what they would have given', async () => {
  const kernel = await kernelWith(fixture('hostile.py'));
  try {
    await ask(kernel, { names: await everyName(kernel) });
    const told = await run(
      kernel,
      'print(next(generator), next(list_iterator), next(zipped), next(mapped), next(counted), next(chained), calls)',
    );
    expect(told.trim()).toBe("1 1 (1, 3) 1 3 1 ['map']");
  } finally {
    await kernel.close();
  }
});
