// The process beside the kernel, asked as JupyterLab asks it, gives the verdicts of the command, and holds nothing that runs.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Verdict } from '@grus/core';
import { startKernel } from '@grus/kernel';
import { checkCell } from '@grus/notebook';
import { beforeAll, expect, it, vi } from 'vitest';
import { stageGuard, version } from '../../../scripts/lib/stage.mjs';
import { cells, setup } from './fixtures/cells-for-both.js';
import { trickyCells } from './fixtures/tricky-healthy.js';
import { python } from './grus.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

interface Result {
  readonly id: string;
  readonly status: string;
  readonly held: { readonly kind: string; readonly verdict: Verdict } | null;
  readonly told: { readonly kind: string; readonly verdict: Verdict | null } | null;
}

let home: string;

beforeAll(async () => {
  home = await stageGuard('dist/test-beside');
});

/** The cells one after the other, in a kernel whose cells are judged beside it. */
function besideKernel(sources: readonly string[]): Result[] {
  const given = {
    attach: join(home, 'grus', 'guard', 'attach.py'),
    node: process.execPath,
    version,
    mode: 'block',
    cells: sources.map((source, index) => ({ id: `cell-${index}`, source })),
  };
  const script = join(import.meta.dirname, 'fixtures', 'planned_cells.py');
  const done = spawnSync(python, [script], { input: JSON.stringify(given), encoding: 'utf8' });
  expect(done.status, done.stderr).toBe(0);
  return JSON.parse(done.stdout) as Result[];
}

const summary = (verdict: Verdict | null | undefined) =>
  verdict?.outcome === 'crash' ? { ...verdict.exception, line: verdict.line, rung: verdict.rung } : 'quiet';

it('judges as the command does', async () => {
  const beside = besideKernel([setup, ...cells]).slice(1);
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

it('holds none of the tricky cells that run', () => {
  expect(trickyCells.length).toBeGreaterThanOrEqual(60);
  const results = besideKernel(trickyCells);
  for (const [index, { status, held, told }] of results.entries())
    expect({ source: trickyCells[index], status, held, found: told?.verdict ?? null }).toEqual({
      source: trickyCells[index],
      status: 'ok',
      held: null,
      found: null,
    });
});
