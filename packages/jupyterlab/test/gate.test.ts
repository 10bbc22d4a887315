// The gate on Run in a real JupyterLab: what a person sees when a cell would crash, and that nothing changes when not.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openLab } from './support/browser.js';
import { execute, OpenNotebook } from './support/notebook.js';
import { TestLab } from './support/setup.js';

// Each waits for what it expects; these only end a test that waits in vain, on however slow a machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let lab: TestLab;

beforeAll(async () => {
  // No test may depend on how fast the machine is.
  lab = await TestLab.start({ settings: { budget: 60_000 } });
});

afterAll(() => lab?.close());

const frame = "import pandas as pd\ndf = pd.DataFrame({'age': [1, 2], 'fare': [3.0, 4.0]})";
const soon = { timeout: 60_000 };
const crash = "print('before')\ndf['agee'].mean()";

/** Whether the first button of a panel is on the screen. */
const inView = (panel: Locator) =>
  panel
    .getByRole('button')
    .first()
    .evaluate((button) => {
      const { left, top } = button.getBoundingClientRect();
      return button.contains(document.elementFromPoint(left + 2, top + 2));
    });

describe('a cell that is fine', () => {
  it('runs with its output as usual', async () => {
    const notebook = await lab.open([{ type: 'markdown', source: '# Title' }, '1 + 1', 'print("two")']);
    await notebook.run(2);
    await notebook.output(2).getByText('2').waitFor();
    await notebook.run(3);
    await notebook.output(3).getByText('two').waitFor();
    await expect.poll(() => notebook.prompt(3).textContent(), soon).toBe('[2]:');
    expect(await notebook.root.locator('.grus-panel').count()).toBe(0);
    expect(await notebook.status.textContent()).toMatch(/^Grus: nothing found · \d+ ms$/);
    await notebook.close();
  });

  it('leaves nothing of Grus in the history, the count or the namespace', async () => {
    const notebook = await lab.open([
      'x = 1',
      "print(len(In), 'x' in dir(), [n for n in dir() if 'grus' in n.lower()])",
    ]);
    await notebook.run(1);
    await notebook.run(2);
    await notebook.output(2).getByText('3 True []').waitFor();
    await notebook.close();
  });
});

it('claims nothing beside a traceback that it did not foresee', async () => {
  const notebook = await lab.open(['import os\nint(os.popen("echo word").read())', 'print("fine")']);
  await notebook.run(1);
  await notebook.output(1).getByText('ValueError').first().waitFor();
  await expect.poll(() => notebook.status.textContent(), soon).toBe('Grus: did not foresee this error');
  await notebook.run(2);
  await notebook.output(2).getByText('fine').waitFor();
  await expect.poll(() => notebook.status.textContent(), soon).toMatch(/^Grus: nothing found/);
  await notebook.close();
});

it('shows what it found again when the page was loaded again, unless the cell is another', async () => {
  const { page } = await openLab(lab.browser, lab.lab);
  const cells = ['not_there', 'nor_this', 'x = 1'];
  const before = await lab.open(cells, { grus: { mode: 'warn' } }, page);
  for (const number of [1, 2]) {
    await before.run(number);
    await before.says(number, /raises NameError/);
  }
  await page.reload();
  await page.waitForFunction('window.jupyterapp?.started');
  lab.lab.writeNotebook(before.name, ['not_there', 'nor_that', 'x = 1'], { grus: { mode: 'warn' } });
  const after = await OpenNotebook.open(page, before.name);
  await after.says(1, /before the notebook was opened again/);
  expect(await after.root.locator('.grus-panel').count()).toBe(1);
  await after.close();
  await page.close();
});

describe('a cell that would crash', () => {
  it('is held, says why, and runs when told to', async () => {
    const notebook = await lab.open([frame, crash]);
    await notebook.run(1);
    await notebook.run(2);
    const panel = notebook.panel(2);
    await panel.getByText("KeyError: 'agee'").waitFor();
    expect(await panel.getAttribute('data-fate')).toBe('held');
    // It is the last cell: JupyterLab adds an empty one behind it, which takes nobody's view away from the panel.
    await panel.locator('button:focus').waitFor();
    await expect.poll(() => inView(panel), soon).toBe(true);
    expect(await notebook.output(2).count()).toBe(0);
    expect(await panel.locator('.grus-rung').textContent()).toBe('contracts');
    expect(await panel.locator('.grus-line').textContent()).toBe('line 2');
    await notebook.cell(2).locator('.cm-lintRange-error').waitFor();
    expect(await notebook.status.textContent()).toMatch(/^Grus: cell held · \d+ ms$/);
    expect(await lab.page.locator('.grus-announcer').textContent()).toMatch(/^Cell held\. .*agee/);
    await panel.getByRole('button', { name: 'Show why' }).click();
    await panel.locator('.grus-evidence').getByText('age').first().waitFor();
    await panel.getByRole('button', { name: 'Run anyway' }).click();
    await notebook.output(2).getByText('KeyError').first().waitFor();
    expect(await panel.getAttribute('data-fate')).toBe('ran');
    await notebook.close();
  });

  it('is not run when that is the answer, by keyboard alone, and can be found in the side panel', async () => {
    const notebook = await lab.open([frame, crash, 'print("after")']);
    await notebook.run(1);
    await notebook.run(2);
    await notebook.panel(2).waitFor();
    await execute(lab.page, 'grus:go-to-finding');
    // The focus is on the safe choice.
    await lab.page.keyboard.press('Enter');
    await lab.page.locator('.grus-panel[data-fate="left"]').waitFor();
    expect(await notebook.output(2).count()).toBe(0);
    expect(await notebook.prompt(2).textContent()).toBe('[ ]:');
    await notebook.cell(3).locator('.cm-content').click();
    await execute(lab.page, 'grus:show-findings');
    await lab.page.locator('.grus-finding').getByText("KeyError: 'agee'").click();
    await lab.page.locator('.jp-Cell.jp-mod-active .grus-panel').waitFor();
    await execute(lab.page, 'application:toggle-right-area');
    await notebook.close();
  });

  it('stops Run All in front of it, and the rest goes on or not as answered', async () => {
    const notebook = await lab.open([frame, 'a = 1', crash, 'print("after", a)']);
    await notebook.runAll();
    await notebook.panel(3).waitFor();
    // The tab is marked, and the file keeps its name.
    await lab.page.locator('.lm-TabBar-tab.grus-held-tab').waitFor();
    expect(lab.lab.notebooks()).toContain(notebook.name);
    expect(await notebook.prompt(2).textContent()).toBe('[2]:');
    expect(await notebook.prompt(4).textContent()).toBe('[*]:');
    await notebook.panel(3).getByRole('button', { name: "Don't run" }).click();
    await lab.page.locator('.grus-panel[data-fate="left"]').waitFor();
    await expect.poll(() => notebook.prompt(4).textContent(), soon).toBe('[ ]:');
    expect(await notebook.output(4).count()).toBe(0);
    // Somebody who goes on elsewhere does not wait for an answer about the held cell.
    await notebook.run(3);
    await notebook.panel(3).locator('button:focus').waitFor();
    await notebook.run(4);
    await notebook.output(4).getByText('after 1').waitFor();
    expect(await notebook.panel(3).getAttribute('data-fate')).toBe('left');
    await notebook.close();
  });

  it('is forgotten when it is edited', async () => {
    const notebook = await lab.open([frame, crash]);
    await notebook.run(1);
    await notebook.run(2);
    await notebook.panel(2).waitFor();
    await notebook.cell(2).locator('.cm-line').nth(1).click();
    await lab.page.keyboard.press('ControlOrMeta+A');
    await lab.page.keyboard.type("df['age'].sum()");
    await expect.poll(() => notebook.panel(2).count(), soon).toBe(0);
    await expect.poll(() => notebook.cell(2).locator('.cm-lintRange').count(), soon).toBe(0);
    await lab.page.keyboard.press('Shift+Enter');
    await notebook.output(2).getByText('3').waitFor();
    await notebook.close();
  });
});

describe('the modes', () => {
  it('off: never checks', async () => {
    const notebook = await lab.open([crash], { grus: { mode: 'off' } });
    await notebook.run(1);
    await notebook.output(1).getByText('NameError').first().waitFor();
    expect(await notebook.panel(1).count()).toBe(0);
    await expect.poll(() => notebook.status.textContent(), soon).toBe('Grus: off');
    await notebook.close();
  });

  it('warn: runs the cell and shows what was found', async () => {
    const notebook = await lab.open([crash], { grus: { mode: 'warn' } });
    await notebook.run(1);
    await notebook.output(1).getByText('NameError').first().waitFor();
    expect(await notebook.panel(1).getAttribute('data-fate')).toBe('ran');
    await notebook.panel(1).getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => notebook.panel(1).count(), soon).toBe(0);
    await notebook.close();
  });

  it('block: does not run it, and stops Run All', async () => {
    const notebook = await lab.open([crash, 'print("after")'], { grus: { mode: 'block' } });
    await notebook.runAll();
    await lab.page.locator('.grus-panel[data-fate="blocked"]').waitFor();
    await expect.poll(() => notebook.prompt(2).textContent(), soon).toBe('[ ]:');
    expect(await notebook.output(1).count()).toBe(0);
    await notebook.close();
  });

  it('are chosen in the toolbar, and kept in the notebook', async () => {
    const notebook = await lab.open([crash]);
    const select = notebook.root.locator('select.grus-mode');
    expect(await select.inputValue()).toBe('default');
    await select.selectOption('off');
    await expect.poll(() => notebook.status.textContent(), soon).toBe('Grus: off');
    await notebook.run(1);
    await notebook.output(1).getByText('NameError').first().waitFor();
    const saved = await lab.page.evaluate(`jupyterapp.shell.currentWidget.content.model.getMetadata('grus')`);
    expect(saved).toEqual({ mode: 'off' });
    await notebook.close();
  });
});

describe('what can be done about a finding', () => {
  it('applies a certain fix and goes on', async () => {
    const notebook = await lab.open(['print("x:", np.zeros(2).sum())', 'print("after")']);
    await notebook.runAll();
    await notebook.panel(1).getByRole('button', { name: 'Apply fix and run' }).click();
    await notebook.output(1).getByText('x: 0.0').waitFor();
    expect(await notebook.source(1)).toBe('import numpy as np\nprint("x:", np.zeros(2).sum())');
    await notebook.output(2).getByText('after').waitFor();
    expect(await notebook.panel(1).count()).toBe(0);
    await notebook.close();
  });

  it('suppresses a check in a cell, with the reason in its metadata', async () => {
    const notebook = await lab.open([frame, crash]);
    await notebook.run(1);
    await notebook.run(2);
    await notebook.panel(2).getByRole('button', { name: 'Ignore…' }).click();
    await lab.page.locator('.grus-reason').fill('a test of the error');
    await lab.page.getByRole('button', { name: 'Ignore', exact: true }).click();
    await notebook.output(2).getByText('KeyError').first().waitFor();
    expect(await notebook.panel(2).count()).toBe(0);
    const cell = 'jupyterapp.shell.currentWidget.content.model.cells.get(1)';
    expect(await lab.page.evaluate(`${cell}.getMetadata('grus')`)).toEqual({
      ignore: ['columns/missing-column'],
      reasons: { 'columns/missing-column': 'a test of the error' },
    });
    await notebook.run(2);
    await expect.poll(() => notebook.prompt(2).textContent(), soon).toBe('[3]:');
    await notebook.close();
  });

  it('checks a cell on command without running it', async () => {
    const notebook = await lab.open([crash]);
    await notebook.cell(1).locator('.cm-content').click();
    await execute(lab.page, 'grus:check');
    await lab.page.locator('.grus-panel[data-fate="checked"]').waitFor();
    expect(await notebook.prompt(1).textContent()).toBe('[ ]:');
    await notebook.close();
  });
});

// The last one: what it ignores stays ignored.
it('never shows a check again that is ignored everywhere', async () => {
  const first = await lab.open([frame, crash]);
  await first.run(1);
  await first.run(2);
  await first.panel(2).getByRole('button', { name: 'Ignore…' }).click();
  await lab.page.locator('.grus-everywhere').check();
  await lab.page.getByRole('button', { name: 'Ignore', exact: true }).click();
  await first.output(2).getByText('KeyError').first().waitFor();
  await first.close();
  expect(await lab.lab.readSettings()).toMatchObject({ ignore: ['columns/missing-column'] });
  const second = await lab.open([frame, 'not_there', crash]);
  await second.run(1);
  // Others still speak.
  await second.run(2);
  await second.says(2, /NameError/);
  await second.run(3);
  await second.output(3).getByText('KeyError').first().waitFor();
  expect(await second.panel(3).count()).toBe(0);
  await second.close();
});

it('made the page complain of nothing, and renamed no notebook', () => {
  expect(lab.errors).toEqual([]);
  for (const name of lab.lab.notebooks()) expect(name).toMatch(/^notebook-\d+\.ipynb$/);
});
