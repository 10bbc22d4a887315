// How quick JupyterLab is without Grus, with Grus switched off, and with Grus asking: Run All of light cells, and single cells
// by Shift-Enter, from the key to the kernel's reply. The same notebooks in turns, in one browser, with two servers that differ
// only in whether Grus is installed.
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openLab } from '../test/support/browser.js';
import { installWheel } from '../test/support/install.js';
import { Lab } from '../test/support/lab.js';
import { OpenNotebook } from '../test/support/notebook.js';
import { lightCells, cells as ordinary, setup } from './cells.js';
import { pressKey, runAll } from './stopwatch.js';

export const conditions = ['uninstalled', 'off', 'on'] as const;
type Condition = (typeof conditions)[number];
const lengths = [100, 300] as const;

export interface Summary {
  readonly median: number;
  readonly p95: number;
}

export interface Speed {
  readonly benchmark: 'jupyterlab';
  readonly rounds: number;
  readonly keys: number;
  /** Seconds for Run All, by the number of cells. */
  readonly runAll: Record<string, Record<Condition, number>>;
  /** Milliseconds from the key to the reply of the kernel. */
  readonly key: Record<Condition, Summary>;
  /** Milliseconds more than uninstalled, cell by cell. */
  readonly added: Record<'off' | 'on', Summary>;
  /** What Grus said at the end of each Run All with it on. */
  readonly said: readonly string[];
}

export async function run({ rounds = 5, keys = 60 }: { rounds?: number; keys?: number }): Promise<Speed> {
  const installation = await installWheel();
  const browser = await launchBrowser();
  const labs: Lab[] = [];
  try {
    const plain = await Lab.start({ environment: {} });
    labs.push(plain);
    const grus = await Lab.start({ environment: installation.environment });
    labs.push(grus);
    const stages: [Condition, Lab, Record<string, unknown>][] = [
      ['uninstalled', plain, {}],
      ['off', grus, { grus: { mode: 'off' } }],
      ['on', grus, {}],
    ];
    const measured = await measure(browser, stages, rounds, keys);
    return { benchmark: 'jupyterlab', rounds, keys, ...measured };
  } finally {
    await browser.close();
    for (const lab of labs) await lab.close();
    installation.remove();
  }
}

async function measure(
  browser: Browser,
  stages: readonly [Condition, Lab, Record<string, unknown>][],
  rounds: number,
  keys: number,
): Promise<Pick<Speed, 'runAll' | 'key' | 'added' | 'said'>> {
  const runAllTimes: Speed['runAll'] = {};
  const said: string[] = [];
  for (const length of lengths) {
    const pages = await openAll(browser, stages, `light-${length}.ipynb`, lightCells(length));
    const times = await inTurns(pages, rounds + 1, async (page, name) => {
      const ms = await runAll(page);
      if (name === 'on') said.push((await page.locator('.grus-status').textContent()) ?? '');
      return ms;
    });
    // The first round starts kernels and compiles scripts.
    runAllTimes[length] = byCondition((name) => summary(times[name].slice(1)).median / 1000);
    for (const [, page] of pages) await page.close();
  }
  const pages = await openAll(browser, stages, 'keys.ipynb', [setup, ...ordinary.slice(0, keys)]);
  const times = await inTurns(pages, keys + 1, (page, _, cell) => pressKey(page, cell));
  const sliced = byCondition((name) => times[name].slice(1));
  const over = (name: Condition) => summary(sliced[name].map((ms, index) => ms - sliced.uninstalled[index]!));
  return {
    runAll: runAllTimes,
    said,
    key: byCondition((name) => summary(sliced[name])),
    added: { off: over('off'), on: over('on') },
  };
}

/** The same notebook in each condition, in a page of its own. */
async function openAll(
  browser: Browser,
  stages: readonly [Condition, Lab, Record<string, unknown>][],
  name: string,
  cells: readonly string[],
): Promise<[Condition, Page][]> {
  const pages: [Condition, Page][] = [];
  for (const [condition, lab, metadata] of stages) {
    const path = `${condition}-${name}`;
    lab.writeNotebook(path, cells, metadata);
    const { page } = await openLab(browser, lab);
    await OpenNotebook.open(page, path);
    pages.push([condition, page]);
  }
  return pages;
}

async function inTurns(
  pages: readonly [Condition, Page][],
  turns: number,
  take: (page: Page, condition: Condition, turn: number) => Promise<number>,
): Promise<Record<Condition, number[]>> {
  const times: Record<Condition, number[]> = { uninstalled: [], off: [], on: [] };
  for (let turn = 0; turn < turns; turn += 1)
    for (const [condition, page] of pages) {
      await page.bringToFront();
      times[condition].push(await take(page, condition, turn));
    }
  return times;
}

function byCondition<Value>(of: (condition: Condition) => Value): Record<Condition, Value> {
  return { uninstalled: of('uninstalled'), off: of('off'), on: of('on') };
}

function summary(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]! * 10) / 10;
  return { median: at(0.5), p95: at(0.95) };
}

export function render({ rounds, keys, runAll: all, key, added, said }: Speed): string {
  const row = (name: string, cells: readonly string[]) =>
    `  ${name.padEnd(34)}${cells.map((cell) => cell.padStart(14)).join('')}`;
  const ratio = (times: Record<Condition, number>, name: Condition) =>
    `${times[name].toFixed(2)} (${(times[name] / times.uninstalled).toFixed(2)}x)`;
  return [
    `JupyterLab, medians of ${rounds} rounds, and of ${keys} ordinary cells one by one:`,
    row('', [...conditions]),
    ...Object.entries(all).map(([length, times]) =>
      row(`Run All of ${length} light cells, s`, [
        times.uninstalled.toFixed(2),
        ratio(times, 'off'),
        ratio(times, 'on'),
      ]),
    ),
    row(
      'Shift-Enter to the reply, ms',
      conditions.map((name) => key[name].median.toFixed(1)),
    ),
    row(
      '  at p95',
      conditions.map((name) => key[name].p95.toFixed(1)),
    ),
    row('added, median', ['', added.off.median.toFixed(1), added.on.median.toFixed(1)]),
    row('added, p95', ['', added.off.p95.toFixed(1), added.on.p95.toFixed(1)]),
    `  with Grus on, the status bar said: ${[...new Set(said.map((text) => text.replace(/\d+/g, 'N')))].join('; ')}`,
  ].join('\n');
}
