import { expect, it, vi } from 'vitest';
import { warmUp } from '../src/guard/warm-up.js';

vi.setConfig({ testTimeout: 120_000 });

it('judges its own cells to the end, unless somebody waits', async () => {
  let asked = 0;
  const count = (limit: number) => () => {
    asked += 1;
    return asked > limit;
  };
  // What the kernel that is not there tells passes the schema: otherwise this is refused.
  await warmUp(count(Number.POSITIVE_INFINITY));
  expect(asked).toBeGreaterThan(20);
  asked = 0;
  await warmUp(count(2));
  expect(asked).toBe(3);
});
