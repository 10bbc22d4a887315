// The gate on Run in a real JupyterLab: what a person sees when a cell would crash, and that nothing changes when not.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, openLab } from './support/browser.js';
import { type Installation, installWheel } from './support/install.js';
import { Lab } from './support/lab.js';
import { execute, OpenNotebook } from './support/notebook.js';
import type { CellText } from './support/notebook-file.js';

let installation: Installation;
let lab: Lab;
let browser: Browser;
let page: Page;
let errors: string[];

beforeAll(async () => {
  installation = await installWheel();
  [lab, browser] = await Promise.all([
    Lab.start({ environment: installation.environment }),
    launchBrowser(),
  ]);
  ({ page, errors } = await openLab(browser, lab));
});

afterAll(async () => {
  await browser?.close();
  await lab?.close();
  installation?.remove();
});

let count = 0;

async function open(cells: readonly CellText[], metadata: Record<string, unknown> = {}) {
  count += 1;
  const name = `notebook-${count}.ipynb`;
  lab.writeNotebook(name, cells, metadata);
  return OpenNotebook.open(page, name);
}

const frame = "import pandas as pd\ndf = pd.DataFrame({'age': [1, 2], 'fare': [3.0, 4.0]})";
const crash = "print('before')\ndf['agee'].mean()";

describe('the gate on Run', () => {
  it('runs a fine cell with its output as usual', async () => {
    const notebook = await open(['1 + 1', 'print("two")']);
    await notebook.run(1);
    await notebook.output(1).getByText('2').waitFor();
    await notebook.run(2);
    await notebook.output(2).getByText('two').waitFor();
    expect(await notebook.prompt(2).textContent()).toBe('[2]:');
    expect(await notebook.page.locator('.grus-panel').count()).toBe(0);
    expect(await notebook.status.textContent()).toMatch(/^Grus: nothing found · \d+ ms$/);
    await notebook.close();
  });

  it('holds a cell that would crash, says why, and runs it when told to', async () => {
    const notebook = await open([frame, crash]);
    await notebook.run(1);
    await notebook.run(2);
    const panel = notebook.panel(2);
    await panel.getByText("KeyError: 'agee'").waitFor();
    expect(await panel.getAttribute('data-fate')).toBe('held');
    expect(await notebook.output(2).count()).toBe(0);
    expect(await panel.locator('.grus-rung').textContent()).toBe('contracts');
    expect(await panel.locator('.grus-line').textContent()).toBe('line 2');
    await notebook.cell(2).locator('.cm-lintRange-error').waitFor();
    expect(await notebook.status.textContent()).toMatch(/^Grus: cell held/);
    await panel.getByRole('button', { name: 'Show why' }).click();
    await panel.locator('.grus-evidence').getByText('age').first().waitFor();
    await panel.getByRole('button', { name: 'Run anyway' }).click();
    await notebook.output(2).getByText('KeyError').first().waitFor();
    expect(await panel.getAttribute('data-fate')).toBe('ran');
    await notebook.close();
  });
});

it('made no page complain', () => {
  expect(errors).toEqual([]);
});
