// The ladder with a model last. A deterministic rung that commits is final; the model speaks only where all of them
// abstained, and commits at a stated agreement of its votes. What reaches the model is what the facts could not decide,
// so its alarms are rarer true there than overall: a crash needs every vote, which is also where the study's strongest
// model is right most often (.92 of its unanimous alarms, .82 of its majorities).
import type { Prediction } from './prediction.js';
import { majorityPrediction, type Votes } from './recorded.js';

/** Share of the votes that commits to a crash. */
export const crashAgreement = 1;
/** Share of the votes that commits to "no crash"; less is at stake there. */
const quietAgreement = 0.8;

export function hybridPrediction(ladder: Prediction, votes: Votes, agreement = crashAgreement): Prediction {
  if (ladder.outcome !== 'unknown') return ladder;
  const share = votes.of === 0 ? 0.5 : votes.crash / votes.of;
  const agreed = share >= agreement || 1 - share >= quietAgreement;
  const majority = majorityPrediction(votes);
  const report = {
    rung: 'llm',
    outcome: agreed ? majority.outcome : ('unknown' as const),
    ms: 0,
    abstained_because: agreed ? null : `${votes.crash} of ${votes.of} votes for a crash are no agreement`,
  };
  return {
    ...(agreed ? majority : { ...ladder, votes: { crash: votes.crash, of: votes.of } }),
    rungs: [...ladder.rungs, report],
    ms: ladder.ms,
  };
}
