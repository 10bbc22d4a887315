// Which calls on real data are asked of the real library: functions and methods that are known to be pure, readers of small
// files, and fits of estimators that take no time or can be trimmed.
import type { CallArguments, Operand } from '../events.js';
import type { Fact, Ref } from '../facts.js';
import type { Interpreter } from '../interpreter/interpreter.js';
import type { CallSite } from '../library.js';
import type { Planned } from './carry-out.js';
import { generatorMaker, isDrawFunction, mayRefuseToDraw } from './draws.js';
import type { ExactObjects } from './exact.js';
import type { NewStep, StepId } from './inquiry.js';
import { namesOwnFile } from './own-file.js';
import {
  drawsAtRandom,
  functionPurity,
  hasInPlace,
  isFitting,
  isQuickToFit,
  isTrimmable,
  makesTensor,
  methodPurity,
  readsFile,
  trainsBooster,
} from './purity.js';

const bigNumber = 1_000_000;
/** They give arrays that share their memory with nothing. */
const freshArrays = /^numpy\.(zeros|ones|full|empty|array|arange|linspace|eye)(_like)?$/;
/** Builtins whose results hold the very objects that they are given. */
const holdsObjects = /^builtins\.(list|tuple|dict|set|frozenset|sorted|min|max|sum)$/;

/** A call: what is asked about it, or null when nothing can be. */
export function planCall(interpreter: Interpreter, site: CallSite, callee: Operand): Planned | null {
  const { exact } = interpreter;
  if (!exact || !site.args.complete || interpreter.mutedInquiry > 0) return null;
  if (site.args.keywords.has('out') || isSpread(interpreter, site.args.keywords.get('n_jobs')?.ref))
    return null;
  const held = site.receiver?.fact;
  if (held?.kind === 'list' && site.receiver) return planOfList(interpreter, exact, site, site.receiver);
  if (held && (isPlainValue(held) || (held.kind === 'scalar' && held.value !== undefined))) return null;
  const isSpreadFit = held?.kind === 'estimator' && isSpread(interpreter, held.parameters?.get('n_jobs'));
  if (isSpreadFit && !isFitting(site.method ?? '')) return null;
  if (site.target !== null) return planFunction(interpreter, exact, site, site.target, callee);
  if (!site.receiver || site.method === null) return null;
  return planMethod(interpreter, exact, site, site.receiver, site.method, isSpreadFit);
}

function planFunction(
  interpreter: Interpreter,
  exact: ExactObjects,
  site: CallSite,
  target: string,
  { fact: called }: Operand,
): Planned | null {
  if (isDrawFunction(target)) return planDraw(interpreter, exact, site, target, exact.named(called));
  if (makesTensor(target)) return planTensor(exact, site, exact.named(called));
  if (trainsBooster(target)) return planTraining(exact, site, exact.named(called));
  if (intoFile.test(target)) return planDump(exact, site, target);
  const isReader = readsFile(target);
  if (isReader && !namesOwnFile(interpreter, site)) return null;
  const purity = isReader ? 'askable' : functionPurity(target);
  if (purity === 'no' || asksForMuch(interpreter, site.args)) return null;
  const operands = [...site.args.positional, ...site.args.keywords.values()];
  if (
    holdsObjects.test(target) &&
    operands.some(({ fact }) => isPlainValue(fact) || fact.kind === 'iterator')
  )
    return planOfItems(interpreter, exact, site, target, exact.named(called));
  const isMaker = /\.[A-Z]\w*$/.test(target) || target.includes('.make_');
  // An array made of numbers alone never fails, but others are made of it.
  const isWorth = isMaker || operands.some(({ ref }) => isWorthAsking(interpreter, exact, ref));
  if (!isWorth && !/^numpy\.(linspace|arange|zeros|ones|full|eye)$/.test(target)) return null;
  const parts = partsOf(exact, site.args);
  if (!parts) return null;
  const callee = exact.named(called);
  if (callee === undefined) return null;
  return {
    step: { op: 'call', callee, ...parts, ...(isReader && { name: 'reader' }) },
    urgency: purity === 'askable' ? 'ask' : 'wish',
    isRandom: drawsAtRandom(target, hasSeed(interpreter, site.args)),
    isFresh: freshArrays.test(target),
  };
}

/** Functions that compare or add up the items of a list. */
const comparing = /^builtins\.(sorted|min|max|sum)$/;

/** What comes back are the very objects of the list, which the walk follows by itself: only a refusal is told. */
function planOfItems(
  interpreter: Interpreter,
  exact: ExactObjects,
  { args }: CallSite,
  target: string,
  callee: StepId | undefined,
): Planned | null {
  const [given] = args.positional;
  if (!comparing.test(target) || !given || args.positional.length > 1 || callee === undefined) return null;
  if (!isMixed(interpreter, given.fact, target === 'builtins.sum')) return null;
  const parts = partsOf(exact, args);
  return parts ? { step: { op: 'call', callee, ...parts }, urgency: 'ask', isRandom: true } : null;
}

/** `sort`, and `index` and `remove` of something that the list does not hold. */
function planOfList(
  interpreter: Interpreter,
  exact: ExactObjects,
  { args, method }: CallSite,
  { ref, fact }: Operand,
): Planned | null {
  const isSearch = method === 'index' || method === 'remove';
  if (fact.kind !== 'list' || (!isSearch && method !== 'sort')) return null;
  const wanted = args.positional[0] && interpreter.literal(args.positional[0].ref);
  const isAbsent =
    (typeof wanted === 'string' || typeof wanted === 'number') &&
    fact.items?.every((item) => {
      const literal = interpreter.literal(item);
      return literal !== undefined && literal !== wanted;
    });
  if (isSearch ? !isAbsent : !isMixed(interpreter, fact, false)) return null;
  const receiver = exact.stepOf(ref);
  const parts = receiver === undefined ? undefined : partsOf(exact, args);
  if (receiver === undefined || !parts) return null;
  return { step: { op: 'apart', receiver, name: method!, ...parts }, urgency: 'ask', isRandom: true };
}

/** Whether a list holds things that do not go together: texts beside numbers, or nothing; for a sum, texts. */
function isMixed(interpreter: Interpreter, fact: Fact, isSum: boolean): boolean {
  if (fact.kind !== 'list' && fact.kind !== 'tuple') return false;
  const types = new Set(
    (fact.items ?? []).map((ref) => {
      const item = interpreter.look(ref);
      return item.kind === 'scalar' ? (item.type === 'str' ? 'str' : 'number') : item.kind;
    }),
  );
  if (types.has('unknown')) return false;
  return isSum ? types.has('str') || types.has('none') || types.has('list') : types.size > 1;
}

/** A tensor of something else than plain numbers. */
function planTensor(exact: ExactObjects, { args }: CallSite, callee: StepId | undefined): Planned | null {
  const fact = args.positional[0]?.fact;
  const isPlain =
    !fact ||
    ['list', 'tuple', 'scalar', 'tensor', 'none'].includes(fact.kind) ||
    (fact.kind === 'ndarray' && /^(u?int|float|bool|complex)/.test(fact.dtype ?? ''));
  const parts = !isPlain && callee !== undefined ? partsOf(exact, args) : undefined;
  return parts ? { step: { op: 'call', callee: callee!, ...parts }, urgency: 'ask', isRandom: true } : null;
}

/** A booster is trained for one round: it judges its parameters and data before the first. */
function planTraining(exact: ExactObjects, { args }: CallSite, callee: StepId | undefined): Planned | null {
  const parts = callee === undefined ? undefined : partsOf(exact, args);
  return parts
    ? { step: { op: 'trained', callee: callee!, ...parts }, urgency: 'ask', isRandom: true }
    : null;
}

/** Functions that write an object into a file, which `json.dumps` and `pickle.dumps` do without one. */
const intoFile = /^(json|pickle)\.dump$/;

function planDump(exact: ExactObjects, { args }: CallSite, target: string): Planned | null {
  const [given, , ...others] = args.positional;
  if (!given || args.positional.length < 2) return null;
  const parts = partsOf(exact, { ...args, positional: [given, ...others] });
  if (!parts) return null;
  const callee = exact.step({ op: 'name', name: `${target}s` });
  return { step: { op: 'call', callee, ...parts }, urgency: 'ask', isRandom: true };
}

/** A draw at random: only what it refuses is told. */
function planDraw(
  interpreter: Interpreter,
  exact: ExactObjects,
  { args }: CallSite,
  name: string,
  callee: StepId | undefined,
): Planned | null {
  if (callee === undefined || !mayRefuseToDraw(interpreter, name, args) || asksForMuch(interpreter, args))
    return null;
  const parts = partsOf(exact, args);
  return parts ? { step: { op: 'call', callee, ...parts }, urgency: 'ask', isRandom: true } : null;
}

/** A plain number: a generator goes on from where it stands, which is not known. */
function hasSeed(interpreter: Interpreter, { keywords }: CallArguments): boolean {
  const given = keywords.get('random_state');
  return given !== undefined && typeof interpreter.literal(given.ref) === 'number';
}

/** Work that is spread over processes cannot be tried in a copy. */
function isSpread(interpreter: Interpreter, jobs: Ref | undefined): boolean {
  const count = jobs === undefined ? null : interpreter.literal(jobs);
  return count !== null && count !== 1;
}

/** Something that comes from the kernel or was made by a step; texts count, numbers alone do not. */
function isWorthAsking(interpreter: Interpreter, exact: ExactObjects, ref: Ref): boolean {
  const { kind, ...fact } = interpreter.look(ref);
  if (exact.isData(ref)) return true;
  if (kind === 'scalar') return 'type' in fact && fact.type === 'str';
  return kind === 'list' || kind === 'tuple' || kind === 'dict' || kind === 'instance' || kind === 'groupby';
}

function planMethod(
  interpreter: Interpreter,
  exact: ExactObjects,
  site: CallSite,
  receiver: Operand,
  method: string,
  isSpreadFit: boolean,
): Planned | null {
  const { fact } = receiver;
  if (
    fact.kind === 'module' ||
    fact.kind === 'library' ||
    fact.kind === 'torch-module' ||
    fact.kind === 'tensor'
  )
    return null;
  const maker = generatorMaker(fact, method);
  if (maker !== undefined) {
    const generator = exact.step({ op: 'call', callee: exact.step({ op: 'name', name: maker }) });
    const callee = exact.step({ op: 'attribute', receiver: generator, name: method });
    return planDraw(interpreter, exact, site, method, callee);
  }
  const made = exact.stepOf(receiver.ref);
  if (made === undefined) return null;
  const { keywords: given } = site.args;
  const inPlace = given.get('inplace');
  const isInPlace = inPlace !== undefined && interpreter.literal(inPlace.ref) === true;
  if (inPlace && !isInPlace && interpreter.literal(inPlace.ref) !== false) return null;
  const args = isInPlace ? { ...site.args, keywords: without(given, 'inplace') } : site.args;
  const parts = partsOf(exact, args);
  if (!parts) return null;
  if (isFitting(method)) return planFit(fact, made, method, parts, isSpreadFit);
  const purity = methodPurity(method);
  if (purity === 'no' || (isInPlace && !hasInPlace(method))) return null;
  const step: NewStep = { op: 'method', receiver: made, name: method, ...parts };
  return {
    step,
    urgency: purity === 'askable' || mayRefuse(fact, method) ? 'ask' : 'wish',
    isRandom: drawsAtRandom(`.${method}`, hasSeed(interpreter, site.args)),
    ...(isInPlace && { after: step }),
  };
}

/** Containers of Python give out the very objects that they hold: the walk follows those by itself. */
function isPlainValue(fact: Fact): boolean {
  return fact.kind === 'list' || fact.kind === 'tuple' || fact.kind === 'dict' || fact.kind === 'set';
}

const reductions = /^(mean|std|var|median|sum|prod|min|max|cumsum|diff|round|abs)$/;
const hashing = /^(nunique|unique|value_counts|drop_duplicates|duplicated|mode|sort_values|rank)$/;

/** Columns that take no other values than those of their dtype. */
const strict = /^(category|U?Int|Float|boolean|period|interval)/;

/** Methods that seldom fail, but do with texts among the numbers or with elements of any class. */
function mayRefuse(fact: Fact, method: string): boolean {
  const dtypes =
    fact.kind === 'series'
      ? [fact.dtype]
      : fact.kind === 'dataframe'
        ? fact.columns?.map(({ dtype }) => dtype)
        : [];
  if (method === 'fillna') return dtypes?.some((dtype) => strict.test(dtype ?? '')) ?? false;
  if (hashing.test(method)) return dtypes?.includes('object') ?? false;
  return reductions.test(method) && (dtypes?.some((dtype) => dtype === 'object' || dtype === 'str') ?? false);
}

type Parts = Pick<NewStep, 'args' | 'keywords'>;

function planFit(
  fact: Fact,
  receiver: StepId,
  method: string,
  parts: Parts,
  isSpreadFit: boolean,
): Planned | null {
  // What a step made and is no estimator is a model of statsmodels: fitting gives its results and leaves it alone.
  const isModel = fact.kind === 'unknown' || (fact.class ?? '').startsWith('statsmodels.');
  if (isModel && method === 'fit')
    return { step: { op: 'apart', receiver, name: method, ...parts }, urgency: 'ask' };
  if (fact.kind !== 'estimator') return null;
  if (isSpreadFit || !isMadeOf(fact, isQuickToFit))
    return isMadeOf(fact, (name) => isQuickToFit(name) || isTrimmable(name))
      ? {
          step: { op: 'tried', receiver, name: method, ...parts },
          urgency: 'ask',
          isRandom: true,
          drops: true,
        }
      : null;
  return {
    step: {
      op: method === 'fit' || method === 'partial_fit' ? 'fitted' : 'apart',
      receiver,
      name: method,
      ...parts,
    },
    urgency: 'ask',
    after: { op: 'fitted', receiver, name: method, ...parts },
  };
}

/** Whether it, or of a pipeline all that is in it, is of such a class. */
function isMadeOf(
  fact: Extract<Fact, { kind: 'estimator' }>,
  isSuch: (className: string | undefined) => boolean,
): boolean {
  if (!/\.Pipeline$/.test(fact.class ?? '')) return isSuch(fact.class);
  return fact.steps?.every((step) => isSuch(step.class)) ?? false;
}

function without(keywords: ReadonlyMap<string, Operand>, name: string): ReadonlyMap<string, Operand> {
  return new Map([...keywords].filter(([other]) => other !== name));
}

function partsOf(exact: ExactObjects, args: CallArguments): Parts | undefined {
  const positional = args.positional.map(({ ref }) => exact.stepOf(ref));
  const keywords = [...args.keywords].map(([name, { ref }]) => [name, exact.stepOf(ref)] as const);
  if (![...positional, ...keywords.map(([, step]) => step)].every((step) => step !== undefined))
    return undefined;
  return {
    ...(positional.length > 0 && { args: positional as StepId[] }),
    ...(keywords.length > 0 && { keywords: Object.fromEntries(keywords) as Record<string, StepId> }),
  };
}

/** A size that might fill the memory of the copy. */
function asksForMuch(interpreter: Interpreter, args: CallArguments): boolean {
  const isBig = (ref: Ref): boolean => {
    const fact = interpreter.look(ref);
    if (fact.kind === 'tuple' || fact.kind === 'list') return (fact.items ?? []).slice(0, 8).some(isBig);
    return fact.kind === 'scalar' && typeof fact.value === 'number' && Math.abs(fact.value) > bigNumber;
  };
  return [...args.positional, ...args.keywords.values()].some(({ ref }) => isBig(ref));
}
