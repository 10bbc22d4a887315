// `grus bench junobench`: every chosen method on every instance of the folder, judged, measured and compared.
import { type Asking, askingOf } from './asking.js';
import { Junobench } from './data/load.js';
import { type Agreement, agreementOf, type Pair, pairsWith } from './judge/agreement.js';
import type { ModelJudge } from './judge/by-model.js';
import { isDiagnosed } from './judge/diagnosis.js';
import { type JudgePlan, judgeByModel, planOf } from './judge/run-by-model.js';
import { assertAffordable, type Estimate, estimate } from './live/estimate.js';
import type { LiveModel } from './live/model.js';
import { questionsOf } from './live/plan.js';
import { isCorrect, type JudgedPrediction, type MethodReport, measure } from './measure.js';
import type { HybridOptions } from './methods/hybrid.js';
import { availableMethods, type Method, parseMethod } from './methods/names.js';
import type { Prediction } from './methods/prediction.js';
import { Predictor } from './predict.js';
import { type Savings, savingsOf } from './savings.js';
import { type CrossValidation, crossValidate, votesOf } from './validation/cross-validate.js';
import { type LeftOut, leaveGroupsOut } from './validation/leave-out.js';

export interface JunobenchOptions extends HybridOptions {
  /** The benchmark folder. */
  readonly data: string;
  /** Names such as `contracts`, `recorded:gpt_5:code`, `hybrid:gpt_5`; without them, every method with data. */
  readonly methods?: readonly string[];
  /** The configured model, which the methods `live…` ask. */
  readonly live?: LiveModel;
  /** Also have the configured model judge the explanations, in both orders. */
  readonly judge?: boolean;
  /** Stop after the estimate of what asking would take. */
  readonly estimateOnly?: boolean;
  readonly onEstimate?: (estimate: Estimate) => void;
  readonly onQuestion?: (done: number, of: number) => void;
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
  /** The judge that is a model; null when it was not asked for. */
  readonly model_judge: ModelJudge | null;
  /** What asking the configured model was expected to take; null when it was not asked. */
  readonly estimate: Estimate | null;
  /** Of each hybrid: what it saves beside asking its model every time. */
  readonly savings: Readonly<Record<string, Savings>>;
  /** Of each recorded hybrid: how it does where its rule was chosen without the data it is judged on. */
  readonly cross_validation: Readonly<Record<string, CrossValidation>>;
  /** Names and contracts, each group without the checks that only it called for; null where they were not asked. */
  readonly left_out: LeftOut | null;
  readonly predictions: readonly PredictionRow[];
}

type Judged = Readonly<Record<string, readonly JudgedPrediction[]>>;

export async function runJunobench(options: JunobenchOptions): Promise<JunobenchReport> {
  const { data, methods, agreement } = options;
  const bench = Junobench.load(data);
  const chosen = methods && methods.length > 0 ? methods : availableMethods(bench);
  const parsed = new Map(chosen.map((name) => [name, parseMethod(name, bench)]));
  const progress = { done: 0, of: 0 };
  const live = options.live && {
    ...options.live,
    onQuestion: () => options.onQuestion?.(++progress.done, progress.of),
  };
  const predictor = new Predictor(bench, agreement === undefined ? {} : { agreement }, live ?? null);
  const recorded = [...parsed].filter(([, { kind }]) => !isLive(kind));
  const judged: Record<string, readonly JudgedPrediction[]> = {};
  for (const [name, method] of options.estimateOnly ? [] : recorded)
    judged[name] = await judgeMethod(predictor, method);
  const planned = await prepare(options, predictor, [...parsed.values()], judged, parsed);
  progress.of = planned?.questions ?? 0;
  if (!options.estimateOnly)
    for (const [name, method] of parsed) judged[name] ??= await judgeMethod(predictor, method);
  const inOrder = Object.fromEntries(chosen.flatMap((name) => (judged[name] ? [[name, judged[name]]] : [])));
  const modelJudge =
    options.judge && !options.estimateOnly
      ? await judgeByModel(predictor.liveModel(), bench, planOf(bench, inOrder, parsed))
      : null;
  return report(options, bench, predictor, inOrder, parsed, planned, modelJudge);
}

/** Says what asking will take, before the first question; refuses what the limit of the day does not allow. */
async function prepare(
  options: JunobenchOptions,
  predictor: Predictor,
  methods: readonly Method[],
  judged: Judged,
  parsed: ReadonlyMap<string, Method>,
): Promise<Estimate | null> {
  if (!options.judge && !methods.some(({ kind }) => isLive(kind))) return null;
  const live = predictor.liveModel();
  const { bench } = predictor;
  const open = async (instance: (typeof bench.instances)[number]) =>
    (await predictor.ladder(instance)).outcome === 'unknown';
  const plans: readonly JudgePlan[] = options.judge ? planOf(bench, judged, parsed) : [];
  const planned = await estimate(live, [
    ...(await questionsOf(bench, methods, live.settings.votes, open)),
    ...plans.flatMap(({ questions }) => Object.values(questions).map((question) => ({ question, votes: 1 }))),
  ]);
  options.onEstimate?.(planned);
  if (!options.estimateOnly) await assertAffordable(live, planned);
  return planned;
}

async function report(
  { data, estimateOnly }: JunobenchOptions,
  bench: Junobench,
  predictor: Predictor,
  judged: Judged,
  parsed: ReadonlyMap<string, Method>,
  planned: Estimate | null,
  modelJudge: ModelJudge | null,
): Promise<JunobenchReport> {
  const rivals: Record<string, readonly JudgedPrediction[]> = {};
  for (const model of estimateOnly ? [] : bench.models()) {
    const name = `recorded:${model}`;
    rivals[name] = judged[name] ?? (await judgeMethod(predictor, parseMethod(name, bench)));
  }
  const agreements = agreementsOf(bench, judged, parsed);
  const entries = Object.entries(judged);
  return {
    benchmark: 'junobench',
    data,
    methods: Object.fromEntries(
      entries.map(([name, predictions]) => [
        name,
        {
          ...measure(predictions, without(rivals, name), agreements.byMethod[name] ?? null),
          asking: askingOf(predictions, parsed.get(name)!, planned),
        },
      ]),
    ),
    judge: agreements.overall === null ? null : { overall: agreements.overall },
    model_judge: modelJudge,
    estimate: planned,
    savings: await savings(predictor, judged, parsed, planned),
    cross_validation: await validations(predictor, parsed, Object.keys(judged)),
    left_out: leaveGroupsOut(judged['contracts'] ?? []),
    predictions: entries.flatMap(([method, predictions]) => predictions.map((entry) => rowOf(method, entry))),
  };
}

async function judgeMethod(predictor: Predictor, method: Method): Promise<JudgedPrediction[]> {
  const judged: JudgedPrediction[] = [];
  for (const instance of predictor.bench.instances) {
    const prediction = await predictor.predict(method, instance);
    const diagnosed = isDiagnosed(prediction, instance, predictor.bench.text(instance).target);
    judged.push({ instance, prediction, diagnosed });
  }
  return judged;
}

/** Each hybrid beside the same model asked every time: recorded ones always, the live one where both were run. */
async function savings(
  predictor: Predictor,
  judged: Judged,
  parsed: ReadonlyMap<string, Method>,
  planned: Estimate | null,
): Promise<Record<string, Savings>> {
  const saved: Record<string, Savings> = {};
  for (const [name, predictions] of Object.entries(judged)) {
    const method = parsed.get(name)!;
    const always: Method | null =
      method.kind === 'hybrid' ? { kind: 'recorded', model: method.model, mode: 'code+runtime' } : null;
    const every = always
      ? askingOf(await judgeMethod(predictor, always), always, planned)
      : method.kind === 'live-hybrid' && judged['live']
        ? askingOf(judged['live'], parsed.get('live')!, planned)
        : null;
    const own = askingOf(predictions, method, planned);
    if (own && every) saved[name] = savingsOf(own, every);
  }
  return saved;
}

async function validations(
  predictor: Predictor,
  parsed: ReadonlyMap<string, Method>,
  names: readonly string[],
): Promise<Record<string, CrossValidation>> {
  const hybrids = names.flatMap((name) => {
    const method = parsed.get(name)!;
    return method.kind === 'hybrid' ? [{ name, model: method.model }] : [];
  });
  if (hybrids.length === 0) return {};
  const { bench } = predictor;
  const models = new Set([...bench.models(), ...hybrids.map(({ model }) => model)]);
  const votes = await votesOf(bench, [...models], (instance) => predictor.ladder(instance));
  return Object.fromEntries(
    hybrids.map(({ name, model }) => [
      name,
      crossValidate(
        votes.filter((entry) => entry.model === model),
        votes.filter((entry) => entry.model !== model),
      ),
    ]),
  );
}

/** The judge against the published verdicts, for each recorded model and for all their answers together. */
function agreementsOf(bench: Junobench, judged: Judged, parsed: ReadonlyMap<string, Method>) {
  const published = bench.published();
  const byMethod: Record<string, Agreement> = {};
  const all: Pair[] = [];
  const crashes: Pair[] = [];
  for (const [name, entries] of Object.entries(judged)) {
    const method = parsed.get(name)!;
    if (published === null || method.kind !== 'recorded') continue;
    const rated = entries.map(({ instance, prediction, diagnosed }) => ({
      instance,
      detected: prediction.outcome === 'crash',
      diagnosed,
    }));
    const pairs = pairsWith(published, method.model, method.mode, rated);
    if (pairs.all.length === 0) continue;
    byMethod[name] = agreementOf(pairs.all, pairs.crashes);
    all.push(...pairs.all);
    crashes.push(...pairs.crashes);
  }
  return { byMethod, overall: all.length === 0 ? null : agreementOf(all, crashes) };
}

function isLive(kind: Method['kind']): boolean {
  return kind === 'live' || kind === 'live-hybrid';
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
