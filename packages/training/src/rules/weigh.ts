// The improved rules: every cause with a symptom is weighed by its confidence C(x) and by the signals that confirm or contradict its group;
// the heaviest decides, and below 0.60 the method abstains with its reason. Others script against it under the name "tree".
import { groups } from '../causes/groups.js';
import { causeOf } from '../causes/table.js';
import type { Symptom } from '../detectors/define.js';
import type { Examination } from '../detectors/examine.js';
import { healthOf } from '../health/health.js';
import { abstentionOf, commitAt, confidenceOf, hypothesesOf, round } from './confidence.js';
import type { Judgement, Method } from './diagnosis.js';
import { outcomeOf, outcomeWithoutCause } from './outcome.js';

interface Weighed {
  readonly symptom: Symptom;
  readonly confidence: number;
}

/** Each agreeing signal closes this share of what is missing to certainty; each contradicting one takes this share away. */
const confirmationWeight = 0.3;
const contradictionWeight = 0.1;

/** The symptom that explains the run best; null when there is none. Within a group the strongest symptom speaks for it. */
function heaviest({ symptoms, features }: Examination): Weighed | null {
  const strongest = new Map<string, Symptom>();
  for (const symptom of symptoms) {
    const { group } = causeOf(symptom.subcause);
    if (!strongest.has(group)) strongest.set(group, symptom);
  }
  let best: Weighed | null = null;
  for (const symptom of strongest.values()) {
    let confidence = confidenceOf(symptom, symptoms);
    for (const confirmation of groups[causeOf(symptom.subcause).group]) {
      const answer = confirmation(features);
      if (answer === true)
        confidence += (1 - confidence) * confirmationWeight * Math.min(1, symptom.strength / commitAt);
      if (answer === false) confidence *= 1 - contradictionWeight;
    }
    const weighed = { symptom, confidence };
    if (!best || outweighs(weighed, best)) best = weighed;
  }
  return best && { ...best, confidence: Math.min(0.99, best.confidence) };
}

/** What is no failure by itself yields to one that curves show, however certain it is: whoever stops a run by hand has seen them. */
function outweighs(one: Weighed, other: Weighed): boolean {
  const yields = (open: Weighed, shown: Weighed): boolean =>
    open.symptom.open &&
    !shown.symptom.open &&
    shown.symptom.signal === 'curve' &&
    shown.confidence >= commitAt;
  return yields(other, one) || (one.confidence > other.confidence && !yields(one, other));
}

export const treeMethod: Method = { name: 'tree', judge: judgeByWeight };

export function judgeByWeight(examination: Examination): Judgement {
  const hypotheses = hypothesesOf(examination.symptoms);
  const best = heaviest(examination);
  if (best && best.confidence >= commitAt)
    return {
      outcome: outcomeOf(examination, best.symptom),
      category: best.symptom.category,
      subcause: best.symptom.subcause,
      confidence: round(best.confidence),
      onset: best.symptom.onset,
      evidence: evidenceFor(best.symptom, examination.symptoms),
      hypotheses: first(hypotheses, best),
      abstention: null,
    };
  const health = healthOf(examination);
  const doubt = best?.confidence ?? 0;
  if (health && health.confidence * (1 - 0.3 * doubt) >= commitAt)
    return {
      outcome: 'healthy',
      category: 'healthy',
      subcause: null,
      confidence: round(health.confidence * (1 - 0.3 * doubt)),
      onset: null,
      evidence: health.evidence,
      hypotheses,
      abstention: null,
    };
  return {
    outcome: outcomeWithoutCause(examination),
    category: 'unknown',
    subcause: null,
    confidence: round(doubt),
    onset: best?.symptom.onset ?? null,
    evidence: best ? evidenceFor(best.symptom, examination.symptoms) : [],
    hypotheses,
    abstention: abstentionOf(examination, hypotheses),
  };
}

/** The chosen cause leads the list, with the confidence it was given here. */
function first(hypotheses: Judgement['hypotheses'], best: Weighed): Judgement['hypotheses'] {
  const { category, subcause } = best.symptom;
  return [
    { category, subcause, confidence: round(best.confidence) },
    ...hypotheses.filter((entry) => entry.subcause !== subcause),
  ];
}

/** The symptom's own evidence, then that of agreeing symptoms, each fact once. */
export function evidenceFor(symptom: Symptom, symptoms: readonly Symptom[]): Judgement['evidence'] {
  const agreeing = symptoms.filter(
    (other) =>
      other.subcause === symptom.subcause || (other.category === symptom.category && other.strength > 0.5),
  );
  const seen = new Set<string>();
  return [symptom, ...agreeing]
    .flatMap((entry) => entry.evidence)
    .filter((entry) => {
      const key = `${entry.fact}|${entry.file}|${entry.line ?? ''}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    })
    .slice(0, 8);
}
