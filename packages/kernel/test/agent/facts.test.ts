// The facts of each library's objects, as checks rely on them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kernel, kinds, type Snapshot } from '../../src/index.js';
import { ask, factOf, fixture, kernelWith, object, run } from './support.js';

let kernel: Kernel;
let snapshot: Snapshot;
beforeAll(async () => {
  kernel = await kernelWith(fixture('libraries.py'));
  const { namespace } = await ask(kernel, {});
  snapshot = await ask(kernel, { names: namespace });
});
afterAll(() => kernel.close());

const literalOf = (ref: string | undefined) => object(snapshot, ref).values?.literal;

it('uses only the words of kinds.ts', () => {
  const used = new Set(Object.values(snapshot.objects).map((fact) => fact.kind));
  expect([...used].filter((kind) => !(kind in kinds))).toEqual([]);
});

const expected: Record<string, object> = {
  array: {
    kind: 'ndarray',
    representation: { dtype: 'float64', shape: [3, 4] },
    values: { min: 0, max: 11 },
  },
  with_nan: { values: { has_nan: true, nan_position: 1, has_inf: true, exhaustive: true } },
  objects: { values: { element_types: ['NoneType', 'int', 'str'], rejected_by: { float: { value: 'a' } } } },
  structured: { structural: { keys: ['x', 'y'] } },
  words: { values: { examples: ['red', 'green'], examples_complete: true } },
  transposed: { representation: { shape: [500, 600] }, values: { exhaustive: false } },
  rng: { kind: 'random_generator' },
  labelled: {
    kind: 'frame',
    representation: { index_names: ['ticket'], index_labels_complete: true, index_unique: true },
  },
  multi: { representation: { index_dtype: 'multi', index_names: ['age', 'name'] } },
  pivoted: { representation: { columns_levels: 2, columns: [{ label: ['a', 'x'] }, { label: ['a', 'y'] }] } },
  empty: { representation: { shape: [0, 0], columns: [], columns_complete: true } },
  wide: { representation: { shape: [2, 300], columns_complete: true } },
  huge: { representation: { shape: [50_000_000, 2], index_range: { start: 0, stop: 50_000_000, step: 1 } } },
  own_frame: { kind: 'frame', class: '__main__.OwnFrame', representation: { shape: [1, 1] } },
  ages: { kind: 'series', representation: { name: 'age', dtype: 'int64' }, values: { min: 22, max: 38 } },
  codes: { values: { rejected_by: { int: { value: 'x3', position: 2 } } } },
  times: { kind: 'index', representation: { index_names: ['t'] } },
  intervals: { kind: 'index', representation: { length: 2 } },
  stamp: { kind: 'scalar', values: { literal: { special: '2020-01-01 00:00:00' } } },
  polars_frame: {
    kind: 'polars_frame',
    representation: { shape: [3, 2], columns: [{ label: 'a', dtype: 'Int64' }, { label: 'b' }] },
  },
  polars_series: { kind: 'polars_series', representation: { name: 'a' }, values: { min: 1, max: 3 } },
  polars_long: { values: { columns: [{ exhaustive: false }] } },
  polars_lazy: { kind: 'polars_lazy' },
  graph: {
    kind: 'graph',
    representation: { length: 3, stored: 3 },
    values: { examples: ['a', 'b', 'c'], examples_complete: true },
  },
  multigraph: { kind: 'graph', representation: { length: 2, stored: 3 } },
  sparse: { kind: 'sparse', representation: { shape: [3, 3], dtype: 'float64', stored: 3 } },
  sparse_array: { kind: 'sparse', representation: { shape: [2, 2] } },
  regression: {
    kind: 'instance',
    structural: { fitted: false },
    representation: { n_features_in: 2, feature_names_in: ['const', 'age'] },
  },
  regression_results: {
    class: 'statsmodels.base.wrapper.OLSResults',
    structural: { fitted: true, dynamic_attributes: false },
    representation: { n_features_in: 2, feature_names_in: ['const', 'age'] },
  },
  bare_results: { structural: { fitted: true }, representation: { n_features_in: 1 } },
  tensor: {
    kind: 'tensor',
    representation: { dtype: 'torch.int64', shape: [2, 3], device: 'cpu', requires_grad: false },
    values: { min: 0, max: 5, exhaustive: true },
  },
  gradient: { representation: { requires_grad: true } },
  meta: { representation: { device: 'meta', shape: [5, 5] } },
  // A class of the user's may compute its shape: it is not read.
  own_tensor: { kind: 'tensor', representation: { callable: false, subscriptable: true } },
  net: { kind: 'torch_module', structural: { training: true, layers: [{ name: 'body' }] } },
  optimizer: { kind: 'torch_optimizer', representation: { length: 2 } },
  dataset: { kind: 'torch_dataset', representation: { length: 10 } },
  loader: { kind: 'torch_loader' },
  sequential: {
    kind: 'keras_model',
    structural: { compiled: true, built: true },
    representation: { loss: 'mse', input_shape: [[null, 4]], output_shape: [[null, 2]] },
  },
  functional: {
    kind: 'keras_model',
    structural: { compiled: false },
    representation: { input_shape: [[null, 4]] },
  },
  unbuilt: { kind: 'keras_model', structural: { built: false } },
  history: { kind: 'keras_history', values: { history: { loss: 2, mae: 2 } } },
  constant: { kind: 'tf_tensor', representation: { shape: [1, 2], dtype: 'float32' } },
  variable: { kind: 'tf_variable', representation: { shape: [2], dtype: 'float32' } },
  pipeline_data: {
    kind: 'tf_dataset',
    representation: {
      element_spec: [
        { shape: [null, 2], dtype: 'float32' },
        { shape: [null], dtype: 'float64' },
      ],
    },
  },
  unfitted: { kind: 'estimator', structural: { fitted: false } },
  fitted: {
    structural: { fitted: true },
    representation: { n_features_in: 4, feature_names_in: ['a', 'b', 'c', 'd'] },
    values: { classes: [0, 1] },
  },
  encoder: { structural: { fitted: true }, values: { classes: ['cat', 'dog'] } },
  steps: {
    structural: { fitted: false, layers: [{ name: 'standardscaler' }, { name: 'logisticregression' }] },
  },
  columns: { structural: { layers: [{ name: 'number' }, { name: 'text' }] } },
  search: { structural: { fitted: false } },
  boosted: { structural: { fitted: true }, representation: { n_features_in: 4 } },
  unboosted: { structural: { fitted: false } },
  matrix_data: { kind: 'booster', representation: { shape: [3, 4] } },
  light: { structural: { fitted: true }, representation: { n_features_in: 3 }, values: { classes: [0, 1] } },
  figure: { kind: 'figure', representation: { length: 6 } },
  axes: { kind: 'ndarray', representation: { shape: [2, 3], dtype: 'object' } },
  first_axes: { kind: 'axes', representation: { grid: [2, 3] } },
  tokenizer: { kind: 'tokenizer' },
  encoded: { kind: 'dict', structural: { keys: ['input_ids', 'token_type_ids', 'attention_mask'] } },
  config: { kind: 'hf_config' },
  bert: { kind: 'torch_module' },
  text_dataset: {
    kind: 'hf_dataset',
    representation: { length: 2, columns: [{ label: 'text' }, { label: 'label' }] },
  },
};

it.each(Object.keys(expected))('%s', (name) => {
  expect(factOf(snapshot, name)).toMatchObject(expected[name]!);
});

describe('a frame', () => {
  const column = (label: string) => {
    const frame = factOf(snapshot, 'frame');
    const position = frame.representation?.columns?.findIndex((entry) => entry.label === label) ?? -1;
    return {
      dtype: frame.representation?.columns?.[position]?.dtype,
      values: frame.values?.columns?.[position],
    };
  };

  it.each([
    ['age', 'int64', { min: 22, max: 38, has_nan: false }],
    ['fare', 'float64', { has_nan: true, nan_count: 1, nan_position: 1 }],
    ['ticket', 'str', { rejected_by: { float: { value: 'PC 17599', position: 1 } }, has_nan: false }],
    ['port', 'category', { categories: ['C', 'S'], categories_complete: true, has_nan: true }],
    ['flag', 'bool', { examples: [false, true] }],
    ['nullable', 'Int64', { has_nan: true, min: 1, max: 4 }],
    ['mixed', 'object', { element_types: ['NoneType', 'float', 'int', 'str'] }],
  ])('column %s', (label, dtype, values) => {
    expect(column(label)).toMatchObject({ dtype, values });
  });
});

it('an estimator that needs no fitting is not called unfitted', () => {
  expect(factOf(snapshot, 'stateless').structural).not.toHaveProperty('fitted');
});

it('parameters of estimators, loaders and modules are readable', () => {
  const parameters = (name: string) => factOf(snapshot, name).structural?.parameters ?? {};
  expect(literalOf(parameters('unfitted')['C'])).toBe(1);
  expect(literalOf(parameters('loader')['batch_size'])).toBe(4);
  const layer = object(snapshot, factOf(snapshot, 'plain_net').structural?.layers?.[0]?.object);
  expect(object(snapshot, layer.structural?.parameters?.['weight']).representation?.shape).toEqual([2, 4]);
  expect(literalOf(layer.structural?.attributes?.['in_features'])).toBe(4);
});

it('NumPy’s dispatched functions bind as the functions they wrap', async () => {
  const told = await ask(kernel, { paths: ['np.mean', 'np.concatenate'] });
  const signature = (path: string) => object(told, told.paths[path]?.object).representation?.signature;
  expect(signature('np.mean')?.map((parameter) => parameter.name)).toContain('axis');
  expect(signature('np.concatenate')).toBeNull();
});

it('nothing was drawn from a dataset', async () => {
  const rows = factOf(snapshot, 'rows');
  expect(literalOf(rows.structural?.attributes?.['drawn'])).toBe(0);
});

it('questions of a later round are answered', async () => {
  const { answers } = await ask(kernel, {
    questions: [
      { id: 'label', ask: 'has_label', path: 'labelled', value: 'PC 17599' },
      { id: 'no label', ask: 'has_label', path: 'labelled', value: 'zzz' },
      { id: 'row', ask: 'has_label', path: 'huge', value: 49_999_999 },
      { id: 'no row', ask: 'has_label', path: 'huge', value: -1 },
      { id: 'column', ask: 'column', path: 'huge', value: 'a' },
      { id: 'no column', ask: 'column', path: 'frame', value: 'Age' },
      { id: 'described', ask: 'describe', path: 'sequential.optimizer' },
      { id: 'unreachable', ask: 'has_key', path: 'frame.columns', value: 'age' },
    ],
  });
  const statuses = Object.fromEntries(Object.entries(answers).map(([id, answer]) => [id, answer.status]));
  expect(statuses).toEqual({
    label: 'yes',
    'no label': 'no',
    row: 'yes',
    'no row': 'no',
    column: 'yes',
    'no column': 'no',
    described: 'yes',
    unreachable: 'unknown',
  });
});

it('calls of a module are not plain ones while autocast is left on', async () => {
  const isHooked = async () =>
    factOf(await ask(kernel, { names: ['net'] }), 'net').structural?.hooked ?? false;
  expect(await isHooked()).toBe(false);
  await run(kernel, 'import torch\namp = torch.autocast("cpu")\namp.__enter__()');
  expect(await isHooked()).toBe(true);
  await run(kernel, 'amp.__exit__(None, None, None)');
  expect(await isHooked()).toBe(false);
});
