// Kernels that come, go, hang and misbehave: whatever happens to Grus, the cell runs as if it were not there.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLab } from './support/browser.js';
import { python } from './support/install.js';
import { execute, OpenNotebook } from './support/notebook.js';
import { TestLab } from './support/setup.js';

let lab: TestLab;

function echoKernel(language: string) {
  const script = join(import.meta.dirname, 'fixtures', 'kernels', 'echo.py');
  const argv = [python, script, language, '-f', '{connection_file}'];
  return { argv, display_name: `Echo ${language}`, language };
}

beforeAll(async () => {
  lab = await TestLab.start({
    settings: { budget: 60_000 },
    kernels: { 'echo-python': echoKernel('python'), 'echo-echolang': echoKernel('echolang') },
  });
});

afterAll(() => lab?.close());

const frame = "import pandas as pd\ndf = pd.DataFrame({'age': [1, 2]})";
const crash = "df['agee'].mean()";
const soon = { timeout: 60_000 };

describe('the kernel', () => {
  it('is known again after a restart', async () => {
    const notebook = await lab.open([frame, crash, "df['age'].sum()"]);
    await notebook.run(1);
    await notebook.run(2);
    await notebook.panel(2).getByText("KeyError: 'agee'").waitFor();
    await lab.page.evaluate('jupyterapp.shell.currentWidget.sessionContext.restartKernel()');
    await notebook.panel(2).getByText('The kernel was restarted since.').waitFor();
    expect(await notebook.panel(2).getAttribute('data-fate')).toBe('left');
    await notebook.idle();
    await notebook.run(3);
    await notebook
      .panel(3)
      .getByText(/Run cell 1 first/)
      .waitFor();
    await notebook.panel(3).getByRole('button', { name: "Don't run" }).click();
    await notebook.run(1);
    await notebook.run(3);
    await notebook.output(3).getByText('3').waitFor();
    await notebook.close();
  });

  it('is its own in each of two notebooks', async () => {
    const first = await lab.open([frame, "print(df['age'].sum())"]);
    await first.run(1);
    const second = await lab.open(['x = 5', "print(df['age'].sum())"]);
    await second.run(2);
    await second
      .panel(2)
      .getByText(/NameError/)
      .first()
      .waitFor();
    await OpenNotebook.open(lab.page, first.name);
    await first.run(2);
    await first.output(2).getByText('3').waitFor();
    expect(await first.root.locator('.grus-panel').count()).toBe(0);
    await second.close();
    await first.close();
  });

  it('of another language, or without IPython, is left alone', async () => {
    for (const language of ['python', 'echolang']) {
      const kernelspec = { name: `echo-${language}`, display_name: `Echo ${language}`, language };
      const notebook = await lab.open([crash], { kernelspec, language_info: { name: language } });
      await notebook.run(1);
      await notebook.output(1).getByText(`echo: ${crash}`).waitFor();
      expect(await notebook.output(1).getByText('touched silently').count()).toBe(0);
      await expect
        .poll(() => notebook.status.textContent(), soon)
        .toBe(
          `Grus: no check · the kernel ${language === 'python' ? 'is echo, not ipykernel' : 'speaks echolang'}`,
        );
      await notebook.close();
    }
  });

  it('that asks for input is not disturbed', async () => {
    const notebook = await lab.open(["name = input('who? ')", 'print("hello", name)']);
    await notebook.run(1);
    await notebook.cell(1).locator('.jp-Stdin-input').fill('crane');
    await notebook.cell(1).locator('.jp-Stdin-input').press('Enter');
    await notebook.run(2);
    await notebook.output(2).getByText('hello crane').waitFor();
    await notebook.close();
  });

  it('is asked in a subshell while a cell is running', async () => {
    const notebook = await lab.open(['x = 1\nimport time\nprint("asleep")\ntime.sleep(60)', 'x + not_there']);
    await notebook.run(1);
    await notebook.output(1).getByText('asleep').waitFor();
    await notebook.cell(2).locator('.cm-content').click();
    await execute(lab.page, 'grus:check');
    await notebook
      .panel(2)
      .getByText(/not_there/)
      .first()
      .waitFor();
    await lab.page.evaluate('jupyterapp.shell.currentWidget.sessionContext.session.kernel.interrupt()');
    await notebook.output(1).getByText('KeyboardInterrupt').first().waitFor();
    await notebook.close();
  });
});

describe('a long notebook', () => {
  it('keeps its findings when they are scrolled away', async () => {
    const cells = Array.from({ length: 200 }, (_, index) => `value_${index} = ${index}`);
    cells[60] = 'value_59 + not_there';
    const notebook = await lab.open(cells);
    await notebook.runAll();
    await expect.poll(() => notebook.status.textContent(), soon).toMatch(/^Grus: cell held/);
    const scroll = () => notebook.root.locator('.jp-WindowedPanel-outer').evaluate((node) => node.scrollTop);
    await notebook.status.click();
    await notebook
      .panel(61)
      .getByText(/not_there/)
      .first()
      .waitFor();
    await lab.page.evaluate('jupyterapp.shell.currentWidget.content.scrollToItem(0)');
    await notebook.cell(1).locator('.cm-content').click();
    await expect.poll(scroll, soon).toBeLessThan(50);
    await execute(lab.page, 'grus:go-to-finding');
    await notebook.panel(61).getByRole('button', { name: "Don't run" }).click();
    await expect.poll(() => notebook.panel(61).getAttribute('data-fate'), soon).toBe('left');
    expect(await notebook.prompt(61).textContent()).toBe('[ ]:');
    await notebook.close();
  });
});

describe('when Grus fails, the cell runs and the status bar says so', () => {
  it('the agent answers nonsense', async () => {
    const broken = [
      "kernel = get_ipython().kernel; handlers = kernel.shell_handlers; name = 'grus_snapshot_request'",
      "def nonsense(stream, ident, parent): kernel.session.send(stream, 'grus_snapshot_reply', {'status': 'ok'}, parent, ident=ident)",
      'handlers[name] = nonsense',
    ].join('\n');
    const notebook = await lab.open([broken, 'print("ran", 1 + 1)']);
    await notebook.run(1);
    await notebook.run(2);
    await notebook.output(2).getByText('ran 2').waitFor();
    await expect.poll(() => notebook.status.textContent(), soon).toBe('Grus: failed · cell ran unchecked');
    await notebook.close();
  });

  it('the agent hangs beyond the budget, or the server dies', async () => {
    lab.lab.writeSettings({ budget: 2_000 });
    const { page } = await openLab(lab.browser, lab.lab);
    const slow = [
      "import time; handlers = get_ipython().kernel.shell_handlers; real = handlers['grus_snapshot_request']",
      'def slow(*args): time.sleep(6); return real(*args)',
      "handlers['grus_snapshot_request'] = slow",
    ].join('\n');
    const notebook = await lab.open([slow, 'print("ran", 1 + 1)', '2 + 2'], {}, page);
    await notebook.run(1);
    await expect.poll(() => notebook.prompt(1).textContent(), soon).toBe('[1]:');
    await notebook.run(2);
    await expect
      .poll(() => notebook.status.textContent(), soon)
      .toBe('Grus: out of time · cell ran unchecked');
    await notebook.output(2).getByText('ran 2').waitFor();
    await notebook.idle();
    lab.lab.kill();
    await notebook.run(3);
    await expect.poll(() => notebook.status.textContent(), soon).toMatch(/cell ran unchecked$/);
    // As without Grus: the cell waits for the connection to come back.
    expect(await notebook.prompt(3).textContent()).toBe('[*]:');
    await page.close();
  });
});
