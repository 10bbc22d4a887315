// Which operations on real data are asked of the real library, and how the walk goes on with what it tells: functions and
// methods that are known to be pure, subscripts, operators, attributes, and stores into frames.
import type { Node, NodeOf } from '@grus/python';
import type { CallArguments, Operand } from '../events.js';
import type { Fact, Ref } from '../facts.js';
import type { Interpreter } from '../interpreter/interpreter.js';
import type { CallSite } from '../libraries/library.js';
import { fitsInPlace } from '../libraries/sklearn/classes.js';
import { factOfObject } from '../live/objects.js';
import type { ExactObjects } from './exact.js';
import type { NewStep, StepId } from './inquiry.js';
import {
  drawsAtRandom,
  functionPurity,
  hasInPlace,
  isFitting,
  isQuickToFit,
  isTrimmable,
  methodPurity,
  readsFile,
} from './purity.js';

type Urgency = 'ask' | 'wish';
interface Planned {
  readonly step: NewStep;
  readonly urgency: Urgency;
  /** The value depends on chance: only an exception tells anything. */
  readonly isRandom?: boolean;
  readonly isFresh?: boolean;
  /** What the object itself is afterwards. */
  readonly after?: NewStep;
  /** Afterwards the object is something that no step describes. */
  readonly drops?: boolean;
}

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
  if (held && (isPlainValue(held) || (held.kind === 'scalar' && held.value !== undefined))) return null;
  if (held?.kind === 'estimator' && isSpread(interpreter, held.parameters?.get('n_jobs'))) return null;
  if (site.target !== null) return planFunction(interpreter, exact, site, site.target, callee);
  if (!site.receiver || site.method === null) return null;
  return planMethod(interpreter, exact, site, site.receiver, site.method);
}

function planFunction(
  interpreter: Interpreter,
  exact: ExactObjects,
  site: CallSite,
  target: string,
  { fact: called }: Operand,
): Planned | null {
  const isReader = readsFile(target);
  if (isReader && !namesOwnFile(interpreter, site)) return null;
  const purity = isReader ? 'askable' : functionPurity(target);
  if (purity === 'no' || asksForMuch(interpreter, site.args)) return null;
  const operands = [...site.args.positional, ...site.args.keywords.values()];
  if (
    holdsObjects.test(target) &&
    operands.some(({ fact }) => isPlainValue(fact) || fact.kind === 'iterator')
  )
    return null;
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

/** A file by its plain name, and nothing was written since the cell began. */
function namesOwnFile(interpreter: Interpreter, site: CallSite): boolean {
  const [first] = site.args.positional;
  const name = first && interpreter.literal(first.ref);
  const { files, directory } = interpreter.state.effects;
  const isPlain = site.target === 'glob.glob' ? /^[^\n]+$/ : /^(?![a-z]\w+:)[^\n*]+$/i;
  return typeof name === 'string' && isPlain.test(name) && !files && !directory;
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
): Planned | null {
  const { fact } = receiver;
  if (
    fact.kind === 'module' ||
    fact.kind === 'library' ||
    fact.kind === 'torch-module' ||
    fact.kind === 'tensor'
  )
    return null;
  const made = exact.stepOf(receiver.ref);
  if (made === undefined) return null;
  const { keywords: given } = site.args;
  const inPlace = given.get('inplace');
  const isInPlace = inPlace !== undefined && interpreter.literal(inPlace.ref) === true;
  if (inPlace && !isInPlace && interpreter.literal(inPlace.ref) !== false) return null;
  const args = isInPlace ? { ...site.args, keywords: without(given, 'inplace') } : site.args;
  const parts = partsOf(exact, args);
  if (!parts) return null;
  if (isFitting(method)) return planFit(fact, made, method, parts);
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

/** Methods that seldom fail, but do with texts among the numbers or with elements of any class. */
function mayRefuse(fact: Fact, method: string): boolean {
  const dtypes =
    fact.kind === 'series'
      ? [fact.dtype]
      : fact.kind === 'dataframe'
        ? fact.columns?.map(({ dtype }) => dtype)
        : [];
  if (hashing.test(method)) return dtypes?.includes('object') ?? false;
  return reductions.test(method) && (dtypes?.some((dtype) => dtype === 'object' || dtype === 'str') ?? false);
}

type Parts = Pick<NewStep, 'args' | 'keywords'>;

function planFit(fact: Fact, receiver: StepId, method: string, parts: Parts): Planned | null {
  // What a step made and is no estimator is a model of statsmodels: fitting gives its results and leaves it alone.
  const isModel = fact.kind === 'unknown' || (fact.class ?? '').startsWith('statsmodels.');
  if (isModel && method === 'fit')
    return { step: { op: 'apart', receiver, name: method, ...parts }, urgency: 'ask' };
  if (fact.kind !== 'estimator') return null;
  if (!isQuick(fact))
    return isTrimmable(fact.class)
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

/** Of a pipeline, all that is in it. */
function isQuick(fact: Extract<Fact, { kind: 'estimator' }>): boolean {
  if (!/\.Pipeline$/.test(fact.class ?? '')) return isQuickToFit(fact.class);
  return fact.steps?.every((step) => isQuickToFit(step.class)) ?? false;
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

/** Performs an operation with its question: tells a refusal, and answers the object that the library gives. */
export function carryOut(
  interpreter: Interpreter,
  node: Node,
  planned: Planned,
  receiver: Operand | null,
  run: () => Ref,
): Ref {
  const exact = interpreter.exact!;
  const step = exact.step(planned.step);
  const answer = interpreter.inquiry?.answer(step);
  if (answer?.status === 'raised')
    interpreter.emit({
      type: 'refusal',
      node,
      exception: answer.type,
      message: answer.message,
      isReal: true,
    });
  else if (!answer && interpreter.mayInquire) {
    if (planned.urgency === 'ask') interpreter.inquiry?.want(step);
    else interpreter.inquiry?.wish(step);
  }
  // A pipeline fits the very objects that it was made of: those changes are no part of the step.
  const isOpen = receiver?.fact.kind === 'estimator' && fitsInPlace(receiver.fact.class);
  const derived = isOpen ? run() : exact.describing(run);
  if (planned.after && receiver) exact.set(receiver.ref, exact.step(planned.after));
  if (planned.drops && receiver) exact.drop(receiver.ref);
  if (planned.isRandom || (planned.after && planned.step.op !== 'apart')) return derived;
  if (receiver && derived === receiver.ref) return derived;
  // What the walk knows of an estimator holds on to the objects that it was made of.
  const isKnown = interpreter.look(derived).kind === 'estimator';
  const told = answer?.status === 'value' && !isKnown ? toldFact(interpreter, answer.value) : undefined;
  const result = told ? interpreter.put(told) : freshOf(interpreter, derived);
  exact.set(result, step, planned.isFresh);
  return result;
}

/** The same for a store: afterwards the frame is what the step gives. */
export function carryOutStore(
  interpreter: Interpreter,
  node: Node,
  planned: NonNullable<ReturnType<typeof planStore>>,
  run: () => void,
): void {
  const exact = interpreter.exact!;
  const step = exact.step(planned.step);
  const answer = interpreter.inquiry?.answer(step);
  if (answer?.status === 'raised')
    interpreter.emit({
      type: 'refusal',
      node,
      exception: answer.type,
      message: answer.message,
      isReal: true,
    });
  else if (!answer && interpreter.mayInquire) {
    if (planned.isWhole) interpreter.inquiry?.wish(step);
    else interpreter.inquiry?.want(step);
  }
  exact.describing(run);
  const told = answer?.status === 'value' ? toldFact(interpreter, answer.value) : undefined;
  if (told) exact.describing(() => interpreter.state.update(planned.owner, told));
  exact.set(planned.owner, step);
  if (!planned.isWhole) exact.forgetArrays();
}

/** An object of its own for a result that the walk may have answered with a shared one. */
function freshOf(interpreter: Interpreter, ref: Ref): Ref {
  const fact = interpreter.look(ref);
  return fact.kind === 'unknown' ? interpreter.put({ ...fact }) : ref;
}

type Told = Extract<
  NonNullable<ReturnType<NonNullable<Interpreter['inquiry']>['answer']>>,
  { status: 'value' }
>['value'];

function toldFact(interpreter: Interpreter, told: Told): Fact | undefined {
  if (told.kind !== 'object') return undefined;
  const refs = new Map<string, Ref>();
  const refOf = (key: string): Ref => {
    const known = refs.get(key);
    if (known !== undefined) return known;
    const ref = interpreter.unknown();
    refs.set(key, ref);
    const object = told.objects[key];
    if (object) interpreter.state.update(ref, factOfObject(object, context));
    return ref;
  };
  const context = {
    path: undefined,
    refOf,
    put: (fact: Fact) => interpreter.put(fact),
    object: (key: string) => told.objects[key],
  };
  const object = told.objects[told.ref];
  if (!object || object.kind === 'method' || object.kind === 'function' || object.kind === 'omitted')
    return undefined;
  const fact = interpreter.exact!.describing(() => factOfObject(object, context));
  return fact.kind === 'unknown' || fact.kind === 'library' ? undefined : fact;
}

/** `container[key]` */
export function planItem(interpreter: Interpreter, container: Operand, key: Operand): Planned | null {
  const { exact } = interpreter;
  if (!exact || interpreter.mutedInquiry > 0) return null;
  const { fact } = container;
  if (isEnvironment(fact)) return planEnvironment(interpreter, exact, key);
  if (fact.kind === 'ndarray' && fact.element !== undefined) return null;
  if (['list', 'tuple', 'dict', 'tensor', 'torch-module', 'loader', 'class', 'library'].includes(fact.kind))
    return null;
  if (
    !exact.isData(container.ref) &&
    fact.kind !== 'indexer' &&
    fact.kind !== 'method' &&
    fact.kind !== 'groupby'
  )
    return null;
  const made = exact.stepOf(container.ref);
  const wanted = made === undefined ? undefined : exact.stepOf(key.ref);
  if (made === undefined || wanted === undefined) return null;
  return {
    step: { op: 'item', args: [made, wanted] },
    urgency: isPlainItem(interpreter, fact, key) ? 'wish' : 'ask',
  };
}

function isEnvironment(fact: Fact): boolean {
  return (fact.kind === 'library' && fact.name === 'os.environ') || fact.class === 'os._Environ';
}

/** `os.environ[name]`, while nothing ran that might have set it. */
function planEnvironment(interpreter: Interpreter, exact: ExactObjects, key: Operand): Planned | null {
  const wanted = exact.stepOf(key.ref);
  if (wanted === undefined || interpreter.state.effects.files) return null;
  const made = exact.step({ op: 'name', name: 'os.environ' });
  return { step: { op: 'item', args: [made, wanted] }, urgency: 'ask' };
}

/** Subscripts that the checks judge by themselves. */
function isPlainItem(interpreter: Interpreter, fact: Fact, key: Operand): boolean {
  if (key.fact.kind === 'slice') return true;
  if (fact.kind === 'dataframe' && fact.columns) return true;
  if (fact.kind === 'series') return key.fact.kind === 'series' || interpreter.literal(key.ref) === undefined;
  return false;
}

const comparisons = new Set(['Eq', 'NotEq', 'Lt', 'LtE', 'Gt', 'GtE']);
const arithmetic = new Set('Add Sub Mult Div FloorDiv Mod Pow MatMult BitAnd BitOr BitXor'.split(' '));

/** `left op right` where one of them is data. */
export function planBinary(
  interpreter: Interpreter,
  operator: string,
  left: Operand,
  right: Operand,
): Planned | null {
  const { exact } = interpreter;
  if (!exact || interpreter.mutedInquiry > 0) return null;
  if (!comparisons.has(operator) && !arithmetic.has(operator)) return null;
  if (left.fact.kind === 'tensor' || right.fact.kind === 'tensor') return null;
  if (!exact.isData(left.ref) && !exact.isData(right.ref)) return null;
  const a = exact.stepOf(left.ref);
  const b = a === undefined ? undefined : exact.stepOf(right.ref);
  if (a === undefined || b === undefined) return null;
  const areNumbers = [left.fact, right.fact].every((fact) => isNumeric(fact));
  return { step: { op: 'binary', name: operator, args: [a, b] }, urgency: areNumbers ? 'wish' : 'ask' };
}

/** Numbers, and columns and arrays of numbers: what fails with them shows in their shapes. */
function isNumeric(fact: Fact): boolean {
  if (fact.kind === 'scalar') return fact.type !== 'str' && fact.type !== 'bytes';
  if (fact.kind === 'series') return /^(u?int|float|bool)/.test(fact.dtype ?? '');
  if (fact.kind === 'ndarray')
    return /^(u?int|float|bool)/.test(fact.dtype ?? '') && fact.shape !== undefined;
  return false;
}

export function planUnary(interpreter: Interpreter, operator: string, operand: Operand): Planned | null {
  const { exact } = interpreter;
  if (!exact || interpreter.mutedInquiry > 0 || !exact.isData(operand.ref)) return null;
  if (!['USub', 'UAdd', 'Invert'].includes(operator) || operand.fact.kind === 'tensor') return null;
  const made = exact.stepOf(operand.ref);
  return made === undefined ? null : { step: { op: 'unary', name: operator, args: [made] }, urgency: 'wish' };
}

/** Accessors refuse data of the wrong sort when they are looked up. */
const accessors = new Set(['str', 'dt', 'cat', 'sparse']);

/** `receiver.name`, not called. */
export function planAttribute(
  interpreter: Interpreter,
  node: NodeOf<'Attribute'>,
  receiver: Operand,
): Planned | null {
  const { exact } = interpreter;
  if (!exact || interpreter.mutedInquiry > 0 || interpreter.calledNodes.has(node)) return null;
  const { kind } = receiver.fact;
  if (kind === 'module' || kind === 'library' || kind === 'tensor' || kind === 'torch-module') return null;
  if (!exact.isData(receiver.ref) && kind !== 'method' && kind !== 'groupby') return null;
  if (['loc', 'iloc', 'at', 'iat', 'shape', 'columns', 'empty', 'size', 'ndim'].includes(node.attr))
    return null;
  const made = exact.stepOf(receiver.ref);
  if (made === undefined) return null;
  const isAccessor = accessors.has(node.attr) && kind === 'series';
  return {
    step: { op: 'attribute', receiver: made, name: node.attr },
    urgency: isAccessor || kind === 'method' ? 'ask' : 'wish',
  };
}

/** A store into a frame or series, and what the frame is afterwards. */
export function planStore(
  interpreter: Interpreter,
  container: Operand,
  key: Operand,
  value: Operand,
): { readonly step: NewStep; readonly owner: Ref; readonly isWhole: boolean } | null {
  const { exact } = interpreter;
  if (!exact || interpreter.mutedInquiry > 0) return null;
  const { fact } = container;
  const owner = fact.kind === 'indexer' ? fact.owner : container.ref;
  const held = interpreter.look(owner);
  if (held.kind !== 'dataframe' && held.kind !== 'series') return null;
  if (fact.kind === 'indexer' && held.kind === 'series') return null;
  const steps = [owner, key.ref, value.ref].map((ref) => exact.stepOf(ref));
  if (!steps.every((step) => step !== undefined)) return null;
  return {
    step: {
      op: 'stored',
      args: steps as StepId[],
      ...(fact.kind === 'indexer' && { name: fact.accessor }),
    },
    owner,
    isWhole: fact.kind === 'dataframe' && interpreter.literal(key.ref) !== undefined,
  };
}
