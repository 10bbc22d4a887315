// `grus bench junobench`: every chosen method on every instance of the folder, judged, measured and compared.
import { estimateTokens } from '@grus/llm';
import { type Asking, askingOf } from './asking.js';
import { type Instance, Junobench, type Mode } from './data/load.js';
import { type Agreement, agreementOf, pairsWith } from './judge/agreement.js';
import { isDiagnosed } from './judge/diagnosis.js';
import { isCorrect, type JudgedPrediction, type MethodReport, measure } from './measure.js';
import { analyzerPrediction } from './methods/analyzer.js';
import { defaultAgreement, hybridPrediction } from './methods/hybrid.js';
import { ladderPrediction } from './methods/ladder.js';
import { availableMethods, type Method, parseMethod } from './methods/names.js';
import { type Prediction, quietPrediction } from './methods/prediction.js';
import { questionOf, tokensOf } from './methods/question.js';
import { countVotes, majorityPrediction } from './methods/recorded.js';

export interface JunobenchOptions {
  /** The benchmark folder. */
  readonly data: string;
  /** Names such as `contracts`, `recorded:gpt_5:code`, `hybrid:gpt_5`; without them, every method with data. */
  readonly methods?: readonly string[];
  /** Share of a model's votes with which a hybrid commits; four of five by default. */
  readonly agreement?: number;
}

export interface PredictionRow extends Omit<Prediction, 'explanations'> {
  readonly instance: string;
  readonly method: string;
  readonly actual: 'crash' | 'ok';
  readonly correct: boolean;
  /** Right, and for a crash also explained as the experts did. */
  readonly diagnosed: boolean;
}

export interface JunobenchReport {
  readonly benchmark: 'junobench';
  readonly data: string;
  readonly methods: Readonly<Record<string, MethodReport & { readonly asking: Asking | null }>>;
  readonly judge: { readonly overall: Agreement } | null;
  readonly predictions: readonly PredictionRow[];
}

export async function runJunobench({
  data,
  methods,
  agreement = defaultAgreement,
}: JunobenchOptions): Promise<JunobenchReport> {
  const bench = Junobench.load(data);
  const ladder = new Map<string, Promise<Prediction>>();
  const context = { bench, agreement, ladder };
  const chosen = methods && methods.length > 0 ? methods : availableMethods(bench);
  const judged: Record<string, readonly JudgedPrediction[]> = {};
  for (const name of chosen) judged[name] = await judgeMethod(context, parseMethod(name, bench));
  const rivals: Record<string, readonly JudgedPrediction[]> = {};
  for (const model of bench.models()) {
    const name = `recorded:${model}`;
    rivals[name] = judged[name] ?? (await judgeMethod(context, parseMethod(name, bench)));
  }
  const agreements = agreementsOf(bench, judged);
  return {
    benchmark: 'junobench',
    data,
    methods: Object.fromEntries(
      Object.entries(judged).map(([name, entries]) => [
        name,
        {
          ...measure(entries, without(rivals, name), agreements.byMethod[name] ?? null),
          asking: askingOf(entries, parseMethod(name, bench)),
        },
      ]),
    ),
    judge: agreements.overall === null ? null : { overall: agreements.overall },
    predictions: Object.entries(judged).flatMap(([method, entries]) =>
      entries.map((entry) => rowOf(method, entry)),
    ),
  };
}

interface Context {
  readonly bench: Junobench;
  readonly agreement: number;
  /** What names and contracts said of each instance: asked once, used by several methods. */
  readonly ladder: Map<string, Promise<Prediction>>;
}

async function judgeMethod(context: Context, method: Method): Promise<JudgedPrediction[]> {
  const judged: JudgedPrediction[] = [];
  for (const instance of context.bench.instances) {
    const prediction = await predict(context, method, instance);
    const diagnosed = isDiagnosed(prediction, instance, context.bench.text(instance).target);
    judged.push({ instance, prediction, diagnosed });
  }
  return judged;
}

async function predict(context: Context, method: Method, instance: Instance): Promise<Prediction> {
  const { bench, agreement } = context;
  switch (method.kind) {
    case 'ladder':
      return method.rungs.includes('contracts')
        ? wholeLadder(context, instance)
        : ladderPrediction(bench.text(instance), method.rungs);
    case 'recorded':
      return recordedPrediction(bench, method.model, method.mode, instance);
    case 'hybrid':
      return hybridPrediction(
        await wholeLadder(context, instance),
        bench.answersFolder(method.model, 'code+runtime'),
        () => questionOf(bench, instance, 'code+runtime'),
        agreement,
      );
    case 'analyzer': {
      const diagnostics = bench.diagnostics(method.analyzer, instance);
      return diagnostics === null
        ? quietPrediction('unknown', 'Nothing was recorded.')
        : analyzerPrediction(diagnostics);
    }
  }
}

function recordedPrediction(bench: Junobench, model: string, mode: Mode, instance: Instance): Prediction {
  const votes = countVotes(bench.answers(model, mode, instance) ?? []);
  const tokens = votes.of === 0 ? 0 : tokensOf(questionOf(bench, instance, mode));
  const output = votes.answers.reduce((sum, { reasoning }) => sum + estimateTokens(reasoning), 0);
  return {
    ...majorityPrediction(votes),
    asked: { answers: votes.of, input_tokens: votes.of * tokens, output_tokens: output },
  };
}

function wholeLadder({ bench, ladder }: Context, instance: Instance): Promise<Prediction> {
  const known = ladder.get(instance.id);
  if (known !== undefined) return known;
  const asked = ladderPrediction(bench.text(instance), ['names', 'contracts']);
  ladder.set(instance.id, asked);
  return asked;
}

/** The judge against the published verdicts, for each recorded model and for all their answers together. */
function agreementsOf(bench: Junobench, judged: Readonly<Record<string, readonly JudgedPrediction[]>>) {
  const published = bench.published();
  const byMethod: Record<string, Agreement> = {};
  const all = [];
  const crashes = [];
  for (const [name, entries] of Object.entries(judged)) {
    const method = parseMethod(name, bench);
    if (published === null || method.kind !== 'recorded') continue;
    const rated = entries.map(({ instance, prediction, diagnosed }) => ({
      instance,
      detected: prediction.outcome === 'crash',
      diagnosed,
    }));
    const pairs = pairsWith(published, method.model, method.mode, rated);
    byMethod[name] = agreementOf(pairs.all, pairs.crashes);
    all.push(...pairs.all);
    crashes.push(...pairs.crashes);
  }
  return { byMethod, overall: all.length === 0 ? null : agreementOf(all, crashes) };
}

function without<Value>(record: Readonly<Record<string, Value>>, key: string): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

function rowOf(method: string, entry: JudgedPrediction): PredictionRow {
  const { explanations: _, ...fields } = entry.prediction;
  return {
    instance: entry.instance.id,
    method,
    ...fields,
    actual: entry.instance.crashes ? 'crash' : 'ok',
    correct: isCorrect(entry),
    diagnosed: entry.diagnosed,
  };
}
