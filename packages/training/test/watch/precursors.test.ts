// The shapes that precursors look for, and the healthy ones beside them, as curves written line by line.
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RunFollower } from '../../src/readers/index.js';
import { renderWarning } from '../../src/watch/render.js';
import { RunWatcher } from '../../src/watch/run-watcher.js';
import type { Sample } from '../../src/watch/surroundings.js';
import type { RunWarning } from '../../src/watch/warning.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grus-precursors-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Row = Readonly<Record<string, number>>;
const still = { disk: [] as Sample[], memory: [] as Sample[], progress: [] as number[], lastChange: 0 };

/** Looks after every tenth row. */
async function watchRows(rows: readonly Row[], head: object = {}): Promise<RunWarning[]> {
  const path = join(folder, 'metrics.jsonl');
  appendFileSync(path, `${JSON.stringify({ grus: 'start', ...head })}\n`);
  const follower = new RunFollower(folder);
  const watcher = new RunWatcher();
  const warnings: RunWarning[] = [];
  for (const [index, row] of rows.entries()) {
    appendFileSync(path, `${JSON.stringify({ step: index + 1, ...row })}\n`);
    if (index % 10 !== 9 && index < rows.length - 5) continue;
    const record = await follower.poll();
    if (record !== null) warnings.push(...watcher.look(record, still, index * 1000));
  }
  return warnings;
}

/** Noise that repeats from test to test. */
function noisy(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

const steps = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('gradient growth', () => {
  it('sees the norm rise while the loss still looks well, and says when it overflows', async () => {
    const random = noisy(1);
    const rows: Row[] = steps(100).map(() => ({
      loss: 2.4 + 0.1 * random(),
      grad_norm: 0.2 + 0.1 * random(),
    }));
    const warnings = await watchRows([
      ...rows,
      ...[0.95, 2.4, 15.9, 145].map((grad_norm) => ({ loss: 2.5, grad_norm })),
    ]);
    expect(warnings.map(({ warning }) => warning)).toEqual(['gradient-growth']);
    expect(warnings[0]).toMatchObject({ subcause: 'gradient_explosion', step: expect.any(Number) });
    expect(warnings[0]!.lead_steps).toBeGreaterThan(10);
    expect(renderWarning(warnings[0]!)).toMatch(
      /^grus: warning at step \d+: The gradient norm .* steps at this rate\.\n/,
    );
  });

  it('foretells a divergence from a norm that compounds while the loss is still flat', async () => {
    const rows = steps(160).map((i) => ({
      loss: 0.25 + 2 * Math.exp(-i / 5) + 1e-6 * Math.exp(0.08 * i),
      grad_norm: 3 * Math.exp(-i / 5) + 1e-3 * Math.exp(0.04 * i),
    }));
    const [warning] = await watchRows(rows);
    expect(warning).toMatchObject({ warning: 'gradient-growth', subcause: 'divergence' });
    const doubled = Math.log(0.25 / 1e-6) / 0.08;
    expect(warning!.step).toBeLessThan(doubled - 50);
    expect(Math.abs(warning!.step! + warning!.lead_steps! - doubled)).toBeLessThan(20);
  });

  it('takes the end of a plateau for no divergence: the norm compounds, but the loss falls', async () => {
    const grown = (i: number): number => 1 / (1 + Math.exp((80 - i) / 8));
    const rows = steps(200).map((i) => ({
      loss: 2.3 - 2 * grown(i),
      grad_norm: 0.02 + 4 * grown(i) * (1 - grown(i)),
    }));
    expect(await watchRows(rows)).toEqual([]);
  });

  it('takes no heavy tail, spike, new level or warm-up for growth', async () => {
    const random = noisy(2);
    const heavy = steps(400).map(() => ({ loss: 1 + random(), grad_norm: 1 / (0.02 + random()) }));
    const spike = steps(100).map((i) => ({ loss: 1, grad_norm: i === 60 ? 500 : 1 + random() }));
    const level = steps(200).map((i) => ({ loss: 1, grad_norm: (i < 100 ? 1 : 30) * (1 + 0.3 * random()) }));
    const warmUp = steps(200).map((i) => ({
      loss: 5 - i / 50,
      grad_norm: 0.01 * (i + 1) * (1 + 0.2 * random()),
    }));
    // Adam on whole batches at the end of its way: the norm bursts far below where it began, and falls back.
    const burst = steps(400).map((i) => ({
      loss: 3 * Math.exp(-i / 10) + 4e-5,
      grad_norm: Math.exp(-i / 20) + 1e-4 * (1 + random()) * Math.exp(6 * Math.exp(-(((i - 390) / 6) ** 2))),
    }));
    for (const rows of [heavy, spike, level, warmUp, burst]) {
      expect(await watchRows(rows)).toEqual([]);
      rmSync(join(folder, 'metrics.jsonl'));
    }
  });
});

describe('memory growth', () => {
  const gpu = { hardware: { gpus: [{ index: 0, name: 'a card', memory_total: 10 * 2 ** 30 }] } };

  it('names the step at which a leak meets the size of the device', async () => {
    const rows = steps(300).map((i) => ({ loss: 2, memory_allocated: (2 + i * 0.02) * 2 ** 30 }));
    const [warning] = await watchRows(rows, gpu);
    expect(warning).toMatchObject({ warning: 'memory-growth', subcause: 'gpu_leak' });
    const meets = warning!.step! + warning!.lead_steps!;
    expect(meets).toBeGreaterThan(390);
    expect(meets).toBeLessThan(410);
  });

  it('needs half as many records where memory has more than doubled', async () => {
    const rows = steps(24).map((i) => ({ loss: 2, memory_allocated: (0.2 + i * 0.03) * 2 ** 30 }));
    expect(await watchRows(rows)).toMatchObject([{ warning: 'memory-growth', lead_steps: null }]);
  });

  it('sees a leak behind a jump, once it has gone on for long enough', async () => {
    const rows = steps(120).map((i) => ({
      loss: 2,
      memory_allocated: (1 + (i > 10 ? 2 : 0) + i * 0.05) * 2 ** 30,
    }));
    expect(await watchRows(rows)).toMatchObject([{ warning: 'memory-growth' }]);
  });

  it('takes a bank of features that fills up for no leak, nor growth on a card that stays mostly empty', async () => {
    const bank = steps(100).map((i) => ({
      loss: 2,
      memory_allocated: (0.08 + 0.007 * Math.min(i, 11)) * 2 ** 30,
    }));
    expect(await watchRows(bank)).toEqual([]);
    rmSync(join(folder, 'metrics.jsonl'));
    const small = steps(100).map((i) => ({ loss: 2, memory_allocated: (0.1 + 0.01 * i) * 2 ** 30 }));
    expect(await watchRows(small, gpu)).toEqual([]);
  });

  it('takes no jumps, saw-teeth or levelling off for a leak', async () => {
    const random = noisy(3);
    const jumps = steps(300).map((i) => ({ loss: 2, memory_allocated: (5 + Math.floor(i / 60)) * 2 ** 30 }));
    const teeth = steps(300).map(() => ({ loss: 2, memory_allocated: (5 + 3 * random()) * 2 ** 30 }));
    const level = steps(300).map((i) => ({
      loss: 2,
      memory_allocated: (8 - 4 * Math.exp(-i / 20)) * 2 ** 30,
    }));
    for (const rows of [jumps, teeth, level]) {
      expect(await watchRows(rows, gpu)).toEqual([]);
      rmSync(join(folder, 'metrics.jsonl'));
    }
  });
});

describe('what surrounds a run', () => {
  const look = async (surroundings: Partial<typeof still>, now: number): Promise<string[]> => {
    appendFileSync(join(folder, 'metrics.jsonl'), '{"step": 1, "loss": 2}\n{"step": 2, "loss": 1.9}\n');
    const record = await new RunFollower(folder).poll();
    return new RunWatcher().look(record!, { ...still, ...surroundings }, now).map(({ warning }) => warning);
  };
  const disk = (free: number, time: number): Sample => ({ free: free * 2 ** 30, total: 100 * 2 ** 30, time });

  it('tells the size of the machine to a process that grows and does not know it', async () => {
    const rows = steps(60).map((i) => ({ step: i, loss: 2, host_memory: (20 + i) * 2 ** 30 }));
    appendFileSync(join(folder, 'metrics.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const record = (await new RunFollower(folder).poll())!;
    const given = (total: number): string[] => {
      const watcher = new RunWatcher();
      const memory = [{ time: 0, free: 60 * 2 ** 30, total: total * 2 ** 30 }];
      return [30, 59].flatMap((lastStep) =>
        watcher.look({ ...record, lastStep }, { ...still, memory }, 0).map(({ warning }) => warning),
      );
    };
    expect(given(100)).toEqual(['host-memory-growth']);
    expect(given(1000)).toEqual([]);
  });

  it('warns when the next checkpoint will not fit', async () => {
    const falling = [
      disk(9, 0),
      disk(6, 10),
      disk(6, 20),
      disk(3, 30),
      disk(3, 40),
      disk(2.5, 50),
      disk(2.5, 60),
    ];
    expect(await look({ disk: falling }, 60)).toEqual(['disk-filling']);
    expect(await look({ disk: falling.slice(0, 4) }, 60)).toEqual([]);
    expect(await look({ disk: steps(10).map((i) => disk(0.2, i)) }, 60)).toEqual([]);
  });

  it('warns when nothing has moved for far longer than steps take', async () => {
    const progress = steps(20).map((i) => i * 2000);
    expect(await look({ progress, lastChange: 38_000 }, 38_000 + 130_000)).toEqual(['hang']);
    expect(await look({ progress, lastChange: 38_000 }, 38_000 + 90_000)).toEqual([]);
    expect(await look({ progress: progress.slice(0, 4), lastChange: 6000 }, 900_000)).toEqual([]);
  });
});
