// Which sort of thing a recorded class is, in the words that the kernel agent uses for live objects.

const exact: Readonly<Record<string, string>> = {
  'pandas.core.frame.DataFrame': 'dataframe',
  'pandas.core.series.Series': 'series',
  'numpy.ndarray': 'ndarray',
  'torch.Tensor': 'tensor',
  'torch.utils.data.dataloader.DataLoader': 'dataloader',
  'collections.defaultdict': 'dict',
  module: 'module',
  function: 'function',
  method: 'method',
  builtin_function_or_method: 'builtin',
  'numpy._ArrayFunctionDispatcher': 'builtin',
  'functools.partial': 'callable',
  type: 'class',
  'abc.ABCMeta': 'class',
  'torch._C._TensorMeta': 'class',
  dict: 'dict',
  list: 'list',
  tuple: 'tuple',
  set: 'set',
  str: 'str',
  int: 'int',
  float: 'float',
  bool: 'bool',
  NoneType: 'none',
};

const families: readonly (readonly [RegExp, string])[] = [
  [/^pandas\.core\.indexes\./, 'index'],
  [/^numpy\.(u?int|float|bool|complex|str_)\w*$/, 'scalar'],
  [/^keras\.src\.models\./, 'keras_model'],
  [/^sklearn\./, 'estimator'],
  [/^tensorflow\.python\.data\./, 'tf_dataset'],
];

export function kindOf(className: string): string {
  const known = exact[className];
  if (known !== undefined) return known;
  return families.find(([pattern]) => pattern.test(className))?.[1] ?? 'instance';
}

/** `<class 'torch.Tensor'>` or `torch.Tensor`, as the records write it, without the wrapping. */
export function classNameOf(written: string): string {
  return /^<class '(.*)'>$/.exec(written)?.[1] ?? written;
}
