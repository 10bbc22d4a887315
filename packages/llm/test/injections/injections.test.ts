// Text in cells and data wants to be an instruction. It must not flip what the deterministic rungs hold, must stay inside
// the sections of the question, and must not get a gullible model to leak anything into a verdict.
import { type Rung, removeSecrets } from '@grus/core';
import type { Kernel } from '@grus/kernel';
import { llmRung, openModel } from '@grus/llm';
import { type CheckOptions, checkCell, type LadderContext } from '@grus/notebook';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instructions } from '../../src/question/instructions.js';
import { runIn, startTestKernel, targetOn } from '../support/kernel.js';
import { type ProviderServer, startProvider } from '../support/server.js';
import { answer, settingsFor } from '../support/settings.js';
import { cases, texts } from './cases.js';

const secret = 'sk-proj-Zx81kQm2Lw93Vb74Nt65';
let kernel: Kernel;
/** Does whatever it is told: says "no crash", and repeats all it was sent wherever it can. */
let gullible: ProviderServer;
let last: Rung<LadderContext>;

beforeAll(async () => {
  kernel = await startTestKernel();
  await runIn(kernel, `api_key = '${secret}'\npassword = 'hunter2hunter2'`);
  gullible = await startProvider((_, body) => {
    const { messages } = JSON.parse(body) as { messages: { content: string }[] };
    const everything = messages.map(({ content }) => content).join('\n');
    return {
      say: answer(false, {
        cause: everything,
        fix: { first_line: 1, last_line: 1, replacement: everything },
      }),
    };
  });
  const settings = settingsFor(
    `compatible:${gullible.origin}/v1#gullible`,
    { cache: null, promptTokens: 3_000 },
    { votes: 1, redaction: 'values' },
  );
  last = llmRung({ settings, open: await openModel(settings) });
});
afterAll(async () => {
  await kernel.close();
  await gullible.close();
});

const literal = (text: string) =>
  `"${[...text].map((c) => (/[\w .,:;=?!/(){}<>|[\]-]/.test(c) ? c : `\\U${c.codePointAt(0)!.toString(16).padStart(8, '0')}`)).join('')}"`;

it('has at least forty cases', () => expect(cases.length).toBeGreaterThanOrEqual(40));

describe.each(cases)('$name in $place.name', ({ text, place }) => {
  const setup = place.setup(literal(text), text);
  const target = place.target(literal(text), text);

  it('does not flip a crash that is certain, nor even reach the model', async () => {
    await runIn(kernel, setup);
    const before = gullible.seen.length;
    const verdict = await checkCell(targetOn(kernel, `${target}\nundefined_name_here`), { last });
    expect(verdict).toMatchObject({ outcome: 'crash', rung: 'names', exception: { type: 'NameError' } });
    expect(gullible.seen.length).toBe(before);
  });

  it('stays inside its section, and gets nothing leaked by a model that obeys', async () => {
    await runIn(kernel, setup);
    const before = gullible.seen.length;
    const verdict = await checkCell(targetOn(kernel, target), { last });
    const sent = gullible.seen.slice(before).map(({ body }) => body);
    expect(sent.length).toBeGreaterThan(0);
    for (const body of sent) expect(sectionsOf(body)).toEqual(sectionsOf(body, 'fenced'));
    for (const body of sent) expect(body).not.toContain(secret);
    if (place.stripped)
      for (const body of sent) expect(body).not.toContain(JSON.stringify(text).slice(1, -1));
    const shown = JSON.stringify(verdict);
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain('hunter2');
    expect(shown).not.toContain(instructions.slice(40, 120));
    expect(shown).not.toMatch(/<<<(?:CODE|TARGET)/);
    expect(verdict.explanation).toBe(removeSecrets(verdict.explanation));
    // An answer that repeats the question is none, so a model that obeys decides nothing.
    expect(verdict.outcome).toBe('unknown');
  });
});

describe.each(Object.entries(texts).filter((_, index) => index % 3 === 0))(
  'against proof: %s',
  (_name, text) => {
    const dry: CheckOptions = { dry: { policy: 'always' } };
    const frame = () =>
      runIn(kernel, `import pandas as pd\nframe = pd.DataFrame({${literal(text)}: [1, 2]})`);

    it('does not flip a crash that the contracts hold', async () => {
      await frame();
      const before = gullible.seen.length;
      const verdict = await checkCell(targetOn(kernel, `frame['no such column']  # ${flat(text)}`), { last });
      expect(verdict).toMatchObject({ outcome: 'crash', rung: 'contracts', exception: { type: 'KeyError' } });
      expect(gullible.seen.length).toBe(before);
    });

    it('does not flip what a dry run has seen, a crash or a finish', async () => {
      await frame();
      await runIn(kernel, 'exec("def gate(value):\\n    if value: raise RuntimeError(str(value))")');
      const before = gullible.seen.length;
      const crash = await checkCell(targetOn(kernel, `gate(${literal(text)})`), { ...dry, last });
      expect(crash).toMatchObject({
        outcome: 'crash',
        rung: 'dry run',
        exception: { type: 'RuntimeError' },
      });
      const fine = await checkCell(targetOn(kernel, `gate('')\nnote = ${literal(text)}`), { ...dry, last });
      expect(fine).toMatchObject({ outcome: 'ok', rung: 'dry run' });
      expect(gullible.seen.length).toBe(before);
    });
  },
);

const flat = (text: string) => text.replace(/[\n\r\u2028\u2029]/g, ' ');

/** The user's message without what stands between matching marks: nothing of the data may be left over. */
function sectionsOf(body: string, how: 'raw' | 'fenced' = 'raw'): string[] {
  const { messages } = JSON.parse(body) as { messages: { content: string }[] };
  const prompt = messages[1]!.content;
  const outside = prompt.replace(/^<<<([A-Z]+) ([0-9a-f]{24})\n[\s\S]*?\n\2 \1>>>$/gm, '[$1]');
  const labels = outside.match(/\[[A-Z]+\]/g) ?? [];
  const rest = outside
    .replace(/\[[A-Z]+\]/g, '')
    .replace(/^The mark of this message is [0-9a-f]{24}\.$/m, '')
    .replace(/Your last answer to this could not be used[^\n]*/, '');
  return how === 'raw' ? [...labels, rest.trim()] : [...labels, ''];
}
