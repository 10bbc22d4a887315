// The settings of a project: where they are found, what they may say, that the command line wins, and that a project from
// anywhere can make a check stricter or quieter, but never less safe.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { modelSettings, withSettings } from '../src/settings/apply.js';
import { checkSettings, ignoredIn } from '../src/settings/checks.js';
import { definition, schemaText, settingsTable } from '../src/settings/definition.js';
import { settingsFor } from '../src/settings/find.js';
import { grus, notebook, scratch } from './grus.js';

afterEach(() => vi.unstubAllEnvs());

/** A folder with these files; the folder itself is the root of a repository. */
function project(files: Record<string, string>): string {
  const folder = scratch();
  for (const [path, text] of Object.entries({ '.git/HEAD': '', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

describe('the file of settings', () => {
  it('is the nearest above the notebook, up to the root of the repository', async () => {
    const folder = project({
      'grus.toml': 'preview = true',
      'a/pyproject.toml': '[project]\nname = "a"\n[tool.grus]\ndry = "never"',
      'a/b/pyproject.toml': '[project]\nname = "grus"',
      'inner/.git/HEAD': '',
    });
    const at = (path: string) => settingsFor(join(folder, path));
    expect(await at('one.ipynb')).toEqual({ file: join(folder, 'grus.toml'), values: { preview: true } });
    expect(await at('a/b/one.ipynb')).toEqual({
      file: join(folder, 'a', 'pyproject.toml'),
      values: { dry: 'never' },
    });
    expect(await at('inner/one.ipynb')).toEqual({ file: null, values: {} });
    expect(await settingsFor(join(folder, 'one.ipynb'), 'none')).toEqual({ file: null, values: {} });
  });

  it.each([
    ['prevew = true', /no setting "prevew"/, /Did you mean preview\?/],
    ['python = "/bin/sh"', /no setting "python"/, /The settings are preview/],
    ['redaction = "everything"', /redaction/, /Choose one of shapes, statistics, values/],
    ['dry-seconds = "long"', /dry-seconds/, /docs\/settings\.md/],
    ['dry = ', /line 1: this is not TOML/, /Mend/],
  ])('says what is wrong with %s', async (text, message, advice) => {
    const folder = project({ 'grus.toml': text });
    await expect(settingsFor(folder)).rejects.toMatchObject({
      message: expect.stringMatching(message),
      advice: expect.stringMatching(advice),
    });
  });

  it('names checks that exist', async () => {
    const settings = await settingsFor(project({ 'grus.toml': 'ignore = ["colums"]' }));
    expect(() => checkSettings(settings, null)).toThrow('there is no check "colums"');
  });

  it('has a schema and a page that follow from its definition (npm run generate)', () => {
    const docs = join(import.meta.dirname, '..', '..', '..', 'docs');
    expect(readFileSync(join(docs, 'grus.schema.json'), 'utf8')).toBe(schemaText());
    expect(readFileSync(join(docs, 'settings.md'), 'utf8')).toContain(`\n${settingsTable()}\n`);
  });

  it('silences checks everywhere, or in some notebooks', async () => {
    const folder = project({
      'grus.toml': 'ignore = ["plots"]\n[ignore-in]\n"old/" = ["names"]\n"**/draft-*.ipynb" = ["columns"]',
    });
    const settings = await settingsFor(folder);
    const ignored = (path: string) => ignoredIn(settings, join(folder, path));
    expect(ignored('a.ipynb')).toEqual(['plots']);
    expect(ignored('old/deep/a.ipynb')).toEqual(['plots', 'names']);
    expect(ignored('x/draft-1.ipynb')).toEqual(['plots', 'columns']);
    expect(ignored('draft-1.ipynb')).toEqual(['plots', 'columns']);
    expect(ignored('older/a.ipynb')).toEqual(['plots']);
  });
});

describe('what settings can do', () => {
  const settings = {
    file: '/x/grus.toml',
    values: { dry: 'never', 'dry-seconds': 3, 'require-isolation': 'namespaces', preview: true },
  } as const;

  it('loses against the command line', () => {
    expect(withSettings({}, settings)).toEqual({
      ...{ dry: 'never', dryBudget: 3000, requireIsolation: 'namespaces', preview: true },
    });
    expect(withSettings({ dry: true, dryBudget: 9, preview: false }, settings)).toMatchObject({
      ...{ dry: true, dryBudget: 9, preview: false },
    });
    expect(withSettings({ set: ['x = (1)'] }, settings)).not.toHaveProperty('dry');
  });

  it.each([
    ['values', undefined, 'statistics'],
    ['values', 'shapes', 'shapes'],
    ['statistics', 'values', 'statistics'],
    ['shapes', 'values', 'shapes'],
    ['values', 'values', 'values'],
  ] as const)('never tells a model more than the user allows: %s, user %s', (redaction, own, holds) => {
    vi.stubEnv('GRUS_REDACTION', own);
    expect(modelSettings({ values: { redaction } })).toEqual({ redaction: holds });
  });

  it('can keep models from being asked, and name none', () => {
    expect(modelSettings({ values: { 'ask-models': false } })).toEqual({ model: 'none' });
    expect(modelSettings({ values: { 'ask-models': true } })).toEqual({});
  });

  it('has no key that starts a program, names a model or an address, or lowers the isolation', () => {
    expect(Object.keys(definition.shape).sort()).toEqual([
      ...['ask-models', 'cell-seconds', 'dry', 'dry-seconds', 'ignore', 'ignore-in', 'preview'],
      ...['redaction', 'require-isolation'],
    ]);
    expect(definition.safeParse({ 'require-isolation': 'none' }).success).toBe(false);
  });
});

describe('the command', () => {
  it('follows them, says so, and is overruled by its options', async () => {
    const folder = project({ 'grus.toml': 'ignore = ["names"]\ndry = "never"' });
    const path = notebook(folder, ['x = 1', 'print(y)']);
    const silenced = await grus(['check', path, '--cell', '2']);
    expect(silenced.code).toBe(0);
    expect(silenced.stdout).toContain('suppressed by the settings of the project');
    expect(silenced.stdout).toContain(join(folder, 'grus.toml'));
    const overruled = await grus(['check', path, '--cell', '2', '--settings', 'none', '--json']);
    expect(JSON.parse(overruled.stdout)).toMatchObject({ outcome: 'crash', rung: 'names' });
    const doctor = await grus(['doctor', path, '--json']);
    expect(JSON.parse(doctor.stdout).settings).toEqual({
      ...{ file: join(folder, 'grus.toml'), values: { ignore: ['names'], dry: 'never' }, problem: null },
    });
  });

  it('is not told anything by the metadata of a notebook', async () => {
    const folder = project({ 'grus.toml': 'dry = "never"' });
    const started = join(folder, 'started');
    const hostile = {
      kernelspec: {
        name: 'python3',
        language: 'python',
        argv: ['/bin/touch', started],
        env: { GRUS_MODEL: 'x' },
      },
      grus: {
        settings: 'none',
        ignore: ['names'],
        model: 'openai:x',
        redaction: 'values',
        python: '/bin/false',
      },
      'tool.grus': { ignore: ['names'] },
    };
    const path = notebook(folder, ['x = 1', 'print(y)'], hostile);
    const { stdout } = await grus(['check', path, '--cell', '2', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'crash', rung: 'names' });
    expect(existsSync(started)).toBe(false);
  });

  it('stops at a file with a mistake, diagnosis too', async () => {
    const folder = project({ 'grus.toml': 'redacton = "shapes"', 'run/log.txt': 'step 1 loss 2.0\n' });
    const { code, stderr } = await grus(['diagnose', join(folder, 'run')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/no setting "redacton"\. Did you mean redaction\?/);
  });
});
