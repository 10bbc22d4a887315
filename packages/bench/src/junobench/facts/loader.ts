// Recorded batches: torch data loaders, Keras directory iterators and tf.data datasets. Batch shapes were taken from a
// few samples collated by the recorder, so their first dimension is the recorder's and is left free.
import type { ObjectFact } from '@grus/kernel/snapshot';
import { readPprint } from '../pprint/read.js';
import {
  asNumber,
  asString,
  get,
  isCall,
  isDict,
  isSequence,
  type PyValue,
  stringKeys,
} from '../pprint/value.js';
import { unknownDtype } from './frame.js';
import { kindOf } from './kinds.js';
import { literalOf } from './literals.js';
import type { ObjectRegistry } from './registry.js';
import { shapeOf } from './shapes.js';

export function describeTorchLoader(
  record: PyValue,
  className: string,
  registry: ObjectRegistry,
): ObjectFact {
  const batches = asNumber(get(record, 'num_batches'));
  const recorded = get(record, 'dataset');
  const dataset = registry.add(describeDataset(recorded, asNumber(get(record, 'num_examples')), registry));
  const spec = batchSpec(get(recorded, 'batch_shapes'));
  return {
    kind: 'torch_loader',
    class: className,
    structural: { related: { dataset }, attributes: numbers(record, { batch_size: 'batch_size' }, registry) },
    representation: {
      ...(batches !== undefined ? { length: batches } : {}),
      ...(spec.length > 0 ? { element_spec: spec } : {}),
      callable: false,
      iterable: true,
      subscriptable: false,
    },
  };
}

function batchSpec(shapes: PyValue | undefined): { shape: (number | null)[]; dtype: string }[] {
  const spec: { shape: (number | null)[]; dtype: string }[] = [];
  for (let position = 0; ; position++) {
    const shape = shapeOf(get(shapes, `batch[${position}]`));
    if (shape === undefined || shape.length === 0) return spec;
    spec.push({ shape: [null, ...shape.slice(1)], dtype: unknownDtype });
  }
}

/** The dataset behind a loader, with one item for each distinct sample shape that the recorder met. */
function describeDataset(
  recorded: PyValue | undefined,
  length: number | undefined,
  registry: ObjectRegistry,
): ObjectFact {
  const info = get(recorded, 'dataset_info');
  const attributes: Record<string, string> = {};
  for (const name of stringKeys(info)) {
    const entry = get(info, name);
    const shape = shapeOf(get(entry, 'dataset_shape'));
    const dtype = get(entry, 'dtype');
    const type = asString(get(entry, 'type'));
    if (shape !== undefined)
      attributes[name] = registry.add({
        kind: 'tensor',
        class: 'torch.Tensor',
        representation: { shape, ...(isOpaque(dtype) ? { dtype: dtype.text } : {}) },
      });
    else if (type !== undefined) attributes[name] = registry.add({ kind: kindOf(type), class: type });
  }
  const items = sampleItems(get(recorded, 'sample_shapes'), registry);
  return {
    kind: 'torch_dataset',
    class: 'unknown',
    structural: { attributes, ...(items.length > 0 ? { items, complete: false } : {}) },
    representation: { ...(length !== undefined ? { length } : {}) },
  };
}

function sampleItems(recorded: PyValue | undefined, registry: ObjectRegistry): string[] {
  const byRole = isCall(recorded) ? recorded.args.find(isDict) : recorded;
  const roles = stringKeys(byRole).map((role) => {
    const distinct = get(byRole, role);
    return isSequence(distinct) ? distinct.items : [];
  });
  const [inputs, labels] = roles;
  if (inputs === undefined) return [];
  return inputs.map((input) => {
    const parts = [registry.add(describeSample(input))];
    if (labels !== undefined)
      parts.push(registry.add(describeSample(labels.length === 1 ? labels[0]! : null)));
    return registry.add({ kind: 'tuple', class: 'tuple', structural: { items: parts, complete: false } });
  });
}

function describeSample(sample: PyValue): ObjectFact {
  const shape = shapeOf(sample);
  if (shape !== undefined) return { kind: 'tensor', class: 'torch.Tensor', representation: { shape } };
  const className = typeof sample === 'string' ? sample : 'unknown';
  return { kind: kindOf(className), class: className };
}

export function describeDirectoryIterator(
  record: PyValue,
  className: string,
  registry: ObjectRegistry,
): ObjectFact {
  const samples = asNumber(get(record, 'n_samples'));
  const batch = asNumber(get(record, 'batch_size'));
  const attributes = numbers(
    record,
    {
      n: 'n_samples',
      samples: 'n_samples',
      batch_size: 'batch_size',
      num_classes: 'num_classes',
      image_shape: 'image_shape',
      target_size: 'target_size',
    },
    registry,
  );
  return {
    kind: 'instance',
    class: className,
    structural: { attributes },
    representation: {
      ...(samples !== undefined && batch ? { length: Math.ceil(samples / batch) } : {}),
      callable: false,
      iterable: true,
      subscriptable: true,
    },
  };
}

export function describeTensorflowDataset(record: PyValue, className: string): ObjectFact {
  const written = asString(get(record, 'element_spec'));
  const read = written === undefined ? null : readPprint(written);
  const specs = isSequence(read) ? read.items : read === null ? [] : [read];
  return {
    kind: 'tf_dataset',
    class: className,
    representation: {
      element_spec: specs.filter(isCall).map((spec) => ({
        shape: shapeOf(spec.keywords['shape']) ?? null,
        dtype: isOpaque(spec.keywords['dtype'])
          ? spec.keywords['dtype'].text.replace(/^tf\./, '')
          : unknownDtype,
      })),
      callable: false,
      iterable: true,
      subscriptable: false,
    },
  };
}

function numbers(
  record: PyValue,
  keys: Record<string, string>,
  registry: ObjectRegistry,
): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [attribute, key] of Object.entries(keys)) {
    const literal = literalOf(get(record, key));
    if (literal === undefined || literal === null) continue;
    const className = Array.isArray(literal) ? 'tuple' : 'int';
    attributes[attribute] = registry.add({ kind: className, class: className, values: { literal } });
  }
  return attributes;
}

function isOpaque(value: PyValue | undefined): value is { type: 'opaque'; text: string } {
  return typeof value === 'object' && value !== null && value.type === 'opaque';
}
