// The process beside the kernel, asked as JupyterLab asks it, gives the verdicts of the command, and holds nothing that runs.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Verdict } from '@grus/core';
import { startKernel } from '@grus/kernel';
import { checkCell } from '@grus/notebook';
import { beforeAll, expect, it, vi } from 'vitest';
import { version } from '../../../scripts/lib/stage.mjs';
import { cells, setup } from './fixtures/cells-for-both.js';
import { moreTrickyCells } from './fixtures/more-tricky-healthy.js';
import { trickyCells } from './fixtures/tricky-healthy.js';
import { python } from './grus.js';
import { stagedGuard } from './staged-guard.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

interface Result {
  readonly id: string;
  readonly status: string;
  readonly held: { readonly kind: string; readonly verdict: Verdict } | null;
  readonly told: { readonly kind: string; readonly verdict: Verdict | null; readonly ms: number } | null;
  readonly error: string | null;
  readonly foreseen: { readonly verdict: Verdict; readonly interrupted: boolean } | null;
}

interface Cell {
  readonly source: string;
  /** What it was when it was looked at before. */
  readonly looked?: string;
  /** Runs silently after that. */
  readonly between?: string;
}

let home: string;

beforeAll(async () => {
  home = await stagedGuard();
});

/** The cells one after the other, in a kernel whose cells are judged beside it. */
function besideKernel(sent: readonly Cell[], ahead = false): Result[] {
  const given = {
    attach: join(home, 'grus', 'guard', 'attach.py'),
    node: process.execPath,
    version,
    mode: 'block',
    ahead,
    cells: sent.map((cell, index) => ({ id: `cell-${index}`, ...cell })),
  };
  const script = join(import.meta.dirname, 'fixtures', 'planned_cells.py');
  const done = spawnSync(python, [script], { input: JSON.stringify(given), encoding: 'utf8' });
  expect(done.status, done.stderr).toBe(0);
  return JSON.parse(done.stdout) as Result[];
}

const summary = (verdict: Verdict | null | undefined) =>
  verdict?.outcome === 'crash' ? { ...verdict.exception, line: verdict.line, rung: verdict.rung } : 'quiet';

it('judges as the command does', async () => {
  const beside = besideKernel([setup, ...cells].map((source) => ({ source }))).slice(1);
  const kernel = await startKernel({ python });
  try {
    await kernel.execute(setup);
    const command: unknown[] = [];
    for (const source of cells) {
      const target = { kernel, source, metadata: {}, number: null, cells: [] };
      const verdict = await checkCell(target, { strict: true, inquiryMs: 40_000, inquiryCpuMs: 100 });
      command.push({ source, verdict: summary(verdict) });
      if (verdict.outcome !== 'crash') await kernel.execute(source);
    }
    const told = beside.map(({ held, told: passed }, index) => ({
      source: cells[index],
      verdict: summary(held?.verdict ?? passed?.verdict),
    }));
    expect(told).toEqual(command);
    expect(beside.every(({ held, told: passed }) => held !== null || passed?.kind === 'verdict')).toBe(true);
    // The comparison would mean little if both were silent.
    expect(beside.filter(({ held }) => held !== null).length).toBeGreaterThan(25);
  } finally {
    await kernel.close();
  }
});

it.each([
  ['the first', trickyCells],
  ['the second', moreTrickyCells],
])('holds none of %s set of tricky cells that run', (_, cells) => {
  expect(cells.length).toBeGreaterThanOrEqual(60);
  const results = besideKernel(cells.map((source) => ({ source })));
  for (const [index, { status, held, told }] of results.entries())
    expect({ source: cells[index], status, held, found: told?.verdict ?? null }).toEqual({
      source: cells[index],
      status: 'ok',
      held: null,
      found: null,
    });
});

it('interrupts a long cell when a copy that ran ahead met its crash, and no cell that may be past it or is fine', () => {
  const setup = [
    'import json, os, re, select, tempfile, threading, time',
    "folder = os.path.join(tempfile.mkdtemp(), 'made')",
    'rounds, sent, threads = [], [], threading.active_count()',
    'gate = get_ipython().kernel.shell_handlers["grus_plan_request"].__self__',
    'session, whole = gate.kernel.session, gate.kernel.session.send',
    'def noting(socket, message, *arguments, **options):',
    '    sent.append(message)',
    '    return whole(socket, message, *arguments, **options)',
    "parts = ['{\"a\":', ' 1']",
    'def report(pieces):',
    "    text = ''.join(sorted(pieces, reverse=True))",
    "    return json.loads(re.sub('x+', '', text))",
  ].join('\n');
  const loop = 'for step in range(4000):\n    rounds.append(step)\n    time.sleep(0.05)';
  const cells = {
    setup,
    crashesLater: `${loop}\nreport(parts)`,
    listens: 'session.send = noting; len(rounds) < 4000',
    // Only where the kernel's own threads are missing: the cell itself is past that line when the copy tells of it.
    past: "if threading.active_count() < threads:\n    report(parts)\nfor step in range(4000):\n    time.sleep(0.05)\n    if 'grus_foreseen' in sent: break",
    // Both make the folder; the copy comes second.
    fine: "os.makedirs(folder)\nended = select.poll(); ended.register(eval('gate.forerunners.running.leash'), select.POLLERR)\nfor step in range(4000):\n    if ended.poll(50): break\nos.rmdir(folder)",
    children: 'os.waitpid(-1, os.WNOHANG)',
  };
  // One is known from a look ahead, and is not judged again.
  const results = besideKernel(
    Object.entries(cells).map(([name, source]) =>
      name === 'crashesLater' ? { source, looked: source } : { source },
    ),
    true,
  );
  const by = Object.fromEntries(Object.keys(cells).map((name, index) => [name, results[index]!]));
  expect(by['crashesLater']).toMatchObject({ error: 'KeyboardInterrupt', foreseen: { interrupted: true } });
  expect(by['crashesLater']!.told).toMatchObject({ ms: 0 });
  expect(by['crashesLater']!.foreseen!.verdict).toMatchObject({
    exception: { type: 'JSONDecodeError' },
    line: 4,
    rung: 'dry run',
  });
  expect(by['listens']).toMatchObject({ status: 'ok', foreseen: null });
  expect(by['past']).toMatchObject({ status: 'ok', foreseen: { interrupted: false } });
  expect(by['fine']).toMatchObject({ status: 'ok', foreseen: null });
  // Nothing of it is a child of the kernel.
  expect(by['children']).toMatchObject({ error: 'ChildProcessError' });
});

it('does not look again at a cell that it looked at ahead, unless something ran or changed since', () => {
  const twice = (source: string) => ({ source, looked: source });
  const results = besideKernel([
    { source: "import pandas as pd\nframe = pd.DataFrame({'age': [1, 2]})\nkeep = gone = 1" },
    twice("frame.groupby('age')['age'].sum()"),
    { ...twice('gone'), between: 'del gone' },
    { source: "frame['fare']", looked: "frame['age']" },
    twice("frame['fare']"),
    twice("open('not-there.txt')"),
    twice('keep'),
    { source: 'keep' },
  ]);
  // Whoever was not asked again took no time at all.
  const summaries = results.map(({ held, told }) => held?.verdict.exception?.type ?? told?.ms === 0);
  expect(summaries).toEqual([
    ...[false, true, 'NameError', 'KeyError', 'KeyError', 'FileNotFoundError', true, false],
  ]);
});
