// The snapshot of a recorded instance: recorded facts arrive, missing ones stay missing, and the executed cells add only
// what certainly holds.
import { snapshotSchema } from '@grus/kernel/snapshot';
import { describe, expect, it } from 'vitest';
import { readInstance } from '../../src/junobench/data/instance.js';
import { snapshotOf } from '../../src/junobench/snapshot.js';

function snapshotFrom(text: string) {
  const instance = readInstance(text);
  if (instance === null) throw new Error('the fixture has no target cell');
  return snapshotSchema.parse(snapshotOf(instance));
}

const instance = `# Executed Cells:
## Cell 1:

import numpy as np
from sklearn.svm import SVC
RATE = 0.1
STEPS = [10, 20]
TOUCHED = [1]
TOUCHED.append(2)

def halve(values, factor=2, *, keep):
    return values * RATE / factor + undefined_here

## Cell 2:

garden = load()
del scratch

# Current relevent runtime information:
{'__method__garden_head': {'type': "<class 'method'>"},
 'garden': {'execution_cell_source': {'cellno': 7, 'lineno': 1},
            'has_nan': False,
            'per_column': {'height': {'num_unique': 40,
                                      'type': 'continuous',
                                      'value_range': (0.5, 3.25)},
                           'petals': {'num_unique': 3,
                                      'type': 'categorical_numeric',
                                      'value_range': (3, 8)},
                           'species': {'example_values': ['Iris',
                                                          'A very long garden n...'],
                                       'num_unique': 6,
                                       'type': 'categorical'}},
            'shape': (40, 3),
            'type': 'pandas.core.frame.DataFrame'},
 'halve': {'execution_cell_source': {'cellno': 1, 'lineno': 7},
           'type': "<class 'function'>"},
 'np': {'type': "<class 'module'>"}}
# Target Cell:

garden.head()
garden.tail()
halve(garden, keep=np.pi)
print(STEPS, TOUCHED, scratch, missing, SVC)
`;

describe('snapshotOf', () => {
  const snapshot = snapshotFrom(instance);
  const object = (name: string) => snapshot.objects[snapshot.names[name]!]!;

  it('reads a frame whose column order is not known', () => {
    const { representation, values, structural } = object('garden');
    expect(representation).toMatchObject({
      shape: [40, 3],
      columns_complete: true,
      columns_ordered: false,
      columns: [
        { label: 'height', dtype: 'float' },
        { label: 'petals', dtype: 'int' },
        { label: 'species', dtype: '?' },
      ],
    });
    expect(structural).toMatchObject({ defined_in: 7 });
    expect(values?.columns?.[1]).toMatchObject({ min: 3, max: 8, has_nan: false, unique: 3 });
    expect(values?.columns?.[2]).toMatchObject({ examples: ['Iris'], examples_complete: false });
  });

  it('tells recorded attributes from those the object lacks', () => {
    expect(snapshot.paths['garden.head']?.status).toBe('present');
    expect(snapshot.paths['garden.tail']?.status).toBe('absent');
    expect(snapshot.paths['np.pi']?.status).toBe('absent');
  });

  it('adds source, signature and globals of functions that a cell defined', () => {
    const { structural, representation } = object('halve');
    expect(structural?.source).toContain('def halve');
    expect(structural?.globals).toEqual(expect.arrayContaining(['RATE', 'undefined_here']));
    expect(representation?.signature).toEqual([
      { name: 'values', kind: 'positional_or_keyword', has_default: false },
      { name: 'factor', kind: 'positional_or_keyword', has_default: true },
      { name: 'keep', kind: 'keyword_only', has_default: false },
    ]);
    expect(object('RATE').values?.literal).toBe(0.1);
  });

  it('reads constants only where they certainly still hold', () => {
    expect(object('STEPS').representation?.length).toBe(2);
    expect(object('TOUCHED')).toEqual({ kind: 'omitted', class: 'unknown' });
  });

  it('calls absent what nothing bound or what was deleted', () => {
    expect(snapshot.absent).toEqual(['missing', 'scratch', 'undefined_here']);
  });

  it('knows from imports what a name stands for and which modules exist', () => {
    expect(object('np').representation?.name).toBe('numpy');
    expect(object('SVC').representation?.name).toBe('sklearn.svm.SVC');
    expect(snapshot.modules['sklearn.svm']?.names['SVC']?.status).toBe('present');
    expect(snapshot.versions).toEqual({});
  });

  it('stays silent about names when a star import may have bound them', () => {
    const starred = snapshotFrom(
      '# Executed Cells:\n## Cell 1:\n\nfrom somewhere import *\ndef f():\n    return helper()\n\n# Current relevent runtime information:\n{}\n# Target Cell:\n\nf()\n',
    );
    expect(starred.absent).not.toContain('helper');
  });
});

describe('recorded batches', () => {
  const text = (record: string) =>
    `# Executed Cells:\n## Cell 1:\n\nbatches = make()\n\n# Current relevent runtime information:\n{'batches': ${record}}\n# Target Cell:\n\nbatches\n`;

  it('gives a torch loader the free batch dimension and the shapes of single samples', () => {
    const snapshot = snapshotFrom(
      text(
        "{'batch_size': 4, 'dataset': {'batch_shapes': {'batch[0]': torch.Size([10, 3, 8]), 'batch[1]': torch.Size([10])}, 'dataset_info': {'x': {'dataset_shape': (50, 3), 'dtype': torch.float64}}, 'sample_shapes': defaultdict(<class 'set'>, {'input': {torch.Size([3, 8]), torch.Size([3, 9])}, 'label': {'int'}})}, 'num_batches': 13, 'num_examples': 50, 'type': 'torch.utils.data.dataloader.DataLoader'}",
      ),
    );
    const loader = snapshot.objects[snapshot.names['batches']!]!;
    expect(loader.representation).toMatchObject({
      length: 13,
      element_spec: [
        { shape: [null, 3, 8], dtype: '?' },
        { shape: [null], dtype: '?' },
      ],
    });
    const dataset = snapshot.objects[loader.structural!.related!['dataset']!]!;
    expect(dataset.representation?.length).toBe(50);
    const shapes = dataset.structural!.items!.map((item) => {
      const [input] = snapshot.objects[item]!.structural!.items!;
      return snapshot.objects[input!]!.representation?.shape;
    });
    expect(shapes).toEqual([
      [3, 8],
      [3, 9],
    ]);
    expect(snapshot.objects[dataset.structural!.attributes!['x']!]!.representation).toEqual({
      shape: [50, 3],
      dtype: 'torch.float64',
    });
  });

  it('reads the element spec of a tf.data dataset', () => {
    const snapshot = snapshotFrom(
      text(
        "{'element_spec': '(TensorSpec(shape=(None, 8, 3), dtype=tf.float32, name=None), '\n 'TensorSpec(shape=(None,), dtype=tf.int64, name=None))', 'type': 'tensorflow.python.data.ops.prefetch_op._PrefetchDataset'}",
      ),
    );
    expect(snapshot.objects[snapshot.names['batches']!]!.representation?.element_spec).toEqual([
      { shape: [null, 8, 3], dtype: 'float32' },
      { shape: [null], dtype: 'int64' },
    ]);
  });

  it('reads previews of dicts, with values that are whole', () => {
    const snapshot = snapshotFrom(
      text(
        "{'length': 2, 'preview': [{'key': 'a', 'key_type': \"<class 'str'>\", 'value_repr': \"'rose'\", 'value_type': \"<class 'str'>\"}, {'key': 3, 'key_type': \"<class 'int'>\", 'value_repr': '<tf.Tensor: shape=(8, 2), dtype=int32, numpy=\\nar...', 'value_type': \"<class 'tensorflow.python.framework.ops.EagerTensor'>\"}], 'type': \"<class 'dict'>\"}",
      ),
    );
    const dict = snapshot.objects[snapshot.names['batches']!]!;
    expect(dict.structural).toMatchObject({ keys: ['a', 3], complete: true });
    const entries = dict.structural!.entries!.map((entry) => snapshot.objects[entry]!);
    expect(entries[0]?.values?.literal).toBe('rose');
    expect(entries[1]?.representation).toEqual({ shape: [8, 2], dtype: 'int32' });
  });
});
