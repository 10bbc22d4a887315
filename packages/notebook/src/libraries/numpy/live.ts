// Live arrays, scalars of NumPy, and its functions, which are objects of classes of their own.
import type { ObjectFact } from '@grus/kernel/snapshot';
import type { Fact, ScalarType } from '../../reasoning/facts.js';
import type { LiveReader } from '../../reasoning/library.js';
import { type CommonFields, type ObjectContext, pick } from '../../reasoning/live/context.js';
import { knownDtype, scalarFact, valueFacts } from '../../reasoning/live/values.js';
import { publicName } from '../../reasoning/names.js';
import type { ArrayLike } from './kinds.js';

/** Reads an array of any library. */
export const arrayReader =
  (kind: ArrayLike['kind']): LiveReader['read'] =>
  (object, common, context) => {
    const { structural = {}, representation = {}, values = {} } = object;
    const dtype = knownDtype(representation.dtype);
    const [first] = structural.items ?? [];
    return {
      ...common,
      kind,
      ...(dtype !== undefined && { dtype: dtype.slice(dtype.lastIndexOf('.') + 1) }),
      ...pick(representation, 'shape', 'device'),
      ...(representation.requires_grad !== undefined && { requiresGrad: representation.requires_grad }),
      values: valueFacts(values),
      ...(first !== undefined && { element: context.refOf(first) }),
    };
  };

/** Matrices and masked arrays may index, combine and derive as they like. */
export const live: Readonly<Record<string, LiveReader>> = {
  ndarray: { classes: /^numpy\.(ndarray|memmap)$/, read: arrayReader('ndarray') },
  scalar: {
    read(object, common) {
      const type = scalarType(common.class);
      return type === undefined ? { ...common, kind: 'instance' } : scalarFact(object, common, type);
    },
  },
};

function scalarType(className: string): ScalarType | undefined {
  if (/^numpy\.u?int\d*$/.test(className)) return 'int';
  if (/^numpy\.float(16|32|64)$/.test(className)) return 'float';
  if (className === 'numpy.str_') return 'str';
  return className === 'numpy.bool' || className === 'numpy.bool_' ? 'bool' : undefined;
}

/** NumPy's functions are instances; what matters of them is their name. */
export function liveOther(
  object: ObjectFact,
  common: CommonFields,
  context: ObjectContext,
): Fact | undefined {
  if (common.class !== 'numpy._ArrayFunctionDispatcher' && common.class !== 'numpy.ufunc') return undefined;
  const { attributes: _, members: __, ...rest } = common;
  return { ...rest, kind: 'library', name: functionName(object, context) };
}

function functionName(object: ObjectFact, context: ObjectContext): string {
  const text = (attribute: string): unknown => {
    const key = object.structural?.attributes?.[attribute];
    return key === undefined ? undefined : context.object(key)?.values?.literal;
  };
  const module = text('__module__');
  const name = text('__name__');
  return typeof module === 'string' && typeof name === 'string'
    ? publicName(`${module}.${name}`)
    : publicName(context.path ?? '?');
}
