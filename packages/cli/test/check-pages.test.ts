// Every page about a check is tried in a real kernel: its cell crashes as Grus says, its repaired cell runs, and what Grus
// prints is part of the page. `npm run generate -- --examples` writes the pages anew; review the difference.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleOf, readPages, renderDocs, withPrinted } from '../../../scripts/lib/pages.mjs';
import { root } from '../../../scripts/lib/setup.mjs';
import { asTold, unlessLeftOut, Workbench } from '../../notebook/test/names/workbench.js';
import { renderVerdict } from '../src/render/verdict.js';

const plain = (text: string) => text;
const style = { width: 100, bold: plain, dim: plain, red: plain, green: plain };

const pages = readPages().filter(({ kind }) => kind === 'check');
const docs = renderDocs(pages);
const isOfKeras = ({ id }: { id: string }) => id.startsWith('keras/');

// A kernel of its own for Keras: TensorFlow in it would forbid copies for all that come after.
describe.each([
  ['other libraries', pages.filter((page) => !isOfKeras(page))],
  ['Keras', pages.filter(isOfKeras)],
] as const)('the examples of %s', (_, own) => {
  let bench: Workbench;
  beforeAll(async () => {
    // torchvision is not among the libraries of the tests: its page is not tried.
    bench = await Workbench.open({ mayLack: ['torchvision'] });
  });
  afterAll(() => bench.close());

  it.for(own.map((page) => [page.id, page] as const))('%s', ([id, page], { skip }) =>
    unlessLeftOut(skip, async () => {
      const { cells, cell, repaired } = exampleOf(page.text);
      await bench.reset();
      const verdict = await bench.check(cell, await bench.run(cells), { preview: true });
      expect({ outcome: verdict.outcome, check: verdict.findings[0]?.check }).toEqual({
        outcome: 'crash',
        check: id,
      });
      const really = await bench.execute(cell, verdict.exception?.type);
      expect(really.error).toBe(verdict.exception?.type);
      expect(really.message).toMatch(asTold(verdict));
      // Before it is printed: the number of the cell decides where a line is broken.
      const neutral: typeof verdict = JSON.parse(bench.neutral(JSON.stringify(verdict)));
      const printed = renderVerdict({ verdict: neutral, subject: 'cell', source: cell, timed: false }, style);
      const path = `docs/checks/${id}.md`;
      await expect(withPrinted(docs[path]!, printed)).toMatchFileSnapshot(join(root, path));

      await bench.reset();
      const judged = await bench.check(repaired, await bench.run(cells), { preview: true });
      expect(judged.outcome, 'the repaired cell is let through').not.toBe('crash');
      expect((await bench.execute(repaired)).error, 'the repaired cell runs').toBeNull();
    }),
  );
});
