// One instance in a kernel of its own: the stage is set, every method judges the target, and then it is really run.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GrusError, type Verdict } from '@grus/core';
import { NotebookSession } from '@grus/notebook';
import { type Judge, methodsWithin } from '../../live/methods.js';
import { withScratchKernel } from '../../live/scratch-kernel.js';
import type { Instance, Junobench } from '../data/load.js';
import type { Executed } from './executed.js';
import type { ExecutedPrediction } from './prediction.js';
import type { Recipes } from './recipes.js';
import { setStage } from './stage.js';

const stageMs = 300_000;
const targetMs = 120_000;

/** A copy may take as long as the cell itself: that it runs to its end cannot be shown before. */
const methods: Readonly<Record<string, Judge>> = {
  names: (session, cell) => session.check(cell, { rungs: ['names'] }),
  ...methodsWithin(targetMs),
};

export async function execute(
  bench: Junobench,
  recipes: Recipes,
  instance: Instance,
  python: string,
): Promise<Executed> {
  const name = instance.label.case;
  const notRun = recipes.notRun(name);
  if (notRun !== null) return { predictions: [], raised: null, problem: notRun };
  const folder = await mkdtemp(join(tmpdir(), 'grus-stage-'));
  const stage = { id: instance.id, case: name, text: bench.text(instance), edits: recipes.editsOf(name) };
  try {
    return await withScratchKernel(python, async (kernel) => {
      const source = await setStage(kernel, stage, recipes.folder, folder, stageMs);
      const cell = { number: 1, source, metadata: {}, id: 'target', position: 0 };
      const session = new NotebookSession(kernel, [cell]);
      await session.check({ ...cell, source: 'None' });
      const predictions: ExecutedPrediction[] = [];
      for (const [method, judge] of Object.entries(methods)) {
        const started = performance.now();
        const verdict = await judge(session, cell);
        const ms = Math.round((performance.now() - started) * 10) / 10;
        const { id, crashes } = instance;
        predictions.push({ instance: id, method, crashes, ...told(verdict), ms });
      }
      const result = await session.execute(cell, { timeout: targetMs });
      const ended = result.status === 'ok' || result.error !== null;
      const problem = ended ? null : `${instance.id} did not end: ${result.status}`;
      return { predictions, raised: result.error?.ename ?? null, problem };
    });
  } catch (error) {
    if (!GrusError.isInstance(error)) throw error;
    return { predictions: [], raised: null, problem: error.message };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function told({ outcome, rung, exception, line, rungs }: Verdict) {
  const abstained_because = outcome === 'unknown' ? (rungs.at(-1)?.abstained_because ?? null) : null;
  return { outcome, rung, exception, line, abstained_because };
}
