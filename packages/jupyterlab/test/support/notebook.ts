// An open notebook as a person sees and uses it: keys, clicks, and what is on the screen.
import type { Locator, Page } from 'playwright-core';

interface LabWindow {
  /** Messages to and from a kernel that is listened to: "send execute_request". */
  kernelMessages: string[];
  readonly jupyterapp: {
    readonly commands: { execute(id: string, args?: object): Promise<unknown> };
    readonly shell: {
      widgets(area: string): Iterable<{
        readonly context?: { readonly path: string; save(): Promise<void> };
        readonly sessionContext?: {
          readonly session?: { readonly kernel?: LabKernel };
          shutdown(): Promise<void>;
        };
        dispose(): void;
      }>;
    };
  };
}

interface LabKernel {
  readonly status: string;
  /** The socket of the connection: no part of JupyterLab's interface. */
  readonly _ws: { onmessage: unknown };
  reconnect(): Promise<void>;
  readonly anyMessage: {
    connect(slot: (sender: unknown, told: { msg: KernelMessage; direction: string }) => void): void;
  };
}

interface KernelMessage {
  readonly header: { readonly msg_type: string };
  readonly parent_header: { readonly msg_type?: string };
  readonly content: { readonly execution_state?: string };
}

export class OpenNotebook {
  private constructor(
    readonly page: Page,
    readonly name: string,
  ) {}

  static async open(page: Page, name: string): Promise<OpenNotebook> {
    await execute(page, 'docmanager:open', { path: name });
    const notebook = new OpenNotebook(page, name);
    await notebook.cell(1).waitFor();
    await notebook.idle();
    return notebook;
  }

  get root(): Locator {
    return this.page.locator('.jp-NotebookPanel:not(.lm-mod-hidden)');
  }

  /** Counted from 1, among all cells. */
  cell(number: number): Locator {
    return this.root.locator(`.jp-Cell[data-windowed-list-index="${number - 1}"]`);
  }

  panel(number: number): Locator {
    return this.cell(number).locator('.grus-panel');
  }

  /** Waits until the panel of a cell says this. */
  says(number: number, what: RegExp): Promise<void> {
    return this.panel(number).getByText(what).first().waitFor();
  }

  output(number: number): Locator {
    return this.cell(number).locator('.jp-OutputArea-output');
  }

  prompt(number: number): Locator {
    return this.cell(number).locator('.jp-InputPrompt');
  }

  get status(): Locator {
    return this.page.locator('.grus-status');
  }

  /** Puts the cursor into a cell and presses Shift-Enter. */
  async run(number: number): Promise<void> {
    await this.cell(number).locator('.cm-content').click();
    await this.page.keyboard.press('Shift+Enter');
  }

  /** Goes to a cell far away. A click would not do: the list moves while it draws what comes into view. */
  async leaveFor(number: number): Promise<void> {
    await this.page.evaluate(
      `{ const { content } = jupyterapp.shell.currentWidget; content.activeCellIndex = ${number - 1}; content.scrollToItem(${number - 1}); }`,
    );
  }

  async runAll(): Promise<void> {
    // The command answers when the last cell has run, which a held cell puts off.
    await this.page.evaluate(() => {
      void (globalThis as never as LabWindow).jupyterapp.commands.execute('notebook:run-all-cells');
    });
  }

  async source(number: number): Promise<string> {
    const lines = await this.cell(number).locator('.cm-line').allTextContents();
    return lines.join('\n');
  }

  /** Waits until the kernel has nothing to do. */
  async idle(): Promise<void> {
    await this.page.waitForFunction((name) => {
      const { shell } = (globalThis as never as LabWindow).jupyterapp;
      const widget = [...shell.widgets('main')].find(({ context }) => context?.path === name);
      return widget?.sessionContext?.session?.kernel?.status === 'idle';
    }, this.name);
  }

  /** Whatever the kernel says is lost on its way until it is found again. */
  async lose(): Promise<void> {
    await this.page.evaluate((name) => {
      const { shell } = (globalThis as never as LabWindow).jupyterapp;
      const widget = [...shell.widgets('main')].find(({ context }) => context?.path === name);
      const kernel = widget?.sessionContext?.session?.kernel;
      if (kernel) kernel._ws.onmessage = null;
    }, this.name);
  }

  async findAgain(): Promise<void> {
    await this.page.evaluate(async (name) => {
      const { shell } = (globalThis as never as LabWindow).jupyterapp;
      const widget = [...shell.widgets('main')].find(({ context }) => context?.path === name);
      await widget?.sessionContext?.session?.kernel?.reconnect();
    }, this.name);
  }

  /** Notes from now on what goes to and comes from the kernel, in the order in which the page learns of it. */
  async listen(): Promise<void> {
    await this.page.evaluate((name) => {
      const window = globalThis as never as LabWindow;
      const widget = [...window.jupyterapp.shell.widgets('main')].find(
        ({ context }) => context?.path === name,
      );
      window.kernelMessages = [];
      widget?.sessionContext?.session?.kernel?.anyMessage.connect((_, { msg, direction }) => {
        const { header, parent_header: parent, content } = msg;
        const about = header.msg_type === 'status' ? ` ${content.execution_state} ${parent.msg_type}` : '';
        window.kernelMessages.push(`${direction} ${header.msg_type}${about}`);
      });
    }, this.name);
  }

  /** What was noted. */
  heard(): Promise<string[]> {
    return this.page.evaluate(() => (globalThis as never as LabWindow).kernelMessages);
  }

  /** Saves the notebook, ends its kernel and closes it. */
  async close(): Promise<void> {
    await this.page.evaluate(async (name) => {
      const { shell } = (globalThis as never as LabWindow).jupyterapp;
      const widget = [...shell.widgets('main')].find(({ context }) => context?.path === name);
      await widget?.context?.save();
      await widget?.sessionContext?.shutdown();
      widget?.dispose();
    }, this.name);
  }
}

export function execute(page: Page, id: string, args: object = {}): Promise<unknown> {
  return page.evaluate(
    async ([command, given]) => {
      await (globalThis as never as LabWindow).jupyterapp.commands.execute(command, given);
    },
    [id, args] as const,
  );
}
