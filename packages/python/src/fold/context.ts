// What folding is told from outside, and the folding of several expressions.
import type { Expression } from '../ast.js';
import type { Folded } from './values.js';

export interface FoldContext {
  /** The live or earlier assigned value of a name or dotted path. */
  readonly value?: (path: string) => Folded | undefined;
  /** The qualified name a callee means ("os.path.join" for `join` after `from os.path import join`). */
  readonly callee?: (path: string) => string | undefined;
}

/** The value of an expression, or undefined when it is not certain. */
export type Fold = (node: Expression, context?: FoldContext) => Folded | undefined;

/** All of the expressions, or undefined when one is not certain or is unpacked. */
export function foldAll(
  nodes: readonly Expression[],
  context: FoldContext,
  fold: Fold,
): Folded[] | undefined {
  const values: Folded[] = [];
  for (const node of nodes) {
    const value = fold(node, context);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}
