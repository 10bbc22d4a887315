// What to do about the diagnosed cause, in words of this run; or what to collect when nobody can say yet.
import type { RemedyEntry, RunFacts } from '../causes/remedy.js';
import { causeOf } from '../causes/table.js';
import type { Need } from '../detectors/define.js';
import type { Examination } from '../detectors/examine.js';
import type { Lack } from '../health/health.js';
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

const proof = (text: string, because: string): Remedy => ({ kind: 'collect', text, because });

/** What to record so that a run that is well can be called so. */
const proofs: Readonly<Record<Lack, Remedy>> = {
  end: proof('Print a last line when training is done.', 'A log that just ends may have been cut.'),
  held_out: proof(
    'Evaluate on held-out data a few times, and log its loss and score.',
    'A training loss falls in failing runs too.',
  ),
  baseline: proof(
    'Log the score beside the loss (accuracy, R²), and the shares of the classes or the variance of the target.',
    'Only against a constant answer does a figure say that something was learned.',
  ),
  no_skill: proof(
    'Overfit one batch.',
    'If its loss goes to zero, look at inputs and labels; if not, at model, loss and optimizer.',
  ),
  standstill: proof(
    'Print one weight before and after a step, and log the learning rate.',
    'Held-out data gives the same to the last digit each time: nothing changes between evaluations.',
  ),
  gap: proof(
    'Evaluate on a piece of the training set as well, and count the labels of both parts.',
    'Training and held-out data do not tell the same story.',
  ),
  finds_nothing: proof(
    'Look at the answers for the class whose score is zero, and count how often it occurs.',
    'A model that never answers with a class is right wherever the class is absent.',
  ),
  past_best: proof('Keep the checkpoint with the best validation.', 'What was learned was lost again.'),
  few: proof(
    'Evaluate several times during the run.',
    'One or two evaluations do not show whether it still improves.',
  ),
  rate: proof(
    'Train once more at a tenth of the learning rate, and compare held-out data.',
    'A rate so high may leave most of what can be learned.',
  ),
  modest: proof(
    'Overfit one batch, then train a plain model on the same rows.',
    'Only then is it clear whether the task is hard or something holds the run back.',
  ),
  too_good: proof(
    'Evaluate on rows that were collected later, and train on each input column alone.',
    'An easy task and a leak look the same from here.',
  ),
  known_rows: proof(
    'Count the rows that are in both parts, and evaluate once on rows that were collected later.',
    'Rows that were trained on are known whatever was learned.',
  ),
  no_score: proof(
    'Log what the model earns or makes: reward, or the number of kinds among samples.',
    'Their losses do not say it.',
  ),
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

/** For the two best hypotheses, the cheapest experiment that tells each from what looks alike. */
function experiments({ hypotheses }: Judgement): Remedy[] {
  return hypotheses.slice(0, 2).flatMap(({ subcause, confidence }) => {
    const row = subcause === null || confidence < 0.3 ? null : causeOf(subcause);
    return row?.experiment === undefined
      ? []
      : [
          {
            kind: 'collect' as const,
            text: row.experiment,
            because: `It would show whether this holds: ${row.title}.`,
          },
        ];
  });
}

function collect(examination: Examination, judgement: Judgement): Remedy[] {
  return [...experiments(judgement), ...recordings(examination, judgement)].slice(0, 5);
}

function recordings(examination: Examination, judgement: Judgement): Remedy[] {
  if (judgement.abstention?.code === 'health-unproven') return [proofs[judgement.abstention.lack as Lack]];
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
