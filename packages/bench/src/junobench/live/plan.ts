// Which questions the chosen methods put to the configured model, in the order in which they are put.
import type { Instance, Junobench } from '../data/load.js';
import type { Method } from '../methods/names.js';
import { questionOf } from '../methods/question.js';
import type { Planned } from './estimate.js';

/** `open` says whether the deterministic rungs leave an instance to the model. */
export async function questionsOf(
  bench: Junobench,
  methods: readonly Method[],
  votes: number,
  open: (instance: Instance) => Promise<boolean>,
): Promise<Planned[]> {
  const planned: Planned[] = [];
  for (const method of methods)
    for (const instance of bench.instances) {
      if (method.kind === 'live') planned.push({ question: questionOf(bench, instance, method.mode), votes });
      else if (method.kind === 'live-hybrid' && (await open(instance)))
        planned.push({ question: questionOf(bench, instance, 'code+runtime'), votes });
    }
  return planned;
}
