// One recorded object into one object of the snapshot: which reader knows its class. What no reader knows keeps its
// class, and a recorded value where there is one.
import type { ObjectFact } from '@grus/kernel/snapshot';
import { asString, get, type PyValue } from '../pprint/value.js';
import { describeArray } from './array.js';
import { describeDict, describeSequence } from './container.js';
import { describeEstimator } from './estimator.js';
import { describeFrame } from './frame.js';
import { classNameOf, kindOf } from './kinds.js';
import { literalOf } from './literals.js';
import { describeDirectoryIterator, describeTensorflowDataset, describeTorchLoader } from './loader.js';
import type { ObjectRegistry } from './registry.js';

const callables = new Set(['function', 'method', 'builtin', 'partial', 'class']);

export function describe(record: PyValue, registry: ObjectRegistry): ObjectFact {
  const className = classNameOf(asString(get(record, 'type')) ?? 'unknown');
  const kind = kindOf(className);
  const fact = describeKind(kind, className, record, registry);
  const definedIn = get(get(record, 'execution_cell_source'), 'cellno');
  const cell = literalOf(definedIn);
  return typeof cell === 'number' ? { ...fact, structural: { ...fact.structural, defined_in: cell } } : fact;
}

function describeKind(
  kind: string,
  className: string,
  record: PyValue,
  registry: ObjectRegistry,
): ObjectFact {
  if (get(record, 'is_fitted') !== undefined) return describeEstimator(record, className);
  if (get(record, 'image_shape') !== undefined) return describeDirectoryIterator(record, className, registry);
  if (get(record, 'element_spec') !== undefined) return describeTensorflowDataset(record, className);
  switch (kind) {
    case 'frame':
      return describeFrame(record, className);
    case 'series':
    case 'ndarray':
    case 'tensor':
      return describeArray(record, className);
    case 'torch_loader':
      return describeTorchLoader(record, className, registry);
    case 'dict':
      return describeDict(record, className, registry);
    case 'list':
    case 'tuple':
    case 'set':
      return describeSequence(record, className);
    default:
      return describeOther(kind, className, record);
  }
}

function describeOther(kind: string, className: string, record: PyValue): ObjectFact {
  const literal = literalOf(get(record, 'value'));
  return {
    kind,
    class: className,
    ...(callables.has(kind) ? { representation: { callable: true } } : {}),
    ...(literal !== undefined ? { values: { literal } } : {}),
  };
}
