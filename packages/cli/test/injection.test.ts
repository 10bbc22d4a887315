// Text from outside is data in the terminal: source lines, columns, keys, classes, messages, names of files and runs may hold
// escape sequences, and none of them reaches the terminal.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { visible, visibleJson } from '@grus/core';
import { describe, expect, it } from 'vitest';
import { renderFix } from '../src/render/fix.js';
import { renderVerdict } from '../src/render/verdict.js';
import { grus, notebook, scratch } from './grus.js';

const attacks = {
  'clipboard (OSC 52)': '\u001b]52;c;cm0gLXJmIC8=\u0007',
  'link (OSC 8)': '\u001b]8;;http://evil.test\u0007click\u001b]8;;\u0007',
  'clear screen': '\u001b[2J\u001b[H',
  'window title': '\u001b]0;owned\u0007',
  'C1 control sequence': '\u009b2J',
  'C1 operating system command': '\u009d52;c;aGk=\u009c',
  'carriage return': 'crash\rwill run',
  backspace: 'bad\b\b\bok',
  'right-to-left override': '\u202eevil\u2066',
  'zero width': 'a\u200bb\u2060c',
  'private message': '\u001b^hidden\u001b\\',
  delete: 'a\u007fb',
} as const;

/** Whatever a terminal would act upon, or a person could not see. */
const raw = /(?![\n\t])[\p{Cc}\p{Cf}]/u;
const plain = (text: string) => text;
const style = { width: 100, bold: plain, dim: plain, red: plain, green: plain };

describe.each(Object.entries(attacks))('%s', (_name, attack) => {
  it('is shown by every renderer', () => {
    const finding = {
      check: `names/${attack}`,
      exception: { type: `Error${attack}`, message: `no ${attack}\n✓ cell 3 will run.` },
      place: { line: 1, column: 4, endLine: 1, endColumn: 9 },
      confidence: 1,
      evidence: [{ fact: `column ${attack}`, source: `class ${attack}` }],
      explanation: `key ${attack}`,
      remedy: `do ${attack}`,
    };
    const { check: _check, place: _place, ...fields } = finding;
    const verdict = {
      ...fields,
      outcome: 'crash',
      rung: `r${attack}`,
      line: 1,
      rungs: [],
      ms: 1,
      findings: [finding],
    } as const;
    const view = { verdict, subject: `cell ${attack}`, source: `x = "${attack}"` };
    const text = renderVerdict(view, style);
    expect(text).not.toMatch(raw);
    // A message cannot pretend to be a line of Grus's own.
    expect(text).not.toMatch(/^✓/m);
    const edit = { place: finding.place, replacement: attack, title: attack };
    const fix = { edit, source: `y = "${attack}"`, proof: 'ran', by: attack } as const;
    expect(renderFix({ fix, fix_because: null }, view.source, style)).not.toMatch(raw);
    expect(renderFix({ fix: null, fix_because: attack }, view.source, style)).not.toMatch(raw);
    expect(JSON.parse(visibleJson(JSON.stringify({ attack })))).toEqual({ attack });
    expect(visibleJson(JSON.stringify({ attack }))).not.toMatch(raw);
    expect(visible(visible(attack))).toBe(visible(attack));
  });
});

const all = Object.values(attacks).join('');

it('shows what a notebook says about itself', async () => {
  const literal = JSON.stringify(
    Object.values(attacks)
      .join('')
      .replace(/[\r\b]/g, ''),
  );
  const path = notebook(scratch(), [
    `import pandas as pd\nodd = ${literal}\ndf = pd.DataFrame({odd: [1], "age": [2]})\nclass C: pass\nC.__name__ = "C"\nd = {odd: 1}`,
    `s = ${literal}; df["agee"]`,
  ]);
  for (const cell of ['2']) {
    const { stdout, stderr } = await grus(['check', path, '--cell', cell, '--dry', '--fix']);
    expect(stdout).toContain('would crash');
    expect(stdout + stderr).not.toMatch(raw);
    const json = await grus(['check', path, '--cell', cell, '--dry', '--json']);
    expect(json.stdout).not.toMatch(raw);
  }
});

it('shows what is wrong with a path or an option', async () => {
  const odd = all.replace(/[\0/]/g, '');
  for (const args of [
    ['check', `${odd}.ipynb`],
    ['check', `--${odd}`],
    ['diagnose', odd],
    ['explain', odd],
  ]) {
    const { code, stdout, stderr } = await grus(args);
    expect(code).toBe(2);
    expect(stdout + stderr).not.toMatch(raw);
  }
});

it('shows what a log, a run and its files are called and say', async () => {
  const folder = join(scratch(), `run${all.replace(/[\0/]/g, '')}`);
  mkdirSync(folder);
  writeFileSync(
    join(folder, `train${attacks['clear screen']}.log`),
    `step 1 loss 2.3 ${all}\nTraceback (most recent call last):\n  File "t${all.replace(/[\n\r]/g, '')}.py", line 1, in <module>\nRuntimeError: CUDA out of memory ${all}\n`,
  );
  const html = join(scratch(), 'page.html');
  const { stdout, stderr } = await grus(['diagnose', folder, '--html', html]);
  expect(stdout).toContain('Failed');
  expect(stdout + stderr).not.toMatch(raw);
});
