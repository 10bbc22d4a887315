// What to do about the diagnosed cause, in words of this run; or what to collect when nobody can say yet.
import type { RemedyEntry, RunFacts } from '../causes/remedy.js';
import { causeOf } from '../causes/table.js';
import type { Need } from '../detectors/define.js';
import type { Examination } from '../detectors/examine.js';
import { missingNeeds, unrecorded } from '../rules/confidence.js';
import type { Judgement, Remedy } from '../rules/diagnosis.js';
import { factsOf } from './facts.js';

const collection: Readonly<Record<Need, readonly [text: string, because: string]>> = {
  text: [
    'Keep the console output: `python train.py 2>&1 | tee train.log`.',
    'The first exception is the best evidence there is.',
  ],
  loss: ['Log the training loss every few steps.', 'Without it there is no curve to judge.'],
  eval: ['Evaluate on held-out data a few times.', 'Overfitting and label errors show only there.'],
  gradient: [
    'Log the gradient norm of every step (the return value of clip_grad_norm_).',
    'It moves before the loss does.',
  ],
  learning_rate: ['Log the learning rate.', 'It tells a change of schedule from a bad batch.'],
  memory: [
    'Log torch.cuda.memory_allocated() and memory_reserved().',
    'Growth, fragmentation and lack of capacity look alike without them.',
  ],
  host_memory: [
    'Log host memory, and keep the record of the kernel or scheduler (dmesg, sacct).',
    'A bare "Killed" does not say who killed it; these do.',
  ],
  throughput: [
    'Log the time of every step and of its batch.',
    'A starving loader and a slow device look alike without them.',
  ],
  batch: [
    'Record facts about the batches: lengths, smallest and largest label and token id, share of NaN.',
    'They tell bad data from a bad operation.',
  ],
  settings: [
    'Save the configuration beside the log.',
    'Thresholds depend on optimizer, precision and sizes.',
  ],
  exit: [
    'Keep the exit code and the scheduler or kernel record of the end.',
    'A bare "Killed" does not say who killed it.',
  ],
};

/** Remedies of the diagnosed cause, or what to collect when the method abstained. At most eight. */
export function remediesFor(examination: Examination, judgement: Judgement): Remedy[] {
  if (judgement.abstention) return collect(examination, judgement);
  if (judgement.subcause === null) return [];
  const facts = factsOf(examination);
  const offered = causeOf(judgement.subcause)
    .remedies.filter((entry) => entry.when?.(facts) ?? true)
    .map((entry) => render(entry, facts));
  return [
    ...offered.filter((entry) => entry.kind === 'do'),
    ...offered.filter((entry) => entry.kind === 'avoid'),
  ].slice(0, 8);
}

function collect(examination: Examination, judgement: Judgement): Remedy[] {
  const missing = missingNeeds(examination, judgement.hypotheses);
  const wanted =
    missing.length > 0
      ? missing
      : unrecorded(examination, ['exit', 'gradient', 'batch', 'settings', 'eval', 'memory']);
  return wanted.slice(0, 4).map((need) => {
    const [text, because] = collection[need];
    return { kind: 'collect', text, because };
  });
}

function render(entry: RemedyEntry, facts: RunFacts): Remedy {
  const say = (words: RemedyEntry['text']): string => (typeof words === 'string' ? words : words(facts));
  return { kind: entry.kind, text: say(entry.text), because: say(entry.because) };
}
