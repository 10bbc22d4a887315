// What may be asked of NumPy, in a copy of the kernel.
import type { Fact } from '../../reasoning/facts.js';
import { words } from '../../reasoning/inquiry/planning.js';
import type { QuestionRules } from '../../reasoning/library.js';
import { planDraw } from '../python/draws.js';
import type { ArrayLike } from './kinds.js';

const mostElements = 3_000_000;

const exceptions =
  /^numpy\.(random|testing|lib|ctypeslib|ma|f2py)\.|^numpy\.(empty|empty_like|save\w*|load\w*|fromfile|memmap|seterr\w*|errstate|put|put_along_axis|copyto|place|putmask|fill_diagonal|set_\w+|printoptions|vectorize|frompyfunc|nditer|info|show_\w+|get_include|ndenumerate|ndindex)$/;
const quiet =
  /^numpy\.(mean|sum|std|var|median|unique|isnan|isinf|exp|abs|absolute|zeros|ones|zeros_like|ones_like|full|arange|linspace|eye|where|any|all|round|sort|argsort|cumsum|ndim|shape|size|sign|square|float64|float32|int64|int32)$/;

const drawing = words(
  `choice randint integers permutation permuted uniform normal multivariate_normal multinomial dirichlet binomial poisson
  beta gamma exponential triangular hypergeometric`,
);

/** What makes a generator like this one; undefined for all else. */
function generatorMaker(fact: Fact | undefined): string | undefined {
  if (fact?.kind !== 'instance' || fact.of !== undefined) return undefined;
  if (/^numpy\.random\.(_generator\.)?Generator$/.test(fact.class ?? '')) return 'numpy.random.default_rng';
  return /^numpy\.random\.(mtrand\.)?RandomState$/.test(fact.class ?? '')
    ? 'numpy.random.RandomState'
    : undefined;
}

export const questions: QuestionRules = {
  purity(name) {
    if (!name.startsWith('numpy.')) return undefined;
    if (exceptions.test(name)) return 'no';
    return quiet.test(name) ? 'quiet' : 'askable';
  },
  quietMethods: words(
    'copy mean sum min max std var any all tolist round cumsum flatten ravel transpose argsort argmax argmin item squeeze nonzero',
  ),
  askableMethods: words(
    'astype clip dot prod repeat searchsorted take reshape swapaxes compress diagonal trace choose conj ptp',
  ),
  readers: /^numpy\.(loadtxt|genfromtxt|load)$/,
  fresh: /^numpy\.(zeros|ones|full|empty|array|arange|linspace|eye)(_like)?$/,
  makers: /^numpy\.(linspace|arange|zeros|ones|full|eye)$/,
  classes: /^numpy\.(?!random\.)/,
  judgedAttributes: ['shape', 'size', 'ndim'],
  planCall(site, callee, context, exact) {
    const function_ = /^numpy\.random\.(\w+)$/.exec(site.target ?? '')?.[1];
    if (function_ !== undefined && drawing.has(function_))
      return planDraw(site, function_, exact.named(callee.fact), context, exact);
    const maker = generatorMaker(site.receiver?.fact);
    if (maker === undefined || site.method === null || !drawing.has(site.method)) return undefined;
    const generator = exact.step({ op: 'call', callee: exact.step({ op: 'name', name: maker }) });
    const drawn = exact.step({ op: 'attribute', receiver: generator, name: site.method });
    return planDraw(site, site.method, drawn, context, exact);
  },
  // The elements of a grid of objects are known by themselves.
  planItem: ({ fact }) => (fact.kind === 'ndarray' && fact.element !== undefined ? null : undefined),
  kinds: {
    ndarray: {
      isData: true,
      isArray: true,
      isAugmentedInPlace: true,
      changes: () => 'made-of-it',
      isUsable(fact) {
        const { class: name, shape = [null] } = fact as ArrayLike;
        return (
          name === 'numpy.ndarray' &&
          shape.reduce<number>((size, dim) => size * (dim ?? Infinity), 1) <= mostElements
        );
      },
      isNumeric(fact) {
        const { dtype = '', shape } = fact as ArrayLike;
        return /^(u?int|float|bool)/.test(dtype) && shape !== undefined;
      },
    },
  },
};
