/**
 * # A Polars expression used as a condition
 *
 * ## What
 * `and`, `or`, `not`, `if` ask an expression such as `pl.col("x") > 3` whether it is true.
 *
 * ## Why it crashes
 * An expression has no value yet: `TypeError: the truth value of an Expr is ambiguous`.
 *
 * ## Example
 * ```python state
 * import polars as pl
 *
 * df = pl.DataFrame({"age": [30, 40], "fare": [7.2, 71.3]})
 * ```
 * ```python cell
 * df.filter(pl.col("age") > 30 and pl.col("fare") > 10)
 * ```
 *
 * ## Fix
 * Use `&`, `|` and `~`, with parentheses around each comparison.
 * ```python fixed
 * df.filter((pl.col("age") > 30) & (pl.col("fare") > 10))
 * ```
 *
 * ## When it stays silent
 * When it is not known that the value is an expression.
 */
import { defineCheck } from '../define-check.js';

export default defineCheck({
  id: 'polars/expression-truth',
  title: 'A Polars expression used as a condition',
  rung: 'contracts',
  libraries: ['polars'],
  on: {
    truth({ operand }, context) {
      if (operand.fact.kind !== 'polars-expression' || operand.fact.class !== 'polars.Expr') return;
      const name = context.text(operand.node);
      context.report({
        exception: 'TypeError',
        message: 'the truth value of an Expr is ambiguous…',
        node: operand.node,
        evidence: [{ fact: `${name} is an expression of Polars`, source: context.source(operand) }],
        explanation: `Using \`${name}\` as a condition raises TypeError: an expression has no value until a frame evaluates it.`,
        remedy: 'Combine expressions with `&`, `|` and `~`, each comparison in parentheses.',
      });
    },
  },
});
