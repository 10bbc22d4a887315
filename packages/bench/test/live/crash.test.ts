// Exception, message and lines read from error replies as kernels send them.

import { startKernel, withKernel } from '@grus/kernel';
import { expect, it } from 'vitest';
import { type Crash, crashOf, portableMessage } from '../../src/live/crash.js';
import { python } from './pairs-folder.js';

async function crashesOf(...cells: string[]): Promise<(Crash | null)[]> {
  return withKernel(startKernel({ python }), async (kernel) => {
    const crashes: (Crash | null)[] = [];
    for (const cell of cells) crashes.push(crashOf(await kernel.execute(cell)));
    return crashes;
  });
}

it('finds the lines of the executed cell and of no other', async () => {
  const [defined, outer, inner, syntax] = await crashesOf(
    'def half(value):\n    return value / 0',
    'x = 1\ny = half(x)',
    'def twice(value):\n    return half(value)\n\ntwice(3)',
    'a = 1\nb = = 2',
  );
  expect(defined).toBeNull();
  expect(outer).toEqual({
    exception: 'ZeroDivisionError',
    message: 'division by zero',
    line: 2,
    callLine: 2,
  });
  expect(inner).toMatchObject({ line: 2, callLine: 4 });
  expect(syntax).toMatchObject({ exception: 'SyntaxError', line: 2, callLine: 2 });
});

it('takes colours and the place of the installation out of a message', () => {
  expect(
    portableMessage(
      "\u001b[1mcannot\u001b[0m import 'x' from 'y' (/opt/env/lib/python3.11/site-packages/y/__init__.py)",
    ),
  ).toBe("cannot import 'x' from 'y' (<site-packages>/y/__init__.py)");
});
