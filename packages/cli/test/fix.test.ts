// grus check --fix on a live kernel: edits that checks know need no model, others come from one; nothing is offered that
// was not judged free of the crash.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kernel, startKernel } from '@grus/kernel';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ProviderServer, startProvider } from '../../llm/test/support/server.js';
import { grus, notebook, python, scratch } from './grus.js';

let kernel: Kernel;
let file: string;
let server: ProviderServer | undefined;
beforeAll(async () => {
  kernel = await startKernel({ python });
  await kernel.execute(
    'import pandas as pd\ndf = pd.DataFrame({"age": [30, 40], "fare": [7.2, 71.3]})\ntotal = 3',
  );
  file = (kernel as unknown as { connectionFile: string }).connectionFile;
});
afterAll(() => kernel.close());
afterEach(() => server?.close());

const own = () => ({ GRUS_CACHE_DIR: scratch(), GRUS_STATE_DIR: scratch(), GRUS_MODEL: '' });

function check(source: string, ...flags: string[]) {
  const code = join(scratch(), 'cell.py');
  writeFileSync(code, source);
  return grus(['check', '--kernel', file, '--code', code, '--fix', ...flags], { env: own() });
}

describe('without a model', () => {
  it.each([
    ['a column', 'mean = df["Age"].mean()', 'mean = df["age"].mean()', 'columns/missing-column'],
    ['a name', 'y = totl + 1', 'y = total + 1', 'names/undefined-name'],
  ])('mends the near-miss of %s', async (_what, source, mended, by) => {
    const { code, stdout } = await check(source, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'crash',
      fix: { source: mended, proof: 'ran', by, edit: { title: expect.stringMatching(/^Replace/) } },
      fix_because: null,
    });
  });

  it('does not offer an edit after which the cell still crashes', async () => {
    const { stdout } = await check('y = totl + 1\nz = not_there_at_all', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'crash',
      fix: null,
      fix_because: expect.stringContaining('no model is configured'),
    });
  });

  it('shows the change, walking a notebook as well', async () => {
    const path = notebook(scratch(), ['total = 3', 'print("one")\ny = totl + 1']);
    const { code, stdout } = await grus(['check', path, '--fix'], { env: own() });
    expect(code).toBe(1);
    expect(stdout).toMatch(/ {2}fix {3}Replace `totl` by `total` \(verified: the edited cell ran in a copy/);
    expect(stdout).toContain('        - y = totl + 1\n        + y = total + 1\n');
  });

  it('says nothing about fixes without the option', async () => {
    const { stdout } = await grus(['check', '--kernel', file, '--code', '-', '--json'], {
      input: 'y = totl + 1',
      env: own(),
    });
    expect(JSON.parse(stdout)).not.toHaveProperty('fix');
  });
});

it('asks the model where no check knows the edit', async () => {
  server = await startProvider(() => ({
    say: JSON.stringify({ fix: { first_line: 1, last_line: 1, replacement: 'row = df.iloc[-1]' } }),
  }));
  const { code, stdout } = await check(
    'row = df.iloc[5]',
    '--json',
    '--verify-fix',
    '--model',
    `compatible:${server.origin}/v1#m`,
  );
  expect(code).toBe(1);
  expect(server.malformed).toEqual([]);
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: 'crash',
    exception: { type: 'IndexError' },
    fix: { source: 'row = df.iloc[-1]', proof: 'ran', by: 'compatible:m' },
  });
});
