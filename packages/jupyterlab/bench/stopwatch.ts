// Measures in the page itself, by what JupyterLab's own connection to the kernel sends and hears.
import type { Page } from 'playwright-core';

interface CellModel {
  readonly type: string;
  readonly executionCount: number | null;
  readonly executionState?: string;
}

interface LabApp {
  readonly commands: { execute(id: string): Promise<unknown> };
  readonly shell: {
    readonly currentWidget: {
      readonly sessionContext: {
        readonly session: {
          readonly kernel: {
            readonly status: string;
            readonly anyMessage: {
              connect(slot: (sender: unknown, told: Told) => void): void;
              disconnect(slot: (sender: unknown, told: Told) => void): void;
            };
          };
        };
      };
      readonly content: {
        activeCellIndex: number;
        mode: string;
        readonly node: HTMLElement;
        readonly model: { readonly cells: Iterable<CellModel> & { get(index: number): CellModel } };
        deselectAll(): void;
        scrollToItem(index: number): Promise<void>;
      };
    };
  };
}

interface Told {
  readonly msg: { readonly header: { readonly msg_type: string; readonly date: string } };
  readonly direction: string;
}

/** Milliseconds from the key until the kernel sent its reply, and until that was in the page. */
interface Pressed {
  readonly answered: number;
  readonly shown: number;
}

type Window = { readonly jupyterapp: LabApp; replied: Promise<Pressed> };

/** Waits until the kernel of the open notebook is there, and is this. */
export async function until(page: Page, status: string): Promise<void> {
  await page.waitForFunction((wanted) => {
    const { shell } = (globalThis as never as Window).jupyterapp;
    const panel = shell.currentWidget as Partial<LabApp['shell']['currentWidget']> | null;
    return panel?.sessionContext?.session?.kernel?.status === wanted;
  }, status);
}

/** Milliseconds from the command until the last cell has its count. */
export function runAll(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const { jupyterapp } = globalThis as never as Window;
    const { model } = jupyterapp.shell.currentWidget.content;
    const started = performance.now();
    await jupyterapp.commands.execute('notebook:run-all-cells');
    const failed = [...model.cells].filter(
      ({ type, executionCount }) => type === 'code' && executionCount === null,
    );
    if (failed.length > 0) throw new Error(`${failed.length} cells did not run`);
    return performance.now() - started;
  });
}

/** Presses Shift-Enter in the cell. */
export async function pressKey(page: Page, index: number): Promise<Pressed> {
  await page.evaluate(async (position) => {
    const window = globalThis as never as Window;
    const { content, sessionContext } = window.jupyterapp.shell.currentWidget;
    content.deselectAll();
    content.activeCellIndex = position;
    content.mode = 'command';
    await content.scrollToItem(position);
    content.node.focus();
    let pressed = 0;
    let clock = 0;
    const press = () => {
      pressed = performance.now();
      clock = Date.now();
    };
    document.addEventListener('keydown', press, { capture: true, once: true });
    window.replied = new Promise((resolve) => {
      const { anyMessage } = sessionContext.session.kernel;
      const hear = (_: unknown, { msg, direction }: Told) => {
        if (direction !== 'recv' || msg.header.msg_type !== 'execute_reply') return;
        anyMessage.disconnect(hear);
        // The kernel runs on this machine, by the same clock.
        resolve({ answered: Date.parse(msg.header.date) - clock, shown: performance.now() - pressed });
      };
      anyMessage.connect(hear);
    });
  }, index);
  await page.waitForTimeout(100);
  await page.keyboard.press('Shift+Enter');
  const replied = await page.evaluate(() => (globalThis as never as Window).replied);
  await page.waitForFunction((position) => {
    const { model } = (globalThis as never as Window).jupyterapp.shell.currentWidget.content;
    const { executionCount, executionState } = model.cells.get(position);
    // JupyterLab 4.2 knows no such state.
    return executionCount !== null && (executionState ?? 'idle') === 'idle';
  }, index);
  return replied;
}
