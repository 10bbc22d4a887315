// What the registered libraries say about questions, all of them together.
import type { Fact } from '../facts.js';
import type { KindQuestions, QuestionRules } from '../library.js';
import { allLibraries, firstQuestion } from '../registry.js';
import type { Purity } from './planned.js';

const nothing: KindQuestions = {};

export function questionsOf({ kind }: Pick<Fact, 'kind'>): KindQuestions {
  return firstQuestion((rules) => rules.kinds?.[kind]) ?? nothing;
}

function someRules(test: (rules: QuestionRules) => boolean | undefined): boolean {
  return allLibraries().some(({ questions }) => questions !== undefined && test(questions) === true);
}

/** Names that say that chance or the clock decides. */
const changing = /\.(random\w*|rand|now|today|utcnow)$|simulat|generat/;

export function functionPurity(name: string): Purity {
  return changing.test(name) ? 'no' : (firstQuestion((rules) => rules.purity?.(name)) ?? 'no');
}

/** By the name alone: the class of what a step made is often not known, and a wrong name is refused as in the cell. */
export function methodPurity(name: string): Purity {
  if (someRules((rules) => rules.quietMethods?.has(name))) return 'quiet';
  return someRules((rules) => rules.askableMethods?.has(name)) ? 'askable' : 'no';
}

export const hasInPlace = (name: string) => someRules((rules) => rules.inPlaceMethods?.has(name));
export const readsFile = (name: string) => someRules((rules) => rules.readers?.test(name));
export const drawsAtRandom = (name: string) => someRules((rules) => rules.random?.test(name));
export const isFresh = (name: string) => someRules((rules) => rules.fresh?.test(name));
export const makesForOthers = (name: string) => someRules((rules) => rules.makers?.test(name));
export const isUsableClass = (name: string) => someRules((rules) => rules.classes?.test(name));
export const isMoment = (name: string) => someRules((rules) => rules.moments?.test(name));
export const isJudgedAttribute = (name: string) =>
  someRules((rules) => rules.judgedAttributes?.includes(name));

export function mayRefuse(fact: Fact, method: string): boolean {
  return someRules((rules) => rules.mayRefuse?.[fact.kind]?.(fact, method));
}

export function mayRefuseAttribute({ kind }: Fact, name: string): boolean {
  return someRules((rules) => rules.refusingAttributes?.[kind]?.includes(name));
}
