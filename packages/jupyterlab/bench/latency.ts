// The time from pressing Shift-Enter to the execute_request leaving the page, in a real JupyterLab: with Grus asking, warning
// and switched off, over the same cells, in turns, in one page. Once more asking about cells that were edited a moment
// before, about which nothing can be known when the key is pressed.
import type { Page } from 'playwright-core';
import { execute, type OpenNotebook } from '../test/support/notebook.js';
import { TestLab } from '../test/support/setup.js';
import { cells as allCells, setup } from './cells.js';

const modes = ['off', 'warn', 'ask', 'edited'] as const;
type Mode = (typeof modes)[number];
type Summary = { readonly median: number; readonly p95: number; readonly max: number };

/** Cells run in one mode before the next mode has its turn. */
const turn = 20;

/** Notes when a key was pressed and when the page sent a cell to be run. */
const stopwatch = () => {
  const times = { pressed: 0, sent: 0 };
  Object.assign(globalThis, { grusTimes: times });
  document.addEventListener(
    'keydown',
    ({ key }) => {
      if (key === 'Enter') Object.assign(times, { pressed: performance.now(), sent: 0 });
    },
    true,
  );
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (this: WebSocket, data) {
    const text = typeof data === 'string' ? data : new TextDecoder().decode(data as ArrayBuffer);
    if (text.includes('"execute_request"') && /"silent":\s*false/.test(text)) times.sent = performance.now();
    return send.call(this, data);
  };
};

export interface LabLatency {
  readonly benchmark: 'jupyterlab';
  readonly cells: number;
  /** Milliseconds from the key press to the request. */
  readonly modes: Record<Mode, Summary>;
  /** Milliseconds more than with Grus off, cell by cell. */
  readonly added: Record<Exclude<Mode, 'off'>, Summary>;
  /** Cells that ran without a verdict because the time was up or the check failed. */
  readonly unchecked: number;
}

/** `count`: how many of the cells to run, for a quick look. */
export async function run(count = allCells.length): Promise<LabLatency> {
  const cells = allCells.slice(0, count);
  const lab = await TestLab.start({ init: stopwatch });
  try {
    const notebooks = new Map<Mode, OpenNotebook>();
    for (const mode of modes) {
      const notebook = await lab.open([setup, ...cells], {
        grus: { mode: mode === 'edited' ? 'ask' : mode },
      });
      await runCell(lab.page, 0);
      await notebook.idle();
      notebooks.set(mode, notebook);
    }
    const times: Record<Mode, number[]> = { off: [], warn: [], ask: [], edited: [] };
    let unchecked = 0;
    for (let first = 0; first < cells.length; first += turn) {
      for (const mode of modes) {
        const notebook = notebooks.get(mode)!;
        await execute(lab.page, 'docmanager:open', { path: notebook.name });
        for (let index = first; index < Math.min(first + turn, cells.length); index += 1) {
          times[mode].push(await runCell(lab.page, index + 1, mode === 'edited'));
          if (mode !== 'off' && !/nothing found/.test((await notebook.status.textContent()) ?? ''))
            unchecked += 1;
        }
      }
    }
    const over = (mode: Mode) => summary(times[mode].map((ms, index) => ms - times.off[index]!));
    return {
      benchmark: 'jupyterlab',
      cells: cells.length,
      modes: {
        off: summary(times.off),
        warn: summary(times.warn),
        ask: summary(times.ask),
        edited: summary(times.edited),
      },
      added: { warn: over('warn'), ask: over('ask'), edited: over('edited') },
      unchecked,
    };
  } finally {
    await lab.close();
  }
}

/** Runs one cell of the notebook in front by the keyboard; milliseconds from the key to the request. */
async function runCell(page: Page, index: number, edited = false): Promise<number> {
  await page.evaluate(async (position) => {
    const { content } = (globalThis as never as { jupyterapp: LabApp }).jupyterapp.shell.currentWidget;
    content.deselectAll();
    content.activeCellIndex = position;
    content.mode = 'command';
    await content.scrollToItem(position);
    content.node.focus();
  }, index);
  await page.waitForTimeout(50);
  if (edited)
    await page.evaluate((position) => {
      const { content } = (globalThis as never as { jupyterapp: LabApp }).jupyterapp.shell.currentWidget;
      const { sharedModel } = content.model.cells.get(position);
      sharedModel.setSource(`${sharedModel.getSource()}  # edited`);
    }, index);
  await page.keyboard.press('Shift+Enter');
  await page.waitForFunction((position) => {
    const { content } = (globalThis as never as { jupyterapp: LabApp }).jupyterapp.shell.currentWidget;
    const { executionCount, executionState } = content.model.cells.get(position);
    return executionCount !== null && executionState === 'idle';
  }, index);
  return page.evaluate(() => {
    const { pressed, sent } = (globalThis as never as { grusTimes: { pressed: number; sent: number } })
      .grusTimes;
    return sent - pressed;
  });
}

interface LabCell {
  readonly executionCount: number | null;
  readonly executionState: string;
  readonly sharedModel: { getSource(): string; setSource(source: string): void };
}

interface LabApp {
  readonly shell: {
    readonly currentWidget: {
      readonly content: {
        activeCellIndex: number;
        mode: string;
        readonly node: HTMLElement;
        readonly model: {
          readonly cells: { get(index: number): LabCell };
        };
        deselectAll(): void;
        scrollToItem(index: number): Promise<void>;
      };
    };
  };
}

function summary(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]! * 10) / 10;
  return { median: at(0.5), p95: at(0.95), max: at(1) };
}

const names: Record<Mode, string> = {
  off: 'Grus: off',
  warn: 'Grus: warn',
  ask: 'Grus: ask',
  edited: 'Grus: ask, just edited',
};

export function render({ cells: count, modes: per, added, unchecked }: LabLatency): string {
  const line = (name: string, { median, p95, max }: Summary) =>
    `  ${name.padEnd(22)}${[median, p95, max].map((ms) => ms.toFixed(1).padStart(9)).join('')}`;
  return [
    `Milliseconds from Shift-Enter to execute_request, ${count} ordinary cells, real JupyterLab:`,
    `  ${''.padEnd(22)}${['median', 'p95', 'max'].map((word) => word.padStart(9)).join('')}`,
    ...modes.map((mode) => line(names[mode], per[mode])),
    line('added by warn', added.warn),
    line('added by ask', added.ask),
    line('added, just edited', added.edited),
    `  checks without an answer in time: ${unchecked}`,
  ].join('\n');
}
