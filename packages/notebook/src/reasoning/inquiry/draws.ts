// Random draws. What they give differs from run to run, but what they refuse follows from their arguments alone: so they may
// be asked, of a generator that is made for the question.
import type { CallArguments } from '../events.js';
import type { Fact } from '../facts.js';
import type { Interpreter } from '../interpreter/interpreter.js';

const numpyDraw =
  'choice|randint|integers|permutation|permuted|uniform|normal|multivariate_normal|multinomial|dirichlet|binomial|poisson|beta|gamma|exponential|triangular|hypergeometric';
const drawFunctions = new RegExp(
  `^numpy\\.random\\.(${numpyDraw})$|^random\\.(choice|choices|sample|randint|randrange)$`,
);
const drawMethods = new RegExp(`^(${numpyDraw}|choices|sample|randrange)$`);

export function isDrawFunction(name: string): boolean {
  return drawFunctions.test(name);
}

/** What makes a generator like this one; undefined for all else, and for methods that are no plain draw. */
export function generatorMaker(fact: Fact, method: string): string | undefined {
  if (fact.kind !== 'instance' || fact.of !== undefined || !drawMethods.test(method)) return undefined;
  if (/^numpy\.random\.(_generator\.)?Generator$/.test(fact.class ?? '')) return 'numpy.random.default_rng';
  if (/^numpy\.random\.(mtrand\.)?RandomState$/.test(fact.class ?? '')) return 'numpy.random.RandomState';
  return fact.class === 'random.Random' ? 'random.Random' : undefined;
}

/** Whether these arguments may well be refused; a plain draw never is, and costs no question. */
export function mayRefuseToDraw(interpreter: Interpreter, name: string, args: CallArguments): boolean {
  const { positional, keywords } = args;
  const word = name.slice(name.lastIndexOf('.') + 1);
  if (word === 'choice')
    return (
      positional.length > 2 || keywords.has('p') || keywords.has('replace') || isEmpty(positional[0]?.fact)
    );
  if (word === 'choices')
    return positional.length > 1 || keywords.has('weights') || keywords.has('cum_weights');
  if (word === 'sample' || word.startsWith('multi') || word === 'dirichlet') return true;
  if (word !== 'randint' && word !== 'integers' && word !== 'randrange') return false;
  const [low, high] = [positional[0], positional[1] ?? keywords.get('high')].map((operand) =>
    operand ? interpreter.literal(operand.ref) : undefined,
  );
  const [from, to] = high === undefined || high === null ? [0, low] : [low, high];
  return typeof from === 'number' && typeof to === 'number' && from >= to;
}

function isEmpty(fact: Fact | undefined): boolean {
  if (fact?.kind === 'list' || fact?.kind === 'tuple') return (fact.items?.length ?? fact.length) === 0;
  return fact?.kind === 'ndarray' && fact.shape?.[0] === 0;
}
