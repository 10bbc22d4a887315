import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dryRun, type Kernel } from '../../src/index.js';
import { kernelWith } from '../agent/support.js';

describe('a copy of a plain kernel', () => {
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await kernelWith('x = [1, 2, 3]\ndef f():\n    return x[5]');
  });
  afterAll(() => kernel.close());

  it.each([
    ['x.append(4)\nprint(x)'],
    ['y = 1\nx[10]'],
    ['f()'],
    ['import os\nos._exit(3)'],
    ['while True: pass'],
    ['import asyncio\nasyncio.run(asyncio.sleep(0))'],
    ['import asyncio\nawait asyncio.sleep(0.01)\n1/0'],
    ['import subprocess\nprint(subprocess.run(["ls", "/proc"], capture_output=True).stdout)'],
    ['!echo hi'],
    ['open("/tmp/zzz","w").write("a"); print(open("/tmp/zzz").read())'],
  ])('%s', async (cell) => {
    const told = await dryRun(kernel, [cell], { budgetMs: 1500 });
    console.log(cell, JSON.stringify(told));
    expect(told.status).toBe('ok');
  });
});
