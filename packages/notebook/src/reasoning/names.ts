// One name for each library object, however it was reached: "pandas.core.reshape.concat.concat", `pd.concat` and a live
// function's own qualified name all become "pandas.concat".

const flat = new Set([
  'pandas',
  'seaborn',
  'xgboost',
  'lightgbm',
  'catboost',
  'polars',
  'tqdm',
  'wordcloud',
  'cv2',
]);
/** Packages whose public names sit one level below the package: "sklearn.metrics.accuracy_score". */
const oneLevel = new Set([
  'sklearn',
  'statsmodels',
  'imblearn',
  'scipy',
  'transformers',
  'plotly',
  'tensorflow',
]);
const torchHomes = [
  'torch.nn.functional',
  'torch.nn',
  'torch.optim',
  'torch.utils.data',
  'torchvision.transforms',
  'torchvision.datasets',
  'torchvision.models',
];

export function publicName(qualified: string): string {
  const all = qualified.split('.');
  const parts = all.filter(
    (part, index) =>
      index === 0 || index === all.length - 1 || !part.startsWith('_') || part.startsWith('__'),
  );
  const top = parts[0]!;
  const last = parts.at(-1)!;
  if (parts.length <= 2) return parts.join('.');
  if (isKeras(parts)) return kerasName(parts);
  if (flat.has(top)) return keepTail(parts, top);
  if (oneLevel.has(top)) return `${top}.${parts[1]}.${tail(parts, 2)}`;
  if (top === 'numpy') return numpyName(parts);
  if (top === 'torch' || top === 'torchvision') {
    const joined = parts.join('.');
    const home = torchHomes.find((prefix) => joined.startsWith(`${prefix}.`));
    if (home) return `${home}.${tail(parts, home.split('.').length)}`;
    if (parts[1] === 'functional' || parts[1] === 'tensor') return `torch.${last}`;
  }
  return parts.join('.');
}

/** The last name, with the class before it when the path ends in Class.method. */
function tail(parts: readonly string[], from: number): string {
  const owner = parts.at(-2)!;
  return parts.length - 2 >= from && /^[A-Z]/.test(owner) ? `${owner}.${parts.at(-1)}` : parts.at(-1)!;
}

function keepTail(parts: readonly string[], top: string): string {
  return `${top}.${tail(parts, 1)}`;
}

function isKeras(parts: readonly string[]): boolean {
  return (
    parts[0] === 'keras' || (parts[0] === 'tensorflow' && parts.includes('keras')) || parts[0] === 'tf_keras'
  );
}

const kerasHomes = [
  'layers',
  'models',
  'optimizers',
  'losses',
  'metrics',
  'callbacks',
  'utils',
  'preprocessing',
  'applications',
  'datasets',
  'initializers',
  'regularizers',
  'ops',
  'backend',
];

function kerasName(parts: readonly string[]): string {
  const home = parts.find((part) => kerasHomes.includes(part));
  if (!home) return `keras.${tail(parts, 1)}`;
  return `keras.${home}.${parts.at(-1)}`;
}

const numpyInternals = new Set([
  'core',
  'lib',
  'fromnumeric',
  'numeric',
  'multiarray',
  'shape_base',
  'function_base',
  'umath',
  'matrixlib',
  'mtrand',
]);

function numpyName(parts: readonly string[]): string {
  return parts
    .filter((part, index) => index === 0 || index === parts.length - 1 || !numpyInternals.has(part))
    .join('.');
}

/** The top-level package of a qualified name. */
export function topPackage(qualified: string): string {
  return qualified.split('.')[0]!;
}

/** Class and all base names, public. */
export function isOneOf(
  className: string | undefined,
  bases: readonly string[] | undefined,
  wanted: readonly string[],
): boolean {
  return (
    (className !== undefined && wanted.includes(className)) ||
    (bases?.some((base) => wanted.includes(base)) ?? false)
  );
}
