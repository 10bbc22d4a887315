// Hostile cells under each strength of isolation, as root and as an ordinary user: whatever the copy says, nothing of
// what the user has is changed, nothing outlives the dry run, and the kernel answers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dryRun, strengths } from '../../src/index.js';
import { cellsOf, Ground, possibleUsers } from './attack-support.js';

const attacks = cellsOf('attacks.py');
const combinations = possibleUsers().flatMap((user) => strengths.map((strength) => ({ user, strength })));

it('has at least sixty attacks', () => {
  expect(attacks.length).toBeGreaterThanOrEqual(60);
});

describe.each(combinations)('as $user under $strength', ({ user, strength }) => {
  let ground: Ground;
  let before: Record<string, unknown>;
  beforeAll(async () => {
    ground = await Ground.prepare(user);
    before = await ground.state();
    expect(await ground.state()).toEqual(before);
  });
  afterAll(() => ground.close());

  it.each(attacks)('$name', async ({ cell }) => {
    const result = await dryRun(ground.kernel, [cell], { budgetMs: 3_000, isolation: strength });
    expect(result.status, JSON.stringify(result)).toBe('ok');
    await expect.poll(() => ground.processes(), { timeout: 3_000 }).toBe(before['processes']);
    expect(await ground.state()).toEqual(before);
  });
});
