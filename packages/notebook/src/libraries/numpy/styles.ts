// In what arrays of different libraries differ, where they do the same otherwise.
import type { ArrayLike } from './kinds.js';

interface ArrayStyle {
  readonly class: string;
  /** What `shape` is. */
  readonly shapeClass: string;
  /** Changing the form in place leaves the class as it was. */
  readonly keepsClass?: boolean;
  /** `transpose(a, b)` swaps two axes, and has to be told which. */
  readonly swapsAxes?: boolean;
  /** `flatten(from, to)` takes axes. */
  readonly flattensAxes?: boolean;
  /** A result without dimensions is an array too. */
  readonly hasZeroDimensions?: boolean;
  /** Reductions keep the precision of the data. */
  readonly keepsPrecision?: boolean;
  /** Reductions that give values and positions together. */
  readonly givesPairs?: readonly string[];
  /** The result of an operator is of this sort, whatever unknown object is on the other side. */
  readonly ownsResults?: boolean;
  /** Numbers in nested lists become these. */
  readonly dtypes: { readonly [type: string]: string };
}

/** By kind; a library with arrays of its own adds its style when it is loaded. */
export const arrayStyles: { [Kind in ArrayLike['kind']]?: ArrayStyle } = {
  ndarray: {
    class: 'numpy.ndarray',
    shapeClass: 'builtins.tuple',
    dtypes: { int: 'int64', float: 'float64', bool: 'bool' },
  },
};

export function styleOf({ kind }: Pick<ArrayLike, 'kind'>): ArrayStyle {
  return arrayStyles[kind]!;
}
