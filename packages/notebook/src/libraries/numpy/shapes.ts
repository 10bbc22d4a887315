// Shape arithmetic that NumPy and torch share. Unknown dimensions stay unknown; null means the shapes do not fit.
import type { Dim, Shape } from '../../reasoning/facts.js';

/** The broadcast shape; null when two known dimensions can never match. */
export function broadcast(a: Shape, b: Shape): Shape | null {
  const rank = Math.max(a.length, b.length);
  const result: Dim[] = [];
  for (let position = 1; position <= rank; position++) {
    const x = position <= a.length ? a[a.length - position]! : 1;
    const y = position <= b.length ? b[b.length - position]! : 1;
    if (x === 1) result.unshift(y);
    else if (y === 1) result.unshift(x);
    else if (x === null || y === null) result.unshift(x ?? y);
    else if (x === y) result.unshift(x);
    else return null;
  }
  return result;
}

/** The shape of `a @ b`; null when the inner dimensions can never match. */
export function matmul(a: Shape, b: Shape): Shape | null | undefined {
  if (a.length === 0 || b.length === 0) return undefined;
  const inner = a[a.length - 1]!;
  const other = b.length === 1 ? b[0]! : b[b.length - 2]!;
  if (inner !== null && other !== null && inner !== other) return null;
  if (a.length === 1 && b.length === 1) return [];
  if (a.length <= 2 && b.length <= 2)
    return [...a.slice(0, -1), ...(b.length === 1 ? [] : [b[b.length - 1]!])];
  return undefined;
}

/** Number of elements, or null when a dimension is not known. */
export function sizeOf(shape: Shape): number | null {
  let size = 1;
  for (const dim of shape) {
    if (dim === null) return null;
    size *= dim;
  }
  return size;
}

/** The shape after `reshape(wanted)`; null when the sizes can never fit. */
export function reshaped(shape: Shape, wanted: Shape): Shape | null {
  const total = sizeOf(shape);
  const holes = wanted.filter((dim) => dim === -1).length;
  const known = wanted.reduce<number | null>(
    (size, dim) => (dim === -1 ? size : size === null || dim === null ? null : size * dim),
    1,
  );
  if (holes > 1) return null;
  if (holes === 0) {
    if (total !== null && known !== null && total !== known) return null;
    return wanted;
  }
  if (known === null || total === null) return wanted.map((dim) => (dim === -1 ? null : dim));
  if (known === 0 ? total !== 0 : total % known !== 0) return null;
  return wanted.map((dim) => (dim === -1 ? (known === 0 ? 0 : total / known) : dim));
}

/** The shape without one axis; null when the axis is out of range. */
export function withoutAxis(shape: Shape, axis: number): Shape | null {
  const position = axis < 0 ? axis + shape.length : axis;
  return position < 0 || position >= shape.length ? null : shape.filter((_, index) => index !== position);
}

/** The shape joined along an axis; null when another dimension differs or the ranks do. */
export function concatenated(shapes: readonly Shape[], axis: number): Shape | null {
  const [first] = shapes;
  if (!first || shapes.some((shape) => shape.length !== first.length)) return null;
  const position = axis < 0 ? axis + first.length : axis;
  if (position < 0 || position >= first.length) return null;
  const result: Dim[] = [];
  for (let index = 0; index < first.length; index++) {
    const dims = shapes.map((shape) => shape[index]!);
    if (index === position)
      result.push(dims.reduce<Dim>((sum, dim) => (sum === null || dim === null ? null : sum + dim), 0));
    else {
      const known = dims.filter((dim) => dim !== null);
      if (known.some((dim) => dim !== known[0])) return null;
      result.push(known[0] ?? null);
    }
  }
  return result;
}
