// A loss that only answers give which are given with certainty: outputs that have run away, whatever stands still since.
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import type { RunEvidence } from '../define.js';
import { citePoint } from './cite.js';

/** Where libraries cut a probability off before they take its logarithm. */
const cutOffs = [1e-7, 2 ** -23, 1e-8, 1e-10, 1e-12, 1e-15, 2 ** -126].map((least) => -Math.log(least));

/** Every row is the same, and the loss is what wrong answers cost that are given with certainty. No weights that anybody draws begin there. */
export function certainAndClipped(view: RunView): RunEvidence | null {
  const [loss, score] = [view.curve('loss', 'train'), view.curve('accuracy', 'train')];
  if (!loss || !score || loss.length < 3 || score.length < 3) return null;
  const [end, right] = [loss.values.at(-1)!, score.values.at(-1)!];
  const stands = loss.values.slice(-3).every((value) => Math.abs(value - end) < 1e-3 * Math.abs(end));
  const each = end / (1 - right);
  if (!stands || !cutOffs.some((cost) => Math.abs(each / cost - 1) < 2e-3)) return null;
  return citePoint(
    loss,
    loss.length - 1,
    `${loss.name} stays at ${figure(end)}: every wrong answer costs ${figure(each)}, the most that can be lost`,
  );
}
