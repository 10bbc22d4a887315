// Proves by execution what the notebooks claim: with few steps they really crash where they say, or run to their end. The
// time of those steps says how long the whole training would take.
import { crashOf } from '../live/crash.js';
import { withScratchKernel } from '../live/scratch-kernel.js';
import { type LongNotebook, shortened } from './notebooks.js';

export interface Truth {
  readonly id: string;
  /** What does not hold; null where all does. */
  readonly problem: string | null;
  /** Minutes of the whole training by count of its steps. */
  readonly minutes: number;
}

const timeout = 300_000;

export function truthOf(notebook: LongNotebook, python: string): Promise<Truth> {
  const { id, crash, trains, length } = notebook;
  return withScratchKernel(python, async (kernel) => {
    let minutes = 0;
    for (const [index, source] of shortened(notebook).entries()) {
      const number = index + 1;
      const result = await kernel.execute(source, { timeout });
      if (number === trains) minutes = ((result.ms / 60_000) * length.whole) / length.short;
      if (result.status === 'ok') continue;
      const raised = crashOf(result)?.exception ?? result.status;
      const expected = crash !== null && crash.cell === number && crash.exception === raised;
      return { id, problem: expected ? null : `cell ${number} raises ${raised}`, minutes };
    }
    return { id, problem: crash === null ? null : 'it runs to its end', minutes };
  });
}
