// What functions of SciPy, NumPy, pandas and scikit-learn need of their data: arrays of one length or width, a square matrix,
// values that are finite, a number between two ends. Each was tried with data that lack it, and raised what is written here
// (SciPy 1.17, NumPy 2.4, pandas 3.1, scikit-learn 1.9, torch 2.13). The names are the short ones that the reasoning knows
// functions by.

type Parameter = readonly [position: number | null, name: string];

export interface Pairing {
  readonly parameters: readonly [Parameter, Parameter];
  readonly exception: string;
  readonly message: string;
  /** What is counted in tables; without it, the entries of something flat. */
  readonly counts?: 'columns';
  /** How many fewer the second has. A plain number in place of the first stands for so many pieces. */
  readonly fewer?: number;
}

const together = (
  names: string,
  parameters: Pairing['parameters'],
  message: string,
  exception = 'ValueError',
): readonly (readonly [string, Pairing])[] =>
  names.split(' ').map((name) => [name, { parameters, exception, message }] as const);

/** Two tables of one width. */
function wide(names: string, [first, second]: readonly [string, string], message: string) {
  const pairing: Pairing = {
    parameters: [
      [0, first],
      [1, second],
    ],
    exception: 'ValueError',
    message,
    counts: 'columns',
  };
  return names.split(/\s+/).map((name) => [name, pairing] as const);
}

/** Edges, and a label for each piece between two of them. */
function pieces(edges: Parameter, labels: Parameter): Pairing {
  return {
    parameters: [edges, labels],
    exception: 'ValueError',
    message: 'Bin labels must be one fewer than the number of bin edges',
    fewer: 1,
  };
}

const xy = [
  [0, 'x'],
  [1, 'y'],
] as const;
const uv = [
  [0, 'u'],
  [1, 'v'],
] as const;
const unlike = 'Array shapes are incompatible for broadcasting.';
const apart = 'operands could not be broadcast together with shapes …';
const alongAxis = "The length of `y` along `axis`=0 doesn't match the length of `x`";

const pairings = new Map<string, Pairing>([
  ...together('scipy.stats.pearsonr', xy, '`x` and `y` must …'),
  ...together(
    'scipy.stats.kendalltau scipy.stats.weightedtau scipy.stats.wilcoxon scipy.stats.linregress scipy.stats.pointbiserialr',
    xy,
    unlike,
  ),
  ...together('scipy.stats.theilslopes scipy.stats.siegelslopes', [xy[1], xy[0]], unlike),
  ...together(
    'scipy.stats.ttest_rel',
    [
      [0, 'a'],
      [1, 'b'],
    ],
    unlike,
  ),
  ...together(
    'scipy.stats.spearmanr',
    [
      [0, 'a'],
      [1, 'b'],
    ],
    'all the input array dimensions except for the concatenation axis must match exactly, …',
  ),
  ...together(
    'scipy.interpolate.interp1d',
    xy,
    'x and y arrays must be equal in length along interpolation axis.',
  ),
  ...together(
    'scipy.interpolate.CubicSpline scipy.interpolate.PchipInterpolator scipy.interpolate.Akima1DInterpolator',
    xy,
    alongAxis,
  ),
  ...together('scipy.interpolate.make_interp_spline', xy, 'Shapes of x … and y … are incompatible'),
  ...together(
    'scipy.interpolate.UnivariateSpline scipy.interpolate.InterpolatedUnivariateSpline',
    xy,
    'x and y should have a same length',
  ),
  ...together(
    'scipy.interpolate.splrep',
    xy,
    'Lengths of the first three arguments (x,y,w) must be equal',
    'TypeError',
  ),
  ...together(
    'scipy.spatial.euclidean scipy.spatial.sqeuclidean scipy.spatial.cityblock ' +
      'scipy.spatial.chebyshev scipy.spatial.braycurtis scipy.spatial.canberra ' +
      'scipy.spatial.minkowski',
    uv,
    apart,
  ),
  ...together('scipy.spatial.cosine scipy.spatial.correlation', uv, 'shapes … not aligned: …'),
  ...together('scipy.spatial.hamming', uv, 'The 1d arrays must have equal lengths.'),
  ...together('numpy.polyfit', xy, 'expected x and y to have same length', 'TypeError'),
  ...together(
    'numpy.interp',
    [
      [1, 'xp'],
      [2, 'fp'],
    ],
    'fp and xp are not of the same length.',
  ),
  ...together('numpy.histogram2d', xy, 'x and y must have the same length.'),
  ...wide(
    'scipy.spatial.cdist',
    ['XA', 'XB'],
    'XA and XB must have the same number of columns (i.e. feature dimension.)',
  ),
  ...wide(
    `sklearn.metrics.euclidean_distances sklearn.metrics.manhattan_distances sklearn.metrics.cosine_distances
    sklearn.metrics.cosine_similarity sklearn.metrics.rbf_kernel sklearn.metrics.linear_kernel
    sklearn.metrics.polynomial_kernel sklearn.metrics.pairwise_distances`,
    ['X', 'Y'],
    'Incompatible dimension for X and Y matrices: …',
  ),
  ['pandas.cut', pieces([1, 'bins'], [3, 'labels'])],
  ['pandas.qcut', pieces([1, 'q'], [2, 'labels'])],
]);

/** The two arguments that must be of one length. */
export function pairingOf(name: string): Pairing | undefined {
  return pairings.get(name);
}

interface Finiteness {
  readonly parameters: readonly Parameter[];
  readonly message: string;
  /** The argument with which a user may switch the test off. */
  readonly unless?: readonly string[];
}

const finite = 'array must not contain infs or NaNs';
const checked = ['check_finite'];
const first = (name: string): readonly Parameter[] => [[0, name]];

const finiteness = new Map<string, Finiteness>([
  [
    'scipy.optimize.curve_fit',
    {
      parameters: [
        [1, 'xdata'],
        [2, 'ydata'],
      ],
      message: finite,
      unless: ['check_finite', 'nan_policy'],
    },
  ],
  ...'inv svd eig eigh det lu qr cholesky pinv eigvals eigvalsh svdvals lu_factor schur hessenberg solve lstsq'
    .split(' ')
    .map(
      (name) =>
        [`scipy.linalg.${name}`, { parameters: first('a'), message: finite, unless: checked }] as const,
    ),
  [
    'scipy.cluster.linkage',
    { parameters: first('y'), message: 'The condensed distance matrix must contain only finite values.' },
  ],
  ...['scipy.cluster.kmeans', 'scipy.cluster.whiten'].map(
    (name) => [name, { parameters: first('obs'), message: finite, unless: checked }] as const,
  ),
  ...['scipy.spatial.KDTree', 'scipy.spatial.cKDTree'].map(
    (name) =>
      [
        name,
        { parameters: first('data'), message: 'data must be finite, check for nan or inf values' },
      ] as const,
  ),
  ...['scipy.interpolate.CubicSpline', 'scipy.interpolate.PchipInterpolator'].map(
    (name) => [name, { parameters: xy, message: '… must contain only finite values.' }] as const,
  ),
  ...['scipy.spatial.ConvexHull', 'scipy.spatial.Delaunay'].map(
    (name) => [name, { parameters: first('points'), message: 'Points cannot contain NaN' }] as const,
  ),
]);

/** The arguments in which every value must be finite. */
export function finitenessOf(name: string): Finiteness | undefined {
  return finiteness.get(name);
}

const square =
  /^(?:(numpy)\.linalg\.(?:inv|det|eigh?|eigvalsh?|cholesky|slogdet|solve|matrix_power)|(scipy)\.linalg\.(?:inv|det|eigh?|eigvalsh?|cholesky|logm|schur|hessenberg|solve)|(torch)\.(?:linalg\.(?:inv|det|eigh?|eigvalsh?|cholesky|slogdet|solve|matrix_exp)|inverse|det|logdet|slogdet|matrix_exp))$/;

/** What is raised where the first argument is no square matrix; undefined for functions that take any. */
export function squarenessOf(name: string): { exception: string; message: string } | undefined {
  const [matched, numpy, scipy] = square.exec(name) ?? [];
  if (matched === undefined) return undefined;
  if (numpy) return { exception: 'LinAlgError', message: 'Last 2 dimensions of the array must be square' };
  if (scipy) return { exception: 'ValueError', message: '… square …' };
  return { exception: 'RuntimeError', message: '… A must be batches of square matrices, …' };
}

/** Where the edge of a digital filter stands among the arguments: without `fs` it lies between 0 and 1. */
const edges: Readonly<Record<string, number>> = {
  'scipy.signal.butter': 1,
  'scipy.signal.bessel': 1,
  'scipy.signal.iirfilter': 1,
  'scipy.signal.cheby1': 2,
  'scipy.signal.cheby2': 2,
  'scipy.signal.ellip': 3,
};

export function filterEdgeOf(name: string): number | undefined {
  return Object.hasOwn(edges, name) ? edges[name] : undefined;
}
