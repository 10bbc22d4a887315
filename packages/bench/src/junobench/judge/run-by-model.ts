// Puts every explanation of a crash that was found to the judge that is a model, in both orders.
import { modelName, type Question } from '@grus/llm';
import type { Instance, Junobench } from '../data/load.js';
import { askLive, type LiveModel } from '../live/model.js';
import type { JudgedPrediction } from '../measure.js';
import type { Method } from '../methods/names.js';
import {
  type JudgedTwice,
  judgeQuestion,
  type ModelJudge,
  type Order,
  orders,
  readJudgement,
  summarise,
} from './by-model.js';
import { describePrediction, isDiagnosed } from './diagnosis.js';

export interface JudgePlan {
  readonly instance: Instance;
  readonly subject: JudgedTwice['subject'];
  readonly structured: boolean;
  readonly questions: Readonly<Record<Order, Question>>;
}

/** A method that gives several explanations is judged by the first, which is the one it shows. */
export function planOf(
  bench: Junobench,
  judged: Readonly<Record<string, readonly JudgedPrediction[]>>,
  methods: ReadonlyMap<string, Method>,
): JudgePlan[] {
  return Object.entries(judged).flatMap(([name, predictions]) => {
    const method = methods.get(name);
    const subject = method?.kind === 'recorded' ? { model: method.model, mode: method.mode } : null;
    return predictions
      .filter(({ instance, prediction }) => instance.crashes && prediction.outcome === 'crash')
      .map(({ instance, prediction: { explanations, ...prediction } }) => {
        const text = explanations?.[0] ?? describePrediction(prediction);
        const { target } = bench.text(instance);
        const questionIn = (order: Order) => judgeQuestion(text, instance, target, order);
        return {
          instance,
          subject,
          structured: isDiagnosed({ ...prediction, explanations: [text] }, instance, target),
          questions: {
            'expert first': questionIn('expert first'),
            'expert second': questionIn('expert second'),
          },
        };
      });
  });
}

export async function judgeByModel(
  live: LiveModel,
  bench: Junobench,
  plans: readonly JudgePlan[],
): Promise<ModelJudge> {
  const judged: JudgedTwice[] = [];
  for (const { questions, ...plan } of plans) {
    const verdicts: Record<Order, boolean | null> = { 'expert first': null, 'expert second': null };
    for (const order of orders) {
      const { answers } = await askLive(live, questions[order], 1);
      verdicts[order] = readJudgement(answers[0] ?? null);
    }
    judged.push({ ...plan, verdicts });
  }
  return summarise(modelName(live.settings.spec), judged, bench.published());
}
