// Which calls on real data are asked of the real library: functions and methods that are known to be pure, readers of small
// files, and whatever a library plans in a way of its own.
import type { Context, Exact } from '../context.js';
import type { CallArguments, Operand } from '../events.js';
import type { Ref } from '../facts.js';
import type { CallSite } from '../library.js';
import { firstQuestion } from '../registry.js';
import { forwardsOptions, planForwarded } from './forwarded.js';
import type { NewStep } from './inquiry.js';
import type { Planned } from './planned.js';
import { asksForMuch, hasSeed, partsOf } from './planning.js';
import { namesReadableFile } from './readable-files.js';
import {
  drawsAtRandom,
  functionPurity,
  hasInPlace,
  isFresh,
  makesForOthers,
  mayRefuse,
  methodPurity,
  questionsOf,
  readsFile,
} from './rules.js';

/** A call: what is asked about it, or null when nothing can be. */
export function planCall(context: Context, site: CallSite, callee: Operand): Planned | null {
  const { exact } = context;
  if (!exact || !site.args.complete || context.mutedInquiry > 0 || site.args.keywords.has('out')) return null;
  const own = firstQuestion((rules) => rules.planCall?.(site, callee, context, exact));
  if (own !== undefined) return own;
  const planned =
    site.target !== null
      ? planFunction(context, exact, site, site.target, callee)
      : site.receiver && site.method !== null
        ? planMethod(context, exact, site, site.receiver, site.method)
        : null;
  if (!forwardsOptions(callee.fact, site.args)) return planned;
  return planned ? { ...planned, urgency: 'needed' } : planForwarded(exact, site, callee);
}

function planFunction(
  context: Context,
  exact: Exact,
  { args, ...site }: CallSite,
  target: string,
  { fact: called }: Operand,
): Planned | null {
  const isReader = readsFile(target);
  if (isReader && !namesReadableFile(context, { args, ...site })) return null;
  const purity = isReader ? 'askable' : functionPurity(target);
  if (purity === 'no' || asksForMuch(context, args)) return null;
  const operands = [...args.positional, ...args.keywords.values()];
  const isMaker = /\.[A-Z]\w*$/.test(target) || target.includes('.make_');
  const isWorth = isMaker || operands.some(({ ref }) => isWorthAsking(context, exact, ref));
  if (!isWorth && !makesForOthers(target)) return null;
  const parts = partsOf(exact, args);
  const callee = parts && exact.named(called);
  if (callee === undefined) return null;
  return {
    step: { op: 'call', callee, ...parts, ...(isReader && { name: 'reader' }) },
    urgency: purity === 'askable' || namesOption(context, args) ? 'needed' : 'welcome',
    isRandom: !hasSeed(context, args) && drawsAtRandom(target),
    isFresh: isFresh(target),
  };
}

/** Whether a word of the library's own is given by name (`freq="M"`): such words come and go with its versions. */
function namesOption(context: Context, { keywords }: CallArguments): boolean {
  return [...keywords.values()].some(({ ref }) => typeof context.literal(ref) === 'string');
}

/** Something that comes from the kernel or was made by a step; texts count, numbers alone do not. */
function isWorthAsking(context: Context, exact: Exact, ref: Ref): boolean {
  const fact = context.look(ref);
  if (exact.isData(ref) || questionsOf(fact).leadsOn) return true;
  if (fact.kind === 'scalar') return fact.type === 'str';
  return fact.kind === 'list' || fact.kind === 'tuple' || fact.kind === 'dict' || fact.kind === 'instance';
}

function planMethod(
  context: Context,
  exact: Exact,
  site: CallSite,
  { ref, fact }: Operand,
  method: string,
): Planned | null {
  if (fact.kind === 'module' || fact.kind === 'library' || questionsOf(fact).byForm) return null;
  const made = exact.stepOf(ref);
  if (made === undefined) return null;
  const { keywords: given } = site.args;
  const inPlace = given.get('inplace');
  const isInPlace = inPlace !== undefined && context.literal(inPlace.ref) === true;
  if (inPlace && !isInPlace && context.literal(inPlace.ref) !== false) return null;
  const args = isInPlace ? { ...site.args, keywords: without(given, 'inplace') } : site.args;
  const purity = methodPurity(method);
  if (purity === 'no' || (isInPlace && !hasInPlace(method))) return null;
  const parts = partsOf(exact, args);
  if (!parts) return null;
  const step: NewStep = { op: 'method', receiver: made, name: method, ...parts };
  return {
    step,
    urgency: purity === 'askable' || mayRefuse(fact, method) ? 'needed' : 'welcome',
    isRandom: !hasSeed(context, args) && drawsAtRandom(`.${method}`),
    ...(isInPlace && { after: step }),
  };
}

function without(keywords: ReadonlyMap<string, Operand>, name: string): ReadonlyMap<string, Operand> {
  return new Map([...keywords].filter(([other]) => other !== name));
}
