// The wheel as a user meets it: installed and removed, with and without the server's part, in Notebook 7, and beside an
// extension that runs the cells itself.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ProviderServer, startProvider } from '../../llm/test/support/server.js';
import { answer } from '../../llm/test/support/settings.js';
import { launchBrowser, openLab } from './support/browser.js';
import { type Installation, installWheel, pip, python } from './support/install.js';
import { Lab } from './support/lab.js';
import { execute, OpenNotebook } from './support/notebook.js';

// Each waits for what it expects; these only end a test that waits in vain, on however slow a machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let installation: Installation;
let browser: Browser;

beforeAll(async () => {
  [installation, browser] = await Promise.all([installWheel(), launchBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  installation?.remove();
});

const soon = { timeout: 60_000 };

describe("with the server's part", () => {
  const key = 'a-key-of-the-server';
  let provider: ProviderServer;
  let lab: Lab;
  let page: Page;

  beforeAll(async () => {
    const fix = { first_line: 1, last_line: 1, replacement: "value = decode([*pieces, '}'])" };
    provider = await startProvider(() => ({ say: answer(true, { fix }) }), key);
    lab = await Lab.start({
      environment: {
        ...installation.environment,
        GRUS_NODE: process.execPath,
        GRUS_MODEL: `compatible:${provider.origin}/v1#small`,
        GRUS_MODEL_KEY: key,
        XDG_CACHE_HOME: join(installation.folder, 'cache'),
        XDG_STATE_HOME: join(installation.folder, 'state'),
      },
      settings: { budget: 60_000, dryBudget: 100 },
    });
    ({ page } = await openLab(browser, lab));
  });

  afterAll(async () => {
    await lab?.close();
    await provider?.close();
  });

  it('runs a cell in a copy of the kernel, which stays as it was', async () => {
    lab.writeNotebook('dry.ipynb', [
      'def f(n):\n    return 10 / n\nx = 1',
      'x = 2\nf(x - 2)',
      'x = 3',
      'print("x is", x)',
    ]);
    const notebook = await OpenNotebook.open(page, 'dry.ipynb');
    await notebook.run(1);
    await expect.poll(() => notebook.prompt(1).textContent(), soon).toBe('[1]:');
    for (const [cell, outcome] of [
      [2, 'crash'],
      [3, 'ok'],
    ] as const) {
      await notebook.cell(cell).locator('.cm-content').click();
      await execute(page, 'grus:dry-run');
      const panel = notebook.panel(cell);
      await panel.waitFor(soon);
      expect(await panel.getAttribute('data-outcome')).toBe(outcome);
    }
    expect(await notebook.panel(3).locator('.grus-rung').textContent()).toBe('dry run');
    await notebook.panel(2).getByText('ZeroDivisionError').first().waitFor();
    await notebook.run(4);
    await notebook.output(4).getByText('x is 1').waitFor();
    await notebook.close();
  });

  // What only running shows, and the analysis of the code can follow past a loop.
  const broken = [
    'import json, re, time',
    "parts = ['{\"a\":', ' 1']",
    'def report(pieces):',
    "    return json.loads(re.sub('x+', '', ''.join(sorted(pieces, reverse=True))))",
  ].join('\n');
  const long = 'for epoch in range(6000):\n    time.sleep(0.05)\nreport(parts)';

  // A copy that runs ahead gives way to whatever else the machine does.
  const inItsTime = { timeout: 240_000 };

  it('lets a copy run ahead of a long cell, and tells when it will crash', async () => {
    lab.writeNotebook('ahead.ipynb', [broken, long]);
    const notebook = await OpenNotebook.open(page, 'ahead.ipynb');
    await notebook.run(1);
    await notebook.run(2);
    const told = page.locator('.Toastify__toast').getByText('will crash later: JSONDecodeError (line 3)');
    await told.waitFor(inItsTime);
    expect(await notebook.prompt(2).textContent()).toBe('[*]:');
    expect(await notebook.panel(2).getAttribute('data-fate')).toBe('foreseen');
    await notebook.panel(2).getByRole('button', { name: 'Interrupt' }).click();
    await notebook.output(2).getByText('KeyboardInterrupt').first().waitFor(soon);
    expect(await notebook.panel(2).getAttribute('data-fate')).toBe('interrupted');
    await notebook.close();
  });

  it('interrupts it in the mode that blocks, and offers to run what is behind it', async () => {
    lab.writeNotebook('blocked.ipynb', [broken, long, 'print("behind")', 'print("still", parts)']);
    const notebook = await OpenNotebook.open(page, 'blocked.ipynb');
    await notebook.root.locator('select.grus-mode').selectOption('block');
    await notebook.runAll();
    const told = page.locator('.Toastify__toast').getByText('Grus interrupted a cell in blocked.ipynb');
    await told.waitFor(inItsTime);
    await expect.poll(() => notebook.prompt(2).textContent(), soon).toBe('[2]:');
    await notebook.panel(2).getByRole('button', { name: 'Run the 2 cells behind it' }).click();
    await notebook.output(4).getByText('still').waitFor(soon);
    await notebook.close();
  });

  it('says what Run All would hit, and runs nothing', async () => {
    lab.writeNotebook('all.ipynb', [
      broken,
      'seen = []',
      long,
      'seen.append(1)\n1 / len(seen[1:])',
      'len(seen)',
    ]);
    const notebook = await OpenNotebook.open(page, 'all.ipynb');
    await notebook.cell(1).locator('.cm-content').click();
    await execute(page, 'grus:check-notebook');
    await page.locator('.Toastify__toast').getByText('Run All would crash in 2 cells.').waitFor(soon);
    await notebook.panel(3).getByText('JSONDecodeError').first().waitFor(soon);
    await notebook.panel(4).getByText('ZeroDivisionError').first().waitFor(soon);
    expect(await notebook.root.locator('.grus-panel').count()).toBe(2);
    for (const cell of [1, 2, 3, 4, 5]) expect(await notebook.prompt(cell).textContent()).toBe('[ ]:');
    await notebook.close();
  });

  it.each([
    ['always', 'f(x - 1)'],
    ['auto', 'for epoch in range(2):\n    f(x - 1)'],
  ])('runs a copy before every run when that is wanted (%s)', async (dryRun, crash) => {
    lab.writeSettings({ budget: 60_000, dryRun, dryBudget: 100 });
    const { page: own } = await openLab(browser, lab);
    lab.writeNotebook(`${dryRun}.ipynb`, [
      'import json\ndef f(n):\n    return json.loads("[" + "]" * n)\nx = 1',
      crash,
      'f(x)',
      'f(x - 1)',
    ]);
    const notebook = await OpenNotebook.open(own, `${dryRun}.ipynb`);
    await notebook.run(1);
    await notebook.run(2);
    await notebook.panel(2).getByText('JSONDecodeError').first().waitFor(soon);
    expect(await notebook.panel(2).getAttribute('data-fate')).toBe('held');
    expect(await notebook.panel(2).locator('.grus-rung').textContent()).toBe('dry run');
    expect(await notebook.output(2).count()).toBe(0);
    await notebook.panel(2).getByRole('button', { name: "Don't run" }).click();
    await notebook.run(3);
    await notebook.output(3).getByText('[]').waitFor(soon);
    // A cell that looks short gets a copy too, while that is cheap.
    await notebook.run(4);
    await notebook.panel(4).getByText('JSONDecodeError').first().waitFor(soon);
    expect(await notebook.output(4).count()).toBe(0);
    await notebook.close();
    await own.close();
  });

  it('shows what a model would be sent, and runs what it proposes only when that was ticked', async () => {
    // Only running it shows the crash: nobody can read the source of the function.
    const decode = "exec('def decode(parts):\\n    return json.loads(str().join(parts))')";
    const setup = `import json\npieces = ['{"a": ', '1']\n${decode}`;
    lab.writeNotebook('model.ipynb', [setup, 'value = decode(pieces)']);
    const notebook = await OpenNotebook.open(page, 'model.ipynb');
    await notebook.run(1);
    await expect.poll(() => notebook.prompt(1).textContent(), soon).toBe('[1]:');
    await notebook.cell(2).locator('.cm-content').click();
    const ask = async () => {
      await page.evaluate('void jupyterapp.commands.execute("grus:ask-model")');
      await page.locator('.grus-sent').first().getByText('decode(pieces)').waitFor(soon);
    };
    const send = () => page.getByRole('button', { name: 'Send', exact: true }).click();
    await ask();
    expect(await page.locator('.grus-cost').textContent()).toBe(
      'No cost is counted for a server of your own.',
    );
    const whole = page.locator('.jp-Dialog details');
    expect(await whole.locator('.grus-sent').isVisible()).toBe(false);
    await whole.locator('summary').click();
    expect(await whole.locator('.grus-sent').textContent()).toContain('decode(pieces)');
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: "Don't send" }).click();
    expect(provider.seen).toEqual([]);
    const panel = notebook.panel(2);
    const applies = panel.getByRole('button', { name: 'Apply fix' });
    await ask();
    await send();
    await panel.waitFor(soon);
    expect(await applies.count()).toBe(0);
    expect(provider.malformed).toEqual([]);
    expect(provider.seen[0]?.body).toContain('decode(pieces)');
    await ask();
    await page.getByLabel('Run what it proposes in a copy of the kernel').check();
    await send();
    await applies.click({ timeout: 60_000 });
    expect(await notebook.source(2)).toBe("value = decode([*pieces, '}'])");
    await notebook.close();
  });
});

describe("without the server's part, beside an extension that runs the cells itself", () => {
  let lab: Lab;
  let page: Page;

  beforeAll(async () => {
    const { JUPYTER_PATH = '' } = installation.environment;
    cpSync(
      join(import.meta.dirname, 'fixtures', 'other-executor'),
      join(JUPYTER_PATH, 'labextensions', 'other-executor'),
      { recursive: true },
    );
    // Of two extensions that run the cells, JupyterLab takes the one that it happened to load last; this user chose.
    const config = { disabledExtensions: { '@grus/jupyterlab:executor': true } };
    lab = await Lab.start({ environment: { JUPYTER_PATH }, settings: { budget: 60_000 }, config });
    ({ page } = await openLab(browser, lab));
  });

  afterAll(() => lab?.close());

  it('checks with the first two rungs, and asks on "Check and run"', async () => {
    lab.writeNotebook('other.ipynb', ['print("one", not_there)']);
    const notebook = await OpenNotebook.open(page, 'other.ipynb');
    expect(await notebook.status.getAttribute('title')).toContain('Another extension runs the cells');
    await notebook.cell(1).locator('.cm-content').click();
    await page.evaluate('void jupyterapp.commands.execute("grus:check-and-run")');
    await page.getByRole('dialog').getByText('not_there').waitFor();
    await notebook.panel(1).getByText("NameError: name 'not_there' is not defined").waitFor();
    await page.getByRole('button', { name: 'Run anyway' }).click();
    await notebook.output(1).getByText('NameError').first().waitFor();
    expect(await page.evaluate('window.ranByOther')).toBe(1);
    await page.evaluate('void jupyterapp.commands.execute("grus:dry-run")');
    await page.getByText("the server's part of Grus is not installed or not enabled").waitFor();
    await page.keyboard.press('Escape');
    await notebook.close();
  });
});

describe('in Notebook 7', () => {
  it('holds a cell that would crash', async () => {
    const lab = await Lab.start({
      environment: installation.environment,
      settings: { budget: 60_000 },
      app: 'notebook',
    });
    try {
      lab.writeNotebook('seven.ipynb', ['print("one")', 'not_there']);
      const { page } = await openLab(browser, lab, { path: 'notebooks/seven.ipynb' });
      await page.waitForFunction(
        'jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.status === "idle"',
      );
      const cell = (index: number) => page.locator(`.jp-Cell[data-windowed-list-index="${index}"]`);
      await cell(0).locator('.cm-content').click();
      await page.keyboard.press('Shift+Enter');
      await cell(0).locator('.jp-OutputArea-output').getByText('one').waitFor(soon);
      await cell(1).locator('.cm-content').click();
      await page.keyboard.press('Shift+Enter');
      await cell(1).locator('.grus-panel[data-fate="held"]').waitFor(soon);
      expect(await page.locator('select.grus-mode').count()).toBe(1);
      await page.close();
    } finally {
      await lab.close();
    }
  });
});

describe('the wheel', () => {
  it('is found by JupyterLab when installed, and leaves nothing behind when removed', () => {
    const environment = join(installation.folder, 'environment');
    spawnSync(python, ['-m', 'venv', '--without-pip', environment]);
    const own = join(environment, 'bin', 'python');
    const files = () =>
      readdirSync(environment, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && join(entry.parentPath, entry.name).includes('/grus/'))
        .map(({ name }) => name);
    pip('--python', own, 'install', '--no-deps', '--no-index', installation.wheel);
    const extension = join(environment, 'share', 'jupyter', 'labextensions', '@grus', 'jupyterlab');
    expect(readdirSync(extension).sort()).toEqual(['install.json', 'package.json', 'schemas', 'static']);
    const config = join(environment, 'etc', 'jupyter', 'jupyter_server_config.d', 'grus.json');
    expect(existsSync(config)).toBe(true);
    expect(files()).toContain('handlers.py');
    pip('--python', own, 'uninstall', '--yes', 'grus');
    expect(files()).toEqual([]);
    expect(existsSync(extension)).toBe(false);
  });
});
