/**
 * # Labels that the encoder has not seen
 *
 * ## What
 * `LabelEncoder.transform` is given a label that was not among those it was fitted on.
 *
 * ## Why it crashes
 * An unseen label has no code; scikit-learn raises `ValueError: y contains previously unseen labels`.
 *
 * ## Example
 * ```python state
 * from sklearn.preprocessing import LabelEncoder
 *
 * encoder = LabelEncoder().fit(["Paris", "Lyon"])
 * ```
 * ```python cell
 * encoder.transform(["Lille"])
 * ```
 *
 * ## Fix
 * Fit on all labels, or use `OrdinalEncoder(handle_unknown='use_encoded_value', unknown_value=-1)` for features.
 * ```python fixed
 * encoder.fit(["Paris", "Lyon", "Lille"]).transform(["Lille"])
 * ```
 *
 * ## When it stays silent
 * When the fitted classes or the given labels are not known.
 */
import { includesLiteral, listed } from '../../reasoning/literals.js';
import { defineCheck } from '../define-check.js';
import { methodCall } from './shared.js';
import { valuesOf } from './targets.js';

export default defineCheck({
  id: 'estimators/unseen-labels',
  title: 'Labels that the encoder has not seen',
  rung: 'contracts',
  libraries: ['sklearn'],
  on: {
    call(event, context) {
      const call = methodCall(event);
      if (call?.estimator.class !== 'sklearn.preprocessing.LabelEncoder' || call.method !== 'transform')
        return;
      const { classes } = call.estimator;
      const given = event.args.positional[0] ?? event.args.keywords.get('y');
      const examples = given && valuesOf(context, given.fact)?.examples;
      if (!classes || classes.length === 0 || !examples) return;
      const plain = (value: unknown) =>
        typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value));
      const isText = typeof classes[0] === 'string';
      if (!classes.every(plain) || !examples.every(plain)) return;
      if (!examples.every((value) => (typeof value === 'string') === isText)) return;
      const unseen = examples.filter((value) => !includesLiteral(classes, value));
      if (unseen.length === 0) return;
      const owner = context.text(call.receiver.node);
      context.report({
        exception: 'ValueError',
        message: 'y contains previously unseen labels: …',
        evidence: [
          { fact: `${owner} was fitted on ${listed(classes)}`, source: context.source(call.receiver) },
          { fact: `${context.text(given.node)} holds ${listed(unseen)}`, source: context.source(given) },
        ],
        explanation: `\`${context.text(event.node.func)}\` raises ValueError: ${listed(unseen)} was not among the labels that ${owner} was fitted on.`,
        remedy: 'Fit the encoder on all labels, or use OrdinalEncoder with handle_unknown for features.',
      });
    },
  },
});
