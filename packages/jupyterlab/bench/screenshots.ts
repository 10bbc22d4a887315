// Pictures of the main states for the documentation, and a short animation, taken in a real JupyterLab.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { repository } from '../test/support/install.js';
import { execute, type OpenNotebook } from '../test/support/notebook.js';
import { TestLab } from '../test/support/setup.js';
import { Film } from './film.js';

const folder = join(repository, 'docs', 'images');
const soon = { timeout: 60_000 };

const training = [
  "import pandas as pd\n\ndf = pd.DataFrame({'age': [22, 38, 26], 'fare': [7.3, 71.3, 7.9], 'survived': [0, 1, 1]})\ndf.head(2)",
  "from sklearn.linear_model import LogisticRegression\n\nmodel = LogisticRegression().fit(df[['age', 'fare']], df['survived'])\nmodel.score(df[['age', 'fare']], df['survived'])",
  "wealthy = df[df['fare'] > 10]\nprint(wealthy['Age'].mean())",
];

export async function run(): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const lab = await TestLab.start({ settings: { budget: 30_000 } });
  const { page } = lab;
  const taken: string[] = [];
  const take = async (name: string) => {
    const path = join(folder, `jupyterlab-${name}.png`);
    await page.mouse.move(5, 5);
    await page.screenshot({ path });
    taken.push(path);
  };
  try {
    await page.setViewportSize({ width: 960, height: 700 });
    await execute(page, 'application:toggle-left-area');
    const held = await upTo(lab, training);
    await held.panel(3).getByRole('button', { name: 'Show why' }).click();
    await take('held');
    await execute(page, 'apputils:change-theme', { theme: 'JupyterLab Dark' });
    await page.waitForTimeout(1_000);
    await take('dark');
    await execute(page, 'apputils:change-theme', { theme: 'JupyterLab Light' });
    await held.panel(3).getByRole('button', { name: "Don't run" }).click();
    await execute(page, 'grus:show-findings');
    await take('findings');
    await execute(page, 'application:toggle-right-area');
    const fix = await upTo(lab, ['values = np.linspace(0, 1, 5)\nvalues.mean()']);
    await fix.panel(1).getByRole('button', { name: 'Apply fix and run' }).waitFor();
    await shrink(page);
    await take('fix');
    taken.push(await film(lab));
  } finally {
    await lab.close();
  }
  return taken;
}

/** A cell is run, held, mended and run, as a person sees it. */
async function film(lab: TestLab): Promise<string> {
  const { page } = lab;
  await page.setViewportSize({ width: 900, height: 560 });
  const notebook = await lab.open([training[0]!, training[1]!, "modle.predict(df[['age', 'fare']])"]);
  const film = new Film(page);
  await notebook.run(1);
  await notebook.run(2);
  await notebook.output(2).first().waitFor(soon);
  await notebook.cell(3).locator('.cm-content').click();
  await film.take(1_500);
  await page.keyboard.press('Shift+Enter');
  const fix = notebook.panel(3).getByRole('button', { name: 'Apply fix and run' });
  await fix.waitFor(soon);
  await film.take(3_500);
  await fix.hover();
  await film.take(1_000);
  await fix.click();
  await notebook.output(3).getByText('array').waitFor(soon);
  await film.take(3_000);
  return film.save(join(folder, 'jupyterlab.gif'));
}

/** Opens a notebook and runs it up to the cell that is held. */
async function upTo(lab: TestLab, cells: readonly string[]): Promise<OpenNotebook> {
  const notebook = await lab.open(cells);
  await notebook.runAll();
  await notebook.panel(cells.length).waitFor(soon);
  return notebook;
}

function shrink(page: Page): Promise<void> {
  return page.setViewportSize({ width: 960, height: 360 });
}
