// How quick JupyterLab is without Grus, with Grus switched off, and with Grus asking: Run All of light cells, and single cells
// by Shift-Enter, from the key to the kernel's reply, as the kernel sends it and as it is in the page. The same notebooks in turns, in one browser, with two servers that differ
// only in whether Grus is installed. Single cells are also pressed in a second page without Grus: what that seems to add is
// what the machine adds by itself.
import type { Browser, Page } from 'playwright-core';
import { bootstrapInterval, quantile } from '../../bench/src/statistics/index.js';
import { launchBrowser, openLab } from '../test/support/browser.js';
import { installWheel } from '../test/support/install.js';
import { Lab, type LabOptions } from '../test/support/lab.js';
import { lightCells, cells as ordinary, setup } from './cells.js';
import { pressKey, runAll, until } from './stopwatch.js';

const conditions = ['uninstalled', 'again', 'off', 'on'] as const;
type Condition = (typeof conditions)[number];
const lengths = [100, 300] as const;

export interface Summary {
  readonly median: number;
  readonly p95: number;
}

type Times = Partial<Record<Condition, readonly number[]>>;

export interface Speed {
  readonly benchmark: 'jupyterlab';
  readonly app: App;
  /** Of what serves the page. */
  readonly version: string;
  readonly rounds: number;
  readonly keys: number;
  /** Seconds for each Run All, by the number of cells. */
  readonly runAll: Record<string, Times>;
  /** Milliseconds from the key until the reply of the kernel is in the page, cell by cell. */
  readonly presses: Times;
  /** The same until the kernel sent it: JupyterLab's own drawing is not in there. */
  readonly answers: Times;
  /** What Grus said at the end of each Run All with it on. */
  readonly said: readonly string[];
}

type App = NonNullable<LabOptions['app']>;

export interface SpeedOptions {
  /** Rounds of Run All; 0: none. */
  readonly rounds?: number;
  /** Single cells; 0: none. */
  readonly keys?: number;
  readonly app?: App;
}

interface Stage {
  readonly condition: Condition;
  readonly lab: Lab;
  readonly metadata: Record<string, unknown>;
}

export async function run({ rounds = 5, keys = 100, app = 'jupyterlab' }: SpeedOptions): Promise<Speed> {
  const installation = await installWheel();
  const browser = await launchBrowser();
  const labs: Lab[] = [];
  try {
    const plain = await Lab.start({ environment: {}, app });
    labs.push(plain);
    const grus = await Lab.start({ environment: installation.environment, app });
    labs.push(grus);
    const stages: Stage[] = [
      { condition: 'uninstalled', lab: plain, metadata: {} },
      { condition: 'again', lab: plain, metadata: {} },
      { condition: 'off', lab: grus, metadata: { grus: { mode: 'off' } } },
      { condition: 'on', lab: grus, metadata: {} },
    ];
    const measured = new Measured(browser, app, stages);
    const { runAll: times, said } = await measured.runAll(rounds);
    const { presses, answers } = await measured.press(keys);
    const version = await plain.version();
    return { benchmark: 'jupyterlab', app, version, rounds, keys, runAll: times, presses, answers, said };
  } finally {
    await browser.close();
    for (const lab of labs) await lab.close();
    installation.remove();
  }
}

class Measured {
  constructor(
    private readonly browser: Browser,
    private readonly app: App,
    private readonly stages: readonly Stage[],
  ) {}

  async runAll(rounds: number): Promise<Pick<Speed, 'runAll' | 'said'>> {
    const all: Record<string, Times> = {};
    const said: string[] = [];
    for (const length of rounds === 0 ? [] : lengths) {
      const stages = this.stages.filter(({ condition }) => condition !== 'again');
      const pages = await this.#open(stages, `light-${length}.ipynb`, lightCells(length));
      const times = await inTurns(pages, rounds + 1, async (page, condition) => {
        const ms = await runAll(page);
        if (condition === 'on' && this.app === 'jupyterlab')
          said.push((await page.locator('.grus-status').textContent()) ?? '');
        return ms / 1000;
      });
      // The first round starts kernels and compiles scripts.
      all[length] = withoutFirst(times);
      for (const page of pages.values()) await page.close();
    }
    return { runAll: all, said };
  }

  async press(keys: number): Promise<Pick<Speed, 'presses' | 'answers'>> {
    if (keys === 0) return { presses: {}, answers: {} };
    const pages = await this.#open(this.stages, 'keys.ipynb', [setup, ...ordinary.slice(0, keys)]);
    const answers = new Map<Condition, number[]>([...pages.keys()].map((condition) => [condition, []]));
    const presses = await inTurns(pages, keys + 1, async (page, condition, cell) => {
      const { answered, shown } = await pressKey(page, cell);
      answers.get(condition)!.push(answered);
      return shown;
    });
    return { presses: withoutFirst(presses), answers: withoutFirst(Object.fromEntries(answers)) };
  }

  /** The same notebook in each condition, in a page of its own. */
  async #open(
    stages: readonly Stage[],
    name: string,
    cells: readonly string[],
  ): Promise<Map<Condition, Page>> {
    const pages = new Map<Condition, Page>();
    for (const { condition, lab, metadata } of stages) {
      const path = `${condition}-${name}`;
      lab.writeNotebook(path, cells, metadata);
      const folder = this.app === 'notebook' ? 'notebooks' : 'lab/tree';
      const { page } = await openLab(this.browser, lab, { path: `${folder}/${path}?reset` });
      await until(page, 'idle');
      pages.set(condition, page);
    }
    return pages;
  }
}

/** The order of the pages turns as well: what one leaves the machine busy with falls on all others alike. */
async function inTurns(
  pages: ReadonlyMap<Condition, Page>,
  turns: number,
  take: (page: Page, condition: Condition, turn: number) => Promise<number>,
): Promise<Times> {
  const order = [...pages];
  const times = Object.fromEntries(order.map(([condition]): [string, number[]] => [condition, []]));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [condition, page] of order) {
      await page.bringToFront();
      times[condition]!.push(await take(page, condition, turn));
    }
    order.push(order.shift()!);
  }
  return times;
}

function withoutFirst(times: Times): Times {
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, all.slice(1)]));
}

function summary(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  return { median: at(0.5), p95: at(0.95) };
}

/** Without a sign before 0. */
function whole(ms: number): string {
  return String(Math.round(ms) + 0);
}

export function render({ app, version, rounds, keys, runAll: all, presses, answers, said }: Speed): string {
  const row = (name: string, cell: (condition: Condition) => string | null) =>
    `  ${name.padEnd(34)}${conditions.map((condition) => (cell(condition) ?? '').padStart(14)).join('')}`;
  const told = (times: Times, of: (values: readonly number[], plain: readonly number[]) => string) => {
    const { uninstalled: plain } = times;
    return (condition: Condition) => (times[condition] && plain ? of(times[condition], plain) : null);
  };
  const added = (times: Times, share: keyof Summary) =>
    told(times, (values, plain) =>
      values === plain ? '' : summary(values.map((ms, index) => ms - plain[index]!))[share].toFixed(1),
    );
  // Two presses of one cell differ by what the machine did meanwhile: the tail of their differences is longer than either tail.
  const tails = (values: readonly number[], plain: readonly number[]) => {
    if (values === plain) return '';
    const more = (sample: readonly (readonly [number, number])[]) =>
      quantile(
        sample.map(([ms]) => ms),
        0.95,
      )! -
      quantile(
        sample.map(([, ms]) => ms),
        0.95,
      )!;
    const pairs = values.map((ms, index) => [ms, plain[index]!] as const);
    const [low, high] = bootstrapInterval(pairs, more)!;
    return `${whole(more(pairs))} [${whole(low)}, ${whole(high)}]`;
  };
  const pressed = (name: string, times: Times) => [
    row(
      name,
      told(times, (values) => summary(values).median.toFixed(1)),
    ),
    row(
      '  at p95',
      told(times, (values) => summary(values).p95.toFixed(1)),
    ),
    row('  added, median', added(times, 'median')),
    row('  added, p95 of the differences', added(times, 'p95')),
    row('  added at p95, 95 % interval', told(times, tails)),
  ];
  const seconds = (values: readonly number[], plain: readonly number[]) => {
    const { median } = summary(values);
    return `${median.toFixed(2)}${values === plain ? '' : ` (${(median / summary(plain).median).toFixed(2)}x)`}`;
  };
  return [
    `${app} ${version}, medians of ${rounds} rounds, and ${keys} ordinary cells one by one:`,
    row('', (condition) => condition),
    ...Object.entries(all).map(([length, times]) =>
      row(`Run All of ${length} light cells, s`, told(times, seconds)),
    ),
    ...(keys === 0
      ? []
      : [
          ...pressed('Shift-Enter to the reply, ms', presses),
          ...pressed('the same in the kernel, ms', answers),
        ]),
    ...(said.length === 0
      ? []
      : [
          `  with Grus on, the status bar said: ${[...new Set(said.map((text) => text.replace(/\d+/g, 'N')))].join('; ')}`,
        ]),
  ].join('\n');
}
