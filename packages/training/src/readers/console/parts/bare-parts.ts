// Parts of the data that are all the name a value has: `train 4.33 test 4.46 top1 5.9`, `Loss: training: 0.7, validation: 0.9`.
import { identifyMetric } from '../../../record/metrics.js';
import type { KeyInfo } from '../pairs/key-table.js';
import type { LinePairs } from '../pairs/line-pairs.js';
import { hasParts } from './parts-in-line.js';

/** What is told of a part. */
export type Measure = Pick<KeyInfo, 'name' | 'identity'>;

/** What such values tell, where their line says it other than by the name before them. */
export function measureOfBareParts(pairs: LinePairs): Measure | null {
  if (namesOnlyScore(pairs)) return { name: 'loss', identity: identifyMetric('loss') };
  const name = pairs.headed;
  if (name === null) return null;
  return { name, identity: identifyMetric(name.toLowerCase() === 'error' ? 'loss' : name) };
}

/** Of a line that names its score and nothing else that has parts, what has no name is the loss. */
function namesOnlyScore({ keys, count }: LinePairs): boolean {
  let hasScore = false;
  for (let index = 0; index < count; index++) {
    const info = keys[index]!;
    if (info.role === 'split' && hasScore) return false;
    if (info.role !== 'metric' || !hasParts(info)) continue;
    if (info.identity.metric !== 'accuracy') return false;
    hasScore = true;
  }
  return hasScore;
}

/** `train: 0.08, val 0.09`: two parts of the data without a word for what is told of them. Beside a cost it is something else. */
export function hasBothBare({ keys, count }: LinePairs): boolean {
  let [ofTraining, held] = [false, false];
  for (let index = 0; index < count; index++) {
    if (keys[index]!.role !== 'split') continue;
    if (keys[index]!.stated === 'train') ofTraining = true;
    else held = true;
  }
  return ofTraining && held;
}
