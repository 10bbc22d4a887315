// Failures that announce themselves are warned of fifty steps ahead; where a run shows nothing by then, the report says so.
import { join } from 'node:path';
import { precursors } from '@grus/training';
import { describe, expect, it } from 'vitest';
import { examineCases } from '../../src/training/data/examined.js';
import { loadCases } from '../../src/training/data/load.js';
import { kindRows } from '../../src/training/warning/kinds.js';
import { warningRows } from '../../src/training/warning/lead.js';
import { replay } from '../../src/training/warning/replay.js';

const scenarios = join(import.meta.dirname, '../../../../scenarios');
const watched = (ids: readonly string[]) =>
  examineCases(loadCases(scenarios).filter(({ id }) => ids.includes(id))).then((cases) => cases.map(replay));

describe('warnings', () => {
  it('come fifty steps before a leak and a slow divergence', async () => {
    const ids = [
      'opt-slow-divergence-sgd',
      'opt-slow-divergence-plain',
      'cuda-leak-graph-gru',
      'host-cache-decoder',
    ];
    const runs = await watched(ids);
    expect(runs.map(({ entry }) => entry.id).sort()).toEqual([...ids].sort());
    expect(
      kindRows(runs).map(({ subcause, warned_50_ahead, missed }) => [subcause, warned_50_ahead, missed]),
    ).toEqual([
      ['gpu_leak', 1, []],
      ['host_memory', 1, []],
      ['divergence', 2, []],
    ]);
    const rows = warningRows(runs);
    expect(rows.every(({ precision }) => precision === 1)).toBe(true);
    const known = new Set(precursors.map(({ id }) => id));
    for (const { run, warning } of runs.flatMap((run) =>
      run.warnings.map(({ warning }) => ({ run, warning })),
    )) {
      expect(known).toContain(warning.warning);
      expect(warning.precision, `${run.entry.id}: ${warning.warning}`).toMatchObject({
        precision: expect.any(Number),
      });
    }
  });

  it('are missed without blame where the curves are calm or nothing was recorded', async () => {
    const runs = await watched(['opt-schedule-milestone-mlp', 'cuda-leak-graph-decoder']);
    expect(kindRows(runs)).toMatchObject([
      { subcause: 'gpu_leak', under_way_50_ahead: 0, missed: [{ showed: 'unrecorded' }] },
      { subcause: 'divergence_after_schedule', under_way_50_ahead: 0, missed: [{ showed: 'calm' }] },
    ]);
  });
});
