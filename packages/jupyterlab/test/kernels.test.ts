// Kernels that come, go, hang and misbehave: whatever happens to Grus, the cell runs as if it were not there.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openLab } from './support/browser.js';
import { python } from './support/install.js';
import { execute, OpenNotebook } from './support/notebook.js';
import { TestLab } from './support/setup.js';

// Each waits for what it expects; these only end a test that waits in vain, on however slow a machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

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

/** A page that judges by itself, as where the server's part is missing. */
let alone: Promise<Page> | undefined;
function pageAlone(): Promise<Page> {
  lab.lab.writeSettings({ budget: 60_000, beside: false });
  alone ??= openLab(lab.browser, lab.lab).then(({ page }) => page);
  return alone;
}

const frame = "import pandas as pd\ndf = pd.DataFrame({'age': [1, 2]})";
const crash = "df['agee'].mean()";
const soon = { timeout: 60_000 };

describe('the kernel', () => {
  it('is known again after a restart', async () => {
    const title = { type: 'markdown', source: '# Ages' } as const;
    const notebook = await lab.open([title, frame, crash, "df['age'].sum()"]);
    await notebook.run(2);
    await notebook.run(3);
    await notebook.panel(3).getByText("KeyError: 'agee'").waitFor();
    await lab.page.evaluate('jupyterapp.shell.currentWidget.sessionContext.restartKernel()');
    await notebook.panel(3).getByText('The kernel was restarted since.').waitFor();
    expect(await notebook.panel(3).getAttribute('data-fate')).toBe('left');
    await notebook.idle();
    await notebook.run(4);
    // Counted as a person counts: the title is a cell, too.
    await notebook
      .panel(4)
      .getByText(/Run cell 2 first/)
      .waitFor();
    await notebook.panel(4).getByText('[1] import pandas as pd (cell 2 of 5)').waitFor();
    await notebook.panel(4).getByRole('button', { name: 'Run that cell first' }).click();
    await notebook.output(4).getByText('3').waitFor();
    await lab.page.evaluate('jupyterapp.shell.currentWidget.sessionContext.restartKernel()');
    await notebook.idle();
    await notebook.run(4);
    // The third cell, which would crash, is one of them.
    await notebook.panel(4).getByRole('button', { name: 'Run all above first' }).click();
    await notebook.cell(3).locator('.grus-panel[data-fate="held"]').waitFor();
    await notebook.close();
  });

  it('is the same one after its connection was lost and found again', async () => {
    const notebook = await lab.open([frame, crash]);
    await notebook.run(1);
    await notebook.run(2);
    await notebook.panel(2).waitFor();
    await notebook.findAgain();
    expect(await notebook.panel(2).getAttribute('data-fate')).toBe('held');
    await notebook.panel(2).getByRole('button', { name: 'Run anyway' }).click();
    await notebook.output(2).getByText('KeyError').first().waitFor();
    await notebook.findAgain();
    await notebook.run(2);
    await notebook.panel(2).getByRole('button', { name: "Don't run" }).click();
    await notebook.close();
  });

  it('goes on with other cells when the end of one was lost with the connection, where the page judges', async () => {
    const go = join(lab.lab.folder, 'finish');
    const wait = `import os, time\nprint('begun')\nwhile not os.path.exists(${JSON.stringify(go)}): time.sleep(0.01)`;
    const page = await pageAlone();
    const notebook = await lab.open([frame, wait, crash, "df['age'].sum()"], {}, page);
    await notebook.run(1);
    await notebook.run(2);
    await notebook.output(2).getByText('begun').waitFor();
    await notebook.lose();
    await notebook.run(4);
    writeFileSync(go, '');
    const state = `(async () => {
      const { id } = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
      const { kernels } = jupyterapp.serviceManager;
      await kernels.refreshRunning();
      return [...kernels.running()].find((kernel) => kernel.id === id).execution_state;
    })()`;
    await expect.poll(() => page.evaluate(state), soon).toBe('idle');
    expect(await notebook.prompt(2).textContent()).toBe('[*]:');
    await notebook.findAgain();
    await notebook.output(4).getByText('3').waitFor();
    await notebook.run(3);
    await notebook.panel(3).getByRole('button', { name: "Don't run" }).click();
    await notebook.close();
  });

  it('tells a page that comes later what it held meanwhile, and which cells were not run', async () => {
    const go = join(lab.lab.folder, 'go-on');
    const wait = `import os, time\nprint('begun')\nwhile not os.path.exists(${JSON.stringify(go)}): time.sleep(0.01)`;
    rmSync(go, { force: true });
    // Pages read the settings when they are opened, and that of another test judges by itself.
    lab.lab.writeSettings({ budget: 60_000 });
    const { page } = await openLab(lab.browser, lab.lab);
    const before = await lab.open([wait, 'ran = 1', 'not_there', 'print("after", ran)'], {}, page);
    await before.runAll();
    await before.output(1).getByText('begun').waitFor();
    await page.close();
    writeFileSync(go, '');
    const after = await OpenNotebook.open(lab.page, before.name);
    await after.says(3, /not_there/);
    await after.panel(3).getByRole('button', { name: 'Run the cell behind it' }).click();
    await after.output(4).getByText('after 1').waitFor();
    await after.close();
  });

  it('tells that too when the very first cell of a Run All was held', async () => {
    lab.lab.writeSettings({ budget: 60_000 });
    const { page } = await openLab(lab.browser, lab.lab);
    const before = await lab.open(['not_there', 'print("behind it")', 'print("last")'], {}, page);
    await before.runAll();
    await before.says(1, /not_there/);
    await page.close();
    const after = await OpenNotebook.open(lab.page, before.name);
    await after.panel(1).getByRole('button', { name: 'Run the 2 cells behind it' }).click();
    await after.output(2).getByText('behind it').waitFor();
    await after.output(3).getByText('last').waitFor();
    await after.close();
  });

  it('is its own in each of two notebooks', async () => {
    const first = await lab.open([frame, "print(df['age'].sum())"]);
    await first.run(1);
    const second = await lab.open(['x = 5', "print(df['age'].sum())"]);
    await second.run(2);
    await second.says(2, /NameError/);
    await OpenNotebook.open(lab.page, first.name);
    await first.run(2);
    await first.output(2).getByText('3').waitFor();
    expect(await first.root.locator('.grus-panel').count()).toBe(0);
    await second.close();
    await first.close();
  });

  it('that holds a cell of a notebook behind another one leads there', async () => {
    const sign = join(lab.lab.folder, 'work', 'go-on');
    const behind = await lab.open([
      "import os, time\nwhile not os.path.exists('go-on'): time.sleep(0.05)",
      'print(aera)',
    ]);
    await behind.runAll();
    const front = await lab.open(['x = 5']);
    writeFileSync(sign, '');
    await lab.page.getByText(`Grus held a cell in ${behind.name}`).first().waitFor();
    expect(await front.panel(2).count()).toBe(0);
    await lab.page.getByRole('button', { name: 'Go to cell' }).click();
    await behind.says(2, /NameError/);
    rmSync(sign);
    await behind.panel(2).getByRole('button', { name: "Don't run" }).click();
    await behind.close();
    await front.close();
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
    const notebook = await lab.open([
      'x = 1\nimport time\nprint("asleep")\ntime.sleep(600)',
      'x + not_there',
    ]);
    await notebook.run(1);
    await notebook.output(1).getByText('asleep').waitFor();
    await notebook.cell(2).locator('.cm-content').click();
    await execute(lab.page, 'grus:check');
    await notebook.says(2, /not_there/);
    await lab.page.evaluate('jupyterapp.shell.currentWidget.sessionContext.session.kernel.interrupt()');
    await notebook.output(1).getByText('KeyboardInterrupt').first().waitFor();
    await notebook.close();
  });
});

describe('where the page judges by itself, the active cell', () => {
  const fine = "df['age'].sum()";

  /** Runs the first cell, goes to the second, and waits until that one has been looked at. */
  async function lookedAt(cells: readonly string[]): Promise<OpenNotebook> {
    const notebook = await lab.open(cells, {}, await pageAlone());
    await notebook.listen();
    await notebook.run(1);
    await expect.poll(() => notebook.prompt(1).textContent(), soon).toBe('[1]:');
    await notebook.cell(2).locator('.cm-content').click();
    const look = async () => {
      const heard = await notebook.heard();
      const ran = heard.indexOf('recv status idle execute_request', heard.indexOf('recv execute_input'));
      const since = ran < 0 ? [] : heard.slice(ran);
      return since.filter((line) =>
        /^recv (status idle grus_snapshot_request|grus_snapshot_reply)$/.test(line),
      );
    };
    await expect.poll(async () => (await look()).length, soon).toBeGreaterThanOrEqual(2);
    return notebook;
  }

  it('is checked while nobody waits, and runs at once', async () => {
    const notebook = await lookedAt([frame, fine]);
    const before = (await notebook.heard()).length;
    await notebook.page.keyboard.press('Shift+Enter');
    await notebook.output(2).getByText('3').waitFor();
    const heard = (await notebook.heard()).slice(before);
    expect(heard.slice(0, heard.indexOf('send execute_request'))).not.toContain('send grus_snapshot_request');
    expect(await notebook.status.textContent()).toBe('Grus: nothing found · 0 ms');
    await notebook.close();
  });

  it('is checked again when another client ran code in the kernel', async () => {
    const notebook = await lookedAt([frame, fine]);
    await notebook.page.evaluate(`(async () => {
      const { sessionContext } = jupyterapp.shell.currentWidget;
      const { model } = sessionContext.session.kernel;
      const other = jupyterapp.serviceManager.kernels.connectTo({ model });
      await other.info;
      await other.requestExecute({ code: 'del df' }).done;
      other.dispose();
    })()`);
    await expect
      .poll(async () => (await notebook.heard()).filter((line) => line === 'recv execute_input').length, soon)
      .toBe(2);
    await notebook.run(2);
    await notebook.says(2, /NameError/);
    await notebook.close();
  });

  it('is checked again when a thread of the kernel may have changed what it needs', async () => {
    const signs = ['go', 'gone'].map((name) => join(lab.lab.folder, name));
    const [go = '', gone = ''] = signs;
    const thread = [
      frame,
      'import os, threading, time',
      'def drop():',
      '    global df',
      `    while not os.path.exists(${JSON.stringify(go)}): time.sleep(0.01)`,
      '    del df',
      `    open(${JSON.stringify(gone)}, "w").close()`,
      'threading.Thread(target=drop, daemon=True).start()',
    ];
    const notebook = await lookedAt([thread.join('\n'), fine]);
    writeFileSync(go, '');
    await expect.poll(() => existsSync(gone), soon).toBe(true);
    await notebook.run(2);
    await notebook.says(2, /NameError/);
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
    await notebook.says(61, /not_there/);
    await expect
      .poll(async () => {
        await notebook.leaveFor(1);
        return scroll();
      }, soon)
      .toBeLessThan(50);
    await execute(lab.page, 'grus:go-to-finding');
    await notebook.panel(61).getByRole('button', { name: "Don't run" }).click();
    await expect.poll(() => notebook.panel(61).getAttribute('data-fate'), soon).toBe('left');
    expect(await notebook.prompt(61).textContent()).toBe('[ ]:');
    await notebook.close();
  });
});

describe('where only what is in view is drawn', () => {
  it('a held cell that was scrolled away is shown again, and answered', async () => {
    const cells = Array.from({ length: 120 }, (_, index) => `value_${index} = ${index}`);
    cells[1] = 'value_0 + not_there';
    lab.lab.writeSettings({ windowingMode: 'full' }, '@jupyterlab/notebook-extension/tracker');
    const { page } = await openLab(lab.browser, lab.lab);
    const notebook = await lab.open(cells, {}, page);
    await expect.poll(() => notebook.cell(60).isVisible(), soon).toBe(false);
    await notebook.run(1);
    await notebook.run(2);
    await notebook.panel(2).waitFor();
    await expect
      .poll(async () => {
        await notebook.leaveFor(120);
        return notebook.panel(2).isVisible();
      }, soon)
      .toBe(false);
    await notebook.status.click();
    await notebook.panel(2).getByRole('button', { name: 'Run anyway' }).click();
    await notebook.output(2).getByText('NameError').first().waitFor();
    expect(await notebook.panel(2).getAttribute('data-fate')).toBe('ran');
    await page.close();
    lab.lab.writeSettings({}, '@jupyterlab/notebook-extension/tracker');
  });
});

describe('when something of Grus fails, cells run', () => {
  const find =
    "import os, signal; beside = get_ipython().kernel.shell_handlers['grus_plan_request'].__self__.asker.beside";

  it('the process beside the kernel ends, and is started again', async () => {
    const notebook = await lab.open([
      `${find}\nos.kill(beside.pid, signal.SIGKILL)\nimport select; select.select([beside.process], [], [])`,
      'print("ran", 1 + 1)',
      'not_there',
    ]);
    await notebook.run(1);
    await notebook.run(2);
    await notebook.output(2).getByText('ran 2').waitFor();
    await notebook.run(3);
    await notebook.says(3, /not_there/);
    await notebook.close();
  });

  it('the process beside the kernel is interrupted while it thinks: the cell is not run', async () => {
    const notebook = await lab.open([
      `${find}\nos.kill(beside.pid, signal.SIGSTOP)`,
      'print(os.getpid())',
      '3',
    ]);
    await notebook.runAll();
    await expect.poll(() => notebook.prompt(1).textContent(), soon).toBe('[1]:');
    // Again and again: the kernel may not have come to the second cell yet.
    const interrupt = 'jupyterapp.shell.currentWidget.sessionContext.session.kernel.interrupt()';
    const prompt = async () => {
      await lab.page.evaluate(interrupt);
      return notebook.prompt(3).textContent();
    };
    await expect.poll(prompt, { ...soon, interval: 500 }).toBe('[ ]:');
    expect(await notebook.output(2).count()).toBe(0);
    await notebook.run(3);
    await notebook.output(3).getByText('3').waitFor();
    await notebook.close();
  });

  it('the agent answers nonsense', async () => {
    const broken = [
      "kernel = get_ipython().kernel; handlers = kernel.shell_handlers; name = 'grus_snapshot_request'",
      "def nonsense(stream, ident, parent): kernel.session.send(stream, 'grus_snapshot_reply', {'status': 'ok'}, parent, ident=ident)",
      'handlers[name] = nonsense',
    ].join('\n');
    const notebook = await lab.open([broken, 'print("ran", 1 + 1)'], {}, await pageAlone());
    await notebook.run(1);
    await notebook.run(2);
    await notebook.output(2).getByText('ran 2').waitFor();
    await expect.poll(() => notebook.status.textContent(), soon).toBe('Grus: failed · cell ran unchecked');
    await notebook.close();
  });

  it('the agent hangs beyond the budget', async () => {
    lab.lab.writeSettings({ budget: 2_000, beside: false });
    const { page } = await openLab(lab.browser, lab.lab);
    const slow = [
      "import time; handlers = get_ipython().kernel.shell_handlers; real = handlers['grus_snapshot_request']",
      'def slow(*args): time.sleep(6); return real(*args)',
      "handlers['grus_snapshot_request'] = slow",
    ].join('\n');
    const notebook = await lab.open([slow, 'print("ran", 1 + 1)'], {}, page);
    await notebook.run(1);
    await expect.poll(() => notebook.prompt(1).textContent(), soon).toBe('[1]:');
    await notebook.run(2);
    await expect
      .poll(() => notebook.status.textContent(), soon)
      .toBe('Grus: out of time · cell ran unchecked');
    await notebook.output(2).getByText('ran 2').waitFor();
    await page.close();
  });

  // The last one: nothing answers after it.
  it('the server dies', async () => {
    lab.lab.writeSettings({ budget: 2_000, beside: false });
    const { page } = await openLab(lab.browser, lab.lab);
    const notebook = await lab.open(['1 + 1', '2 + 2'], {}, page);
    await notebook.run(1);
    await expect.poll(() => notebook.prompt(1).textContent(), soon).toBe('[1]:');
    await notebook.idle();
    // JupyterLab says so itself, in front of the page.
    const said = page.locator('.jp-Dialog');
    await page.addLocatorHandler(said, () => said.getByRole('button').last().click());
    lab.lab.kill();
    await notebook.run(2);
    await expect.poll(() => notebook.status.textContent(), soon).toMatch(/cell ran unchecked$/);
    // As without Grus: the cell waits for the connection to come back.
    await expect.poll(() => notebook.prompt(2).textContent(), soon).toBe('[*]:');
    await page.close();
  });
});
