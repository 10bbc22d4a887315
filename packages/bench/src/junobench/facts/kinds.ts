// Which sort of thing a recorded class is, in the words that the kernel agent uses for live objects.

const exact: Readonly<Record<string, string>> = {
  'pandas.core.frame.DataFrame': 'frame',
  'pandas.core.series.Series': 'series',
  'numpy.ndarray': 'ndarray',
  'torch.Tensor': 'tensor',
  'torch.utils.data.dataloader.DataLoader': 'torch_loader',
  'collections.defaultdict': 'dict',
  'datasets.arrow_dataset.Dataset': 'hf_dataset',
  'keras.src.backend.common.keras_tensor.KerasTensor': 'keras_tensor',
  'tensorflow.python.framework.ops.EagerTensor': 'tf_tensor',
  'torch.dtype': 'dtype',
  'torch.device': 'device',
  module: 'module',
  function: 'function',
  method: 'method',
  builtin_function_or_method: 'builtin',
  'numpy._ArrayFunctionDispatcher': 'builtin',
  'functools.partial': 'partial',
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
  [/^keras\.src\.layers\./, 'keras_layer'],
  [/^keras\.src\.optimizers\./, 'keras_optimizer'],
  [/^keras\.src\.callbacks\.history\./, 'keras_history'],
  [/^torch\.nn\.modules\.|^torchvision\.models\.\w+\.\w+$/, 'torch_module'],
  [/^torch\.optim\.\w+\.\w+$/, 'torch_optimizer'],
  [/^torch\.utils\.data\.dataset\.|^torchvision\.datasets\./, 'torch_dataset'],
  [/^sklearn\./, 'estimator'],
  [/^tensorflow\.python\.data\./, 'tf_dataset'],
];

export function kindOf(className: string): string {
  if (className === 'unknown') return unknownKind;
  const known = exact[className];
  if (known !== undefined) return known;
  return families.find(([pattern]) => pattern.test(className))?.[1] ?? 'instance';
}

/** The kind of what exists but of which nothing else is known. */
export const unknownKind = 'omitted';

/** `<class 'torch.Tensor'>` or `torch.Tensor`, as the records write it, without the wrapping. */
export function classNameOf(written: string): string {
  return /^<class '(.*)'>$/.exec(written)?.[1] ?? written;
}
