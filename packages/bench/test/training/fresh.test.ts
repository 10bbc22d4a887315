// A small draw of recipes, really trained, judged, kept and judged again.
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderFresh } from '../../src/report/training-fresh.js';
import { drawRecipes } from '../../src/training/fresh/draw.js';
import { judgeDraw, runFresh } from '../../src/training/fresh/run.js';
import { firstSightOf } from '../../src/training/measures/first-sight.js';
import { runTraining } from '../../src/training/run.js';

const root = join(import.meta.dirname, '../../../..');
const python = process.env['GRUS_PYTHON'] ?? join(root, '.venv/bin/python');

describe.skipIf(!existsSync(python))('a fresh draw', () => {
  it('holds every failing run beside its healthy twin, and is judged the same again', async () => {
    const keep = await mkdtemp(join(tmpdir(), 'grus-draw-'));
    try {
      const options = { count: 3, seed: 7, python, scenarios: join(root, 'scenarios'), workers: 1, keep };
      const first = await runFresh(options);
      expect(first.runs).toBeGreaterThan(0);
      expect(first.runs % 2).toBe(0);
      const { failing, false_alarms } = first.methods['hybrid']!;
      expect(failing.of).toBe(false_alarms.of);
      expect(renderFresh(first)).toContain('by framework');
      const { predictions, seed } = await judgeDraw(keep);
      expect(seed).toBe(7);
      const answers = (rows: typeof predictions) =>
        rows.map(({ instance, method, category, confidence }) => ({
          instance,
          method,
          category,
          confidence,
        }));
      expect(answers(predictions)).toEqual(answers(first.predictions));
      // A second draw would write over the first one.
      await expect(drawRecipes(options)).rejects.toThrow(/holds files already/);
    } finally {
      await rm(keep, { recursive: true, force: true });
    }
  }, 300_000);
});

describe('the sample of a draw', () => {
  it('holds no false alarm, and no failing run is called healthy', async () => {
    const { predictions, runs } = await runTraining({
      data: join(root, 'scenarios/draws/sample'),
      methods: ['hybrid'],
      quick: true,
      shipped: true,
      resamples: 10,
    });
    const figures = firstSightOf(predictions);
    expect(runs).toBe(16);
    expect(figures.false_alarms.right).toBe(0);
    expect(figures.healthy_said.right).toBe(figures.healthy_said.of);
    expect(figures.commits.right).toBe(figures.commits.of);
  });
});
