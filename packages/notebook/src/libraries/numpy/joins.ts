// How NumPy and torch join arrays: what each function makes of its parts first, and along which axis they are put together.
// The two libraries agree on all of them (tried with NumPy 2.4 and torch 2.13).
import { argument } from '../../reasoning/arguments.js';
import type { CallArguments } from '../../reasoning/events.js';
import type { Fact, Ref, Shape } from '../../reasoning/facts.js';
import type { CallTransfer, Transfers } from '../../reasoning/library.js';
import { shapesIn } from './functions.js';
import type { ArrayLike } from './kinds.js';
import { concatenated } from './shapes.js';
import { styleOf } from './styles.js';

/** The parts of one call as they are joined. */
interface Joined {
  readonly shapes: readonly Shape[];
  readonly axis: number;
  /** All parts must have one shape, and get an axis more. */
  readonly isStack: boolean;
}

interface Join {
  readonly lift: (shape: Shape) => Shape;
  /** Where the caller does not say it. */
  readonly axis: (first: Shape) => number;
}

const atLeast2d = (shape: Shape): Shape =>
  shape.length === 0 ? [1, 1] : shape.length === 1 ? [1, ...shape] : shape;
const asColumns = (shape: Shape): Shape =>
  shape.length === 0 ? [1, 1] : shape.length === 1 ? [...shape, 1] : shape;
const atLeast3d = (shape: Shape): Shape => (shape.length < 3 ? [...atLeast2d(shape), 1] : shape);

const fixed: Readonly<Record<string, Join>> = {
  vstack: { lift: atLeast2d, axis: () => 0 },
  row_stack: { lift: atLeast2d, axis: () => 0 },
  hstack: {
    lift: (shape) => (shape.length === 0 ? [1] : shape),
    axis: (first) => (first.length === 1 ? 0 : 1),
  },
  dstack: { lift: atLeast3d, axis: () => 2 },
  column_stack: { lift: asColumns, axis: () => 1 },
};
const asToldTo = new Set(['concatenate', 'cat', 'concat', 'stack']);

interface Reader {
  look(ref: Ref): Fact;
  literal(ref: Ref): unknown;
}

/** What a call of NumPy or torch joins; undefined for all else, and where a shape or the axis is not known. */
export function joinedBy(
  call: { readonly target: string | null; readonly args: CallArguments },
  context: Reader,
): Joined | undefined {
  const [, library, name] = /^(numpy|torch)\.(\w+)$/.exec(call.target ?? '') ?? [];
  if (name === undefined || !call.args.complete) return undefined;
  const isTorch = library === 'torch';
  const join = Object.hasOwn(fixed, name) ? fixed[name] : undefined;
  if (!join && !asToldTo.has(name)) return undefined;
  const sequence = argument(call, 0, isTorch ? 'tensors' : join ? 'tup' : 'arrays');
  const given = sequence && shapesIn(context, sequence.fact);
  if (!given || given.length === 0) return undefined;
  if (join) {
    const shapes = given.map(join.lift);
    return { shapes, axis: join.axis(shapes[0]!), isStack: false };
  }
  const told = argument(call, 1, isTorch ? 'dim' : 'axis');
  const axis = told ? context.literal(told.ref) : 0;
  return typeof axis === 'number' ? { shapes: given, axis, isStack: name === 'stack' } : undefined;
}

/** The shape of what comes out; undefined when the parts do not fit. */
function joinedShape({ shapes, axis, isStack }: Joined): Shape | undefined {
  if (!isStack) return concatenated(shapes, axis) ?? undefined;
  const [first] = shapes;
  const at = axis < 0 ? axis + first!.length + 1 : axis;
  if (shapes.some((shape) => shape.length !== first!.length) || at < 0 || at > first!.length)
    return undefined;
  const common = first!.map((dim, index) => (shapes.every((shape) => shape[index] === dim) ? dim : null));
  return [...common.slice(0, at), shapes.length, ...common.slice(at)];
}

/** The functions of one library, by name. */
export function joining(library: 'numpy' | 'torch', kind: ArrayLike['kind']): Transfers {
  const join: CallTransfer = (site, context) => {
    const joined = joinedBy(site, context);
    const shape = joined && joinedShape(joined);
    return context.put({ kind, class: styleOf({ kind }).class, shape });
  };
  const names = [...Object.keys(fixed), ...asToldTo];
  return { functions: Object.fromEntries(names.map((name) => [`${library}.${name}`, join])) };
}
