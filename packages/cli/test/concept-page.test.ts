// The page that explains the ladder shows cells and what Grus prints about them: each is tried in a real kernel.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '../../../scripts/lib/setup.mjs';
import { Workbench } from '../../notebook/test/names/workbench.js';
import { renderVerdict } from '../src/render/verdict.js';

const page = readFileSync(join(root, 'docs', 'how-grus-decides.md'), 'utf8');
const blocks = [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, text]) => ({
  language,
  text: text!,
}));
const [state, ...rest] = blocks;
const examples = rest.flatMap(({ language, text }, index) => {
  const printed = rest[index + 1];
  return language === 'python' && printed?.language === ''
    ? [{ cell: text.trimEnd(), printed: printed.text }]
    : [];
});

let bench: Workbench;
beforeAll(async () => {
  bench = await Workbench.open();
  await bench.setUp(state!.text);
});
afterAll(() => bench.close());

const plain = (text: string) => text;
const style = { width: 100, bold: plain, dim: plain, red: plain, green: plain };

/** Without what differs between two machines: times, the strength of the fence, where lines break. */
function neutral(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\d.,]+ m?s\b/g, 'N ms')
    .replace(/\((namespaces|landlock|audit): [^()]*\)/g, '(isolated)')
    .trim();
}

it('shows an example of every rung that needs no model', () =>
  expect(examples.length).toBeGreaterThanOrEqual(5));

it.each(examples)('prints what the page says of $cell', async ({ cell, printed }) => {
  const verdict = await bench.check(cell, [], { dry: { policy: 'always', budgetMs: 60_000 } });
  const shown = renderVerdict({ verdict, subject: 'cell 2', source: cell, timed: true }, style);
  expect(neutral(shown)).toBe(neutral(printed));
});
