/**
 * # A container is indexed with the wrong kind of key
 *
 * ## What
 * A list, tuple or string is indexed with text, a float or an array; a NumPy array is indexed with a column name.
 *
 * ## Why it crashes
 * Lists raise `TypeError: list indices must be integers or slices`; NumPy raises `IndexError: only integers, slices …`.
 * Often a frame has become an array (`.values`, a scaler's output) and the column name is still used.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 *
 * X = pd.DataFrame({"age": [30], "fare": [7.2]}).to_numpy()
 * ```
 * ```python cell
 * X["age"]
 * ```
 *
 * ## Fix
 * Use a position, or keep the frame.
 * ```python fixed
 * X[:, 0]
 * ```
 *
 * ## When it stays silent
 * For structured arrays, for keys whose type is not known, and for user-defined classes.
 */
import type { EventOf } from '../../reasoning/events.js';
import type { Fact } from '../../reasoning/facts.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { article, typeName } from '../wording.js';

export default defineCheck({
  id: 'types/wrong-index-type',
  title: 'A container is indexed with the wrong kind of key',
  rung: 'contracts',
  libraries: ['numpy'],
  on: { loadItem: check, storeItem: check },
});

type Item = EventOf<'loadItem'> | EventOf<'storeItem'>;

function check(event: Item, context: CheckContext): void {
  const { fact } = event.container;
  const key = event.key.fact;
  if (fact.kind === 'ndarray') {
    const isText = key.kind === 'scalar' && key.type === 'str';
    const isTexts =
      key.kind === 'list' &&
      (key.items?.length ?? 0) > 0 &&
      key.items!.every((ref) => isTextFact(context.look(ref)));
    const isFloat = key.kind === 'scalar' && key.type === 'float';
    if ((isText || isTexts || isFloat) && isPlainArray(fact.dtype, fact.class, fact.shape?.length))
      report(
        event,
        context,
        'IndexError',
        'only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices',
      );
    return;
  }
  const isPlain =
    (fact.kind === 'list' || fact.kind === 'tuple' || (fact.kind === 'scalar' && fact.type === 'str')) &&
    fact.class?.startsWith('builtins.');
  if (!isPlain || (event.type === 'storeItem' && fact.kind !== 'list')) return;
  const noun = fact.kind === 'scalar' ? 'string' : fact.kind;
  if (key.kind === 'ndarray' && key.shape && !(key.shape.length === 0)) {
    if (
      key.shape.every((dim) => dim === 1) &&
      key.shape.length <= 1 &&
      !/^(u?int|bool)/.test(key.dtype ?? 'int')
    )
      return;
    if (/^u?int/.test(key.dtype ?? '') || key.dtype === undefined)
      report(event, context, 'TypeError', 'only integer scalar arrays can be converted to a scalar index');
    return;
  }
  const wrong =
    (key.kind === 'scalar' && (key.type === 'str' || key.type === 'float')) ||
    key.kind === 'list' ||
    key.kind === 'tuple' ||
    key.kind === 'none' ||
    key.kind === 'dict' ||
    key.kind === 'series';
  if (wrong)
    report(
      event,
      context,
      'TypeError',
      `${noun} indices must be integers${noun === 'string' ? ', not' : ' or slices, not'} ${noun === 'string' ? `'${typeName(key)}'` : typeName(key)}`,
    );
}

function isTextFact(fact: Fact): boolean {
  return fact.kind === 'scalar' && fact.type === 'str';
}

/** A structured array takes field names; its dtype is written with brackets or a comma. */
function isPlainArray(
  dtype: string | undefined,
  className: string | undefined,
  rank: number | undefined,
): boolean {
  return (
    className === 'numpy.ndarray' &&
    (dtype === undefined ? (rank ?? 0) >= 2 : /^[a-z]+\d*$|^[<>|=]?[a-zA-Z]\d*$/.test(dtype))
  );
}

function report(event: Item, context: CheckContext, exception: string, message: string): void {
  const name = context.text(event.container.node);
  const kind = typeName(event.container.fact);
  const key = context.text(event.key.node);
  context.report({
    exception,
    message,
    evidence: [
      { fact: `${name} is ${article(kind)}`, source: context.source(event.container) },
      { fact: `the key ${key} is ${article(typeName(event.key.fact))}`, source: context.source(event.key) },
    ],
    explanation: `\`${context.text(event.node)}\` raises ${exception}: ${name} is ${article(kind)} and cannot be indexed with ${article(typeName(event.key.fact))}.`,
    remedy:
      event.container.fact.kind === 'ndarray'
        ? 'Use a position, or index the frame that the array was made of.'
        : 'Use a whole number as the position.',
  });
}
