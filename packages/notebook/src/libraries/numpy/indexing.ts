// Subscripts of arrays.

import type { Context } from '../../reasoning/context.js';
import type { Operand } from '../../reasoning/events.js';
import type { Dim, Fact, Ref, Shape } from '../../reasoning/facts.js';
import { shapeOf } from '../../reasoning/kinds.js';
import { sliceBounds, sliceLength } from '../python/containers.js';
import type { ArrayLike } from './kinds.js';
import { styleOf } from './styles.js';

/** The parts of a subscript in order: `a[i, :, None]` has three. */
export function partsOf(
  context: Context | { look: (ref: Ref) => Fact },
  key: Operand,
): readonly Fact[] | undefined {
  if (key.fact.kind !== 'tuple') return [key.fact];
  return key.fact.items?.map((ref) => context.look(ref));
}

/** The shape of a subscript; undefined when it is not followed. */
export function indexedShape(
  context: Pick<Context, 'literal'>,
  shape: Shape,
  parts: readonly Fact[],
): Shape | undefined {
  const result: Dim[] = [];
  const consumed = parts.filter((part) => part.kind !== 'none' && part.class !== 'builtins.ellipsis').length;
  let axis = 0;
  for (const part of parts) {
    if (part.kind === 'none') result.push(1);
    else if (part.class === 'builtins.ellipsis') {
      const skipped = shape.length - consumed;
      for (let count = 0; count < skipped; count++) result.push(shape[axis++] ?? null);
    } else if (part.kind === 'slice') {
      const length = shape[axis++];
      if (length === undefined) return undefined;
      const bounds = length === null ? undefined : sliceBounds(context, part, length);
      const isWhole = part.lower === undefined && part.upper === undefined && part.step === undefined;
      result.push(bounds ? sliceLength(bounds) : isWhole ? length : null);
    } else if (part.kind === 'scalar' && (part.type === 'int' || part.type === 'bool')) {
      if (part.type === 'bool' || axis >= shape.length) return undefined;
      axis++;
    } else return undefined;
  }
  return axis > shape.length ? undefined : [...result, ...shape.slice(axis)];
}

export function arrayItem(container: Operand, key: Operand, context: Context): Ref | undefined {
  const fact = container.fact as ArrayLike;
  const parts = partsOf(context, key);
  if (!fact.shape || !parts) return undefined;
  const base = {
    kind: fact.kind,
    ...(fact.class !== undefined && {
      class: styleOf(fact).keepsClass ? styleOf(fact).class : fact.class,
    }),
    ...(fact.dtype !== undefined && { dtype: fact.dtype }),
    ...(fact.device !== undefined && { device: fact.device }),
    ...(fact.memory !== undefined && { memory: fact.memory }),
  } as const;
  const mask = parts.length === 1 ? parts[0]! : undefined;
  if (mask && 'dtype' in mask) {
    const isBool = mask.dtype === 'bool';
    const own = shapeOf(mask);
    if (mask.dtype === undefined || !own) return undefined;
    return context.put({
      ...base,
      shape: isBool ? [null, ...fact.shape.slice(own.length)] : [...own, ...fact.shape.slice(1)],
    });
  }
  if (
    mask?.kind === 'list' &&
    mask.length !== undefined &&
    mask.items?.every((ref) => isInt(context.look(ref)))
  )
    return context.put({ ...base, shape: [mask.length, ...fact.shape.slice(1)] });
  const shape = indexedShape(context, fact.shape, parts);
  if (!shape) return undefined;
  if (shape.length === 0 && !styleOf(fact).hasZeroDimensions) return scalarItem(context, fact);
  return context.put({ ...base, shape, element: fact.element });
}

function isInt(fact: Fact): boolean {
  return fact.kind === 'scalar' && fact.type === 'int';
}

export function scalarItem(context: Context, fact: ArrayLike): Ref {
  if (fact.element !== undefined) return fact.element;
  const dtype = fact.dtype ?? '';
  if (/^u?int/.test(dtype)) return context.put({ kind: 'scalar', type: 'int', class: `numpy.${dtype}` });
  if (/^float/.test(dtype)) return context.put({ kind: 'scalar', type: 'float', class: `numpy.${dtype}` });
  return context.unknown();
}
